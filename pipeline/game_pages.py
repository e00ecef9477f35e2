"""Games page by page, each beginning behind the last game of the one before: an import in between moves nothing."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

from pipeline.abbreviations import short_ids
from pipeline.errors import PipelineError
from pipeline.queries import GameFilter, Row, conditions
from pipeline.store import Reader

_ORDER = "(coalesce(year, 32767), coalesce(month, 99), coalesce(day, 99), game_no)"
"""The order of `queries.list_games`: by date, what is unknown behind what is known."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Rows of a list of games, how many it has in all, and the cursor of the next page, None on the last."""

    total: int
    rows: list[Row]
    next: str | None


def page_of_games(reader: Reader, wanted: GameFilter, limit: int, cursor: str | None = None) -> GamePage:
    """A page of the games that match, in the order of `queries.list_games`.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing, or no cursor of ours.
    """
    where, parameters = conditions(wanted)
    total = reader.table(f"SELECT count(*) AS n FROM games g {where}", parameters).to_pylist()[0]["n"]
    if cursor is not None:
        where = f"{where} {'AND' if where else 'WHERE'} {_ORDER} > (?, ?, ?, ?)"
        parameters = [*parameters, *_read(cursor)]
    rows = reader.table(
        f"WITH chosen AS MATERIALIZED (SELECT game_no, {_ORDER} AS place FROM games g {where} "
        f"ORDER BY place LIMIT {int(limit) + 1}) "
        "SELECT v.*, list_value(coalesce(g.year, 32767)::BIGINT, coalesce(g.month, 99), coalesce(g.day, 99), game_no)"
        " AS place FROM games_view v JOIN chosen USING (game_no) JOIN games g USING (game_no) ORDER BY chosen.place",
        parameters,
    ).to_pylist()
    shown = rows[:limit]
    following = _text(shown[-1]["place"]) if len(rows) > limit else None
    shorts = short_ids(reader, [row["id"] for row in shown])
    hidden = ("game_no", "place")
    return GamePage(
        total,
        [
            {"id": row["id"], "short": shorts[row["id"]], **{k: v for k, v in row.items() if k not in hidden}}
            for row in shown
        ],
        following,
    )


def _text(place: list[int]) -> str:
    return base64.urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def _read(cursor: str) -> list[Any]:
    try:
        place = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), "-_", validate=True))
    except (binascii.Error, ValueError) as error:
        raise PipelineError("the cursor is none: take the one that a page gave") from error
    is_place = isinstance(place, list) and len(place) == 4 and all(type(n) is int for n in place)
    if not is_place or any(not 0 <= number < 2**62 for number in place):
        raise PipelineError("the cursor is none: take the one that a page gave")
    return list(place)
