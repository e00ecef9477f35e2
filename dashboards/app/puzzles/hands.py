"""What a visitor does with a puzzle that is tried by hand; called before the page is made anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from dashboards.app import links
from dashboards.app.drawing import Event
from dashboards.app.placing import Cells, as_drawn, flipped, ghost_map, pointed_at, turned
from dashboards.app.puzzles import checking, naming, state
from dashboards.app.puzzles.asked import Asked, keep_pieces, read
from dashboards.app.puzzles.state import Hand, tell
from dashboards.app.words import say
from engine.puzzle_kinds import Placed

P = ParamSpec("P")

KEYS = ("r", "R", "f", "F", "Escape", "Backspace")
"""Keys that are heard wherever no field has the focus."""


def of_now(action: Callable[Concatenate[Asked, P], None]) -> Callable[P, None]:
    """An action on the puzzle of the address as it is now.

    Who is quick acts before the page is made anew: what it was made of says nothing then.
    """

    @wraps(action)
    def done(*args: P.args, **options: P.kwargs) -> None:
        asked = read()
        if asked is not None:
            action(asked, *args, **options)

    return done


def mover(asked: Asked) -> int:
    """The colour whose piece is placed next: on turn, or chosen."""
    turn = checking.on_turn(asked.puzzle, asked.pieces)
    return asked.colour if turn is None else turn


def hand(asked: Asked) -> Hand | None:
    """The piece in the hand; None where its colour has no such piece left."""
    held = state.hand(asked.puzzle.piece_set)
    if held is None or len(asked.pieces) == asked.puzzle.pieces:
        return None
    return held if held[0] in checking.left(asked.puzzle, asked.pieces, mover(asked)) else None


def ghosts(asked: Asked, held: Hand) -> dict[int, tuple[Cells, bool]]:
    """Where the piece in the hand lies, for every cell that is pointed at."""
    row = asked.puzzle
    legal = checking.allowed(row, asked.pieces, mover(asked), held[0])
    return ghost_map(checking.ground(row.board), row.piece_set, *held, legal)


@of_now
def on_tray(asked: Asked, event: Event) -> None:
    """A click on a piece of a colour: it is taken, or put back."""
    if event.pick is None:
        return
    number, _, piece = event.pick.partition(":")
    colour = int(number)
    held, pieces = hand(asked), asked.puzzle.piece_set
    if held is not None and held[0] == piece and colour == mover(asked):
        state.take(pieces, None)
        return
    state.take(pieces, (piece, as_drawn(pieces, piece)))
    links.keep(colour=colour or None)


@of_now
def turn(asked: Asked, times: int = 1) -> None:
    """Turn the piece in the hand clockwise."""
    held, pieces = hand(asked), asked.puzzle.piece_set
    if held is not None:
        state.take(pieces, (held[0], turned(pieces, *held, times)))


@of_now
def flip(asked: Asked) -> None:
    """Turn the piece in the hand over."""
    held, pieces = hand(asked), asked.puzzle.piece_set
    if held is not None:
        state.take(pieces, (held[0], flipped(pieces, *held)))


@of_now
def on_board(asked: Asked, event: Event) -> None:
    """A click on a cell, or a key."""
    if event.pick is not None:
        _put(asked, int(event.pick.removeprefix("cell:")))
    elif event.key in ("r", "R"):
        turn(-1 if event.key == "R" else 1)
    elif event.key in ("f", "F"):
        flip()
    elif event.key == "Escape":
        state.take(asked.puzzle.piece_set, None)
    elif event.key == "Backspace":
        take_back()


def _put(asked: Asked, cell: int) -> None:
    """Put the piece in the hand where a cell is pointed at, or say why it may not lie there."""
    held, row = hand(asked), asked.puzzle
    if held is None:
        done = len(asked.pieces) == row.pieces
        tell("info", say("puzzles.all_placed") if done else say("puzzles.choose"))
        return
    cells, fits = ghosts(asked, held).get(cell, ((), False))
    place = (
        tuple(row.board.cells[number] for number in cells)
        if fits
        else pointed_at(checking.ground(row.board), row.piece_set, *held, cell)
    )
    place_piece(Placed(mover(asked), held[0], place))


@of_now
def place_piece(asked: Asked, candidate: Placed) -> None:
    """Place a piece if the rules of the puzzle let it, and say it if they do not."""
    why = checking.refused(asked.puzzle, asked.pieces, candidate)
    if why is not None:
        tell("warning", naming.refusal(asked, candidate, why))
        return
    keep_pieces(asked, [*asked.pieces, candidate])
    state.take(asked.puzzle.piece_set, None)


@of_now
def take_back(asked: Asked) -> None:
    """Take the last piece back into the hand."""
    if not asked.pieces:
        return
    last = asked.pieces[-1]
    keep_pieces(asked, asked.pieces[:-1])
    links.keep(colour=last.colour or None)


@of_now
def begin_again(asked: Asked, count: int) -> None:
    """Leave only the first pieces on the board."""
    keep_pieces(asked, asked.pieces[:count])
    state.take(asked.puzzle.piece_set, None)


@of_now
def want_hint(asked: Asked) -> None:
    """Want to know how it goes on from here."""
    state.want_hint(asked.pieces)
