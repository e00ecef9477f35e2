"""Random scripts, mostly legal games with something wrong in them, for the engine and its slow twin alike."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from engine.boards import cells
from engine.errors import EngineError
from engine.geometry import geometry, placement_cells, placements_by_cells
from engine.kernels.replay import CODE_NOT_A_PIECE, CODE_OFF_BOARD, CODE_OUT, CODE_PASS
from engine.position import Position
from engine.replay import Script
from engine.rulesets import Ruleset
from engine.scoring import cells_of_set
from engine.variants import variant
from tests.naive import Cells, cell
from tests.naive_replay import ANYBODY, LEAVE, PASS, Event
from tests.oracle import oracle_games


@dataclass
class Case:
    """A game for both: setup pieces, events, colour of turn 1."""

    variant_id: str
    rules: Ruleset
    events: list[Event]
    setup: list[tuple[int, Cells | None]] = field(default_factory=list)
    first_colour: int = 0

    def script(self) -> Script:
        """The same for the engine."""
        events = [(colour, code(self.variant_id, what)) for colour, what in self.events]
        setup = [(colour, code(self.variant_id, what)) for colour, what in self.setup]
        return Script(events, setup, self.first_colour)


def xy_cells(variant_id: str, placement: int) -> Cells:
    """Cells of a placement as (column, row)."""
    where = cells(variant(variant_id).board)
    return frozenset(where[c] for c in placement_cells(geometry(variant_id), placement))


def cell_numbers(variant_id: str, what: Cells) -> list[int]:
    """Cell numbers of (column, row) cells."""
    return [cells(variant(variant_id).board).index(c) for c in what]


def code(variant_id: str, what: Cells | str | None) -> int:
    """The engine's code of an event."""
    if what is None:
        return CODE_OFF_BOARD
    if isinstance(what, str):
        return CODE_PASS if what == PASS else CODE_OUT
    ordered = tuple(sorted(cell_numbers(variant_id, what)))
    return placements_by_cells(variant_id).get(ordered, CODE_NOT_A_PIECE)


def random_game(
    variant_id: str, rules: Ruleset, rng: random.Random, plies: int, skips: float = 0.0
) -> list[Event]:
    """Random legal moves; with probability `skips` a colour that is not on turn plays."""
    position = Position(variant_id, rules)
    colours = len(variant(variant_id).colours)
    events: list[Event] = []
    while len(events) < plies and not position.is_over:
        mover = position.to_move
        colour = rng.randrange(colours) if rng.random() < skips or mover is None else mover
        found = position.legal_placements(colour)
        if len(found):
            what = xy_cells(variant_id, int(found[rng.randrange(len(found))]))
            try:
                position.play(colour, cell_numbers(variant_id, what))
            except EngineError:  # a skip may go beyond the last round
                break
            events.append((colour, what))
        elif colour == mover:
            break
    return events


def random_placement(variant_id: str, rng: random.Random) -> Cells:
    """Any placement of the variant."""
    return xy_cells(variant_id, rng.randrange(len(geometry(variant_id).placement_piece)))


def nearby(variant_id: str, rng: random.Random, events: list[Event]) -> Cells:
    """A placement that covers a cell beside one already played: more likely to be almost legal."""
    played = [what for _, what in events if isinstance(what, frozenset)]
    if not played:
        return random_placement(variant_id, rng)
    x, y = rng.choice(sorted(rng.choice(played)))
    for _ in range(200):
        found = random_placement(variant_id, rng)
        if any(abs(a - x) <= 2 and abs(b - y) <= 2 for a, b in found):
            return found
    return found


def gold_game(variant_id: str, rng: random.Random, finished: bool) -> list[Event]:
    """A game of the reference engine; `finished`: one in which a colour places everything, if there is one."""
    games = oracle_games(variant_id)
    good = [g for g in games if any(max(p) > cells_of_set(variant_id) for p in g["points"])]
    chosen = rng.choice(good if good and finished else games)
    return [(c - 1, frozenset(map(cell, text.split(",")))) for c, _, text in chosen["moves"]]


def _mutate(variant_id: str, rng: random.Random, events: list[Event]) -> None:
    """Change one thing somewhere."""
    at = rng.randrange(len(events) + 1)
    colour = rng.randrange(len(variant(variant_id).colours))
    kind = rng.randrange(11)
    if kind == 0:
        events.insert(at, (rng.choice([colour, ANYBODY]), PASS))
    elif kind == 1:
        events[at:at] = [(ANYBODY, PASS)] * rng.randrange(1, 6)
    elif kind == 2:
        events.insert(at, (colour, LEAVE))
    elif kind == 3:
        events.insert(at, (rng.choice([colour, ANYBODY]), random_placement(variant_id, rng)))
    elif kind in (4, 10):
        events.insert(at, (colour, nearby(variant_id, rng, events[:at])))
    elif kind == 5:
        events.insert(
            at, (colour, rng.choice([None, frozenset(rng.sample(cells(variant(variant_id).board), 4))]))
        )
    elif kind == 6 and at < len(events):
        del events[at]
    elif kind == 7 and len(events) > 1:
        i, j = rng.randrange(len(events)), rng.randrange(len(events))
        events[i], events[j] = events[j], events[i]
    elif kind == 8 and at < len(events):
        events[at] = (colour, events[at][1])
    elif at < len(events) and events[at][1] != LEAVE:
        events[at] = (ANYBODY, events[at][1])


def hostile_case(
    variant_id: str, rules: Ruleset, rng: random.Random, plies: int = 90, faults: int = 3
) -> Case:
    """A random game with something wrong in it; see `spoilt`."""
    events = random_game(variant_id, rules, rng, rng.randrange(plies), rng.choice([0.0, 0.0, 0.1]))
    return spoilt(variant_id, rules, rng, events, faults)


def spoilt(variant_id: str, rules: Ruleset, rng: random.Random, events: list[Event], faults: int) -> Case:
    """The events with a part of them set up, up to `faults` things changed, perhaps another first colour."""
    setup: list[tuple[int, Cells | None]] = []
    if rng.random() < 0.4:
        cut = rng.randrange(len(events) + 1)
        setup = [(c, what) for c, what in events[:cut] if not isinstance(what, str)]
        events = events[cut:]
        if rng.random() < 0.25:
            setup.append((0, rng.choice([None, random_placement(variant_id, rng), *(w for _, w in setup)])))
    for _ in range(rng.randrange(faults + 1)):
        _mutate(variant_id, rng, events)
    if rng.random() < 0.5:
        events.append((rng.randrange(len(variant(variant_id).colours)), nearby(variant_id, rng, events)))
    first = rng.choice([0, 0, 0, rng.randrange(len(variant(variant_id).colours))])
    return Case(variant_id, rules, events, setup, first)
