"""The tree search: the same tree as the slow twin's, its sums, its ends, and what it converges to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import numpy as np
import pytest

from engine.endgame import solve
from engine.errors import EngineError
from engine.kernels.search import Brain
from engine.kernels.tree import (
    CHILD,
    EDGES,
    FIRST_EDGE,
    GROWN,
    PLACEMENT,
    POINTS,
    PRIOR,
    ROOT,
    SHARE,
    STATUS,
    TRIED,
    USED_NODES,
    UTILITY,
    VISITS,
    WORTH,
    Tree,
)
from engine.position import Position
from engine.scoring import units
from engine.searching import SLICE, Search, wanted
from engine.tree_search import TASTE, new_tree
from tests.engine.searched import CASES, Case, at, finished, loud_brain, name, taste_of, valued
from tests.naive_network import Values
from tests.naive_search import Naive

Way = tuple[int, ...]


def nodes(search: Search) -> dict[Way, int]:
    """All nodes of a tree by the placements that lead to them."""
    tree = search.tree
    found: dict[Way, int] = {}
    waiting: list[tuple[Way, int]] = [((), int(tree.cursor[ROOT]))]
    while waiting:
        way, node = waiting.pop()
        found[way] = node
        if tree.nodes[node, STATUS] == GROWN:
            first, tried = int(tree.nodes[node, FIRST_EDGE]), int(tree.nodes[node, TRIED])
            for placement, child, _ in tree.edges[first : first + tried].tolist():
                waiting.append(((*way, placement), child))
    return found


def visits(search: Search) -> dict[Way, int]:
    return {way: int(search.tree.visits[node]) for way, node in nodes(search).items()}


def searched(position: Position, simulations: int, seed: int = 1, noise: float = 0.0) -> Search:
    search = Search(position, seed, simulations, taste_of(position, noise))
    assert search.run(simulations)
    return search


def leaf_of(brain: Brain, position: Position) -> Values:
    _, desk = valued(position, brain)
    count_ = len(units(position.rules))
    return Values(
        desk.values[UTILITY, :count_].tolist(),
        desk.values[SHARE, :count_].tolist(),
        desk.values[POINTS].tolist(),
    )


def moves_of(position: Position) -> list[tuple[int, float]]:
    search = Search(position, 1, 0)
    search.look(0)
    first, edges = search.tree.nodes[0, :2].tolist()
    rows = range(first, first + edges)
    return [(int(search.tree.edges[e, PLACEMENT]), float(search.tree.weights[e, PRIOR])) for e in rows]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_tree_is_that_of_the_slow_twin(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    position = at(*case)
    brain = loud_brain(position.variant.id)
    monkeypatch.setattr("engine.searching.brain", lambda variant_id: brain)
    taste = taste_of(position)._replace(width=5)  # so that the tree is deep as well
    search = Search(position, 1, 60, taste)
    naive = Naive(position, taste, partial(leaf_of, brain), moves_of)
    search.run(60)
    naive.run(60)
    twin = naive.visits()
    assert visits(search) == {way: found for way, (found, _) in twin.items()}
    columns = len(units(position.rules))
    for way, node in nodes(search).items():
        for kind, expected in enumerate(twin[way][1]):
            width = len(position.variant.colours) if kind == POINTS else columns
            assert search.tree.sums[node, kind, :width].tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_sums_of_the_tree(case: Case) -> None:
    """Visits and shares add up in every node, and every path can be played."""
    position = at(*case)
    search = searched(position, 150)
    tree, half = search.tree, len(units(position.rules)) / 2
    assert search.visits == 150
    found = nodes(search)
    assert len(found) == tree.cursor[USED_NODES]
    for way, node in found.items():
        assert search.shares(node).sum() == pytest.approx(half)
        assert (search.shares(node) >= -1e-12).all()
        if tree.nodes[node, STATUS] != GROWN:
            continue
        first, edges, tried = tree.nodes[node, [FIRST_EDGE, EDGES, TRIED]].tolist()
        rows = tree.edges[first : first + edges]
        assert tree.visits[node] == 1 + rows[:, VISITS].sum()
        assert (rows[:tried, VISITS] > 0).all() and not rows[tried:, VISITS].any()
        assert edges <= TASTE.width or way == ()
        assert (tree.visits[rows[:tried, CHILD]] == rows[:tried, VISITS]).all()
        priors = tree.weights[first : first + edges, PRIOR]
        assert (np.diff(priors) <= 0).all()
    longest = max(found, key=len)
    twin = position.copy()
    for placement in longest:
        mover = twin.to_move
        assert mover is not None and not twin.is_over
        twin._play(mover, placement)


def test_the_same_seed_gives_the_same_tree_another_seed_another() -> None:
    position = at("duo", {}, 9)
    one, same, other = (searched(position, 200, seed, 0.2) for seed in (1, 1, 2))
    assert visits(one) == visits(same) != visits(other)
    assert one.shares().tolist() == same.shares().tolist()


def test_slices_and_more_simulations_later_change_nothing() -> None:
    position = at("classic", {}, 30)
    whole = searched(position, 2 * SLICE + 9)
    parts = Search(position, 1, 2 * SLICE + 9)
    for target in (1, 7, SLICE, SLICE + 1, 2 * SLICE + 9):
        assert parts.run(target, stop=lambda: False)
    assert visits(whole) == visits(parts)


def test_a_search_leaves_the_position_as_it_is() -> None:
    position = at("trigon_3", {}, 20)
    before, key = position.board.tolist(), position.key
    searched(position, 60)
    assert (position.board.tolist(), position.key) == (before, key)


def counted_stop(calls: int) -> Callable[[], bool]:
    numbers = count()
    return lambda: next(numbers) >= calls


def test_a_stop_is_asked_after_every_slice() -> None:
    search = Search(at("duo", {}, 9), 1, 5000)
    assert not search.run(5000, counted_stop(3))
    assert search.visits == 3 * SLICE
    assert search.run(4 * SLICE, lambda: False)
    assert search.visits == 4 * SLICE


def test_a_search_without_room_for_edges_still_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.searching._tree", _small_tree)
    search = Search(at("duo", {}, 9), 1, 2000)
    assert search.run(2000)
    assert search.visits == 2000
    tree = search.tree
    leaves = [n for n in nodes(search).values() if tree.nodes[n, STATUS] != GROWN]
    assert max(tree.visits[n] for n in leaves) > 1  # they would have grown
    assert all(search.shares(n).sum() == pytest.approx(1) for n in leaves)


def test_a_search_without_room_for_nodes_still_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.searching._tree", _small_tree)
    search = Search(at("duo", {}, 9), 1, 10)
    assert search.run(400)
    assert search.visits < 400
    assert search.children()


def _small_tree(variant_id: str, room: int) -> Tree:
    return new_tree(variant_id, room + 2, 1200)


def test_only_what_is_wanted_is_searched() -> None:
    position = at("duo", {}, 9)
    mover = position.to_move
    assert mover is not None
    legal = position.legal_placements(mover).tolist()
    search = Search(position, 1, 100)
    search.keep_only(wanted(legal[:5], legal[3:]))
    search.run(100)
    assert {child.placement for child in search.children()} <= set(legal[:3])
    assert sum(child.prior for child in search.children()) <= 1 + 1e-6
    with pytest.raises(EngineError, match="no legal move is left"):
        Search(position, 1, 100).keep_only(wanted(legal, legal))


def test_a_game_that_is_over_is_not_searched() -> None:
    search = Search(finished("duo"), 1, 100)
    assert search.over and search.run(100)
    search.look(5)
    assert (search.visits, search.children(), search.variation(0)) == (0, [], [])


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(EngineError, match="a seed is from 0"):
        Search(at("duo", {}, 0), seed, 10)


@pytest.mark.parametrize("case", [CASES[1], CASES[6], CASES[10], CASES[14]], ids=name)
def test_a_tree_that_moves_on_keeps_what_is_below(case: Case) -> None:
    position = at(*case)
    search = searched(position, 400)
    before = {way: (int(search.tree.visits[n]), search.shares(n)) for way, n in nodes(search).items()}
    child = search.children()[0]
    position._play(search.colour, child.placement)
    assert search.move_root(position, child.node, 0)
    after = visits(search)
    assert after == {way[1:]: found for way, (found, _) in before.items() if way[:1] == (child.placement,)}
    for way, node in nodes(search).items():
        assert search.shares(node).tolist() == before[(child.placement, *way)][1].tolist()
    assert search.colour == position.to_move
    assert search.run(search.visits + 40)
    tree = search.tree
    for node in nodes(search).values():
        if tree.nodes[node, STATUS] == GROWN:
            first, edges = tree.nodes[node, :2].tolist()
            assert tree.visits[node] == 1 + tree.edges[first : first + edges, VISITS].sum()


def test_a_tree_too_large_to_move_on_stays() -> None:
    position = at("duo", {}, 9)
    search = searched(position, 300)
    child = search.children()[0]
    before = visits(search)
    twin = position.copy()
    twin._play(search.colour, child.placement)
    assert not search.move_root(twin, child.node, 300)
    assert visits(search) == before


def test_the_shared_colour_is_played_for_the_seat_on_turn() -> None:
    position = at("classic_3", {}, 35)
    while position.to_move != 3:
        mover = position.to_move
        assert mover is not None
        position._play(mover, int(position.legal_placements(mover)[-1]))
    turn = int(position._state.facts[3, 1]) % 3
    search = searched(position, 30)
    assert (search.seat, search.unit) == (turn, turn)
    position.leave(turn)  # then the next seat plays it
    search = searched(position, 30)
    assert (search.seat, search.unit) == ((turn + 1) % 3, (turn + 1) % 3)


def test_many_visits_do_not_blur_the_worth_of_a_move() -> None:
    position = late("duo", {})
    search = searched(position, 300_000)
    tree = search.tree
    for node in nodes(search).values():
        if tree.nodes[node, STATUS] == GROWN:
            first, _, tried, _, unit, _ = tree.nodes[node].tolist()
            children = tree.edges[first : first + tried, CHILD]
            exact = tree.sums[children, UTILITY, unit] / tree.visits[children]
            worth = tree.weights[first : first + tried, WORTH] / tree.edges[first : first + tried, VISITS]
            assert worth == pytest.approx(exact, abs=1e-5)


def late(variant_id: str, settings: dict[str, str], most: int = 60) -> Position:
    """The earliest position of a random game that the exact solver proves with few positions."""
    found = at(variant_id, settings, -2)
    for back in range(3, 12):
        position = at(variant_id, settings, -back)
        if solve(position, most) is None:
            break
        found = position
    assert not found.is_over
    return found


@pytest.mark.parametrize(
    ("variant_id", "settings"),
    [
        ("duo", {}),
        ("junior", {}),
        ("classic_2", {}),
        ("trigon_2", {}),
        ("classic", {"teams": "yes"}),
        ("duo", {"end": "first_blocked"}),
    ],
)
def test_it_converges_to_the_exact_values(variant_id: str, settings: dict[str, str]) -> None:
    position = late(variant_id, settings, 400)
    solved = solve(position)
    assert solved is not None
    search = searched(position, 20_000)
    sides = units(position.rules)
    shares = [solved.shares[side[0]] for side in sides]
    assert search.shares().tolist() == pytest.approx(shares, abs=0.05)
    # Points matter little once a game is decided; the move that is chosen must not change who wins.
    position._play(search.colour, search.children()[0].placement)
    after = solve(position)
    assert after is not None and after.shares == solved.shares
