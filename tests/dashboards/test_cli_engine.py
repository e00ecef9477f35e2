"""`evaluate`, `play`, `gtp` and `match` on the command line; where no search is asked for, a greedy stand-in plays."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboards.commands import gtp, play
from dashboards.territory_text import territory_letters
from engine.evaluation import Evaluation, MoveValue, SeatValue
from engine.position import Position
from tests.dashboards.running import Cli
from tests.stand_in import PARTS

GAME = "(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[i4,h5,i5,j5,i6];B[h7,g8,h8,i8,g9])\n"


@pytest.fixture
def greedy(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    for module in (gtp, play):
        monkeypatch.setattr(module, "engine_parts", lambda: PARTS)
    return cli


def liar(move: str) -> str:
    body = (
        "import sys\nfor line in sys.stdin:\n"
        f"    print('=', {move!r} if line.startswith('genmove') else '', end='\\n\\n', flush=True)\n"
        "    if line.startswith('quit'): break\n"
    )
    return f'{sys.executable} -S -c "{body}"'


# evaluate: what the engine says is another test's matter


def _seat(share: float) -> SeatValue:
    return SeatValue(-20.0 * share, 0.5, 6.5, share, 0.02, (share, 1 - share))


def _fake(position: Position, *args: Any, stop: Callable[[], bool] | None = None, **asked: Any) -> Evaluation:
    """An evaluation whose best move is the first legal one; a search of `deep` goes on until it is stopped."""
    colour = position.to_move
    assert colour is not None
    best, second = position.legal_placements(colour)[:2].tolist()
    moves = tuple(
        MoveValue(p, -12.5, share, 0.02, share - 0.04, 70, 0.1, ((colour, p), (1 - colour, second)))
        for p, share in ((best, 0.6), (second, 0.4))
    )
    territory = None
    if asked["territory"]:
        territory = position.board[:, None] == [0, 1, -1]
    stopped = False
    if args[0] == "deep":
        os.kill(os.getpid(), signal.SIGINT)
        while not stopped:
            assert stop is not None
            stopped = stop()
    about = (
        None if territory is None else territory.astype("float32"),
        False,
        stopped,
        str(args[0]),
        100,
        args[1],
        "0",
    )
    return Evaluation("duo", colour, (_seat(0.6), _seat(0.4)), moves, position.mobility(colour), *about)


@pytest.fixture
def told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line whose engine tells what `_fake` does."""
    from engine import evaluate

    monkeypatch.setattr(evaluate, "evaluate", _fake)
    cli.put("game.blksgf", GAME)
    return cli


def test_a_position_of_a_game_is_evaluated(told: Cli) -> None:
    found = told.json("evaluate", "game.blksgf", "--ply", 2, "--territory", "--seed", 7, "--budget", 100)
    assert (found["ply"], found["to_move"], found["seed"], found["budget"]) == (2, "first", 7, "100")
    assert [seat["share"] for seat in found["seats"]] == [0.6, 0.4]
    assert found["moves"][0]["variation"][0]["move"] == found["moves"][0]["move"]
    assert found["territory"]["cells"]["e9"] == [1.0, 0.0, 0.0]
    text = told.ok("evaluate", "game.blksgf", "--ply", 2, "--territory").out
    assert text.startswith("duo, ply 2: first to move, ")
    assert f"best move: first {found['moves'][0]['move']} (small letters)" in text
    assert "expected cells: first 5.0, second 5.0, nobody 186.0" in text
    piped = told.ok("evaluate", "-", "--top", 1, stdin=found["position"].encode()).out
    assert piped.startswith("duo: first to move") and "\n2. " not in piped


def test_a_finished_position_has_its_result_and_nothing_to_search(told: Cli) -> None:
    over = "cw1.duo..0"
    found = told.json("evaluate", over, "--territory")
    assert (found["over"], found["exact"], found["moves"], found["legal_moves"]) == (True, True, [], 0)
    assert [seat["share"] for seat in found["seats"]] == [0.5, 0.5]
    assert "the game is over\nthe result is that of the rules" in told.ok("evaluate", over).out


