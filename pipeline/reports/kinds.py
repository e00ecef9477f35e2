"""Reports by their kind, for those who ask for one by name."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from pipeline.contests import ContestFilter
from pipeline.errors import BadReport
from pipeline.game_selection import Selection
from pipeline.queries import GameFilter
from pipeline.reports.document import Report
from pipeline.reports.texts import Texts, texts
from pipeline.reports.write import form, write_report
from pipeline.store import Reader

KINDS = ("game", "player", "openings", "library")


def write_kind(
    reader: Reader,
    kind: str,
    subject: str | None,
    wanted: GameFilter,
    path: Path,
    table: str | None,
    made: date,
) -> None:
    """Write a report of a kind, on a `subject` where it has one, in the form that the file's suffix says.

    Raises:
        BadReport: no such kind, form or table.
        PipelineError: nothing to report on.
    """
    form(path)
    words = texts()
    write_report(_built(reader, kind, subject or "", wanted, words, made), path, table, words)


def _built(reader: Reader, kind: str, subject: str, wanted: GameFilter, t: Texts, made: date) -> Report:
    # Each loads what the others do without.
    if kind == "game":
        from pipeline.reports.game import game_report

        return game_report(reader, subject, t, made)
    if kind == "player":
        from pipeline.reports.player import player_report

        contests = ContestFilter(wanted.variant, wanted.since, wanted.until)
        return player_report(reader, subject, contests, t, made)
    if kind == "openings":
        from pipeline.reports.openings import openings_report

        games = Selection(since=wanted.since, until=wanted.until)
        return openings_report(reader, wanted.variant, games, t, made, 1)
    if kind == "library":
        from pipeline.reports.library import library_report

        return library_report(reader, wanted, t, made)
    raise BadReport(f"no report {kind!r}: choose one of {', '.join(KINDS)}")
