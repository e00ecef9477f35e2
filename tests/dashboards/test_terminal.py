"""Text for people: narrow terminals lose nothing, texts of megabytes are cut."""

from __future__ import annotations

import io
import sys

import pytest

from dashboards import terminal
from dashboards.commands.show import print_game
from pipeline import queries
from pipeline.game_board import board_at
from pipeline.store import open_reader
from tests import records
from tests.dashboards.running import Cli

HEADS = ("id", "players", "plies", "termination")
ROWS = [("bd0a90f", "Reference level 3 - Reference level 3", 26, "normal"), ("2d6aba4", "", 5, "resigned")]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def _printed(monkeypatch: pytest.MonkeyPatch, columns: int) -> list[str]:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen)
    terminal.table(HEADS, ROWS, ("plies",), (), clipped=("players",))
    return screen.getvalue().splitlines()


def test_columns_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _printed(monkeypatch, 80)
    assert len(lines) == 3
    assert all(head in lines[0] for head in HEADS)
    assert "Reference level 3 - Reference level 3" in lines[1]


def test_clipped_columns_where_the_others_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _printed(monkeypatch, 45)
    assert len(lines) == 3 and max(map(len, lines[1:])) <= 45
    assert "…" in lines[1] and "normal" in lines[1]


@pytest.mark.parametrize("columns", [12, 20, 35])
def test_paragraphs_where_columns_do_not_fit(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    lines = _printed(monkeypatch, columns)
    assert max(map(len, lines)) <= columns
    words = " ".join(lines).split()
    for row in ROWS:
        for value in row:
            assert all(word in words for word in str(value).split())
    assert lines[0].startswith("id:") and [line[0] == " " for line in lines].count(False) == 2


def test_names_of_megabytes(cli: Cli) -> None:
    cli.ok(
        "import", cli.put("long.blksgf", f"(;GM[Blokus Duo]PB[{'A' * 200_000}]EV[{'E' * 200_000}];B[e10])")
    )
    (game,) = cli.games()
    assert len(game["players"][0]) == 200_000
    for args in (("games",), ("show", game["id"]), ("sql", "SELECT player FROM seats WHERE seat = 1")):
        out = cli.ok(*args).out
        assert "AAAA... (200,000 characters)" in out
        assert len(out) < 30_000


@pytest.mark.parametrize(("columns", "cut"), [(40, True), (80, False)])
def test_a_board_that_is_cut_off_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, cut: bool
) -> None:
    cli.ok("import", cli.put("game.blksgf", records.O_A2_A))
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, "stdout", Screen())
    with open_reader(cli.library) as reader:
        view = queries.game(reader, queries.list_games(reader, queries.GameFilter()).rows[0]["id"])
    print_game(view, board_at(view))
    assert ("the rest is cut off" in capsys.readouterr().err) == cut
