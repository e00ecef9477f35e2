"""The measures against their slow twin: random and gold games, hostile records, every start rule; and their laws."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boards import cells
from engine.errors import EngineError
from engine.features import (
    COLOUR_COLUMNS,
    POSITION_COLUMNS,
    Features,
    colour_columns,
    features,
    position_columns,
)
from engine.pieces import PIECE_SETS
from engine.random_games import random_games
from engine.replay import Script, replay_batch, replay_scripts
from engine.rulesets import Ruleset, parse_rules
from engine.variants import VARIANTS, variant
from tests.engine.games import numbers
from tests.engine.hostile import Case, code, gold_game, hostile_case, random_game, spoilt
from tests.engine.test_replay_twin import ALL, STARTS
from tests.naive import Game, cell
from tests.naive_features import Measured
from tests.naive_replay import Event
from tests.oracle import oracle_games


def gold_games(variant_id: str) -> list[list[Event]]:
    """Events of all games of the reference engine."""
    return [
        [(colour - 1, frozenset(map(cell, text.split(",")))) for colour, _, text in game["moves"]]
        for game in oracle_games(variant_id)
    ]


def measured(case: Case, every: int = 1, shift: int = 0) -> Measured:
    """The twin's measures of a case."""
    game = Game(case.variant_id, case.rules, nominal=case.first_colour)
    game.set_up(case.setup)
    return Measured(game, case.events, every, shift)


def found_in(cases: list[Case]) -> Features:
    """The engine's measures of cases of one variant and ruleset."""
    variant_id, rules = cases[0].variant_id, cases[0].rules
    return features(variant_id, rules, replay_scripts(variant_id, rules, [c.script() for c in cases]))


def check_row(found: Features, at: int, row: Any) -> None:
    assert (found.ply[at], found.mover[at]) == (row.ply, row.mover)
    ours = {name: int(getattr(found, name)[at]) for name in POSITION_COLUMNS}
    assert ours == row.position, f"ply {row.ply}"
    for colour, known in enumerate(row.colours):
        mine: dict[str, Any] = {name: int(getattr(found, name)[at, colour]) for name in COLOUR_COLUMNS}
        mine["corner_access"] = found.corner_access[:, at, colour].tolist()
        assert mine == known, f"ply {row.ply} colour {colour}"


