"""`cornerwise puzzle`: solved, written, verified, imported and shown; faults are named."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from engine.puzzles import Clock, puzzle, solve
from notation import puzzle_json
from tests import naive_puzzles as naive
from tests.dashboards.running import Cli


@pytest.fixture(scope="module")
def solved() -> str:
    """Our JSON of a solution of the second puzzle."""
    return json.dumps(puzzle_json.document(puzzle("2"), solve(puzzle("2"), 1, Clock(3600)).pieces))


def test_the_list(cli: Cli) -> None:
    rows = {row["kind"]: row for row in cli.json("puzzle", "list")}
    assert {"1", "2", "3", "4", "duo", "trigon"} <= rows.keys()
    assert (rows["4"]["board"], rows["4"]["pieces"], rows["4"]["holes"]) == ("15x16", 48, 0)
    assert "all 84 pieces" in cli.ok("puzzle", "list").out


@pytest.mark.parametrize("form", ["blksgf", "jsonl", "csv", "parquet", "gtp", "json"])
def test_a_solution_by_the_rules_is_a_game(cli: Cli, solved: str, form: str) -> None:
    cli.put("solved.json", solved)
    cli.ok("puzzle", "verify", 1, "solved.json", "--out", f"game.{form}", "--svg", "board.svg")
    assert cli.ok("puzzle", "verify", 2, f"game.{form}").out == "solves puzzle 2: 84 pieces on 20x20\n"
    assert ElementTree.parse(cli.folder / "board.svg").getroot().tag.endswith("svg")
    if form == "json":  # of no variant in particular, so no game
        return
    cli.ok("import", f"game.{form}")
    game = cli.only_game()
    assert (game["plies"], game["flags"], game["scores"]["board"]["colours"]) == (84, [], [20] * 4)
    assert sum(map(len, game["at"]["cells"].values())) == 356


def test_a_rectangle_is_a_position_set_up(cli: Cli) -> None:
    done = cli.ok(
        "puzzle", "solve", 3, "--seed", 2, "--budget", 3600, "--out", "solved.blksgf", "--svg", "solved.svg"
    )
    assert "solved in" in done.out
    assert "+---" in done.out
    assert "written as blksgf" in done.err
    cli.ok("puzzle", "verify", 3, "solved.blksgf")
    cli.ok("import", "solved.blksgf")
    game = cli.only_game()
    assert game["flags"] == ["unfinished", "empty"]
    cells = game["at"]["cells"]
    assert {name: len(of) for name, of in cells.items()} == dict.fromkeys(cells, 20)
    assert "8 " in cli.ok("show", game["id"][:8]).out


def test_json_says_how_it_was_found(cli: Cli) -> None:
    found = cli.json(
        "puzzle", "solve", "tiling", "--board", "4x6", "--pieces", "I4,L4,O*2,T4*2", "--budget", 3600
    )
    assert {key: found[key] for key in ("status", "board", "seed", "budget", "version")} == {
        "status": "solved", "board": "4x6", "seed": 1, "budget": 3600, "version": "2"
    }  # fmt: skip
    cells = [(x, y) for piece in found["pieces"] for y, x in piece["cells"]]
    assert sorted(cells) == [(x, y) for x in range(4) for y in range(6)]


def test_beginnings_are_completed(cli: Cli, solved: str) -> None:
    whole = json.loads(solved)
    cli.put("begin.json", json.dumps({**whole, "pieces": whole["pieces"][:64]}))
    cli.ok("puzzle", "solve", 2, "--from", "begin.json", "--seed", 3, "--budget", 3600, "--out", "done.json")
    done = json.loads((cli.folder / "done.json").read_text())
    assert done["pieces"][:64] == whole["pieces"][:64]
    solution = [
        (piece["colour"], frozenset((x, 19 - y) for y, x in piece["cells"])) for piece in done["pieces"]
    ]
    assert naive.classic_fault(solution, True) == ""
    wrong = cli("puzzle", "solve", 3, "--from", "begin.json")
    assert (wrong.code, "the puzzle has no piece" in wrong.message) == (2, True)


def test_a_file_of_another_kind_is_told(cli: Cli, solved: str) -> None:
    cli.put("solved.json", solved)
    result = cli("puzzle", "verify", 3, "solved.json")
    assert result.code == 3
    assert "the file is of another kind: it solves puzzle 1 and 2" in result.out
    assert "more: --json has them all" in result.out
    document = cli("puzzle", "verify", 3, "solved.json", "--json")
    assert (document.code, document.json["solves"], document.json["solved"]) == (3, ["1", "2"], False)
    cli.put("duo.blksgf", "(;GM[Blokus Duo];B[e10,f10])")
    duo = cli("puzzle", "verify", 1, "duo.blksgf")
    assert (duo.code, "of duo, puzzle 1 is of classic" in duo.message) == (3, True)
    cli.put("text.txt", "no game at all\n")
    assert cli("puzzle", "verify", 1, "text.txt").code == 3


def test_faults_have_a_place(cli: Cli, solved: str) -> None:
    whole = json.loads(solved)
    cli.put("short.json", json.dumps(whole["pieces"][:-1]))
    assert "green lacks 1: 1 [wrong_number]" in cli("puzzle", "verify", 1, "short.json").out
    cli.put("setup.blksgf", "(;GM[Blokus]A1[a20])")
    result = cli("puzzle", "verify", 1, "setup.blksgf")
    assert (result.code, "set up, not played" in result.message) == (3, True)
    cli.put("off.blksgf", "(;GM[Blokus];1[z99])")
    result = cli("puzzle", "verify", 1, "off.blksgf")
    assert (result.code, "not on the board" in result.message) == (3, True)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("solve", "tiling", "--board", "4x5", "--pieces", "tetrominoes"), 1, "impossible: on a chess-board"),
        (("solve", "1", "--board", "10x10"), 1, "impossible: the pieces have 356 cells"),
        (("solve", "1", "--board", "21x17", "--budget", "0.1"), 1, "that proves nothing"),
        (("solve", "9"), 2, "unknown kind of puzzle"),
        (("solve", "3", "--board", "big"), 2, "WIDTHxHEIGHT"),
        (("solve", "3", "--pieces", "hexominoes"), 2, "no piece 'hexominoes'"),
        (("solve", "1", "--symmetry", "third"), 2, "not symmetric in that way"),
        (("solve", "3", "--from", "nowhere.json"), 2, "no such file"),
        (("solve", "3", "--budget", "0"), 2, "--budget"),
        (("verify", "3", "nowhere.json"), 2, "no such file"),
        (("count", "--board", "4x5", "--pieces", "tetrominoes"), 0, "0 different, 0 in all (impossible"),
        (("count", "--board", "3x20", "--budget", "3600"), 0, "2 different, 8 in all"),
        (("count", "--budget", "0.1"), 1, "or more; --budget gives it more time"),
    ],
)
def test_answers_and_refusals(cli: Cli, args: tuple[str, ...], code: int, words: str) -> None:
    result = cli("puzzle", *args)
    assert (result.code, words in result.out + result.message) == (code, True), result


def test_boards_that_no_game_has(cli: Cli) -> None:
    solve_it = ("puzzle", "solve", "tiling", "--board", "24x2", "--pieces", "I4*12", "--budget", 3600)
    refused = cli(*solve_it, "--out", "wide.blksgf")
    assert (refused.code, "lies on no board of a variant" in refused.message) == (3, True)
    cli.ok(*solve_it, "--out", "wide.json", "--svg", "wide.svg")
    cli.ok("puzzle", "verify", "tiling", "wide.json", "--board", "24x2", "--pieces", "I4*12")
    assert cli("puzzle", "solve", "3", "--out", "-").code == 2
