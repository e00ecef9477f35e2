"""Evaluations: what they say, that they hang on position, budget and seed alone, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from itertools import count
from math import isfinite
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from engine import brains
from engine.boards import cell_numbers, cells
from engine.errors import EngineError
from engine.evaluate import evaluate
from engine.evaluation import Evaluation
from engine.geometry import placement_cells
from engine.kernels.tree import PLACEMENT, PRIOR
from engine.position import Position
from engine.random_games import random_games
from engine.scoring import Leaving, points, results, units
from engine.searching import LOOKED_AT, SLICE, Search
from engine.variants import VARIANTS
from tests import records
from tests.engine.games import numbers, position_of
from tests.engine.searched import CASES, Case, at, finished, name
from tests.notation.reading import game

BUDGET = 60


def plain(found: Evaluation) -> str:
    """An evaluation as text: equal if all of it is; refuses NaN."""
    rows = asdict(found)
    rows["territory"] = None if found.territory is None else found.territory.tolist()
    return json.dumps(rows, allow_nan=False)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_what_an_evaluation_says(case: Case) -> None:
    position = at(*case)
    found = evaluate(position, BUDGET)
    assert plain(found)
    mover = position.to_move
    assert mover is not None
    assert (found.variant, found.to_move, found.simulations, found.budget) == (
        case[0],
        mover,
        BUDGET,
        str(BUDGET),
    )
    assert not found.stopped and found.territory is None
    rules, sides = position.rules, units(position.rules)
    assert sum(found.seats[side[0]].share or 0 for side in sides) == pytest.approx(len(sides) / 2)
    for seat, value in enumerate(found.seats):
        assert value.spread >= 0 and (value.score_error > 0 or found.exact)
        if seat in rules.neutral:
            assert value.share is None and value.places is None
            continue
        assert value.share is not None and value.places is not None and -1e-9 <= value.share <= 1 + 1e-9
        assert len(value.places) == len(sides) and sum(value.places) == pytest.approx(1)
    for side in sides:  # a team has one result
        assert len({found.seats[seat].share for seat in side}) == 1
    assert found.legal_moves == position.mobility(mover)
    assert 0 < len(found.moves) <= 10
    assert sum(move.visits for move in found.moves) <= BUDGET
    if not found.exact:
        told = [move.visits for move in found.moves]
        assert told == sorted(told, reverse=True)
    for move in found.moves:
        assert move.bound <= move.share and isfinite(move.score)
        assert move.variation[0] == (mover, move.placement)
        twin = position.copy()
        for colour, placement in move.variation:
            assert not twin.is_over and twin.to_move == colour
            twin._play(colour, placement)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_finished_position_is_exact_and_its_own_territory(variant_id: str) -> None:
    position = finished(variant_id)
    found = evaluate(position, "quick", territory=True)
    assert found.exact and found.to_move is None
    assert (found.moves, found.legal_moves, found.simulations) == ((), 0, 0)
    expected = results(variant_id, position.rules, position.facts)
    for seat, result in zip(found.seats, expected, strict=True):
        assert (seat.score, seat.share) == (result.total, pytest.approx(result.share))
        assert (seat.score_error, seat.share_error, seat.spread) == (0, 0, 0)
        assert seat.places is not None and seat.places[(result.place or 0) - 1] == 1
    colours = len(position.variant.colours)
    owner = np.where(position.board < 0, colours, position.board)
    assert found.territory is not None
    assert (found.territory == np.eye(colours + 1)[owner]).all()


@pytest.mark.parametrize(
    ("text", "colour", "only"),
    [(records.O_A4_P, 0, "j6,k6,j7,k5"), (records.O_A4_Q, 1, "e12,f12,d13,e13")],
    ids="PQ",
)
def test_one_legal_move_has_the_value_of_what_follows(text: str, colour: int, only: str) -> None:  # O-A4
    position = position_of(game(text))
    after = position.copy()
    after.play(colour, numbers("duo", only.replace(",", "+")))
    assert after.is_over
    expected = results("duo", after.rules, after.facts)
    for budget in ("instant", 100):
        found = evaluate(position, budget)
        assert (found.to_move, found.legal_moves, len(found.moves)) == (colour, 1, 1)
        (move,) = found.moves
        assert set(placement_cells(position._geometry, move.placement)) == set(
            numbers("duo", only.replace(",", "+"))
        )
        assert move.share == pytest.approx(expected[colour].share)
        assert move.score == pytest.approx(expected[colour].total)
        assert move.variation == ((colour, move.placement),)
    for seat, result in zip(found.seats, expected, strict=True):
        assert seat.share == pytest.approx(result.share, abs=0.02)
        assert seat.score == pytest.approx(result.total, abs=0.5)


@pytest.mark.parametrize("text", ["(;GM[Blokus Duo])", "(;GM[Blokus Duo];B[e10])"], ids=["empty", "one ply"])
@pytest.mark.parametrize("budget", ["instant", 20])
def test_games_of_hardly_a_move_have_numbers_and_no_nan(text: str, budget: str | int) -> None:  # O-C2
    assert plain(evaluate(position_of(game(text)), budget, territory=True))


def test_a_share_of_nothing_is_a_number() -> None:  # O-C2
    position = at("classic", {}, 40, 2)
    found = evaluate(position, 40)
    assert found.seats[2].share == 0 and plain(found)


MIRROR = {(x, y): (13 - y, 13 - x) for x, y in cells("square14")}
"""The symmetry of the Duo start that keeps the colours."""


def mirrored() -> list[int]:
    number = cell_numbers("square14")
    return [number[MIRROR[xy]] for xy in cells("square14")]


def test_mirrored_moves_have_the_same_value() -> None:  # O-C3
    search = Search(Position("duo"), 1, 500)
    search.look(500)
    of = {child.placement: child for child in search.children()}
    assert len(of) == 414
    image, tables = mirrored(), search.game.geometry
    by_cells = {frozenset(placement_cells(tables, placement)): placement for placement in of}
    alone = 0
    for covered, placement in by_cells.items():
        twin = of[by_cells[frozenset(image[c] for c in covered)]]
        assert twin.share == pytest.approx(of[placement].share, abs=1e-4)
        assert twin.points.tolist() == pytest.approx(of[placement].points.tolist(), abs=5e-3)
        # Log weights are rounded to sixteenths: sums in another order may fall beside the edge of a step.
        assert twin.prior == pytest.approx(of[placement].prior, rel=0.07)
        alone += twin.placement == placement
    assert alone == 10 and (414 + alone) // 2 == 212


def test_mirrored_positions_have_mirrored_maps(monkeypatch: pytest.MonkeyPatch) -> None:  # O-C3
    monkeypatch.setattr("engine.evaluate.TERRITORY_PLAYOUTS", 4000)
    maps = []
    for move in ("e10+f10+g10", "e8+e9+e10"):
        position = Position("duo")
        position.play(0, numbers("duo", move))
        found = evaluate(position, "instant", territory=True)
        assert found.territory is not None
        maps.append(found.territory)
    first, second = maps
    apart = abs(second[mirrored()] - first).mean()
    assert apart < 0.015  # as far as two draws of 4000 playouts are
    assert abs(second - first).mean() > 1.5 * apart


def test_a_colour_that_cannot_move_has_its_points() -> None:
    """Nobody has asked yet whether it can: the spread of what is certain is 0 all the same."""
    for position in (position_of(game(records.O_A4_P)), at("duo", {}, -1), at("junior", {}, -1)):
        mover = position.to_move
        assert mover is not None and position.mobility(1 - mover) == 0
        found = evaluate(position, "instant")
        still, moving = found.seats[1 - mover], found.seats[mover]
        facts = position.facts[1 - mover]
        assert still.spread == 0 < moving.spread
        assert still.score == points(position.rules.scoring, position.variant.id, facts)


def test_the_same_question_has_the_same_answer_another_seed_another() -> None:
    position = at("duo", {}, 9)
    first = evaluate(position, 150, territory=True)
    assert plain(evaluate(position, 150, territory=True)) == plain(first)
    assert plain(evaluate(position.copy(), "150", territory=True)) == plain(first)
    other = evaluate(position, 150, seed=2, territory=True)
    assert plain(replace(other, seed=1)) != plain(first)
    assert plain(evaluate(position, 150, seed=2**64 - 1))


def test_a_position_set_up_is_worth_what_the_same_one_played_is() -> None:
    played = at("duo", {}, 10)
    board = Position("duo", setup=_pieces(10), first_colour=played.to_move or 0)
    assert board.board.tolist() == played.board.tolist()
    assert plain(evaluate(board, 80)) == plain(evaluate(played, 80))


def _pieces(plies: int) -> list[tuple[int, int]]:
    events = random_games("duo", Position("duo").rules, 11, 1).batch.events[:plies].tolist()
    return [(colour, placement) for colour, placement in events]


def _answers(folder: Path, case: Case) -> str:
    brains.FOLDER = folder
    return plain(evaluate(at(*case), BUDGET, territory=True))


def test_other_processes_and_a_restart_change_nothing() -> None:
    chosen = [CASES[1], CASES[6], CASES[14]]
    here = [_answers(brains.FOLDER, case) for case in chosen]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(_answers, [brains.FOLDER] * 3, chosen)) == here


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_instant_does_not_search(variant_id: str) -> None:
    position = at(variant_id, {}, 9)
    found = evaluate(position, "instant")
    assert (found.simulations, found.budget, found.stopped) == (0, "instant", False)
    assert len(found.moves) == 10 and all(move.visits == 1 for move in found.moves)
    shares = [move.share for move in found.moves]
    assert shares == sorted(shares, reverse=True)
    assert len(evaluate(position, "instant", top=1000).moves) == min(LOOKED_AT, found.legal_moves)
    # There is no draw in it: another seed changes nothing.
    assert plain(replace(evaluate(position, "instant", seed=9), seed=1)) == plain(found)


def test_how_many_moves_are_told() -> None:
    position = at("duo", {}, 9)
    for budget in ("instant", BUDGET):
        assert [len(evaluate(position, budget, top=top).moves) for top in (0, 1, 3)] == [0, 1, 3]
        with pytest.raises(EngineError, match="0 or more, not -1"):
            evaluate(position, budget, top=-1)


def test_only_what_is_allowed_is_told() -> None:
    position = at("duo", {}, 9)
    mover = position.to_move
    assert mover is not None
    legal = position.legal_placements(mover).tolist()
    best = evaluate(position, BUDGET).moves[0].placement
    for budget in ("instant", BUDGET):
        chosen = evaluate(position, budget, allow=[*legal[:4], 13_000_000], avoid=legal[:1])
        assert {move.placement for move in chosen.moves} <= set(legal[1:4])
        assert best not in {m.placement for m in evaluate(position, budget, avoid=[best], top=1000).moves}
        (only,) = evaluate(position, budget, allow=[best]).moves
        assert (only.placement, only.prior) == (best, pytest.approx(1))
    for nothing in ({"allow": []}, {"avoid": legal}, {"allow": [best], "avoid": [best]}):
        with pytest.raises(EngineError, match="no legal move is left"):
            evaluate(position, BUDGET, **nothing)


def counted_stop(calls: int) -> Callable[[], bool]:
    asked = count()
    return lambda: next(asked) >= calls


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_broken_off_it_answers_with_what_it_has(calls: int) -> None:
    position = at("classic_2", {}, 20)
    found = evaluate(position, "quick", stop=counted_stop(calls))
    assert found.stopped and found.simulations == calls * SLICE
    assert plain(found) and bool(found.moves) == bool(calls)
    if calls:
        whole = evaluate(position, calls * SLICE)
        assert plain(replace(found, stopped=False, budget=whole.budget)) == plain(whole)


def test_a_stop_after_the_end_does_not_matter() -> None:
    assert not evaluate(at("duo", {}, 9), SLICE, stop=counted_stop(1)).stopped


@pytest.mark.parametrize("budget", [0, -5, 10**9, "0", "fast", "", "-1", "1e3", "٣", "9" * 5000])
def test_budgets_that_are_none(budget: str | int) -> None:
    with pytest.raises(EngineError, match="budget"):
        evaluate(Position("duo"), budget)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    for budget in ("instant", 10):
        with pytest.raises(EngineError, match="a seed is from 0"):
            evaluate(Position("duo"), budget, seed)


def test_two_seats_that_left_are_level_behind_all_others() -> None:
    position = at("classic", {}, 36)
    position.leave(0)
    position.leave(2)
    found = evaluate(position, BUDGET)
    shares = [seat.share for seat in found.seats]
    assert shares[0] == shares[2] == pytest.approx(1 / 6)
    assert found.seats[0].spread == 0
    assert all(share is not None and share > 0.6 for share in (shares[1], shares[3]))
    assert {move.variation[0][0] for move in found.moves} <= {1, 3}


def test_the_end_of_a_game_with_a_leaver_is_exact() -> None:
    position = finished("trigon_3")
    position.leave(1)
    found = evaluate(position, 10)
    expected = results("trigon_3", position.rules, position.facts, [Leaving(1, "left", 0)])
    assert [seat.share for seat in found.seats] == pytest.approx([seat.share for seat in expected])
    assert [seat.score for seat in found.seats] == [seat.total for seat in expected]


def test_priors_of_an_answer_are_those_of_the_search() -> None:
    position = at("junior", {}, 6)
    search = Search(position, 1, 0)
    search.look(0)
    first, edges = search.tree.nodes[0, :2].tolist()
    rows = range(first, first + edges)
    of = {int(search.tree.edges[e, PLACEMENT]): float(search.tree.weights[e, PRIOR]) for e in rows}
    assert all(move.prior == of[move.placement] for move in evaluate(position, "instant").moves)
