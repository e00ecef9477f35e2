"""What users of a `Position` rely on: playing, copying, refusing, keys."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.errors import EngineError, IllegalMove, UnknownVariant
from engine.position import Position
from engine.replay import Script, replay_scripts
from engine.rulesets import default_rules, parse_rules
from engine.variants import VARIANTS
from tests.engine.games import numbers


def _played(variant_id: str, text: str, **kwargs: object) -> Position:
    position = Position(variant_id, **kwargs)  # type: ignore[arg-type]
    for part in text.split():
        colour, what = part.split(":")
        if what == "pass":
            position.pass_turn(int(colour) - 1)
        else:
            position.play(int(colour) - 1, numbers(variant_id, what))
    return position


def _everything(position: Position) -> tuple[object, ...]:
    """All that can be asked of a position."""
    colours = range(len(position.variant.colours))
    return (
        position.board.tolist(),
        position.facts,
        position.key,
        position.to_move,
        position.is_over,
        [position.legal_moves(c) for c in colours],
        [position.pieces_left(c) for c in colours],
    )


def test_a_new_position() -> None:
    position = Position("trigon_3")
    assert (position.to_move, position.is_over) == (0, False)
    assert set(position.board.tolist()) == {-1}
    assert position.pieces_left(2) == dict.fromkeys(position.pieces_left(0), 1)
    assert sum(Position("junior").pieces_left(0).values()) == 24


def test_play_says_whose_turns_went_by() -> None:
    position = _played("classic", "1:a20")
    assert position.play(3, numbers("classic", "a1")) == [(1, "unforced"), (2, "unforced")]
    assert position.to_move == 0
    assert position.pass_turn(0) == [(0, "unforced")]
    assert position.to_move == 1
    # Yellow cannot begin any more once its corner is covered.
    shut = _played("classic", "2:t20+s20", setup=[])
    assert shut.play(2, numbers("classic", "t1")) == []
    covered = Position("classic", setup=[(0, 19 * 20 + 19)])
    assert covered.play(2, numbers("classic", "t1")) == [(0, "unforced"), (1, "forced")]


def test_cells_in_any_order_are_the_same_move() -> None:
    one, two = Position("duo"), Position("duo")
    one.play(0, numbers("duo", "e10+e11+f11"))
    two.play(0, numbers("duo", "f11+e10+e11"))
    assert _everything(one) == _everything(two)


@pytest.mark.parametrize(
    ("colour", "cells", "reason"),
    [(0, "e11", "start_rule"), (1, "e10", "start_rule"), (0, "e10+e12", "not_a_piece")],
)
def test_a_refused_move_changes_nothing(colour: int, cells: str, reason: str) -> None:
    position = _played("duo", "2:pass")
    before = _everything(position)
    with pytest.raises(IllegalMove) as refused:
        position.play(colour, numbers("duo", cells))
    assert refused.value.reason == reason
    assert ("first" if colour == 0 else "second") in str(refused.value)
    assert _everything(position) == before
    assert position.play(0, numbers("duo", "e10")) == []


def test_asking_changes_nothing() -> None:
    position = _played("duo", "1:e10 2:j5")
    twin = _played("duo", "1:e10 2:j5")
    for colour in (0, 1, 0):
        position.why_illegal(colour, [3, 4, 5])
        position.legal_placements(colour)
        position.mobility(colour)
    position.board[:] = 7
    position.legal_placements(0)[:] = 0
    assert _everything(position) == _everything(twin)


def test_copies_are_independent() -> None:
    position = _played("duo", "1:e10+e11 2:j5")
    twin = position.copy()
    before = _everything(position)
    assert _everything(twin) == before
    twin.play(0, numbers("duo", "f9+f8+f7"))
    twin.leave(1)
    assert _everything(position) == before
    position.play(0, numbers("duo", "d12"))
    assert twin.to_move == 0
    assert position.to_move == 1
    # A copy of a position with passes behind it goes on at the same turn.
    limited = _played("duo", "1:e10 2:pass", rules=parse_rules("duo", {"end": "rounds:1"}))
    assert limited.is_over
    assert limited.copy().is_over


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_legal_moves_are_those_that_can_be_played(variant_id: str) -> None:
    rng = random.Random(variant_id)
    position = Position(variant_id)
    for _ in range(12):
        mover = position.to_move
        assert mover is not None
        placements = position.legal_placements(mover).tolist()
        assert placements == sorted(set(placements))
        _, cells = rng.choice(position.legal_moves(mover))
        assert position.why_illegal(mover, cells) is None
        position.play(mover, cells)
        assert position.why_illegal(mover, cells) is not None


def test_why_illegal_for_a_colour_that_is_not_on_turn() -> None:
    position = _played("classic", "1:a20")
    assert position.why_illegal(3, numbers("classic", "a1")) is None
    assert position.why_illegal(3, numbers("classic", "a2")) == "start_rule"
    last = Position("classic", parse_rules("classic", {"end": "rounds:1"}))
    last.play(2, numbers("classic", "t1"))
    # Blue's next turn is the first of round 2.
    assert last.why_illegal(0, numbers("classic", "a20")) == "game_over"
    assert last.why_illegal(3, numbers("classic", "a1")) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p: p.play(2, [0]),
        lambda p: p.play(-1, [0]),
        lambda p: p.pass_turn(2),
        lambda p: p.leave(2),
        lambda p: p.leave(-1),
        lambda p: p.legal_placements(5),
        lambda p: p.mobility(-1),
        lambda p: p.pieces_left(2),
        lambda p: p.legal_moves(2),
        lambda p: p.why_illegal(9, [0]),
        lambda p: Position("duo", first_colour=2),
        lambda p: Position("duo", setup=[(2, 0)]),
        lambda p: Position("duo", setup=[(0, 10**6)]),
        lambda p: Position("duo", setup=[(0, -2)]),
        lambda p: Position("duo", setup=[(0, 0), (1, 0)]),
        lambda p: Position("duo", single_last=[4]),
    ],
)
def test_colours_seats_and_pieces_that_do_not_exist(wrong: Callable[[Position], object]) -> None:
    with pytest.raises(EngineError, match=r"duo has|bad_setup"):
        wrong(Position("duo"))


def test_unknown_variant() -> None:
    with pytest.raises(UnknownVariant, match="unknown variant 'nexos': choose one of classic, classic_2"):
        Position("nexos")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (Script([(2, 0)]), "event colour"),
        (Script([(0, 13_729)]), "event code"),
        (Script([(0, -5)]), "event code"),
        (Script([(-1, -4)]), "colour that leaves"),
        (Script([], [(-1, 0)]), "setup colour"),
        (Script([], [(0, -3)]), "setup placement"),
        (Script([], first_colour=2), "first colour"),
    ],
)
def test_replay_refuses_numbers_out_of_range(script: Script, message: str) -> None:
    with pytest.raises(EngineError, match=f"{message} out of range"):
        replay_scripts("duo", default_rules("duo"), [Script([]), script])


def test_replay_of_no_games_and_of_games_without_moves() -> None:
    rules = default_rules("duo")
    assert len(replay_scripts("duo", rules, []).verdicts.games) == 0
    empty = replay_scripts("duo", rules, [Script([]), Script([])]).verdicts
    assert empty.games.tolist() == [[-1, 0, 1]] * 2
    assert empty.first_keys[0].tolist() == empty.first_keys[1].tolist()


# Keys


def test_transpositions_share_a_key() -> None:
    # From the public report on transpositions: the first colour's moves 2 and 3 in either order.
    opening = "1:e10+e11+f11+f12+g12 2:h7+i6+i7+j5+j6"
    one = _played("duo", f"{opening} 1:d8+d9 2:g8 1:h9+i9+h10+h11")
    two = _played("duo", f"{opening} 1:h9+i9+h10+h11 2:g8 1:d8+d9")
    assert one.key == two.key
    assert len(one.key) == 32
    assert one.key != _played("duo", f"{opening} 1:h9+i9+h10+h11 2:g8").key


def test_keys_tell_the_mover_who_is_out_and_the_bonus() -> None:
    first = Position("duo")
    assert Position("duo", first_colour=1).key != first.key
    assert _played("duo", "1:pass").key == Position("duo", first_colour=1).key
    gone = Position("duo")
    gone.leave(1)
    assert gone.key != first.key
    # All second's cells in place of first's are another position.
    assert _played("duo", "1:e10").key != Position("duo", setup=[(1, 9 * 14 + 4)]).key


def test_the_mover_of_a_key_is_the_colour_that_can_move() -> None:
    # Yellow's corner is covered: after blue's turn it is red's, whether yellow's pass is recorded or not.
    corner = [(0, 19 * 20 + 19)]
    one = _played("classic", "1:s18+s19", setup=corner)
    two = _played("classic", "1:s18+s19 2:pass", setup=corner)
    assert one.key == two.key
    assert one.to_move == two.to_move == 2


def test_keys_are_those_of_the_replay_and_of_other_variants_on_the_board() -> None:
    script = Script([(0, 19 * 20), (1, 19 * 20 + 19)])
    keys = replay_scripts("classic", default_rules("classic"), [script]).verdicts.keys.tolist()
    position = _played("classic", "1:a20 2:t20")
    assert position.key == f"{keys[1][0]:016x}{keys[1][1]:016x}"
    assert _played("classic_2", "1:a20 2:t20").key == position.key
    assert _played("duo", "1:e10").key != _played("junior", "1:e10").key


def test_keys_never_change() -> None:
    # Libraries on disk hold them: a change here needs a new version of the library.
    assert Position("duo").key == "06c06e14af986055258b8e2d77af77a6"
    assert _played("trigon", "1:r15+s15").key == "29a30563c290d6f9b8bfda15b2c411f3"