def compare(cases: list[Case], every: int = 1) -> None:
    """Compare positions of all cases with the twin: one in `every`, others in each case."""
    found = found_in(cases)
    end = 0
    for index, case in enumerate(cases):
        twin = measured(case, every, index)
        start, end = end, int(np.searchsorted(found.game, index, "right"))
        plies = found.ply[start:end].tolist()
        assert plies == list(range(twin.game.plies + 1) if twin.game.fits else [])
        for row in twin.rows:
            check_row(found, start + row.ply, row)
        assert found.centre_contact[index].tolist() == twin.contact
    assert end == len(found.game)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_random_games(variant_id: str) -> None:
    rng = random.Random(variant_id)
    for start in STARTS[VARIANTS[variant_id].board]:
        rules = parse_rules(variant_id, {"start": start})
        compare([Case(variant_id, rules, random_game(variant_id, rules, rng, 100, 0.05))], every=7)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_gold_games(variant_id: str) -> None:
    """Positions of all of them; `every=1` has agreed, too, but takes minutes."""
    rules = parse_rules(variant_id, {})
    compare([Case(variant_id, rules, game) for game in gold_games(variant_id)], every=24)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_faulty_records(variant_id: str) -> None:
    """Setups, players that leave, illegal moves, empty games: all in one batch."""
    rng = random.Random(variant_id)
    rules = parse_rules(variant_id, {"pass": "voluntary"})
    cases = [hostile_case(variant_id, rules, rng) for _ in range(4)]
    cases.append(spoilt(variant_id, rules, rng, gold_game(variant_id, rng, True), faults=2))
    cases.append(Case(variant_id, rules, []))
    compare(cases, every=5)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A hostile case under any rules."""
    variant_id, chosen = draw(st.sampled_from(ALL))
    seed, plies = draw(st.integers(0, 2**32)), draw(st.integers(1, 60))
    return hostile_case(variant_id, parse_rules(variant_id, chosen), random.Random(seed), plies, faults=6)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(cases())
def test_hostile_records(case: Case) -> None:
    compare([case], every=4)


@pytest.mark.parametrize(
    ("variant_id", "chosen"),
    [
        ("classic", {"teams": "yes"}),
        ("classic_3", {"three": "two_colours:2:blue+red"}),
        ("classic_3", {"three": "shared_fourth:blue"}),
        ("trigon", {"teams": "yes"}),
    ],
)
def test_nobody_blocks_a_partner(variant_id: str, chosen: dict[str, str]) -> None:
    rules = parse_rules(variant_id, chosen)
    compare([Case(variant_id, rules, gold_game(variant_id, random.Random(2), True))], every=6)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_mobility_is_that_of_the_reference(variant_id: str) -> None:
    rules = parse_rules(variant_id, {})
    found = found_in([Case(variant_id, rules, game) for game in gold_games(variant_id)])
    assert found.mobility.tolist() == [row for game in oracle_games(variant_id) for row in game["legal"]]


LAWS = [
    *((variant_id, {}) for variant_id in VARIANTS),
    ("classic", {"start": "any_corner", "teams": "yes"}),
    ("duo", {"start": "any_border", "end": "rounds:9"}),
    ("trigon", {"start": "any_corner"}),
]


def _laws_of_a_position(variant_id: str, found: Features) -> None:
    board = len(cells(variant(variant_id).board))
    covered = found.exclusive.sum(axis=1) + found.contested + found.dead + found.occupied
    assert (covered == board).all(), "every cell is exclusive, contested, dead or occupied"
    assert (found.exclusive <= found.reach).all()
    assert (found.reach <= found.exclusive + found.contested[:, None]).all()
    assert (found.live_corner_liberties <= found.corner_liberties).all()
    assert (found.corner_access.sum(axis=0) == found.live_corner_liberties).all()
    able = found.mobility > 0
    for name in ("reach", "live_corner_liberties", "fitting_pieces", "fitting_mask"):
        assert ((getattr(found, name) > 0) == able).all(), name
    bits = np.unpackbits(found.reach_bits.view(np.uint8), axis=2).sum(axis=2)
    assert (bits == found.reach).all()
    left = PIECE_SETS[variant(variant_id).pieces].cells * able.shape[1] - found.occupied
    assert (found.locked_cells.sum(axis=1) <= left).all()


def _laws_of_a_game(variant_id: str, found: Features) -> None:
    later = np.flatnonzero(found.ply > 0)
    before = later - 1
    rows = np.arange(len(later))
    drop = found.mobility[before].astype(int) - found.mobility[later]
    drop[rows, found.mover[later]] = 0
    assert (drop >= 0).all(), "no move adds to the mobility of another colour"
    drop = found.live_corner_liberties[before].astype(int) - found.live_corner_liberties[later]
    drop[rows, found.mover[later]] = 0
    assert (drop >= found.block_liberties[later]).all()
    assert (drop >= 0).all()
    assert (found.block_mobility[later][rows, found.mover[later]] == 0).all()
    blocked = found.mobility[before] == 0
    assert (found.reach[later][blocked] == 0).all(), "who cannot move never can again"
    assert (found.four_inside_five[found.ply == 0] == -1).all()
    assert (found.four_inside_five[later] >= 0).all() == (len(found.corner_access) == 4)


@pytest.mark.parametrize(("variant_id", "chosen"), LAWS)
def test_laws_on_random_games(variant_id: str, chosen: dict[str, str]) -> None:
    rules: Ruleset = parse_rules(variant_id, chosen)
    games = random_games(variant_id, rules, seed=4, games=40)
    found = features(variant_id, rules, replay_batch(variant_id, rules, games.batch))
    assert found.game.tolist() == sorted(found.game.tolist())
    assert set(found.game.tolist()) == set(range(40))
    _laws_of_a_position(variant_id, found)
    _laws_of_a_game(variant_id, found)


def _duo(text: str, setup: str = "") -> Features:
    """Features of a game written as `1:e10+e11 2:out`."""
    coded: list[list[tuple[int, int]]] = []
    for part in (text, setup):
        coded.append([])
        for item in part.split():
            who, what = item.split(":")
            where = cells("square14")
            move = what if what in ("pass", "out") else frozenset(where[n] for n in numbers("duo", what))
            coded[-1].append((int(who) - 1, code("duo", "leave" if what == "out" else move)))
    rules = parse_rules("duo", {})
    return features("duo", rules, replay_scripts("duo", rules, [Script(coded[0], coded[1])]))


def test_a_four_cell_piece_where_a_five_cell_piece_fits() -> None:
    found = _duo("1:e10+f10+g10+h10 2:j5+j6+j7 1:i11")
    # I4 lies inside I5, L5, Y and more; the others are no four-cell pieces.
    assert found.four_inside_five.tolist() == [-1, 1, 0, 0]


def test_first_contact_with_the_centre() -> None:
    assert _duo("1:e10+e9+e8+f8+g8 2:j5+i5+i6+h6 1:d11").centre_contact.tolist() == [[1, -1]]
    assert _duo("2:j5+j6", setup="1:g7+g8").centre_contact.tolist() == [[0, -1]]


def test_who_leaves_has_nothing_left_and_loses_nothing_to_others() -> None:
    found = _duo("1:e10+e11 2:j5+j6 2:out 1:d12 1:c13+b14+c14")
    assert found.mobility[2, 1] > 0  # the leaving is after ply 2
    for ply in (3, 4):
        assert found.mobility[ply, 1] == found.reach[ply, 1] == found.block_mobility[ply, 1] == 0
        assert found.corner_liberties[ply, 1] > 0
    assert found.locked_cells[3, 1] == 87
    assert (found.exclusive[3:, 0] == found.reach[3:, 0]).all()


def test_games_without_positions() -> None:
    # Pieces of the setup overlap: no position at all. An illegal first move: only the start.
    assert len(_duo("1:e10", setup="1:a1 2:a1+a2").game) == 0
    assert _duo("1:a1").ply.tolist() == [0]
    rules = parse_rules("duo", {})
    none = features("duo", rules, replay_scripts("duo", rules, []))
    assert none.mobility.shape == (0, 2)
    assert none.centre_contact.shape == (0, 2)
    assert all(len(column) == 0 for column in colour_columns(none).values())


def test_columns_are_in_order_of_game_ply_and_colour() -> None:
    rules = parse_rules("trigon_3", {})
    games = random_games("trigon_3", rules, seed=1, games=3)
    found = features("trigon_3", rules, replay_batch("trigon_3", rules, games.batch))
    columns = colour_columns(found)
    rows = list(zip(*(columns[name].tolist() for name in ("game", "ply", "colour")), strict=True))
    assert rows == sorted(set(rows))
    assert len(rows) == 3 * len(found.game) == len(columns["mobility"])
    at = rows.index((1, 5, 2))
    here = position_columns(found)["game"].tolist().index(1) + 5
    assert columns["mobility"][at] == found.mobility[here, 2]
    assert [columns[f"corner_access_{s}"][at] for s in range(1, 7)] == found.corner_access[
        :, here, 2
    ].tolist()
    assert {len(column) for column in position_columns(found).values()} == {len(found.game)}


def test_a_replay_of_another_variant_is_refused() -> None:
    rules = parse_rules("classic", {})
    replay = replay_scripts("classic", rules, [Script([])])
    with pytest.raises(EngineError, match="no replay of a batch of duo"):
        features("duo", parse_rules("duo", {}), replay)
    with pytest.raises(EngineError, match="unknown variant"):
        features("chess", rules, replay)
    with pytest.raises(EngineError, match="colour"):
        trigon = replay_scripts("trigon", parse_rules("trigon", {}), [Script([(3, -3)])])
        features("trigon_3", parse_rules("trigon_3", {}), trigon)