def test_a_search_that_is_stopped_tells_what_it_has_found(told: Cli) -> None:
    result = told("evaluate", "game.blksgf", "--budget", "deep")
    assert result.code == 1
    assert "STOPPED before its end" in result.out and "best move: " in result.out
    assert told("evaluate", "game.blksgf", "--budget", "deep", "--json").json["stopped"] is True


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (("--budget", "0"), 2, "a budget is one of instant, quick, standard, deep, or from 1 to 10,000,000"),
        (("--budget", "1000000000"), 2, "not 1,000,000,000"),
        (("--budget", "-5"), 2, "not -5"),
        (("--budget", "much"), 2, "unknown budget 'much'"),
        (("--ply", "9"), 2, "there is no position at ply 9"),
        (("--game", "2"), 2, "there is no game 2"),
    ],
)
def test_what_cannot_be_evaluated(told: Cli, args: tuple[str, ...], code: int, why: str) -> None:
    result = told("evaluate", "game.blksgf", *args)
    assert (result.code, result.out) == (code, "")
    assert why in result.message


def test_positions_that_cannot_be(told: Cli) -> None:
    for text, why in (
        ("cw1.duo.AAAAAA", "are no piece of duo"),
        ("cw1.duo.A1A1A1A", "bad_setup"),
        ("cw1.chess", "unknown variant"),
    ):
        result = told("evaluate", text)
        assert (result.code, result.out) == (3, "")
        assert why in result.message


def test_letters_of_a_territory() -> None:
    assert territory_letters("duo", [[0.1, 0.1, 0.8], [0.3, 0.3, 0.4], [0.7, 0.2, 0.1], [0.1, 0.5, 0.4]]) == [
        *(".", ","),
        *("F", "s"),
    ]


# play


def test_a_game_is_played_through_a_pipe(greedy: Cli) -> None:
    lines = "help\nmoves\nmoves X\nmoves Q\ne9,d10,e10,f10,e11\nscore\npieces\nboard\nsave a.blksgf\nquit\n"
    text = greedy.ok("play", "--out", "b.blksgf", stdin=lines.encode()).out
    assert "X 5" in text and "no legal move with a piece Q" in text
    assert "1. first X e9,d10,e10,f10,e11 (Player)" in text
    assert "seat 1 (first, you): -84 points" in text
    assert "the game is not finished after 2 moves" in text
    for name in ("a.blksgf", "b.blksgf"):
        assert greedy.json("check", name)[0]["status"] == "unfinished"


def test_typing_what_is_no_move(greedy: Cli) -> None:
    lines = "foo\na1,a2\ne10,e10\nsave x.txt\nsave\nundo\n"
    result = greedy.ok("play", stdin=lines.encode() + b"\xff\xfe\n\x00\n")
    assert "first cannot play there: a cell is not on the board" in result.out
    assert "must cover a starting cell" in result.out
    assert "name a .blksgf file" in result.out and "save FILE: name a file" in result.out
    assert "there is nothing to take back" in result.out


def test_moves_are_taken_back_to_where_one_was_on_turn(greedy: Cli) -> None:
    text = greedy.ok("play", "--seat", "2", stdin=b"undo\nj5\nundo\nj5,j6\nquit\n").out
    assert "1. first " in text
    assert "there is nothing to take back" not in text.split("2. second 1 j5")[1]
    assert "2. second 2 j5,j6" in text


@pytest.mark.parametrize("variant", ["duo", "classic_3", "trigon_2"])
def test_the_engine_plays_alone_to_the_end(greedy: Cli, variant: str) -> None:
    text = greedy.ok("play", "--seat", "none", "--variant", variant, "--out", "g.blksgf").out
    assert "the game is over after " in text and ", place 1" in text
    (verdict,) = greedy.json("check", "g.blksgf")
    assert (verdict["status"], verdict["variant"]) == ("ok", variant)


