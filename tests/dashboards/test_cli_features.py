"""The commands `features`, `measures` and `heatmap`."""

from __future__ import annotations

import pytest

from tests.dashboards.running import Cli


@pytest.fixture
def four(cli: Cli) -> Cli:
    """A library of four games of Duo and one of Trigon."""
    for variant, games in (("duo", 4), ("trigon", 1)):
        cli.ok("generate", "--variant", variant, "--games", games, "--out", cli.folder / f"{variant}.blksgf")
        cli.ok("import", cli.folder / f"{variant}.blksgf")
    return cli


def test_features_are_computed_once(four: Cli) -> None:
    before = four("heatmap")
    assert before.code == 1
    assert (
        before.message == "cornerwise: no game of duo has features yet: `cornerwise features` computes them"
    )
    said = four.ok("features", "--jobs", "1").out
    assert said.startswith("5 games measured: ")
    assert four.ok("features").out == "all 5 games have features already\n"
    summary = four.json("features")
    assert (summary["games"], summary["present"], summary["older"]) == (0, 5, 0)
    rows = four.json("sql", "SELECT variant, count(*) AS n FROM features WHERE ply = 0 GROUP BY 1 ORDER BY 1")
    assert rows["rows"] == [{"variant": "duo", "n": 8}, {"variant": "trigon", "n": 4}]


def test_features_of_no_library_and_of_no_games(cli: Cli) -> None:
    missing = cli("features")
    assert missing.code == 1
    assert "there is no library" in missing.message
    cli.put("notes.txt", "no game")
    cli.ok("import", cli.folder / "notes.txt")
    assert cli.ok("features").out == "the library has no games to measure\n"
    assert "has no game of" in cli("heatmap").message


def test_a_heat_map_is_a_board_of_digits(four: Cli) -> None:
    four.ok("features")
    lines = four.ok("heatmap", "reach", "--phase", "opening").out.splitlines()
    assert lines[0] == "duo, reach, all colours, opening: 8 games of a colour"
    board = [line for line in lines if line[:3].strip().isdecimal()]
    assert len(board) == 14
    assert {char for line in board for char in line[4:31]} <= set(" .123456789")
    assert "9" in "".join(line[4:31] for line in board)
    assert lines[-1].startswith(
        "positions in which the cell is in the colour's reach; . never, 1 to 9 up to "
    )
    triangles = four.ok("heatmap", "--variant", "trigon", "--colour", "red").out
    assert "trigon, occupied, red: 1 game of a colour" in triangles
    assert triangles.count("/") > 100


def test_a_heat_map_as_json(four: Cli) -> None:
    four.ok("features")
    found = four.json("heatmap", "first_contact", "--variant", "duo", "--colour", "first")
    assert (found["colour"], found["games"], len(found["cells"])) == (1, 4, 196)
    assert found["cells"]["e10"] == {"value": 1.0, "count": 4}
    assert any(cell == {"value": None, "count": 0} for cell in found["cells"].values())


def test_wrong_words_are_named(four: Cli) -> None:
    four.ok("features")
    for args, words in (
        (["luck"], "occupied, reach"),
        (["reach", "--phase", "start"], "opening, middle, end"),
        (["reach", "--colour", "pink"], "first, second"),
        (["reach", "--player", "Nobody"], "Nobody"),
    ):
        result = four("heatmap", *args)
        assert result.code in (1, 2)
        assert words in result.message
    assert "unknown variant" in four("heatmap", "--variant", "chess").message


def test_definitions_of_measures(cli: Cli) -> None:
    page = cli.ok("measures").out
    assert page.startswith("# Measures\n")
    assert cli.ok("measures", "reach").out.startswith("reach (cells)\nCells that ")
    names = [row["name"] for row in cli.json("measures")["measures"]]
    assert "mobility" in names
    assert "mobility" in cli("measures", "luck").message
