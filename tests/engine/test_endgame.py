"""The exact solver against a naive one on random endgames of all variants and of odd rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from engine.endgame import new_endgame, solve
from engine.errors import EngineError
from engine.geometry import geometry, placement_cells
from engine.position import Position
from engine.random_games import random_games
from engine.rulesets import default_rules, parse_rules
from engine.scoring import units
from engine.variants import VARIANTS
from tests.naive_endgame import Naive, TooLong, after

CASES: list[tuple[str, dict[str, str]]] = [(v, {}) for v in VARIANTS] + [
    ("duo", {"end": "first_blocked"}),
    ("classic_2", {"end": "first_blocked", "scoring": "net"}),
    ("junior", {"scoring": "board"}),
    ("classic", {"teams": "yes", "scoring": "family"}),
    ("classic", {"neutral": "red"}),
    ("trigon_3", {"neutral": "blue"}),
    ("classic_3", {"three": "two_colours:2:blue+red"}),
    ("classic_3", {"three": "shared_fourth:yellow", "end": "max_rounds:15"}),
    ("classic_2", {"end": "rounds:14"}),
    ("duo", {"end": "max_rounds:13"}),
    ("duo", {"end": "rounds:14", "pass": "voluntary"}),
    ("junior", {"end": "rounds:17", "scoring": "net"}),
    ("trigon", {"start": "any_corner", "end": "rounds:17"}),
    ("trigon_3", {"end": "max_rounds:18", "pass": "voluntary"}),
]


def endings(variant_id: str, settings: Mapping[str, str], games: int, most: int) -> Iterator[Position]:
    """Positions of random games, ever further from the end; in half of them only pieces that fit are left.

    Colours that have nothing left but pieces that fit may come to the bonuses, whose order of pieces matters.
    """
    rules, tables = parse_rules(variant_id, settings), geometry(variant_id)
    found = random_games(variant_id, rules, 7, games)
    for game in range(games):
        first, last = found.batch.games[game, :2].tolist()
        for back in range(1, most + 1):
            position = Position(variant_id, rules)
            for colour, placement in found.batch.events[first : last - back].tolist():
                position.play(colour, placement_cells(tables, placement))
            if game % 3 == 2:
                position.leave(game % len(rules.seats))
            if game % 2:
                drop_useless(position)
            yield position


def drop_useless(position: Position) -> None:
    """Take away the pieces that fit nowhere."""
    of_piece = position._geometry.placement_piece
    for colour, left in enumerate(position._state.left):
        fitting = set(of_piece[position.legal_placements(colour)].tolist())
        left[[piece for piece in range(len(left)) if piece not in fitting]] = 0


def difference(position: Position, end: tuple[int, ...]) -> tuple[int, ...]:
    """What is proven of an end: with two sides the difference of their totals, else all totals."""
    sides = units(position.rules)
    if len(sides) != 2 or position.rules.neutral:
        return end
    return (sum(end[seat] for seat in sides[0]) - sum(end[seat] for seat in sides[1]),)


@pytest.mark.parametrize(("variant_id", "settings"), CASES)
def test_equals_naive_play_and_its_first_move_attains_it(variant_id: str, settings: dict[str, str]) -> None:
    compared = 0
    for position in endings(variant_id, settings, games=6, most=5):
        naive = Naive(most=150)
        try:
            expected = naive.end(position)
        except TooLong:
            continue
        solved = solve(position)
        assert solved is not None
        assert difference(position, solved.scores) == difference(position, expected)
        if solved.best is not None and position.to_move is not None:
            behind = after(position, position.to_move, solved.best)
            attained = Naive(most=10_000).end(behind)
            assert difference(position, attained) == difference(position, expected)
        compared += 1
    assert compared >= 3


def late(back: int = 6) -> Position:
    *_, position = endings("duo", {}, 1, back)
    return position


def test_the_variation_is_played_to_the_end_and_leads_to_the_scores() -> None:
    position = late()
    solved = solve(position)
    assert solved is not None
    for colour, placement in solved.variation:
        assert position.to_move == colour
        position.play(colour, placement_cells(geometry("duo"), placement))
    assert position.is_over
    assert tuple(position.facts) == solved.facts
    assert solved.scores == tuple(f.cells_placed - 89 for f in solved.facts)
    assert sum(share or 0 for share in solved.shares) == 1
    assert solved.variation[0][1] == solved.best


def test_the_answer_hangs_on_position_and_budget_alone() -> None:
    solved = solve(late())
    assert solved is not None
    solve(late(8), nodes=20_000)  # another one in between
    assert solve(late(), solved.nodes) == solved
    assert solve(late(), solved.nodes - 1) is None
    assert solve(late(), stop=lambda: False) == solved


def test_a_finished_game_is_its_own_end() -> None:
    position = late()
    while (colour := position.to_move) is not None:
        position._play(colour, int(position.legal_placements(colour)[-1]))
    solved = solve(position, nodes=1)
    assert solved is not None
    assert (solved.best, solved.variation, solved.nodes) == (None, (), 0)
    assert solved.facts == tuple(position.facts)


def test_far_from_the_end_it_gives_up() -> None:
    assert solve(Position("classic"), nodes=2000) is None
    assert solve(Position("trigon", parse_rules("trigon", {"start": "any_corner"}))) is None


def test_a_stop_is_obeyed() -> None:
    assert solve(late(13), nodes=10**12, stop=lambda: True) is None


def test_bad_requests_are_refused() -> None:
    with pytest.raises(EngineError, match="1 position or more, not 0"):
        solve(late(), nodes=0)
    with pytest.raises(EngineError, match="passing for ever is never over"):
        new_endgame("duo", parse_rules("duo", {"pass": "voluntary"}))
    assert new_endgame("duo", default_rules("duo")).info.any()
