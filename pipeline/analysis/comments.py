"""What a judged move did wrong, in words: what was better, which corners it gave away, what it closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.position import Position
from engine.rulesets import Ruleset
from engine.scoring import units
from pipeline.analysis.queries import GameAnalysis, named
from pipeline.analysis.replay import StoredGame, replayed
from pipeline.analysis.tasks import stored_games
from pipeline.move_quality import ERRORS
from pipeline.queries import Row
from pipeline.store import Reader

MOST_NAMED = 6
"""Cells that a sentence names; of more it says how many."""


@dataclass(frozen=True, slots=True)
class MoveComment:
    """A mistake explained. Cells are those of live corner liberties, as `engine/measures.md` defines them.

    `given_away`: own corners open after the better move and not after the played one. `closed`: own corners that the
    played move closed. `taken`: corners that it took from the others, `takes` how many the better one takes.
    """

    ply: int
    label: str
    text: str
    given_away: tuple[str, ...]
    closed: tuple[str, ...]
    taken: tuple[str, ...]
    takes: int


@dataclass(frozen=True, slots=True)
class JudgedView:
    """A judged game with its comments by ply."""

    analysis: GameAnalysis
    comments: dict[int, MoveComment]

    def document(self) -> Row:
        """All of it, for JSON."""
        found = asdict(self.analysis)
        for row in found["moves"]:
            comment = self.comments.get(row["ply"])
            row["comment"] = None if comment is None else asdict(comment)
        return {**found, "summary": summary_lines(self.analysis)}


def game_comments(reader: Reader, game_no: int, analysis: GameAnalysis) -> dict[int, MoveComment]:
    """Comments of the mistakes of a judged game, by ply."""
    wrong = [row for row in analysis.moves if row["label"] in ERRORS and row["best"] is not None]
    if not wrong:
        return {}
    return {
        row["ply"]: comment
        for game in stored_games(reader, [game_no], set())
        for row, comment in _comments(game, wrong)
    }


def _comments(game: StoredGame, wrong: Sequence[Row]) -> list[tuple[Row, MoveComment]]:
    line = replayed(game)
    return [
        (row, explain(line.stations[line.before[row["ply"] - 1]].position, row))
        for row in wrong
        if row["ply"] <= len(line.before)
    ]


def explain(before: Position, row: Row) -> MoveComment:
    """The comment of a mistake, given the position before it."""
    colour = row["colour"] - 1
    played, better = _after(before, colour, row["played"]), _after(before, colour, row["best"])
    others = opponents(before.rules, colour, row["seat"])
    own = [live_corners(position, [colour]) for position in (before, played, better)]
    theirs = [live_corners(position, others) for position in (before, played, better)]
    names = cell_names(before.variant.board)
    given, closed, taken = (
        tuple(names[cell] for cell in sorted(cells))
        for cells in (own[2] - own[1], own[0] - own[1], theirs[0] - theirs[1])
    )
    takes = len(theirs[0] - theirs[2])
    mover = before.variant.colours[colour]
    sentences = [
        _verdict(row),
        _better(before.variant.id, row),
        f"It leaves {mover} {_corners(len(own[1]))} to play from, the better move {len(own[2])}"
        + (f"; given away: {_listed(given)}." if given else "."),
        f"It closed {_corners(len(closed))} of its own ({_listed(closed)})" if closed else "",
        _taken(taken, takes),
    ]
    text = " ".join(s if s.endswith(".") else f"{s}." for s in sentences if s)
    return MoveComment(row["ply"], row["label"], text, given, closed, taken, takes)


def _taken(taken: Sequence[str], takes: int) -> str:
    if not taken and not takes:
        return ""
    named_cells = f" ({_listed(taken)})" if taken else ""
    return f"It took {_corners(len(taken))} from the others{named_cells}; the better move takes {takes or 'none'}."


def _after(before: Position, colour: int, placement: int) -> Position:
    after = before.copy()
    after._play(colour, placement)
    return after


def opponents(rules: Ruleset, colour: int, seat: int) -> list[int]:
    """Colours that count for somebody else than a seat (from 1) and its team."""
    allied = next((unit for unit in units(rules) if seat - 1 in unit), (seat - 1,))
    mine = {owned for ally in allied for owned in rules.seats[ally]} | {colour}
    return sorted({owned for colours in rules.seats for owned in colours} - mine)


def live_corners(position: Position, colours: Sequence[int]) -> set[int]:
    """Corner liberties of colours that a legal placement of theirs covers."""
    found: set[int] = set()
    tables = geometry(position.variant.id)
    state, _ = position.for_kernels()
    for colour in colours:
        open_bits = np.unpackbits(
            (state.attach[colour] & ~state.forbidden[colour]).view(np.uint8), bitorder="little"
        )
        corners = set(np.flatnonzero(open_bits[tables.cell_bit]).tolist())
        covered: set[int] = set()
        for placement in position.legal_placements(colour).tolist():
            if covered >= corners:
                break
            covered.update(placement_cells(tables, placement))
        found |= corners & covered
    return found


def _verdict(row: Row) -> str:
    lost = f"{row['label'].capitalize()}: {percent(row['loss_share'])} of the result"
    if not row["proven"]:
        lost += f" (+-{percent(row['loss_share_error'])})"
    return f"{lost} and {row['loss_points']:.1f} points lost{', proven' if row['proven'] else ''}."


def _better(variant_id: str, row: Row) -> str:
    seat = row["seat"] - 1
    cells, piece = named(variant_id, row["best"])
    best, after = row["best_shares"][seat], row["after_shares"][seat]
    return f"Better: {piece} {cells} ({percent(best)} instead of {percent(after)})."


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f} %"


def _corners(number: int) -> str:
    return "1 corner" if number == 1 else f"{number or 'no'} corners"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def summary_lines(analysis: GameAnalysis) -> list[str]:
    """What there is to say of a judged game as a whole."""
    made = analysis.made_by
    lines = [
        f"Judged by {made['engine']}, budget {made['budget']}, seed {made['seed']}, formulas version {made['version']}."
    ]
    for seat in analysis.seats:
        name = seat["player"] or f"seat {seat['seat']}"
        if seat["accuracy"] is None:
            lines.append(f"{name}: no move was a decision.")
            continue
        error = seat["accuracy_error"]
        noise = "" if error is None else f" +-{error:.1f}"
        wrong = ", ".join(
            f"{seat['labels'][label]} {label if seat['labels'][label] == 1 else _many(label)}"
            for label in reversed(ERRORS)
            if seat["labels"][label]
        )
        lines.append(
            f"{name}: accuracy {shown_accuracy(seat['accuracy'])}{noise} over {seat['decisions']} decisions; "
            f"{wrong or 'no mistakes'}."
        )
    return lines


def _many(label: str) -> str:
    return "inaccuracies" if label == "inaccuracy" else f"{label}s"


def shown_accuracy(value: float | None) -> str:
    """An accuracy with one digit, cut off rather than rounded: 100.0 is perfect play and nothing else."""
    return "" if value is None else f"{int(value * 10 + 1e-9) / 10:.1f}"
