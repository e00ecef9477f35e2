"""`report`: pages and data files from the command line, and clear answers where there is nothing to report."""

from __future__ import annotations

import csv
import json

import pytest

from tests.dashboards.running import Cli


def test_pages_of_every_kind(some: Cli) -> None:
    game = some.games("--variant", "classic_2")[0]["short"]
    for words in (("game", game), ("player", "Ada"), ("library",), ("openings", "--variant", "classic")):
        out = some.folder / f"{words[0]}.html"
        done = some.ok("report", *words, "--out", out)
        assert done.out == "" and str(out) in done.err
        assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_data_files(some: Cli) -> None:
    done = some.ok("report", "player", "ada", "--out", some.folder / "p.csv", "--table", "opponents")
    assert "--table takes another: players_by_variant" in done.err
    with (some.folder / "p.csv").open(newline="", encoding="utf-8") as file:
        assert {row["against"] for row in csv.DictReader(file)} == {"Ben", "Cleo", "Dan", "Eve"}
    told = some.json("report", "library", "--out", some.folder / "l.json")
    assert told["report"] == "library" and told["table"] is None and "variants" in told["tables"]
    found = json.loads((some.folder / "l.json").read_text(encoding="utf-8"))
    assert list(found["tables"]) == told["tables"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("player", "Adda"), 2, "there is 'Ada'"),
        (("game", "ffffffff"), 1, "there is no game ffffffff"),
        (("library", "--variant", "chess"), 2, "chess"),
        (("library", "--since", "soon"), 2, "--since soon"),
        (("library", "--table", "moves"), 2, "--table is for"),
    ],
)
def test_nothing_is_written_where_nothing_is_found(
    some: Cli, words: tuple[str, ...], code: int, message: str
) -> None:
    out = some.folder / "r.html"
    done = some("report", *words, "--out", out)
    assert (done.code, done.out) == (code, "") and message in done.message
    assert not out.exists()


def test_a_wrong_suffix_comes_before_the_work(cli: Cli) -> None:
    done = cli("report", "library", "--out", "r.docx")
    assert done.code == 2 and ".parquet" in done.message


def test_no_library(cli: Cli) -> None:
    done = cli("report", "library", "--out", "r.html")
    assert done.code == 1 and "there is no library" in done.message
