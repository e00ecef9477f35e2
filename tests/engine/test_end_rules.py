"""The table "End", the pass rules, and whose turn it is: small games worked out by hand."""

from __future__ import annotations

import pytest

from engine.errors import IllegalMove
from engine.position import Position
from notation.record import Move
from tests.engine.games import play, reasons
from tests.notation.reading import game
from tests.records import O_A2_A, O_A2_B

# The first colour walks from e10 to j5, the starting cell of the second, while that one lets its turns go by:
# e10, then five cells down from f9, then g4 h4 i4 j4 j5 (an L) from the corner of f5.
SHUT_OUT = "1:e10 2:pass 1:f5+f6+f7+f8+f9 2:pass 1:g4+h4+i4+j4+j5"


def _blue(text: str) -> list[str]:
    """Placements of the first colour in a record, as `1:cells`."""
    return [
        f"1:{e.text.replace(',', '+')}" for e in game(text).events if isinstance(e, Move) and not e.colour
    ]


def test_all_blocked_goes_on_while_anybody_can_move() -> None:
    # Second is shut out for ever after ply 3 (turn 5); first goes on alone, second's turn 6 is a forced pass.
    alone = play("duo", f"{SHUT_OUT} 1:k6+k7")
    assert alone.reasons == ["legal"] * 6
    assert alone.turns[-1] == 7
    assert alone.passes == [(2, 2, "unforced", True), (4, 2, "unforced", True), (6, 2, "forced", False)]
    assert not alone.over
    assert alone.blocked == [False, True]


def test_all_blocked_ends_when_nobody_can() -> None:
    record = game(O_A2_A)
    position = Position("classic")
    for event in record.events:
        assert not position.is_over
        assert isinstance(event, Move)
        position.play(event.colour, event.cells)
    assert position.is_over
    assert position.to_move is None
    # Whatever is tried now, the game being over is the reason; only cells off the board come before it.
    assert position.why_illegal(0, [0]) == "game_over"
    assert position.why_illegal(1, [0, 40]) == "game_over"
    assert position.why_illegal(1, [400]) == "off_board"
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play(2, [0])


def test_first_blocked_ends_with_the_first_player_who_cannot_move() -> None:
    ended = play("duo", f"{SHUT_OUT} 1:k6+k7", end="first_blocked")
    assert ended.reasons == ["legal"] * 5 + ["game_over"]
    assert ended.over
    assert not play("duo", SHUT_OUT.rsplit(" ", 1)[0], end="first_blocked").over


def test_passes_recorded_behind_the_end_are_not_unforced() -> None:
    # First could still move, but the game is over: nobody skipped a turn of it.
    ended = play("duo", f"{SHUT_OUT} 2:pass 1:pass", end="first_blocked")
    assert ended.passes[2:] == [(6, 2, "forced", True), (7, 1, "forced", True)]
    assert play("duo", f"{SHUT_OUT} 2:pass 1:pass").passes[3] == (7, 1, "unforced", True)
    rounds = play("duo", "1:e10 2:j5 1:pass 2:pass", end="rounds:1")
    assert rounds.passes == [(3, 1, "forced", True), (4, 2, "forced", True)]


def test_first_blocked_needs_both_colours_of_a_player_to_be_blocked() -> None:
    # Blue is set up on yellow's corner: yellow cannot begin, but green, of the same player, can.
    one = play("classic_2", "3:t1", setup="1:t20", first=3, end="first_blocked")
    assert (one.reasons, one.over) == (["legal"], False)
    # Red on green's corner as well: the second player is blocked before the first move.
    both = play("classic_2", "1:s19", setup="1:t20 3:a1", end="first_blocked")
    assert (both.reasons, both.over) == (["game_over"], True)
    assert play("classic_2", "1:s18+s19", setup="1:t20 3:a1").reasons == ["legal"]


def test_rounds_end_after_n_turns_of_every_colour() -> None:
    assert reasons("duo", "1:e10 2:j5 1:f8+f9", end="rounds:1") == ["legal", "legal", "game_over"]
    assert reasons("duo", "1:e10 2:j5 1:f8+f9", end="rounds:2") == ["legal", "legal", "legal"]
    assert play("duo", "1:e10 2:j5", end="rounds:1").over
    assert not play("duo", "1:e10", end="rounds:1").over
    # A pass is a turn: yellow, red and green let theirs go by, so round 1 is over.
    assert reasons("classic", "1:a20 2:pass 3:pass 4:pass 1:b19+b18", end="rounds:1")[-1] == "game_over"
    # Skipped turns count too: red's second turn would be turn 7, yellow's turn 6, both in round 2.
    assert play("classic", "1:a20 2:t20 3:t1 3:s2+s3", end="rounds:2").turns == [1, 2, 3, 7]
    assert reasons("classic", "1:a20 2:t20 3:t1 3:s2+s3", end="rounds:1")[-1] == "game_over"


