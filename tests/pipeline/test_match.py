"""Matches of greedy stand-ins and of programs that break the rules."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from notation.record import GameRecord
from pipeline.errors import PipelineError
from pipeline.match.contestant import Side, side_of
from pipeline.match.match import Match, Plan
from pipeline.match.openings import Openings, suite_of
from pipeline.match.summary import summary_of
from pipeline.positions import nth_record
from pipeline.unit import Reading
from tests.places import REPOSITORY

DUO = "(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[i4,h5,i5,j5,i6];B[h7,g8,h8,i8,g9])\n"

GREEDY = f"{sys.executable} -m tests.stand_in"


@pytest.fixture(autouse=True)
def _found_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))


def side(text: str) -> Side:
    return side_of(text, "duo", None, ())


def plan(first: str, second: str, games: int, variant: str = "duo", plies: int = 0) -> Plan:
    return Plan(variant, games, side(first), side(second), Openings(variant, {}, 3, plies), 3, seconds=60.0)


def liar(move: str) -> str:
    """A program that agrees to everything and answers genmove with this."""
    body = (
        "import sys\nfor line in sys.stdin:\n"
        f"    print('=', {move!r} if line.startswith('genmove') else '', end='\\n\\n', flush=True)\n"
        "    if line.startswith('quit'): break\n"
    )
    return f'{sys.executable} -S -c "{body}"'


def test_a_match_is_kept_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "match.blksgf"
    whole = Match(plan(f"{GREEDY} duo 5", f"{GREEDY} duo 8", 3, plies=4))
    assert len(list(whole.play(out))) == 3
    assert whole.names == ["Cornerwise 0 (first)", "Cornerwise 0 (second)"]
    text = out.read_bytes()
    lines = text.splitlines(keepends=True)
    out.write_bytes(lines[0] + lines[1][:40])  # as a machine that stopped leaves it
    again = Match(whole.plan)
    assert len(list(again.play(out))) == 2
    assert again.resumed == 1
    moves = [[event.text for event in _record(out, n).events] for n in (1, 2, 3)]
    out.write_bytes(text)
    assert moves == [[event.text for event in _record(out, n).events] for n in (1, 2, 3)]
    assert moves[0][:4] == moves[1][:4] != moves[2][:4], "a pair has one opening, the next another"
    assert [_record(out, n).players[0] for n in (1, 2)] == whole.names
    assert [row.results for row in again.rows] == [row.results for row in whole.rows]
    with pytest.raises(PipelineError, match=r"holds another match: its second is .* name another file"):
        list(Match(plan(f"{GREEDY} duo 5", f"{GREEDY} duo 9", 3, plies=4)).play(out))
    _check_summary(whole)


def _record(path: Path, number: int) -> GameRecord:
    found = nth_record([str(path)], Reading(), number)
    assert isinstance(found, GameRecord)
    return found


def _check_summary(match: Match) -> None:
    found = summary_of(match)
    assert (found.games, found.wins + found.draws + found.losses, found.units) == (3, 3, 1)
    assert found.share == pytest.approx(sum(row.share for row in match.rows) / 3)
    assert [row.games for row in found.seats] == [2, 1]
    assert all(time.total > time.games > 0 for time in found.times)
    assert all(time.own == pytest.approx(time.games, abs=0.5) for time in found.times)


@pytest.mark.parametrize(
    ("move", "cause", "message"),
    [
        ("a1", "violation", "illegal move 'a1' at ply 1: first cannot play there"),
        ("hello", "violation", "illegal move 'hello' at ply 1: first cannot play there"),
        ("e10,e10", "violation", "illegal move 'e10,e10' at ply 1"),
        ("pass", "violation", "passed as first at ply 1 with 414 legal moves"),
        ("", "violation", "passed as first at ply 1 with 414 legal moves"),
        ("resign", "resigned", "resigned as first at ply 1"),
    ],
)
def test_an_engine_that_breaks_the_rules_has_lost_the_game(move: str, cause: str, message: str) -> None:
    match = Match(plan(liar(move), liar("a1"), 2))
    first, second = match.play()
    assert first.fault is not None and first.fault.startswith(message)
    assert (first.fault_side, first.share) == (0, 0.0)
    assert (second.fault_side, second.share) == (1, 1.0), (
        "the match goes on, and the other one breaks them too"
    )
    found = summary_of(match)
    assert [time.faults for time in found.times] == [1, 1]
    assert len(found.faults) == 2


def test_an_engine_that_cannot_be_started_ends_the_match() -> None:
    with pytest.raises(PipelineError, match=r"the second engine \(/nowhere/engine\) cannot be started"):
        list(Match(plan(liar("a1"), "/nowhere/engine", 2)).play())


def test_seats_go_round() -> None:
    assert [plan("a", "b", 4).sides(n) for n in range(3)] == [(0, 1), (1, 0), (0, 1)]
    four = plan("a", "b", 4, "classic")
    assert [four.sides(n) for n in range(4)] == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    teams = replace(four, settings={"teams": "yes"})
    assert [teams.sides(n) for n in range(2)] == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert plan("a", "b", 4, "classic_2").groups == 2


def test_one_of_four_that_fails_is_last_and_three_that_fail_lose_to_it() -> None:
    match = Match(plan(liar("a1"), liar("pass"), 2, "classic"))
    first, second = match.play()
    assert (first.share, first.place) == (0.0, 4)
    assert (second.share, second.place) == (1.0, 1)
    found = summary_of(match)
    assert (found.chance, found.elo, found.place) == (2.5, None, 2.5)


def test_openings_of_a_suite(tmp_path: Path) -> None:
    path = tmp_path / "suite.blksgf"
    path.write_text(DUO + DUO)
    suite = suite_of([str(path)], "duo", 2)
    assert [len(opening) for opening in suite] == [2], "one that comes twice is one"
    openings = Openings("duo", {}, 1, 0, suite)
    assert openings.opening(5) == suite[0]
    assert openings.name.startswith("suite of 1 (")
    with pytest.raises(PipelineError, match="there are no games of trigon"):
        suite_of([str(path)], "trigon", 2)


def test_command_lines() -> None:
    ours = side_of("cornerwise gtp --seed 2", "trigon", "300", ("end=rounds:9",))
    assert ours.ours
    assert ours.text == "cornerwise gtp --rule end=rounds:9 --seed 2 --budget 300"
    assert ours.command[3:] == ("gtp", "--variant", "trigon", *ours.text.split()[2:])
    for text, budget, why in (
        ("", None, "is empty"),
        ("a 'b", None, "makes no sense"),
        ("other -l 1", "5", "a budget is for our own engine: 'other' has options of its own"),
    ):
        with pytest.raises(PipelineError, match=why):
            side_of(text, "duo", budget, ())
