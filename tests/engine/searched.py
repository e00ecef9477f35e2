"""Positions for the tests of search and evaluation: all variants, odd rules, seats that left, setups, passes."""

from __future__ import annotations

import numpy as np

from engine.brains import make_brain, shapes
from engine.geometry import placement_cells
from engine.kernels.search import Brain, Desk
from engine.kernels.tree import Taste
from engine.position import Position
from engine.random_games import random_games
from engine.rulesets import parse_rules
from engine.search_tables import search_game
from engine.tree_search import new_desk, new_tree, plant, taste_for

Case = tuple[str, dict[str, str], int, int | None]

CASES: list[Case] = [
    ("duo", {}, 0, None),
    ("duo", {}, 13, None),
    ("duo", {"end": "first_blocked"}, 16, None),
    ("duo", {"end": "max_rounds:8", "pass": "voluntary", "start": "any_border"}, 5, None),
    ("junior", {"scoring": "net"}, 8, None),
    ("classic", {}, 30, None),
    ("classic", {"end": "rounds:13", "teams": "yes", "scoring": "family"}, 34, None),
    ("classic", {"neutral": "red"}, 42, 1),
    ("classic_2", {"end": "first_blocked"}, 40, None),
    ("classic_2", {"start": "any_corner"}, 30, 0),
    ("classic_3", {}, 34, None),
    ("classic_3", {"three": "shared_fourth:yellow"}, 33, 2),
    ("classic_3", {"three": "two_colours:2:blue+red"}, 40, None),
    ("trigon", {"start": "any_corner"}, 44, None),
    ("trigon_2", {}, 36, None),
    ("trigon_3", {"scoring": "family"}, 26, None),
]
"""Variant, rules, plies played before, a seat that then leaves."""


def name(case: Case) -> str:
    return f"{case[0]} {' '.join(case[1].values())} {case[2]}"


def at(variant_id: str, settings: dict[str, str], plies: int, leaver: int | None = None) -> Position:
    """The position after so many plies of a random game (negative: before its end); half of some are a setup."""
    rules = parse_rules(variant_id, settings)
    events = random_games(variant_id, rules, 11, 1).batch.events.tolist()
    events = events[:plies] if plies >= 0 else events[: len(events) + plies]
    setup = [(c, p) for c, p in events[: plies // 2]] if settings.get("start") else []
    first = events[len(setup)][0] if len(setup) < len(events) else 0
    position = Position(variant_id, rules, setup, first)
    for colour, placement in events[len(setup) :]:
        position.play(colour, placement_cells(position._geometry, placement))
    if rules.passing == "voluntary" and position.to_move is not None:
        position.pass_turn(position.to_move)
    if leaver is not None:
        position.leave(leaver)
    return position


def finished(variant_id: str, settings: dict[str, str] | None = None) -> Position:
    position = at(variant_id, settings or {}, 10_000)
    assert position.is_over
    return position


def loud_brain(variant_id: str, seed: int = 3) -> Brain:
    """Weights nobody has learned, larger than the first ones: all parts of the network speak."""
    random = np.random.default_rng(seed)
    scales = {"rows": 0.1, "hidden": 0.15, "output": 0.15}
    return make_brain(
        {key: random.normal(0, scales.get(key, 0.3), shape) for key, shape in shapes(variant_id).items()}
    )


def taste_of(position: Position, noise: float = 0.0) -> Taste:
    """How a position is searched unless told otherwise."""
    return taste_for(search_game(position.variant.id, position.rules), noise)


def valued(position: Position, brain: Brain) -> tuple[int, Desk]:
    """Mover of a position, and a desk with its values."""
    desk = new_desk(position.variant.id, position.rules)
    state, clock = position.for_kernels()
    game = search_game(position.variant.id, position.rules)
    taste = taste_for(game)
    mover = plant((game, brain, taste, new_tree(position.variant.id, 1, 0), desk, state, clock), 0)
    return mover, desk
