"""How games end: who won, how the game stopped, whether the declared result agrees."""

import pytest

from notation.record import Declared, GameRecord, Out
from pipeline.judged import Group, RuleChoice, group_records
from pipeline.outcomes import Ending, ending_of, is_mismatch, results_of
from tests.notation.reading import game as read_one
from tests.records import O_A2_A, O_A7, O_A9_SKIP, O_B4

SHORT = "(;GM[Blokus Duo]RE[{}];B[e10,e11];W[j5,j4])"


def judge(record: GameRecord, **settings: str) -> tuple[Group, Ending, list[int], list[int]]:
    groups, refused = group_records([record], RuleChoice(settings))
    assert not refused
    group = groups[0]
    ending = ending_of(group, 0)
    results = results_of(group, [ending])
    return group, ending, results.places[0].tolist(), results.totals[0].tolist()


def duo(result: str) -> GameRecord:
    return read_one(SHORT.format(result))


def test_game_that_stops_early_has_no_winner_but_interim_points():
    _, ending, places, totals = judge(duo("?"))
    assert (ending.termination, ending.decided, ending.unfinished) == ("unfinished", False, True)
    assert places == [0, 0]
    assert totals == [-87, -87]


def test_finished_game_has_places_and_points():
    _, ending, places, totals = judge(read_one(O_A2_A))
    assert ending.termination == "normal"
    assert (places, totals) == ([1, 4, 3, 2], [20, -35, -30, -25])


@pytest.mark.parametrize(("code", "cause"), [("T", "time"), ("R", "resigned"), ("F", "violation")])
def test_player_who_leaves_a_game_of_two_loses_whatever_the_points(code, cause):
    _, ending, places, totals = judge(duo(f"W+{code}"))
    assert (ending.termination, ending.decided) == (cause, True)
    assert places == [2, 1]
    assert totals == [-87, -87]


def test_a_player_out_of_time_among_four_comes_last_and_the_game_goes_on():
    record = read_one("(;GM[Blokus];1[a20];2[t20];3[t1];4[a1])")
    record.events.insert(3, Out(0, "time"))
    _, ending, places, _ = judge(record)
    assert (ending.termination, ending.decided) == ("unfinished", False)
    assert places == [0, 0, 0, 0]


def test_when_all_but_one_have_left_the_later_is_the_better():
    record = read_one("(;GM[Blokus];1[a20];2[t20];3[t1];4[a1])")
    record.events += [Out(2, "time"), Out(0, "resigned"), Out(3, "abandoned")]
    _, ending, places, _ = judge(record)
    assert ending.termination == "time"
    assert ending.decided
    assert places == [3, 1, 4, 2]


def test_waived_penalty_leaves_no_winner():
    record = read_one("(;GM[Blokus Duo];B[e10,e11];W[j5,j4])")
    record.events.append(Out(0, "abandoned"))
    record.termination, record.penalty_applied = "abandoned", False
    _, ending, places, _ = judge(record)
    assert (ending.termination, places) == ("abandoned", [0, 0])
    record.termination = None  # the event alone says that a player left
    assert judge(record)[2] == [0, 0]
    record.termination = "abandoned"
    record.penalty_applied = True
    assert judge(record)[2] == [2, 1]


def test_declared_winner_decides_where_nobody_is_said_to_have_left():
    record = read_one("(;GM[Blokus Two-Player];1[a20];2[t20])")
    record.declared, record.termination = Declared("second by default", winner=1), "abandoned"
    assert judge(record)[2] == [2, 1]


FOUR = "(;GM[Blokus];1[a20,b20];2[t20];3[t1];4[a1])"


@pytest.mark.parametrize("cause", ["time", "resigned", "abandoned", "violation"])
def test_declared_winner_among_four_is_first_and_the_others_follow_by_points(cause):
    record = read_one(FOUR)
    record.declared, record.termination = Declared("red wins", winner=2), cause
    group, ending, places, totals = judge(record)
    assert (ending.termination, ending.decided, ending.leavings) == (cause, True, [])
    assert (places, totals) == ([2, 3, 1, 3], [-87, -88, -88, -88])
    assert is_mismatch(group, 0, places, totals) is False


def test_declared_winner_of_teams_means_that_the_other_team_lost():
    record = read_one(FOUR)
    record.rules = {"teams": "yes"}
    record.declared = Declared("yellow and green", winner=1, termination="resigned")
    group, ending, places, totals = judge(record)
    assert (ending.termination, [x.seat for x, _ in ending.leavings]) == ("resigned", [0, 2])
    assert places == [2, 1, 2, 1]
    assert is_mismatch(group, 0, places, totals) is False
    record.declared = Declared("blue and red", winner=0)
    assert is_mismatch(group, 0, places, totals) is True


