"""What the faces of the program ask a library about results, positions and lists of pieces: what is no game."""

from __future__ import annotations

import json
from typing import Any

from engine.variants import variant
from pipeline.queries import Page
from pipeline.store import Reader

KINDS = ("results", "positions", "piece_lists")
"""Views, each content once."""


def list_fragments(
    reader: Reader,
    kind: str,
    variant_id: str | None = None,
    player: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Page:
    """Rows of one of `KINDS`, in the order in which they were found; headers are an object, games have their identity.

    `player` is a part of a name, in any case.

    Raises:
        UnknownVariant: a variant that there is not.
    """
    assert kind in KINDS
    tests: list[str] = []
    parameters: list[Any] = []
    if variant_id is not None:
        tests.append("f.variant = ?")
        parameters.append(variant(variant_id).id)
    if player is not None:
        tests.append("len(list_filter(f.players, lambda name: contains(lower(name), lower(?)))) > 0")
        parameters.append(player)
    where = f"WHERE {' AND '.join(tests)}" if tests else ""
    total = reader.table(f"SELECT count(*) AS n FROM {kind} f {where}", parameters).to_pylist()[0]["n"]
    game, join = ("", "") if kind != "results" else (", g.id AS game", "LEFT JOIN games g USING (game_no)")
    left_out = "digest, seen_no" if kind != "results" else "digest, seen_no, game_no"
    page = f"LIMIT {'ALL' if limit is None else int(limit)} OFFSET {int(offset)}"
    rows = reader.table(
        f"SELECT f.* EXCLUDE ({left_out}){game} FROM {kind} f {join} {where} ORDER BY f.seen_no, f.record {page}",
        parameters,
    ).to_pylist()
    return Page(total, [{**row, "headers": json.loads(row["headers"] or "{}")} for row in rows])
