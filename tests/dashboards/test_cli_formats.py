"""`formats`: the table of formats, and the page of one."""

from __future__ import annotations

import re
import sys

import pytest

from notation.format_list import page
from notation.formats import FORMATS
from tests.dashboards.running import Cli
from tests.dashboards.test_terminal import Screen


def test_every_format_is_listed(cli: Cli) -> None:
    listed = cli.json("formats")["formats"]
    assert [row["name"] for row in listed] == list(FORMATS)
    for row in listed:
        known = FORMATS[row["name"]]
        assert (row["title"], row["files"], row["carries"]) == (known.title, [*known.suffixes], known.carries)
        assert (row["read"], row["written"]) == (True, known.write is not None)
    lines = cli.ok("formats").out.splitlines()
    assert lines[0].split() == ["format", "title", "files", "written", "carries"]
    assert [line.split()[0] for line in lines[1:]] == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_its_page(cli: Cli, name: str) -> None:
    assert cli.ok("formats", name).out == page(name).rstrip("\n") + "\n"
    document = cli.json("formats", name)
    assert (document["name"], document["page"]) == (name, page(name))


def test_a_page_in_a_terminal_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboards.commands import formats

    screen = Screen()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen)
    formats.run("jsonl")
    lines = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue()).splitlines()
    assert max(map(len, lines)) <= 60
    assert "# jsonl" not in lines and any("jsonl" in line for line in lines)


def test_the_list_in_a_narrow_terminal_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboards.commands import formats

    screen = Screen()
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys, "stdout", screen)
    formats.run()
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 70
    assert [line for line in lines if not line.startswith(" ")] == list(FORMATS)
    told = " ".join(" ".join(lines).split())
    for row in FORMATS.values():
        assert row.title in told and row.carries in told


def test_a_format_that_there_is_not(cli: Cli) -> None:
    result = cli("formats", "pgn")
    assert (result.code, result.out) == (2, "")
    assert "unknown format 'pgn': choose one of blksgf, jsonl" in result.message