def test_declared_winner_among_four_decides_nothing_else():
    over = read_one(O_A2_A)
    over.declared, over.termination = Declared("yellow wins", winner=1), "time"
    _, ending, places, _ = judge(over)
    assert (ending.termination, places) == ("normal", [1, 4, 3, 2])
    record = read_one(FOUR)
    for winner, termination in ((2, "normal"), (2, None), (2, "unfinished"), (-1, "time"), (7, "time")):
        record.declared, record.termination = Declared("?", winner=winner), termination
        assert judge(record)[1:3] == (Ending(None, [], "unfinished", False), [0, 0, 0, 0])
    record.declared, record.termination = Declared("?", winner=3), "time"
    assert judge(record, neutral="green")[2] == [0, 0, 0, 0]
    record.events.append(Out(0, "time"))  # who left is known, and three go on
    assert judge(record)[2] == [0, 0, 0, 0]


def test_a_record_may_say_that_its_game_is_over_where_the_rule_leaves_that_open():
    record = read_one("(;GM[Blokus Two-Player];1[a20,b20];2[t20])")
    record.termination = "normal"
    assert judge(record, end="rounds:25")[1].termination == "unfinished"
    assert judge(record, end="max_rounds:25")[1:3] == (Ending(None, [], "normal", True), [1, 2])
    record.termination = None
    assert judge(record, end="max_rounds:25")[1].termination == "unfinished"


def test_waived_penalty_among_four_that_play_on_leaves_points_to_decide():
    record = read_one(O_A2_A)
    last = max(i for i, move in enumerate(record.events) if move.colour == 3)
    record.events.insert(last + 1, Out(3, "abandoned"))
    _, ending, places, _ = judge(record)
    assert (ending.termination, places) == ("abandoned", [1, 3, 2, 4])
    record.penalty_applied = False
    _, ending, places, _ = judge(record)
    assert (ending.termination, places) == ("abandoned", [1, 4, 3, 2])
    assert [x.seat for x, _ in ending.leavings] == [3]
    whole = read_one(O_A2_A)  # who left is not said: nor does the declared result, once the penalty is waived
    whole.rules, whole.declared = {"teams": "yes"}, Declared("yellow and green", winner=1)
    whole.termination, whole.penalty_applied = "abandoned", False
    assert judge(whole)[2] == [1, 2, 1, 2]
    del record.events[last + 2 :]
    _, ending, places, _ = judge(record)
    assert (ending.termination, ending.decided, places) == ("abandoned", False, [0, 0, 0, 0])


def test_illegal_game_has_no_result_and_says_where_it_stopped():
    _, ending, places, totals = judge(read_one(O_B4))
    assert ending.stop is not None
    assert (ending.stop.ply, ending.stop.reason, ending.unfinished) == (5, "side_contact", False)
    assert (places, totals) == ([0, 0], [-80, -83])


def test_strict_reading_makes_a_skipped_colour_illegal():
    record = read_one(O_A9_SKIP)
    groups, _ = group_records([record], RuleChoice(strict=True))
    stop = ending_of(groups[0], 0).stop
    assert stop is not None
    assert (stop.ply, stop.reason) == (3, "unforced_pass")


@pytest.mark.parametrize("moves", ["B[e10];W[]", "B[e10];W[];B[f9]", "B[e10];B[]", "B[e10];CWPASS[];B[]"])
def test_strict_reading_stops_at_a_pass(moves):
    groups, _ = group_records([read_one(f"(;GM[Blokus Duo];{moves})")], RuleChoice(strict=True))
    stop = ending_of(groups[0], 0).stop
    assert stop is not None
    assert (stop.event, stop.ply, stop.reason) == (1, 2, "unforced_pass")


@pytest.mark.parametrize(
    ("said", "mismatch"),
    [("B+1", False), ("W+3", True), ("B+2", True), ("Draw", True), ("?", None), ("B+", False)],
)
def test_declared_result_is_compared_with_the_sum_of_both_colours(said, mismatch):
    record = read_one(O_A7.replace("CA[UTF-8]", f"CA[UTF-8]RE[{said}]", 1))
    group, _, places, totals = judge(record)
    assert (places, totals) == ([1, 2], [-42, -43])
    assert is_mismatch(group, 0, places, totals) is mismatch


def test_declared_scores_may_be_in_any_scoring_table():
    record = read_one(O_A7)
    for scores, mismatch in (
        ((-42, -43), False),
        ((136, 135), False),
        ((-15, -11, -27, -32), False),
        ((1, 2), True),
    ):
        record.declared = Declared("scores", scores=scores)
        group, _, places, totals = judge(record)
        assert is_mismatch(group, 0, places, totals) is mismatch


def test_rules_that_do_not_fit_refuse_the_record_and_no_other():
    records = [read_one("(;GM[Blokus];1[a20])"), read_one("(;GM[Blokus Duo];B[j5])")]
    groups, refused = group_records(records, RuleChoice({"start": "marked"}))
    assert [i for i, _ in refused] == [0]
    assert "marked" in str(refused[0][1])
    assert ending_of(groups[0], 0).stop is None


def test_record_that_states_its_rules_wins_unless_forced():
    record = read_one("(;GM[Blokus Duo];B[j5])")
    record.rules = {"start": "marked"}
    kept, _ = group_records([record], RuleChoice({"start": "assigned"}))
    forced, _ = group_records([record], RuleChoice({"start": "assigned"}, forced=True))
    assert ending_of(kept[0], 0).stop is None
    assert ending_of(forced[0], 0).stop is not None
