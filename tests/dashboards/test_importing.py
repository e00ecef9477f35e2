"""What the summary of an import says of warnings."""

from __future__ import annotations

from tests import records
from tests.dashboards.running import Cli

CUT = "(;GM[Blokus Duo];B[e10]"


def test_several_games_in_a_file_are_one_line_of_the_summary(cli: Cli) -> None:
    cli.put("in/a.blksgf", records.O_A1 + records.O_A8)
    cli.put("in/b.blksgf", records.O_B4 + CUT)
    text = cli.ok("import", "in").out
    assert "\ngames with warnings: 1\n  in/b.blksgf, game 2: " in text
    assert "\nfiles with several games: 1\n" in text
    assert "in/a.blksgf" not in text.split("games with warnings")[1]
    everything = cli.json("import", cli.put("c.blksgf", "\n" + records.O_A1 + records.O_A8))
    assert everything["warnings"] == 1
    assert everything["details"]["warnings"][0]["warnings"][0].startswith("several games in one file")


def test_every_warning_where_people_ask_for_them(cli: Cli) -> None:
    cli.put("in/a.blksgf", records.O_A1 + records.O_A8)
    text = cli.ok("import", "in", "--verbose").out
    assert "games with warnings: 1\n  in/a.blksgf, game 2: several games in one file" in text
    assert "files with several games" not in text


def test_a_refusal_that_is_known_says_where_its_reason_is(cli: Cli) -> None:
    path = cli.put("ragged.csv", "colour,move\nB,e10,f10\n")
    first, again = cli.ok("import", path).out, cli.ok("import", path).out
    assert "\nin quarantine: 1\n" in first and "in quarantine already" not in first
    assert "\nin quarantine already: 1 (cornerwise quarantine)\n" in again
