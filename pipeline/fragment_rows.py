"""From results, positions and lists of pieces to rows of their tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from engine.errors import EngineError
from engine.variants import variant
from notation.errors import BadPosition, BadRecord, NotationError, Where
from notation.fragments import Fragment, PieceList, PositionRecord, ResultRecord
from notation.position_text import format_position
from notation.record import Problem
from pipeline.rows import Origin, Rows

TABLES = {ResultRecord: "results", PositionRecord: "positions", PieceList: "piece_lists"}
"""Which table holds what."""

_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
_PLACES, _NUMBERS = 1 << 7, 1 << 31
"""Columns of places have 8 bits, those of other numbers 32."""


def add_fragment(rows: Rows, fragment: Fragment, origin: Origin, number: int) -> None:
    """Add the row of a fragment; `number` is its place among all of the library.

    Raises:
        NotationError: a position that no position text can hold, or a variant that there is not; no row is added.
    """
    problems = list(fragment.problems)
    own, variant_id = _own_columns(fragment, problems, origin)
    rows.add(
        TABLES[type(fragment)],
        source=origin.source,
        digest=origin.digest,
        record=origin.record,
        line=origin.line,
        format=fragment.format,
        variant=variant_id,
        id=_identity(fragment, variant_id, own),
        players=fragment.players,
        headers=_AS_JSON(fragment.headers),
        warnings=[problem.message for problem in problems],
        warning_codes=[problem.code for problem in problems],
        seen_no=number,
        **own,
    )


def fragment_id(fragment: Fragment, origin: Origin) -> str:
    """Identity of a fragment: a hash of its content, 32 hexadecimal digits.

    The same for the same content, wherever it stands: everything but the names of formats, and the warnings. Headers
    count for results, which may have little else to tell them apart, and for nothing else.

    Raises:
        NotationError: see `add_fragment`.
    """
    own, variant_id = _own_columns(fragment, [], origin)
    return _identity(fragment, variant_id, own)


def _identity(fragment: Fragment, variant_id: str | None, own: dict[str, Any]) -> str:
    said: list[Any] = [fragment.kind, variant_id, own]
    if not isinstance(fragment, PositionRecord):
        said.append(fragment.players)
    if isinstance(fragment, ResultRecord):
        said.append(fragment.headers)
    text = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _own_columns(
    fragment: Fragment, problems: list[Problem], origin: Origin
) -> tuple[dict[str, Any], str | None]:
    """The columns that only one of the tables has, and the variant; None where it is unknown."""
    where = Where(origin.source, origin.record, origin.line)
    try:
        if isinstance(fragment, PositionRecord):
            return {"position": format_position(fragment.position)}, fragment.position.variant
        name = variant(fragment.variant).id if fragment.variant else None
    except EngineError as error:
        raise BadRecord(str(error), where) from None
    except NotationError as error:
        raise BadPosition(error.message, where) from None
    if isinstance(fragment, PieceList):
        return {"pieces": [f"{_colour(name, colour)}:{piece}" for colour, piece in fragment.pieces]}, name
    return _of_result(fragment, problems), name


def _colour(variant_id: str | None, colour: int) -> str:
    """Name of a colour; its number from 1 where the variant is unknown, a question mark where nobody says it."""
    if colour < 0:
        return "?"
    names = variant(variant_id).colours if variant_id else ()
    return names[colour] if colour < len(names) else str(colour + 1)


def _of_result(result: ResultRecord, problems: list[Problem]) -> dict[str, Any]:
    numbers = {"margin": result.margin, "plies": result.plies, "passes": result.passes}
    return {
        "key": result.key or None,
        "scores": _fitting("scores", result.scores, _NUMBERS, problems),
        "places": _fitting("places", result.places, _PLACES, problems),
        "unfinished": result.unfinished,
        **{
            name: None if value is None else next(iter(_fitting(name, [value], _NUMBERS, problems)), None)
            for name, value in numbers.items()
        },
    }


def _fitting(name: str, values: Sequence[int], limit: int, problems: list[Problem]) -> list[int]:
    """Numbers that a column can hold; none, with a warning, where one of them is absurd."""
    if all(-limit <= value < limit for value in values):
        return list(values)
    problems.append(Problem("number", f"{name}: a number is too large to be one, and is left out"))
    return []