def test_one_who_resigns_has_lost(greedy: Cli) -> None:
    text = greedy.ok("play", "--out", "g.blksgf", "--name", "Ada", stdin=b"resign\n").out
    assert "seat 1 resigns" in text and "seat 1 (first, you): -89 points, place 2" in text
    assert "PB[Ada]" in Path("g.blksgf").read_text() and "1:resigned" in Path("g.blksgf").read_text()


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--seat", "3"), "--seat 3: duo has seats 1 to 2"),
        (("--seat", "x"), "--seat x: duo has seats 1 to 2"),
        (("--out", "x.txt"), "name a .blksgf file"),
        (("--out", "nowhere/x.blksgf"), "there is no folder nowhere"),
        (("--budget", "0"), "a budget is one of"),
        (("--variant", "go"), "unknown variant 'go'"),
        (("--rule", "start=marked", "--variant", "classic"), "start rule 'marked' does not fit classic"),
    ],
)
def test_games_that_cannot_be_played(greedy: Cli, args: tuple[str, ...], why: str) -> None:
    result = greedy("play", *args)
    assert (result.code, result.out) == (2, "")
    assert why in result.message


# gtp


def test_a_session_on_standard_input(greedy: Cli) -> None:
    lines = (
        b"1 name\n\n# nothing\n2 genmove b\n\xff\xfe\n3 play w e10\n" + b"x" * 300_000 + b"\n4 quit\nname\n"
    )
    result = greedy.ok("gtp", stdin=lines)
    answers = result.out.split("\n\n")
    assert answers[0] == "=1 Cornerwise" and answers[1].startswith("=2 ") and answers[1].count(",") == 4
    assert answers[2].startswith("? unknown command") and answers[3] == "?3 illegal move: a cell is occupied"
    assert answers[4:] == ["? the line is too long", "=4 ", ""]
    assert "=2 " + answers[1][3:] == greedy.ok("gtp", "--variant", "duo", stdin=b"2 genmove b\n").out.strip()


# match


def test_a_match_says_who_lost_and_why(cli: Cli) -> None:
    result = cli(
        "match", "--first", liar("a1"), "--second", liar("pass"), "--games", 2, "--first-name", "Ada"
    )
    assert result.code == 1, "no game of it was played to its end"
    assert "game 1: first engine as seat 1, -89:-89, share 0.00" in result.err
    assert "Ada illegal move 'a1' at ply 1: first cannot play there" in result.err
    assert "result of Ada: 1 won, 0 drawn, 1 lost; share 50.0 %" in result.out
    found = cli("match", "--first", liar("a1"), "--second", liar("resign"), "--games", 2, "--json").json
    assert (found["games"], found["wins"], found["losses"], found["stopped"]) == (2, 1, 1, False)
    assert [row["fault_side"] for row in found["rows"]] == [0, 1]
    assert found["rows"][1]["cpu"][0] >= 0


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (("--first", "/nowhere/x"), 1, "the first engine (/nowhere/x) cannot be started"),
        (("--first", "true"), 1, "ended with exit code 0 at 'name'"),
        (("--first", ""), 1, "the command line of an engine is empty"),
        (("--first", "a", "--first-budget", "9"), 1, "a budget is for our own engine"),
        (("--first", "a", "--balance"), 2, "--balance adjusts our own engine"),
        (("--first", "a", "--opening-plies", "3"), 2, "--opening-plies is for --openings"),
        (("--first", "a", "--openings", "game.blksgf", "--random-plies", "2"), 2, "give one of them"),
        (("--first", "a", "--openings", "none.blksgf"), 2, "no such file or folder"),
        (("--first", "a", "--out", "x.txt"), 1, "name a .blksgf file"),
        (("--first", "a", "--variant", "go"), 2, "unknown variant"),
    ],
)
def test_matches_that_cannot_be_played(cli: Cli, args: tuple[str, ...], code: int, why: str) -> None:
    cli.put("game.blksgf", GAME)
    result = cli("match", "--second", liar("a1"), *args)
    assert (result.code, result.out) == (code, "")
    assert why in result.message
