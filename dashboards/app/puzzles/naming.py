"""Puzzles, pieces and refusals in words."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.app.puzzles.asked import Asked
from dashboards.app.puzzles.checking import DeadEnd, Refusal
from dashboards.app.words import colour, say, words
from engine.puzzle_kinds import Placed, Puzzle
from engine.puzzle_verify import cell_name


def title(row: Puzzle) -> str:
    """What the puzzle is called."""
    return words().named("puzzles.titles", row.kind)


def asks(row: Puzzle) -> str:
    """What it asks, in a sentence or two."""
    return words().named("puzzles.asks", row.kind)


def board(row: Puzzle) -> str:
    """Its board: ``20 × 20``."""
    if row.board.lattice.triangular:
        return say("puzzles.hexagon", n=len(row.board.cells))
    return say("puzzles.rectangle", columns=row.board.width, rows=row.board.height)


def begun(sentence: str) -> str:
    """A sentence as it begins: with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def piece(asked: Asked, one: Placed) -> str:
    """A placed piece: ``red W on a1, a2``."""
    cells = " ".join(cell_name(xy) for xy in one.cells)
    return say("puzzles.piece", colour=colour(asked.variant, one.colour), piece=one.piece, cells=cells)


def on_board(asked: Asked, placed: Sequence[Placed]) -> str:
    """How many pieces of which colour lie on the board, for those who do not see it."""
    counts = (
        say(
            "puzzles.count_of",
            colour=colour(asked.variant, number),
            n=sum(one.colour == number for one in placed),
        )
        for number in range(len(asked.puzzle.colours))
    )
    return say("list_comma").join(counts)


def refusal(asked: Asked, candidate: Placed, why: Refusal) -> str:
    """Why a piece may not lie somewhere."""
    row, name = asked.puzzle, colour(asked.variant, candidate.colour)
    values = {"colour": name, "piece": candidate.piece}
    if why.reason == "occupied" and why.cell is not None and why.by is not None:
        other = colour(asked.variant, why.by.colour)
        reason = say("puzzles.why.occupied", cell=cell_name(why.cell), colour=other, piece=why.by.piece)
    elif why.reason == "side_contact" and why.cell is not None and why.by is not None:
        reason = say("puzzles.why.side", cell=cell_name(why.cell), colour=name, piece=why.by.piece)
    elif why.reason == "start_rule":
        starts = " ".join(cell_name(xy) for xy in sorted(row.starts[candidate.colour]))
        reason = say("puzzles.why.start", cells=starts)
    elif why.reason == "not_falling":
        reason = say("puzzles.why.falling", n=row.size(candidate.piece), before=len(asked.pieces[-1].cells))
    else:
        reason = words().named("reasons", why.reason)
    return begun(say("puzzles.refused", why=reason, **values))


def dead_end(asked: Asked, found: DeadEnd) -> str:
    """Why the pieces on the board are no beginning of a solution."""
    if found.kind == "bigger":
        name = colour(asked.variant, found.colour)
        return say("puzzles.dead.bigger", colour=name, piece=found.piece)
    if found.kind == "nowhere":
        return say("puzzles.dead.nowhere", colour=colour(asked.variant, found.colour))
    return say("puzzles.dead.patch", n=found.cells)
