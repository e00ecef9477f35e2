"""The real archives by the command line: counts, final scores, the faulty game, and the way out and in again."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from engine.variants import VARIANTS
from notation.formats import FORMATS
from tests.dashboards.running import Cli, written_formats
from tests.notation.reading import HELD
from tests.places import archives

pytestmark = pytest.mark.archives

SCORE = re.compile(r"Score: (-?\d+) / (-?\d+)\.")

FINAL_SCORES = """
SELECT s.source, s.record, g.variant, g.plies, p.points, g.winners
FROM sightings s JOIN games g USING (game_no)
JOIN (SELECT game_no, list(points ORDER BY colour) AS points FROM scores WHERE scoring = '{scoring}' GROUP BY ALL) p
USING (game_no)
WHERE s.source LIKE '%/{folder}/%'
"""


@pytest.fixture
def imported(cli: Cli) -> tuple[Cli, dict[str, Any]]:
    folders = [archives(name) for name in ("fourcode_duo", "twogtp_duo", "reference")]
    return cli, cli.json("import", *folders)


def test_the_archives(imported: tuple[Cli, dict[str, Any]]) -> None:
    cli, summary = imported
    # 1,000 four-code files and fault.txt, 70 games of twogtp, 870 reference games in 8 files. Nine four-code files
    # repeat the bytes of others, so that they are no sightings of their own.
    counts = {
        "games": 1941,
        "stored": 1932,
        "duplicates": 9,
        "refused": 0,
        "illegal": 1,
        "irregular": 0,
        "unfinished": 0,
        "empty": 0,
        "quarantined": 1,
        "sightings": 1932,
        "results": 1,
    }
    assert {name: summary[name] for name in counts} == counts
    assert (summary["files"], summary["other_files"], summary["unreadable_files"]) == (1080, 1103, 0)
    others = [Path(row["file"]) for row in summary["details"]["other_files"]]
    assert len(set(others)) == 1103
    # 1,095 result lines and 8 tables of scores; twogtp's own table is a result without a game.
    assert sum(path.parent.name == "win_logs" for path in others) == 1095
    assert sum(path.name.endswith(".scores.tsv") for path in others) == 8
    _the_faulty_game(cli)
    _four_code_scores(cli)
    _reference_scores(cli)


def _the_faulty_game(cli: Cli) -> None:
    (row,) = cli.json("quarantine")["quarantine"]
    assert (Path(row["source"]).name, row["ply"], row["code"]) == ("fault.txt", 28, "piece_used")
    assert "the piece was used before" in row["message"]
    assert cli.json("show", row["id"])["plies"] == 27


def _four_code_scores(cli: Cli) -> None:
    rows = cli.json("sql", FINAL_SCORES.format(folder="game_logs", scoring="board"))["rows"]
    ours = {Path(row["source"]): row["points"] for row in rows}
    # The same bytes under two names are one sighting: the second name has the result of the first.
    by_bytes = {path.read_bytes(): points for path, points in ours.items()}
    compared = 0
    for path in archives("fourcode_duo", "game_logs").iterdir():
        line = (archives("fourcode_duo", "win_logs") / path.name).read_text()
        match = SCORE.search(line)
        assert match is not None
        assert by_bytes[path.read_bytes()] == [int(match[1]), int(match[2])], path
        compared += 1
    assert compared == 954


def _reference_scores(cli: Cli) -> None:
    gold = {}
    for path in archives("reference").glob("*.scores.tsv"):
        with path.open() as file:
            for variant, game, score, plies in csv.reader(file, delimiter="\t"):
                gold[variant, int(game)] = (score, int(plies))
    rows = cli.json("sql", FINAL_SCORES.format(folder="reference", scoring="online"))["rows"]
    junior = cli.json("sql", FINAL_SCORES.format(folder="reference", scoring="plain"))["rows"]
    rows = [row for row in rows if row["variant"] != "junior"] + [
        r for r in junior if r["variant"] == "junior"
    ]
    ours = {(row["variant"], row["record"]): (_in_its_words(row), row["plies"]) for row in rows}
    assert len(gold) == 870
    assert ours == gold


def _in_its_words(row: dict[str, Any]) -> str:
    points = row["points"]
    if row["variant"] not in ("duo", "junior", "classic_2", "trigon_2"):
        return " ".join(map(str, points))
    lead = sum(points[0::2]) - sum(points[1::2])
    assert row["winners"] == ([1] if lead > 0 else [2] if lead < 0 else [1, 2])
    return f"B+{lead}" if lead > 0 else f"W+{-lead}" if lead else "0"


@pytest.mark.parametrize("form", written_formats())
def test_out_and_in_again(imported: tuple[Cli, dict[str, Any]], form: str) -> None:
    cli, _ = imported
    out = "four" if form == "fourcode" else f"all{FORMATS[form].suffixes[0]}"
    report = cli.json("export", "--to", form, "--out", out)
    variants = HELD.get(form, tuple(VARIANTS))
    held = sum(cli.json("games", "--variant", variant, "--limit", 1)["total"] for variant in variants)
    # fault.txt ends in a piece that its colour has used: a placement still, so that every format holds it.
    assert report["games"] == held
    assert len(report["refused"]) == 1932 - report["games"]
    again = cli.json("import", out, "--library", "again")
    assert (again["games"], again["stored"], again["illegal"]) == (report["games"], report["games"], 1)
    ids = {game["id"] for game in cli.games()} - {row["id"] for row in report["refused"]}
    assert ids == {game["id"] for game in cli.games("--library", "again")}
