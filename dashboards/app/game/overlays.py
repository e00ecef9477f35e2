"""What can be laid over the board: ways out, reach, who owns what, expected territory, the best move, numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from dashboards.app import background
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.place import chosen, ply_of
from dashboards.app.opened import ask
from dashboards.app.words import colour as colour_words
from dashboards.app.words import say, words
from engine.boards import cell_names, cells_by_name
from engine.variants import variant
from pipeline.board_svg import Marks
from pipeline.game_board import BoardAt
from pipeline.ground import Ground, ground
from pipeline.reports.boards import ply_labels
from pipeline.store import Reader
from pipeline.svg_heat import Heat

OVERLAYS = ("none", "liberties", "reach", "shared", "territory", "best", "better", "numbers")
"""What the address says of them; the first is the default."""

OF_A_COLOUR = ("liberties", "reach", "territory")
"""Those that show one colour, which is chosen."""

NEXT = "next"
"""The colour that plays next, where none is named."""


@dataclass(frozen=True, slots=True)
class Laid:
    """An overlay: marks or a heat map, and a sentence that says what one sees."""

    marks: Marks
    heat: Heat | None = None
    note: str = ""


def overlay_of() -> str:
    """The overlay of the address."""
    return chosen("overlay", OVERLAYS)


def colours_of(game: Loaded) -> tuple[str, ...]:
    """What the address may say of the colour."""
    return (NEXT, *variant(game.variant).colours)


def colour_of(game: Loaded, ply: int) -> int:
    """The colour (0..) of the address; where it names none the one that plays next, at the end the last one."""
    name = chosen("colour", colours_of(game))
    if name != NEXT:
        return variant(game.variant).colours.index(name)
    moves = game.view.moves
    return int(moves[min(ply, len(moves) - 1)]["colour"]) - 1 if moves else 0


def laid(game: Loaded, at: BoardAt) -> Laid:
    """The overlay of the address over a board.

    Raises:
        OnItsWay: it is being worked out, see `question`.
        PipelineError, NotationError, EngineError: there is none of this position.
    """
    last = Marks(last=at.last)
    show = _SHOWN.get(overlay_of())
    return Laid(last) if show is None else show(game, at, last)


def question(game: Loaded) -> tuple[Callable[..., object], *tuple[Hashable, ...]]:
    """What `background` is asked for the overlay, to wait for it."""
    if overlay_of() == "territory":
        return (ask, territory, game.identity, ply_of(game))
    return (ask, ground, game.identity)


def grounds(game: Loaded) -> Ground:
    """Who can go where; raises as `laid`."""
    found: Ground = background.answer(ask, ground, game.identity)
    return found


def _liberties(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    colour = colour_of(game, at.ply)
    live, closed = grounds(game).liberties(at.ply, colour, at.board)
    note = say("game.note_liberties", colour=_name(game, colour), live=len(live), closed=len(closed))
    return Laid(replace(last, spots=live, starts=closed), None, note)


def _reach(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    colour = colour_of(game, at.ply)
    cells = grounds(game).reach(at.ply, colour)
    moves = int(grounds(game).measures.mobility[at.ply, colour])
    note = say("game.note_reach", colour=_name(game, colour), n=len(cells), moves=words().whole(moves))
    return Laid(replace(last, tints={colour: cells}), None, note)


def _shared(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    found = grounds(game)
    own = {at_: found.exclusive(at.ply, at_) for at_ in range(len(variant(game.variant).colours))}
    contested, dead = found.contested(at.ply), found.dead(at.ply, at.board)
    counts = words()("list_comma").join(
        say("game.note_own", colour=_name(game, colour), n=len(cells)) for colour, cells in own.items()
    )
    note = say("game.note_shared", own=counts, contested=len(contested), dead=len(dead))
    return Laid(replace(last, tints=own, contested=contested, dead=dead), None, note)


def territory(reader: Reader, identity: str, ply: int) -> tuple[tuple[float, ...], ...]:
    """For every cell the chance of each colour, and last of nobody, to end up there.

    Raises:
        PipelineError, EngineError: there is no such position, or it has no evaluation.
    """
    from pipeline.evaluations import Subject, Wish, evaluated

    wish = Wish("instant", top=1, include=("territory",))
    found = evaluated(Subject.of_game(reader, identity), ply, wish)
    cells = found["territory"]["cells"]
    return tuple(tuple(cells[name]) for name in cell_names(variant(found["variant"]).board))


def _territory(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    colour = colour_of(game, at.ply)
    found = background.answer(ask, territory, game.identity, at.ply)
    caption = say("game.note_heat", colour=_name(game, colour))
    heat = Heat([cell[colour] for cell in found], words().share(0), words().share(1), caption)
    note = say(
        "game.note_territory",
        colour=_name(game, colour),
        n=words().decimal(sum(cell[colour] for cell in found)),
    )
    return Laid(last, heat, note)


def _best(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    return _outlined(game, at.ply + 1, last, "next")


def _better(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    return _outlined(game, at.ply, last, "last")


def _outlined(game: Loaded, ply: int, last: Marks, which: str) -> Laid:
    """The best move at a ply, by the judgement of the game."""
    if game.analysis is None:
        return Laid(last, None, say("game.note_unjudged"))
    row = game.judged(ply)
    if row is None or row["best_move"] is None:
        return Laid(last, None, say("game.note_no_best"))
    by_name = cells_by_name(variant(game.variant).board)
    cells = [by_name[name] for name in row["best_move"].split(",")]
    said = {"colour": _name(game, row["colour"] - 1), "piece": row["best_piece"], "ply": ply}
    if which == "next":
        note = say("game.note_best", **said)
    elif row["best"] == row["played"]:
        note = say("game.note_was_best", **said)
    else:
        note = say("game.note_better", **said)
    return Laid(replace(last, suggested=cells), None, note)


def _numbers(game: Loaded, at: BoardAt, last: Marks) -> Laid:
    labels = ply_labels(game.variant, game.view.moves[: at.ply])
    return Laid(replace(last, labels=labels), None, say("game.note_numbers"))


def _name(game: Loaded, colour: int) -> str:
    return colour_words(game.variant, colour)


_SHOWN: dict[str, Callable[[Loaded, BoardAt, Marks], Laid]] = {
    "liberties": _liberties,
    "reach": _reach,
    "shared": _shared,
    "territory": _territory,
    "best": _best,
    "better": _better,
    "numbers": _numbers,
}
