"""A player: legal moves through whole games, and a tree that is kept only where it fits."""

from __future__ import annotations

import pytest

from engine.budgets import MOST
from engine.errors import EngineError
from engine.player import Player
from engine.position import Position
from engine.rulesets import parse_rules
from engine.searching import Search
from engine.variants import VARIANTS
from tests.engine.searched import at, finished


def legal(position: Position, placement: int) -> bool:
    assert position.to_move is not None
    return placement in position.legal_placements(position.to_move)


def play(position: Position, placement: int) -> None:
    assert position.to_move is not None
    position._play(position.to_move, placement)


def kept(player: Player, earlier: Search | None) -> bool:
    """Whether the last choice went on with the tree of an earlier one."""
    return earlier is not None and player._search is earlier


@pytest.mark.parametrize(
    ("variant_id", "settings"),
    [
        *((variant_id, {}) for variant_id in VARIANTS),
        ("classic", {"teams": "yes", "end": "rounds:12"}),
        ("duo", {"end": "first_blocked"}),
        ("trigon_3", {"start": "any_corner", "end": "max_rounds:11"}),
    ],
)
def test_whole_games_are_legal(variant_id: str, settings: dict[str, str]) -> None:
    rules = parse_rules(variant_id, settings)
    position = Position(variant_id, rules)
    player, kept_once = Player(variant_id, rules), False
    while not position.is_over:
        earlier = player._search
        choice = player.choose(position, 12)
        assert legal(position, choice)
        kept_once = kept_once or kept(player, earlier)
        play(position, choice)
    assert kept_once
    with pytest.raises(EngineError, match="the game is over"):
        player.choose(position, 12)


def test_the_tree_is_kept_over_moves_of_both_sides() -> None:
    position = at("duo", {}, 20)
    player = Player("duo", position.rules)
    play(position, player.choose(position, 400))
    first = player._search
    play(position, player.choose(position, 400))
    assert kept(player, first)
    reply = Player("duo", position.rules).choose(position, 400)
    play(position, reply)
    assert legal(position, player.choose(position, 400))
    assert kept(player, first)


@pytest.mark.parametrize("variant_id", ["duo", "classic", "trigon_2"])
def test_what_is_settled_is_searched_no_longer_and_chosen_all_the_same(variant_id: str) -> None:
    spared = 0
    for plies in range(4, 24, 4):
        position = at(variant_id, {}, plies)
        player = Player(variant_id, position.rules, seed=3)
        whole = Search(position, 3, 300)
        whole.run(300)
        assert player.choose(position, 300) == whole.children()[0].placement
        assert player._search is not None and player._search.visits <= 300
        spared += 300 - player._search.visits
    assert spared > 0


def test_the_same_questions_get_the_same_answers() -> None:
    games = []
    for _ in range(2):
        position = at("junior", {}, 10)
        player = Player("junior", position.rules, seed=3)
        moves = []
        for _ in range(4):
            moves.append(player.choose(position, 50))
            play(position, moves[-1])
        games.append(moves)
    assert games[0] == games[1]


def test_after_a_voluntary_pass_it_is_the_other_one_s_turn() -> None:
    position = at("duo", {"pass": "voluntary", "end": "max_rounds:20"}, 12)
    player = Player("duo", position.rules)
    for _ in range(3):
        assert legal(position, player.choose(position, 60))
        assert position.to_move is not None
        position.pass_turn(position.to_move)


def test_after_a_pass_of_both_the_rounds_count() -> None:
    """The board is the same and so is the mover, but two turns fewer are left."""
    position = at("duo", {"pass": "voluntary", "end": "max_rounds:8"}, 11)
    player = Player("duo", position.rules)
    player.choose(position, 60)
    earlier = player._search
    for _ in range(2):
        assert position.to_move is not None
        position.pass_turn(position.to_move)
    assert legal(position, player.choose(position, 60))
    assert not kept(player, earlier)


def test_forced_passes_in_a_record_do_not_matter() -> None:
    """A turn that goes by is the same whether it is told or not."""
    position = at("classic", {}, 20)
    player = Player("classic", position.rules)
    position.leave(1)
    while position.to_move != 0:
        play(position, player.choose(position, 100))
    play(position, player.choose(position, 400))
    earlier = player._search
    position.pass_turn(1)
    assert position.to_move == 2
    assert legal(position, player.choose(position, 100))
    assert kept(player, earlier)


def test_after_a_seat_has_left_it_is_not_reckoned_with() -> None:
    position = at("classic", {}, 24)
    player = Player("classic", position.rules)
    choice = player.choose(position, 60)
    earlier = player._search
    position.leave(1)
    player.choose(position, 60)
    assert not kept(player, earlier)
    play(position, choice)
    assert legal(position, player.choose(position, 60))


def test_undone_moves_and_other_games() -> None:
    position = at("duo", {}, 12)
    player = Player("duo", position.rules)
    before = position.copy()
    play(position, player.choose(position, 60))
    play(position, player.choose(position, 60))
    for other in (before, Position("duo"), at("duo", {}, 8), Position("duo", first_colour=1)):
        assert legal(other, player.choose(other, 60))


def test_without_simulations_it_looks_one_move_ahead() -> None:
    position = at("trigon", {}, 20)
    player = Player("trigon", position.rules)
    choice = player.choose(position, 0)
    assert legal(position, choice)
    assert player.choose(position, 0) == choice


@pytest.mark.parametrize("simulations", [-1, MOST + 1])
def test_numbers_that_are_none(simulations: int) -> None:
    with pytest.raises(EngineError, match="simulations"):
        Player("duo", Position("duo").rules).choose(Position("duo"), simulations)


def test_positions_of_other_games_are_refused() -> None:
    player = Player("duo", Position("duo").rules)
    for position in (Position("junior"), at("duo", {"end": "first_blocked"}, 2)):
        with pytest.raises(EngineError, match="other rules"):
            player.choose(position, 10)
    with pytest.raises(EngineError, match="over"):
        player.choose(finished("duo"), 10)
