"""What the engine makes of the Software-Challenge's games: rules, inferred passes, ends, results that agree."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from engine.facts import CELLS
from notation.record import GameRecord, Move, Out, Pass
from pipeline.big_rows import plies_and_turns, unforced_passes
from pipeline.judged import Group, RuleChoice, group_records
from pipeline.outcomes import Ending, is_mismatch
from pipeline.portions import Inventory, portions_of
from pipeline.unit import Portion, Reading, read_portion
from tests.notation.reading import game, read_all
from tests.notation.software_challenge_writer import Style, replay_xml
from tests.notation.test_software_challenge import FORM, SHORT, TWO, placed, random_record, short
from tests.pipeline.test_outcomes import judge
from tests.places import archives
from tests.records import O_A7


def judged(data: bytes) -> tuple[Group, Ending, list[int], list[int]]:
    """A replay's only game, judged; its declared result must not differ."""
    found = judge(game(data, FORM))
    assert is_mismatch(found[0], 0, found[2], found[3]) is not True
    return found


@pytest.mark.parametrize("season", [2021, 2027])
@pytest.mark.parametrize("style", [{}, {"frozen_turns": True}, {"stale_states": True}], ids=str)
def test_colours_that_vanish_are_inferred(season, style):
    """The finishing game: 66 placements and 15 forced passes, none of them written."""
    group, ending, places, totals = judged(replay_xml(game(TWO), season, Style(**style)))
    assert plies_and_turns(group) == ([66], [81])
    assert (ending.termination, places, totals) == ("normal", [1, 2], [109 + 59, 54 + 64])
    counts = [sum(e.colour == c for e in group.records[0].events if isinstance(e, Move)) for c in range(4)]
    assert counts == [21, 14, 15, 16]
    assert not unforced_passes(group)


def test_two_players_with_four_colours():
    group, ending, places, totals = judged(replay_xml(game(O_A7), 2021))
    assert group.replay.verdicts.facts[0][:, CELLS].tolist() == [74, 78, 62, 57]
    assert (ending.termination, places, totals) == ("normal", [1, 2], [136, 135])
    group, *_ = judge(game(replay_xml(game(O_A7), 2027).replace(b"<part>136<", b"<part>139<"), FORM))
    assert is_mismatch(group, 0, places, totals)


def test_an_illegal_move_in_the_middle_ends_the_game_there():
    legal = [
        placed(1, "s15", "s14"),
        placed(2, "o2", "n2"),
        placed(3, "b6", "b7"),
        placed(0, "g17", "h17", "i17"),
    ]
    assert judge(game(replay_xml(short(*legal), 2027), FORM))[1].stop is None
    wrong = [placed(1, "t15", "t14"), *legal[1:]]  # side by side with its own first piece
    group, ending, places, _ = judge(game(replay_xml(short(*wrong), 2027), FORM))
    assert ending.stop is not None
    assert (ending.stop.ply, ending.stop.reason) == (6, "side_contact")
    assert (plies_and_turns(group)[0], len(group.records[0].events), places) == ([5], 9, [0, 0])


def test_first_pieces_of_2027_need_the_border_only_and_of_2021_a_corner():
    record = GameRecord("classic_2", "x", [placed(0, "c20", "c19", "c18", "c17", "c16"), *SHORT[1:4]])
    assert judge(game(replay_xml(record, 2027), FORM))[1].stop is None
    stop = judge(game(replay_xml(record, 2021), FORM))[1].stop
    assert stop is not None
    assert (stop.ply, stop.reason) == (1, "start_rule")
    middle = GameRecord("classic_2", "x", [placed(0, "c9", "c8", "c7", "c6", "c5")])
    stop = judge(game(replay_xml(middle, 2027), FORM))[1].stop
    assert stop is not None
    assert stop.reason == "start_rule"


@pytest.mark.parametrize(("season", "start"), [(2021, "any_corner"), (2027, "any_border")])
def test_skips_are_voluntary_after_the_first_piece_only(season, start):
    record = random_record(season + 1, start)
    assert any(isinstance(event, Pass) for event in record.events)
    group, ending, *_ = judged(replay_xml(record, season))
    assert (ending.termination, not unforced_passes(group)) == ("normal", True)
    early = GameRecord("classic_2", "x", [SHORT[0], Pass(1), SHORT[2]])
    assert unforced_passes(judge(game(replay_xml(early, season), FORM))[0])


def test_a_game_is_over_where_the_referee_counts_25_rounds():
    """Everybody skips until the counter of the program of 2027 reaches 25: 24 rounds have been played."""
    skips = [Pass(c % 4) for c in range(1, 92)]
    record = short(*skips)
    data = replay_xml(record, 2027)
    assert b'turn="96"' in data
    _, ending, places, _ = judged(data)
    assert (ending.termination, ending.unfinished, places) == ("normal", False, [1, 2])
    assert judged(replay_xml(record, 2027, Style(result=False)))[1].unfinished
    longer = short(*skips, *[Pass(c % 4) for c in range(4)])
    assert judged(replay_xml(longer, 2021, Style(result=False)))[1].termination == "normal"
    beyond = replay_xml(short(*skips, *[Pass(c % 4) for c in range(4)], placed(0, "g17", "h17")), 2021)
    stop = judge(game(beyond, FORM))[1].stop
    assert stop is not None
    assert stop.reason == "game_over"


@pytest.mark.parametrize("season", [2021, 2027])
@pytest.mark.parametrize("cause", ["abandoned", "violation", "time"])
def test_who_breaks_off_loses_although_ahead(season, cause):
    _, ending, places, totals = judged(replay_xml(short(Out(0, cause)), season))
    assert (ending.termination, places, totals) == (cause, [2, 1], [12, 10])


@pytest.mark.archives
@pytest.mark.parametrize("season", [2021, 2027])
def test_results_of_reference_games_agree(season):
    records = read_all(archives("reference", "classic_2.blksgf").read_bytes())[:20]
    replays = [game(replay_xml(record, season), FORM) for record in records if isinstance(record, GameRecord)]
    groups, refused = group_records(replays, RuleChoice())
    assert (len(groups), refused, len(replays)) == (1, [], 20)
    for replay in replays:
        group, ending, places, totals = judge(replay)
        assert (ending.termination, ending.stop) == ("normal", None)
        assert is_mismatch(group, 0, places, totals) is False


def test_files_plain_and_zipped(tmp_path: Path):
    data = replay_xml(short(), 2027)
    (tmp_path / "a.xml").write_bytes(data)
    name = "replay_swc_2027_blokus_2026-11-03_01-02-03_Ada_Ben.xml.gz"
    (tmp_path / name).write_bytes(gzip.compress(data))
    (tmp_path / "cut.xml.gz").write_bytes(gzip.compress(data)[:-400])
    inventory = Inventory()
    found = {}
    for portion in portions_of([str(tmp_path)], Reading(), inventory):
        assert isinstance(portion, Portion)
        (one,) = read_portion(portion, Reading())
        assert isinstance(one.item, GameRecord)
        found[Path(portion.source).name] = one.item
    assert found["a.xml"].events == found[name].events == SHORT
    assert found[name].date == "2026-11-03 01:02:03"
    assert found["cut.xml.gz"].events == SHORT[: len(found["cut.xml.gz"].events)]
    assert [Path(source).name for source, _ in inventory.unreadable] == ["cut.xml.gz"]