def test_rounds_are_over_when_nobody_can_use_the_turns_that_are_left() -> None:
    # First is set up on second's starting cell; after its turn 1 only turn 2 is left, second's, which cannot move.
    ended = play("duo", "1:k6+k7 2:j5", setup="1:j5", end="rounds:1")
    assert ended.over
    assert ended.reasons == ["legal", "game_over"]  # not: occupied


@pytest.mark.parametrize(("text", "bonus"), [(O_A2_A, 20), (O_A2_B, 15)])
def test_rounds_end_after_the_round_in_which_a_colour_placed_everything(text: str, bonus: int) -> None:
    # Twenty pieces of blue are set up, the last is played: everything placed in round 1 of 25.
    *twenty, last = _blue(text)
    setup = " ".join(twenty)
    ended = play("classic", f"{last} 2:t20 3:t1 4:a1 2:s19+s18", setup, end="rounds:25")
    # Yellow, red and green have their turn of round 1, nobody has one of round 2 (yellow: turn 6).
    assert ended.reasons == ["legal"] * 4 + ["game_over"]
    assert ended.over
    assert ended.totals()[0] == bonus
    # Without that rule the game goes on.
    assert play("classic", f"{last} 2:t20 3:t1 4:a1 2:s19+s18", setup).reasons == ["legal"] * 5


def test_max_rounds_may_end_with_the_round_in_which_a_colour_placed_everything() -> None:
    *twenty, last = _blue(O_A2_A)
    setup, end = " ".join(twenty), "max_rounds:25"
    round_1 = f"{last} 2:t20 3:t1 4:a1"
    assert play("classic", round_1, setup, end=end).over  # a record that stops here is finished
    assert not play("classic", f"{last} 2:t20 3:t1", setup, end=end).over
    longer = play("classic", f"{round_1} 2:s19+s18", setup, end=end)  # and one that goes on is legal
    assert (longer.reasons, longer.over) == (["legal"] * 5, False)
    assert reasons("classic", f"{round_1} 2:s19+s18", setup=setup, end="max_rounds:1")[-1] == "game_over"
    assert not play("classic", "1:a20 2:t20 3:t1 4:a1", end=end).over
    assert play("classic", "1:a20 2:t20 3:t1 4:a1", end="max_rounds:1").over


def test_everything_placed_by_the_setup_ends_the_game_after_round_1() -> None:
    setup = " ".join(_blue(O_A2_A))
    ended = play("classic", "2:t20 3:t1 4:pass 2:s19+s18", setup, end="rounds:25")
    # Turn 1 is blue's, which has nothing to play; turns 2 to 4 are round 1, yellow's next turn is 6.
    assert ended.reasons == ["legal"] * 3 + ["game_over"]
    assert ended.turns == [2, 3, 4, 6]
    # Everything placed by setup gives the bonus, the single cell last only as a move.
    assert ended.totals()[0] == 15
    passed = play("classic", "2:pass 3:pass 4:pass 2:t20", setup, end="rounds:25")
    assert passed.reasons[-1] == "game_over"


def test_forced_passes_are_inferred_up_to_the_last_placement() -> None:
    seen = play("duo", f"{SHUT_OUT} 1:k6+k7 1:l8+l9+l10")
    assert [row for row in seen.passes if not row[3]] == [(6, 2, "forced", False), (8, 2, "forced", False)]
    # The turn after the last placement is not listed, unless the record says so.
    recorded = play("duo", f"{SHUT_OUT} 1:k6+k7 2:pass *:pass *:pass")
    assert recorded.passes[-3:] == [(8, 2, "forced", True), (9, 1, "unforced", True), (10, 2, "forced", True)]


def test_unforced_passes() -> None:
    # Second could begin: skipping it is irregular, and illegal for those who are strict.
    skipped = play("duo", "1:e10 1:f8+f9")
    assert (skipped.reasons, skipped.passes) == (["legal", "legal"], [(2, 2, "unforced", False)])
    assert skipped.turns == [1, 3]
    assert play("duo", "1:e10 1:f8+f9", strict=True).reasons == ["legal", "unforced_pass"]
    assert play("duo", "1:e10 2:pass 1:f8+f9", strict=True).reasons == [
        "legal",
        "unforced_pass",
        "not_reached",
    ]
    # A placement that is illegal anyway keeps its own reason.
    assert play("duo", "1:e10 1:f9+f10", strict=True).reasons == ["legal", "side_contact"]
    # The turns before a refused placement did not go by.
    assert play("duo", "1:e10 1:f9+f10").passes == []


