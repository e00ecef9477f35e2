"""Exact values of the end of a game: proven best play of all seats, within a budget of positions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.facts import OUT
from engine.geometry import geometry
from engine.kernels import endgame as layout
from engine.kernels.endgame import BASE, DEPTHS, INFO, NEUTRAL, PER_COLOUR, SEAT, SIGN, Endgame
from engine.kernels.endgame_play import OVER, UNPROVEN, best_step, set_up
from engine.kernels.legal import SPARE
from engine.kernels.replay import CODE_PASS, LIMIT, NOMINAL, TURN
from engine.position import Position
from engine.rulesets import Ruleset
from engine.scoring import ColourFacts, Leaving, cells_of_set, results, units
from engine.scoring_tables import SCORINGS
from engine.variants import variant

PASS = CODE_PASS
"""A voluntary pass, where a placement is expected."""

NODES = 1_000_000
"""Positions that `solve` looks at, unless told otherwise: about a second."""

_ROOM = threading.local()


@dataclass(frozen=True, slots=True)
class Solved:
    """The proven end of a position.

    Two sides (seats or teams): both play for the difference of their totals, which is proven; of several lines with the
    same difference this is one. More: every seat plays for its share, then for its points, then for few points of the
    others, and takes the lowest placement of equal ones. A neutral seat plays for its points, a shared colour is moved
    for the seat whose turn it is, or the next when that one has left.
    """

    scores: tuple[int, ...]
    """Points of each seat at the end, by the table of the ruleset."""
    shares: tuple[float | None, ...]
    """Result of each seat; None for a neutral one. Seats that left come last, together."""
    places: tuple[int | None, ...]
    facts: tuple[ColourFacts, ...]
    """Of each colour at the end."""
    best: int | None
    """Placement of the best move, PASS, or None when the game is over."""
    variation: tuple[tuple[int, int], ...]
    """(colour, placement or PASS) of best play to the end of the game."""
    nodes: int
    """Positions looked at."""


def solve(position: Position, nodes: int = NODES, stop: Callable[[], bool] | None = None) -> Solved | None:
    """Prove best play from a position to the end of its game; None when `nodes` positions do not do.

    The answer depends on the position and `nodes` only. `stop` is asked every few milliseconds; once it says true the
    answer is None. A position with more than about 4,000 placements still to come to is given up at once, and so is one
    where a colour has yet to begin in a corner of two cells.

    >>> solve(Position("duo"), nodes=1000) is None
    True

    Raises:
        EngineError: `nodes` is not positive, or the game need not end under its rules (`new_endgame`).
    """
    if nodes < 1:
        raise EngineError(f"the exact solver needs a budget of 1 position or more, not {nodes}")
    if position.is_over:
        return _answer(position, [], 0)
    end = _room(position)
    cursor = position._out.cursor
    end.info[[layout.NEXT_COLOUR, layout.TURNS, layout.LAST_TURN]] = cursor[[NOMINAL, TURN, LIMIT]]
    end.info[layout.BUDGET], end.info[layout.STOP] = nodes, layout.RUNNING
    line = _line(position, end) if stop is None else _watched(position, end, stop)
    return None if line is None else _answer(position, line, int(end.info[layout.NODES]))


def _room(position: Position) -> Endgame:
    """The room of the calling thread: making it anew would take longer than most answers."""
    kept: dict[tuple[str, Ruleset], Endgame] = _ROOM.__dict__.setdefault("kept", {})
    key = position.variant.id, position.rules
    if key not in kept:
        kept.clear()
        kept[key] = new_endgame(*key)
    return kept[key]


def _line(position: Position, end: Endgame) -> list[tuple[int, int]] | None:
    """Best play of a position, None when it is not proven."""
    if not set_up(position._geometry, position._rules, position._state, end):
        return None
    line: list[tuple[int, int]] = []
    while True:
        found = int(best_step(end))
        if found == UNPROVEN:
            return None
        if found == OVER:
            return line
        placement = found & 0xFFFFFFFF
        line.append((found >> 32, PASS if placement == 0xFFFFFFFF else placement))


def _watched(position: Position, end: Endgame, stop: Callable[[], bool]) -> list[tuple[int, int]] | None:
    """The same in a thread of its own, so that this one can ask whether to stop: kernels let go of the GIL."""
    found: list[list[tuple[int, int]] | None] = []
    worker = threading.Thread(target=lambda: found.append(_line(position, end)), daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.005)
            if worker.is_alive() and stop():
                end.info[layout.STOP] = layout.ASKED
    finally:
        end.info[layout.STOP] = max(int(end.info[layout.STOP]), layout.ASKED if worker.is_alive() else 0)
        worker.join()
    return found[0] if found else None


def _answer(position: Position, line: list[tuple[int, int]], nodes: int) -> Solved:
    final = position.copy()
    for colour, placement in line:
        final._play(colour, placement)
    facts = final.facts
    gone = [seat for seat, owned in enumerate(final.rules.seats) if final._state.facts[owned[0], OUT]]
    leavings = [Leaving(seat, "left", 0) for seat in gone]
    seats = results(final.variant.id, final.rules, facts, leavings)
    return Solved(
        scores=tuple(seat.total for seat in seats),
        shares=tuple(seat.share for seat in seats),
        places=tuple(seat.place for seat in seats),
        facts=tuple(facts),
        best=line[0][1] if line else None,
        variation=tuple(line),
        nodes=nodes,
    )


def new_endgame(
    variant_id: str, rules: Ruleset, candidates: int = 1 << 12, words: int = 1 << 20, entries: int = 1 << 17
) -> Endgame:
    """Room for the exact solver, for one ruleset of a variant and one search at a time.

    Args:
        variant_id: the variant of the positions to come.
        rules: their ruleset.
        candidates: most placements that may still come to be played, of all colours together.
        words: words of 8 bytes for what a candidate does to the others.
        entries: size of the table, a power of two; 32 bytes each.

    Raises:
        EngineError: the game need not end under these rules, so its positions have no exact value.
    """
    if rules.passing == "voluntary" and rules.end not in ("rounds", "max_rounds"):
        raise EngineError(
            f"no exact value under pass=voluntary with end={rules.end}: passing for ever is never over; "
            "play with a limit of rounds, such as end=max_rounds:25"
        )
    tables, row, table = geometry(variant_id), variant(variant_id), SCORINGS[rules.scoring]
    colours, seats = len(row.colours), len(rules.seats)
    slots = colours * len(tables.pieces)
    end = Endgame(
        candidates=np.zeros((candidates, 2), np.int64),
        slots=np.zeros((slots, 4), np.int64),
        colours=np.zeros((colours, 8), np.int64),
        seats=np.zeros((seats, 3), np.int64),
        rows=np.zeros(words, np.uint64),
        bits=np.zeros(DEPTHS * (candidates // 32 + 64), np.uint64),
        sheet=np.zeros((DEPTHS, colours * PER_COLOUR + slots), np.int64),
        totals=np.zeros((2 * DEPTHS + 2, seats), np.int64),
        moves=np.zeros(8 * candidates + 512, np.int64),
        table=np.zeros((entries, 4), np.uint64),
        fitting=np.zeros(len(tables.placement_piece) + SPARE, np.int32),
        info=np.zeros(INFO, np.int64),
    )
    sides = units(rules)
    two = len(sides) == 2 and not rules.neutral
    end.colours[:, SEAT], end.colours[:, SIGN] = -1, 1
    for seat, owned in enumerate(rules.seats):
        end.colours[list(owned), SEAT] = seat
        end.colours[list(owned), SIGN] = -1 if two and seat in sides[1] else 1
        end.seats[seat, BASE] = table.left * cells_of_set(variant_id) * len(owned)
    end.seats[list(rules.neutral), NEUTRAL] = 1
    end.info[layout.SEATS], end.info[layout.MANY] = seats, 0 if two else 1
    end.info[layout.POINTS] = table.placed - table.left
    end.info[layout.ALL_BONUS], end.info[layout.SINGLE_BONUS] = table.all_placed, table.single_last
    return end
