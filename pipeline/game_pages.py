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
from pipeline.tables import UNIT_GAMES

_ORDER = "(coalesce(year, 32767), coalesce(month, 99), coalesce(day, 99), game_no)"
"""The order of `queries.list_games`: by date, what is unknown behind what is known."""

_NEWEST = "(coalesce(year, 0), coalesce(month, 0), coalesce(day, 0), game_no)"
"""Descending: the newest first, and of those without a date what was imported last."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """Rows of a list of games, how many it has in all, and the cursor of the next page, None on the last."""

    total: int
    rows: list[Row]
    next: str | None


def page_of_games(
    reader: Reader, wanted: GameFilter, limit: int, cursor: str | None = None, newest: bool = False
) -> GamePage:
    """A page of the games that match, in the order of `queries.list_games`, or the newest first.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing, or no cursor of ours.
    """
    where, parameters = conditions(wanted)
    total = reader.table(f"SELECT count(*) AS n FROM games g {where}", parameters).to_pylist()[0]["n"]
    order, onward, direction = (_NEWEST, "<", "DESC") if newest else (_ORDER, ">", "")
    if cursor is not None:
        where = f"{where} {'AND' if where else 'WHERE'} {order} {onward} (?, ?, ?, ?)"
        parameters = [*parameters, *_read(cursor)]
    places = reader.table(
        f"SELECT game_no, {order} AS place FROM games g {where} "
        f"ORDER BY place {direction} LIMIT {int(limit) + 1}",
        parameters,
    ).to_pylist()
    shown = places[:limit]
    following = _text(list(shown[-1]["place"].values())) if len(places) > limit else None
    return GamePage(total, _rows(reader, [row["game_no"] for row in shown]), following)


def _rows(reader: Reader, numbers: list[int]) -> list[Row]:
    """Rows of games, in this order."""
    found: dict[int, Row] = {}
    for near in _neighbours(numbers):
        # The range is what the database takes into the view: the totals of all other games are not made.
        page = reader.table(
            f"FROM games_view WHERE game_no BETWEEN {near[0]} AND {near[-1]} "
            f"AND game_no IN ({', '.join(map(str, near))})"
        )
        found |= {row["game_no"]: row for row in page.to_pylist()}
    rows = [found[number] for number in numbers if number in found]
    shorts = short_ids(reader, [row["id"] for row in rows])
    return [
        {"id": row["id"], "short": shorts[row["id"]], **{k: v for k, v in row.items() if k != "game_no"}}
        for row in rows
    ]


def _neighbours(numbers: list[int]) -> list[list[int]]:
    """The same numbers ascending, those of games that were imported together in one list."""
    out: list[list[int]] = []
    for number in sorted(numbers):
        if out and number - out[-1][-1] < UNIT_GAMES:
            out[-1].append(number)
        else:
            out.append([number])
    return out


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