def test_unforced_passes_behind_the_last_placement() -> None:
    text = "1:e10 2:j5 1:pass"
    assert play("duo", text).passes == [(3, 1, "unforced", True)]
    assert play("duo", "1:e10 1:pass").passes == [(2, 2, "unforced", False), (3, 1, "unforced", True)]
    # Second is shut out after turn 5 and passes twice; first, whose turn 7 goes by in between, could have moved.
    seen = play("duo", f"{SHUT_OUT} 2:pass 2:pass")
    assert seen.passes[2:] == [(6, 2, "forced", True), (7, 1, "unforced", False), (8, 2, "forced", True)]
    stopped = play("duo", text, strict=True)
    assert stopped.reasons == ["legal", "legal", "unforced_pass"]
    assert (stopped.turns[-1], stopped.passes) == (3, [])
    assert play("duo", "1:e10 1:pass", strict=True).reasons == ["legal", "unforced_pass"]
    assert play("duo", text, strict=True, passing="voluntary").reasons == ["legal"] * 3


def test_a_forced_skip_behind_the_last_placement_is_not_listed() -> None:
    # Second's turn 8, between two turns of first.
    seen = play("duo", f"{SHUT_OUT} 1:k6+k7 1:pass")
    assert seen.passes[2:] == [(6, 2, "forced", False), (9, 1, "unforced", True)]


def test_voluntary_passes_are_for_colours_that_have_begun() -> None:
    text = "1:e10 2:pass 1:f8+f9 2:j5 1:pass 2:k6+k7 1:pass"
    allowed = play("duo", text, passing="voluntary")
    assert allowed.passes == [(2, 2, "unforced", True), (5, 1, "voluntary", True), (7, 1, "voluntary", True)]
    forced = play("duo", text)
    assert [kind for _, _, kind, _ in forced.passes] == ["unforced"] * 3
    rest = "1:e10 2:j5 1:pass 2:k6+k7"
    assert play("duo", rest, strict=True, passing="voluntary").reasons == ["legal"] * 4
    assert play("duo", rest, strict=True).reasons == ["legal", "legal", "unforced_pass", "not_reached"]


def test_a_turn_without_a_colour_belongs_to_the_colour_on_turn() -> None:
    # A placement: the next that can move (second is shut out after turn 5); a pass: the next at all.
    seen = play("duo", f"{SHUT_OUT} *:k6+k7 *:pass *:l8+l9+l10")
    assert seen.reasons == ["legal"] * 8
    assert seen.passes[2:] == [(6, 2, "forced", False), (8, 2, "forced", True)]
    # Those who have left are not on turn.
    assert play("classic", "1:a20 2:out *:pass *:a1").passes == [
        (2, 2, "out", False),
        (3, 3, "unforced", True),
    ]


def test_another_colour_may_have_the_first_turn() -> None:
    begun = play("duo", "2:j5 1:e10 2:k6+k7", first=2, end="rounds:1")
    assert begun.reasons == ["legal", "legal", "game_over"]
    assert begun.turns == [1, 2, 3]
    assert begun.passes == []


def test_the_first_reason_that_applies_is_the_reason() -> None:
    opening = "1:e10 2:j5"
    cases = {
        "1:e10+z99": "off_board",
        "1:e10+e12": "not_a_piece",
        "1:e10+e10": "not_a_piece",  # a cell named twice
        "1:e10": "piece_used",  # the single cell again, on an occupied cell
        "1:e10+e11": "occupied",
        "1:f10+g10": "side_contact",
        "1:f9+f10": "side_contact",  # though it meets e10 at a corner
        "1:h2+h3": "no_corner_contact",
    }
    for text, reason in cases.items():
        assert reasons("duo", f"{opening} {text}")[-1] == reason, text
    assert reasons("duo", f"{opening} 1:out 1:e10+e12")[-1] == "colour_out"
    assert reasons("duo", f"{opening} 1:out 1:z99")[-1] == "off_board"
    assert reasons("duo", f"{opening} 1:out 2:out 1:e10+e12")[-1] == "game_over"
    assert reasons("duo", "1:a1 2:j5") == ["start_rule", "not_reached"]


@pytest.mark.parametrize(
    "setup",
    ["1:e10 2:e10", "1:e10 1:f12", "1:e10+e12", "1:z99"],
    ids=["overlap", "twice", "no piece", "off board"],
)
def test_bad_setup(setup: str) -> None:
    assert play("duo", "2:j5 1:e10", setup).reasons == ["bad_setup", "not_reached"]


def test_setup_pieces_are_used_and_count() -> None:
    seen = play("junior", "1:f9", setup="1:e10")
    assert seen.reasons == ["legal"]  # junior has the single cell twice
    assert play("junior", "1:f9 2:j5 1:g8", setup="1:e10").reasons[-1] == "piece_used"
    assert seen.facts[0].cells_placed == 2
