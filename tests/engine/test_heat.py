"""Heat maps against their slow twin, and that they add up."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from engine.areas import PHASES, phase_ends
from engine.boards import cells
from engine.errors import EngineError
from engine.features import Features, features
from engine.heat import HeatMaps, add_heat, empty_heat, heat_maps
from engine.random_games import random_games
from engine.replay import Replay, replay_batch, replay_scripts
from engine.rulesets import parse_rules
from engine.variants import VARIANTS, variant
from tests.engine.hostile import Case, hostile_case, random_game
from tests.engine.test_features import measured
from tests.naive_features import heat


def _counts(variant_id: str, maps: HeatMaps) -> Counter[Any]:
    """All that is not zero, keyed as the twin does."""
    where = cells(variant(variant_id).board)
    out: Counter[Any] = Counter()
    for name, array in maps._asdict().items():
        for index in zip(*(axis.tolist() for axis in np.nonzero(array)), strict=True):
            group, *rest = index
            phase = rest[0] if name in ("occupied", "reach", "contested", "dead", "positions") else None
            cell = where[rest[-1]] if name not in ("positions", "played") else None
            out[name, group, phase, cell] = int(array[index])
    return out


@pytest.mark.parametrize("variant_id", ["classic_2", "duo", "junior", "trigon", "trigon_3"])
def test_twin(variant_id: str) -> None:
    rng, rules = random.Random(variant_id), parse_rules(variant_id, {})
    cases = [hostile_case(variant_id, rules, rng, 30) for _ in range(3)]
    cases.append(Case(variant_id, rules, random_game(variant_id, rules, rng, 60)))
    colours = len(VARIANTS[variant_id].colours)
    groups = [[rng.randrange(-1, 3) for _ in range(colours)] for _ in cases]
    replay = replay_scripts(variant_id, rules, [c.script() for c in cases])
    found = features(variant_id, rules, replay)
    maps = heat_maps(variant_id, replay, found, np.array(groups), 3)
    known = heat([measured(case) for case in cases], groups, phase_ends(variant_id))
    assert _counts(variant_id, maps) == known
    assert len(known) > 100


def _measured_batch(first: int, games: int) -> tuple[Replay, Features]:
    rules = parse_rules("duo", {})
    batch = random_games("duo", rules, seed=3, games=games, first=first).batch
    replay = replay_batch("duo", rules, batch)
    return replay, features("duo", rules, replay)


def test_maps_of_batches_add_up_to_that_of_all_games() -> None:
    whole = heat_maps("duo", *_measured_batch(0, 30))
    total = empty_heat("duo", 2)
    for first, games in ((0, 7), (7, 0), (7, 23)):
        total = add_heat(total, heat_maps("duo", *_measured_batch(first, games)))
    for one, other in zip(whole, total, strict=True):
        assert one.dtype == other.dtype
        assert (one == other).all()
    assert whole.played.tolist() == [30, 30]
    assert whole.positions.shape == (2, len(PHASES))


def test_phases_follow_the_plies() -> None:
    replay, found = _measured_batch(0, 5)
    plies = found.ply.tolist()
    positions = [sum(p <= 10 for p in plies), sum(10 < p <= 20 for p in plies), sum(p > 20 for p in plies)]
    assert heat_maps("duo", replay, found).positions.tolist() == [positions, positions]
    assert all(a < b for a, b in (phase_ends(variant_id) for variant_id in VARIANTS))


def test_colours_without_a_group_do_not_count() -> None:
    replay, found = _measured_batch(0, 4)
    groups = np.full((4, 2), -1, np.int32)
    assert heat_maps("duo", replay, found, groups).occupied.shape == (0, 3, 196)
    groups[2, 1] = 0
    one = heat_maps("duo", replay, found, groups, 1)
    assert one.played.tolist() == [1]
    assert one.positions.sum() == (found.game == 2).sum()


def test_wrong_groups_and_features_are_refused() -> None:
    replay, found = _measured_batch(0, 4)
    with pytest.raises(EngineError, match="shape"):
        heat_maps("duo", replay, found, np.zeros((4, 3), np.int32), 1)
    with pytest.raises(EngineError, match="groups are -1 to 0"):
        heat_maps("duo", replay, found, np.ones((4, 2), np.int32), 1)
    with pytest.raises(EngineError, match="whole numbers"):
        heat_maps("duo", replay, found, np.zeros((4, 2)), 1)  # type: ignore[arg-type]
    with pytest.raises(EngineError, match="other games"):
        heat_maps("duo", replay, _measured_batch(0, 3)[1])
    with pytest.raises(EngineError, match="different shapes"):
        add_heat(empty_heat("duo", 2), empty_heat("classic", 2))
    with pytest.raises(EngineError, match="number of groups"):
        empty_heat("duo", -1)
