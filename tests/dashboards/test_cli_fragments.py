"""Results, positions and lists of pieces on the command line: import, info, lists, check, legal, undo."""

from __future__ import annotations

import pytest

from tests import records
from tests.dashboards.running import Cli
from tests.pipeline import beside

POSITION = "cw1.duo.____4AA_____9B.1"
SOME = f"R 1|Ada Ben|-3 -9|1 2\nR 2|Cid Ada|-8 -2|2 1\nP {POSITION}\nL duo|0:F,1:X,0:W\n"


@pytest.fixture
def mixed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A folder with a game, and with all that is none."""
    beside.install(monkeypatch)
    cli.put("in/some.beside", SOME)
    cli.put("in/game.blksgf", records.O_A1)
    return cli


def test_the_summary_names_what_is_no_game(mixed: Cli) -> None:
    text = mixed.ok("import", "in").out
    assert "beside games: 2 results without moves, 1 position, 1 list of pieces\n" in text
    again = mixed.json("import", "in")
    assert (again["games"], again["duplicates"]) == (1, 1)
    assert [again[name] for name in ("results", "positions", "piece_lists", "known_fragments")] == [
        2,
        1,
        1,
        4,
    ]
    assert "1 list of pieces (4 known already)" in mixed.ok("import", "in").out


def test_results_that_belong_to_no_game_are_named(cli: Cli) -> None:
    head = "# Game\tResult\tLength\tPlayerB\tCpuB\tCpuW\tFast\n"
    path = cli.put("match/output.dat", head + "0\t1\t27\t0\t1.5\t2.5\t0\n")
    line = f"{path}: 1 result belongs to no game for sure: the folder has no new records of games in .blksgf"
    assert line in cli.ok("import", path).out
    (file,) = cli.json("import", cli.put("more/output.dat", head + "0\t1\t9\t0\t1\t2\t0\n"))["details"][
        "unjoined_results"
    ]
    assert file["results"] == 1


def test_info_and_lists(mixed: Cli) -> None:
    mixed.ok("import", "in")
    info = mixed.json("info")
    assert (info["games"], info["results"], info["positions"], info["piece_lists"]) == (1, 2, 1, 1)
    assert "beside games: 2 results without moves, 1 position, 1 list of pieces" in mixed.ok("info").out
    lines = mixed.ok("results").out.splitlines()
    assert lines[0].split()[:5] == ["variant", "key", "players", "scores", "places"]
    assert "Ada - Ben" in lines[1] and "-3 -9" in lines[1]
    page = mixed.json("results", "--player", "cid")
    assert (page["total"], page["results"][0]["players"]) == (1, ["Cid", "Ada"])
    assert "1 of 2 results; --offset 1" in mixed.ok("results", "--limit", 1).err
    assert mixed.ok("results", "--variant", "trigon").err == "no results\n"
    assert POSITION in mixed.ok("positions").out
    assert mixed.json("positions", "--variant", "duo")["positions"][0]["position"] == POSITION
    assert "first:F second:X first:W" in mixed.ok("piece-lists").out
    assert mixed.json("piece-lists")["piece_lists"][0]["pieces"] == ["first:F", "second:X", "first:W"]


def test_check_has_a_line_for_each(mixed: Cli) -> None:
    result = mixed.ok("check", "in/some.beside")
    assert "in/some.beside, record 1: result\n" in result.out
    assert "in/some.beside, record 4: duo: piece list\n" in result.out
    assert result.err == "2 results without moves; 1 position; 1 list of pieces\n"
    assert [row["status"] for row in mixed.json("check", "in/some.beside")] == [
        "result",
        "result",
        "position",
        "piece list",
    ]
    both = mixed.ok("check", "in")
    assert both.err.startswith("1 game: 1 unfinished; 2 results without moves")


def test_legal_moves_of_a_position_record(mixed: Cli) -> None:
    of_record = mixed.json("legal", "in/some.beside", "--game", 3)
    assert of_record == mixed.json("legal", POSITION)
    assert of_record["counts"][0] > 0
    assert mixed("legal", "in/some.beside", "--game", 3, "--ply", 1).code == 2
    refused = mixed("legal", "in/some.beside")
    assert refused.code == 3 and "this is a result, without moves or a position" in refused.message


def test_games_with_other_pieces_say_so(cli: Cli) -> None:
    line = '{"format":"cornerwise","version":1,"variant":"duo","headers":{"piece_set":"without Z5"},"events":[]}\n'
    path = cli.put("a.jsonl", line)
    assert "foreign_pieces" in cli.json("check", path)[0]["flags"]
    assert "1 of foreign pieces" in cli.ok("import", path).out
    assert "foreign_pieces" in cli.only_game()["flags"]
    assert "foreign_pieces" in cli.ok("games").out
    assert cli.json("info")["flags"]["foreign_pieces"] == 1


def test_undo_tells_what_went(mixed: Cli) -> None:
    mixed.ok("import", "in")
    assert "4 records of results, positions and lists of pieces removed" in mixed.ok("undo", 1).out
    assert mixed.json("results")["total"] == 0
