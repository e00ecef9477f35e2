"""`cornerwise results`, `positions` and `piece-lists`: what the library holds beside games, a row each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import Player, VariantFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.queries import Page


def results(
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Player = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List results of games whose moves are not known, in the order of import."""
    columns = ("variant", "key", "players", "scores", "places", "margin", "plies", "", "source", "record")
    page = _page(library, "results", variant, player, limit, offset, as_json)
    if page is not None:
        _print(page, columns, _result, ("margin", "plies", "record"), offset, "result")


def positions(
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Player = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List positions without a game, as position texts (`cornerwise legal TEXT` shows what can be played there)."""
    columns = ("variant", "players", "position", "source", "record")
    page = _page(library, "positions", variant, player, limit, offset, as_json)
    if page is not None:
        _print(page, columns, _position, ("record",), offset, "position")


def piece_lists(
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Player = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List games of which only the pieces are known, in order of play."""
    columns = ("variant", "players", "pieces", "source", "record")
    page = _page(library, "piece_lists", variant, player, limit, offset, as_json)
    if page is not None:
        _print(page, columns, _piece_list, ("record",), offset, "list of pieces")


def _page(
    library: Path, kind: str, variant: str | None, player: str | None, limit: int, offset: int, as_json: bool
) -> Page | None:
    """Rows to print; None where they are out as JSON already."""
    from pipeline.fragment_queries import list_fragments

    options.known_variant(variant)
    with options.open_library(library) as reader:
        page = list_fragments(reader, kind, variant, player, limit or None, offset)
    if not as_json:
        return page
    terminal.emit({"total": page.total, "offset": offset, "limit": limit or None, kind: page.rows})
    return None


def _print(
    page: Page,
    columns: Sequence[str],
    shown: Callable[[dict[str, Any]], tuple[Any, ...]],
    right: Sequence[str],
    offset: int,
    what: str,
) -> None:
    long = tuple(name for name in ("key", "players", "position", "pieces", "source") if name in columns)
    if page.rows:
        terminal.table(columns, map(shown, page.rows), right, long)
    many = "lists of pieces" if what == "list of pieces" else None
    left = page.total - offset - len(page.rows)
    if left > 0 or offset:
        terminal.say(
            f"{terminal.number(len(page.rows))} of {terminal.plural(page.total, what, many)}"
            + (f"; --offset {offset + len(page.rows)} shows the next ones" if left > 0 else "")
        )
    elif not page.rows:
        terminal.say(f"no {many or what + 's'}")


def _result(row: dict[str, Any]) -> tuple[Any, ...]:
    said = ["unfinished"] if row["unfinished"] else []
    if row["game"]:
        said.append(f"of game {row['game'][:12]}")
    return (
        row["variant"] or "?",
        row["key"],
        _players(row),
        " ".join(map(str, row["scores"] or [])),
        " ".join(map(str, row["places"] or [])),
        row["margin"],
        row["plies"],
        ", ".join(said),
        row["source"],
        row["record"],
    )


def _position(row: dict[str, Any]) -> tuple[Any, ...]:
    return (row["variant"], _players(row), row["position"], row["source"], row["record"])


def _piece_list(row: dict[str, Any]) -> tuple[Any, ...]:
    return (row["variant"] or "?", _players(row), " ".join(row["pieces"] or []), row["source"], row["record"])


def _players(row: dict[str, Any]) -> str:
    players = row["players"] or []
    if not any(players):
        return ""
    return " - ".join(terminal.shortened(name or "?", terminal.LONGEST_NAME) for name in players)


def counted(results: int, positions: int, piece_lists: int) -> list[str]:
    """Counts of what is no game, in words; those that are none are left out."""
    named = (
        (results, "result without moves", "results without moves"),
        (positions, "position", "positions"),
        (piece_lists, "list of pieces", "lists of pieces"),
    )
    return [terminal.plural(n, one, many) for n, one, many in named if n]
