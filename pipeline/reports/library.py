"""The report of a library: what it holds by variant, time and source, how long games are, how good the data is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date

from engine.variants import VARIANTS
from pipeline.charts import Axes, Bar, column_chart, interval_chart
from pipeline.quality import quality
from pipeline.queries import GameFilter, conditions, info
from pipeline.reports.common import about, filter_words, footer
from pipeline.reports.document import (
    Block,
    Column,
    Facts,
    Figure,
    Figures,
    Remark,
    Report,
    Row,
    Section,
    Table,
)
from pipeline.reports.heat import heat_blocks
from pipeline.reports.seats import seat_blocks
from pipeline.reports.texts import Texts
from pipeline.store import Reader

BY_VARIANT = (
    Column("variant"), Column("games", "whole"), Column("decided", "whole"), Column("draws", "whole"),
    Column("illegal", "whole"), Column("unfinished", "whole"), Column("irregular", "whole"),
    Column("plies_mean", "decimal"), Column("passes_mean", "decimal"), Column("first_date", "date", page=False),
    Column("last_date", "date", page=False),
)  # fmt: skip
LENGTHS = (
    Column("variant"), Column("games", "whole"), Column("shortest", "whole"), Column("quarter", "decimal"),
    Column("median", "decimal"), Column("three_quarters", "decimal"), Column("longest", "whole"),
)  # fmt: skip
TIMES = (Column("period", "date"), Column("games", "whole"), Column("players", "whole"))
SOURCES = (
    Column("source"), Column("format"), Column("games", "whole"), Column("sightings", "whole"),
    Column("first_date", "date", page=False), Column("last_date", "date", page=False),
)  # fmt: skip
QUALITY = (Column("code"), Column("count", "whole"), Column("meaning"), Column("examples", "list"))

MOST_PERIODS, MOST_SOURCES = 24, 30
"""Rows of these tables that a page shows; files have all."""

MOST_MAPS = 3
"""Variants, those with most games, of which heat maps are drawn."""

MONTHS = 60
"""Months that a chart shows one by one; of a longer time it shows years."""

_DAY = "CASE WHEN g.day IS NOT NULL THEN printf('%04d-%02d-%02d', g.year, g.month, g.day) END"

_VARIANTS = """
SELECT g.variant, count(*) AS games, count(g.outcome) AS decided,
       count(*) FILTER (g.outcome = 'draw') AS draws, count(*) FILTER (g.illegal) AS illegal,
       count(*) FILTER (g.unfinished) AS unfinished, count(*) FILTER (g.irregular) AS irregular,
       avg(g.plies) AS plies_mean, avg(g.passes) AS passes_mean,
       min({day}) AS first_date, max({day}) AS last_date
FROM games g {where} GROUP BY 1
"""

_LENGTHS = """
SELECT g.variant, count(*) AS games, min(g.plies) AS shortest, quantile_cont(g.plies, 0.25) AS quarter,
       median(g.plies) AS median, quantile_cont(g.plies, 0.75) AS three_quarters, max(g.plies) AS longest
FROM (SELECT * FROM games WHERE outcome IS NOT NULL) g {where} GROUP BY 1
"""

_TIMES = """
SELECT {period} AS period, count(DISTINCT g.game_no) AS games, count(DISTINCT s.person) AS players
FROM games g LEFT JOIN seats s USING (game_no) {where} GROUP BY 1 ORDER BY 1 NULLS LAST
"""
_MONTH = "CASE WHEN g.month IS NOT NULL THEN printf('%04d-%02d', g.year, g.month) ELSE g.year::VARCHAR END"

_SOURCES = """
SELECT s.source, any_value(s.format) AS format, count(DISTINCT s.game_no) AS games, count(*) AS sightings,
       min({day}) AS first_date, max({day}) AS last_date
FROM sightings s JOIN games g USING (game_no) {where} GROUP BY 1 ORDER BY games DESC, source
"""


def library_report(reader: Reader, wanted: GameFilter, t: Texts, made: date) -> Report:
    """The report of the games that a filter chooses.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    chosen = filter_words(t, asdict(wanted))
    return Report(
        "library",
        t("library.title", name=reader.layout.root.name),
        chosen or t("library.all"),
        {**about(reader, made), "filter": asdict(wanted)},
        list(_sections(reader, wanted, t)),
        "variants",
        footer(reader, t, made),
    )


def _sections(reader: Reader, wanted: GameFilter, t: Texts) -> Iterator[Section]:
    variants = _ask(reader, _VARIANTS, wanted)
    order = list(VARIANTS)
    variants.sort(key=lambda row: order.index(row["variant"]))
    yield Section("holds", t("library.holds"), list(_holds(reader, wanted, variants, t)))
    if not variants:
        return
    lengths = _ask(reader, _LENGTHS, wanted)
    lengths.sort(key=lambda row: order.index(row["variant"]))
    yield Section("lengths", t("library.lengths"), list(_lengths(lengths, t)))
    if wanted.player is None:
        # Statistics of seats are by players as aliases have them, this filter is by a part of a name.
        yield Section("seats", t("library.seats"), list(seat_blocks(reader, wanted, t)))
    if wanted in (GameFilter(), GameFilter(wanted.variant)):
        # Sums of heat maps are kept of whole variants, not by date.
        most = sorted(variants, key=lambda row: -row["games"])[:MOST_MAPS]
        maps = list(heat_blocks(reader, [row["variant"] for row in most], t))
        yield Section("heat", t("library.heat"), maps)
    yield Section("time", t("library.time"), list(_time(reader, wanted, t)))
    sources = _ask(reader, _SOURCES, wanted)
    yield Section("sources", t("library.sources"), [Table("sources", SOURCES, sources, MOST_SOURCES)])
    yield Section("quality", t("library.quality"), list(_quality(reader, t)))


def _ask(reader: Reader, question: str, wanted: GameFilter, **parts: str) -> list[Row]:
    where, parameters = conditions(wanted)
    rows: list[Row] = reader.table(question.format(where=where, day=_DAY, **parts), parameters).to_pylist()
    return rows


def _holds(reader: Reader, wanted: GameFilter, variants: list[Row], t: Texts) -> Iterator[Block]:
    whole = info(reader)
    games = sum(row["games"] for row in variants)
    if not whole["games"]:
        yield Remark(t("library.empty"))
    elif not games:
        yield Remark(t("library.no_match", games=t.counted("games", whole["games"])))
        return
    names = ("games", "plies", "players", "sightings", "results", "positions", "piece_lists", "quarantined")
    facts = {name: t.whole(whole[name]) for name in names if whole[name] or name == "games"}
    if games == whole["games"]:
        yield Facts(facts)
    else:
        yield Remark(t("library.some", games=t.counted("games", games), all=t.whole(whole["games"])))
    if variants:
        yield Table("variants", BY_VARIANT, variants)


def _lengths(rows: list[Row], t: Texts) -> Iterator[Block]:
    if not rows:
        yield Remark(t("library.none_decided"))
        return
    bars = [
        Bar(
            row["variant"],
            row["median"],
            row["quarter"],
            row["three_quarters"],
            remark=t.counted("games", row["games"]),
        )
        for row in rows
    ]
    title = t("library.lengths_chart")
    svg = interval_chart(
        bars, title=title, uid="lengths", axes=Axes(t("axes.plies"), reach=(0.0,), whole=True)
    )
    yield Figures([Figure(svg, title)])
    yield Table("lengths", LENGTHS, rows, note=t("library.lengths_note"))


def _time(reader: Reader, wanted: GameFilter, t: Texts) -> Iterator[Block]:
    months = _ask(reader, _TIMES, wanted, period=_MONTH)
    dated = [row for row in months if row["period"]]
    for row in months:
        row["period"] = row["period"] or t("library.undated")
    if not dated:
        yield Remark(t("library.no_dates"))
        return
    shown = dated
    if len(dated) > MONTHS:
        shown = [r for r in _ask(reader, _TIMES, wanted, period="g.year::VARCHAR") if r["period"]]
    title = t("library.months_chart" if shown is dated else "library.years_chart")
    columns = [(row["period"], float(row["games"])) for row in shown]
    svg = column_chart(columns, title=title, uid="months", axes=Axes(y=t("axes.games"), whole=True))
    yield Figures([Figure(svg, title)])
    yield Table("months", TIMES, months, MOST_PERIODS)


def _quality(reader: Reader, t: Texts) -> Iterator[Block]:
    rows = quality(reader)
    if not rows:
        yield Remark(t("library.sound"))
        return
    cases = [
        {
            **{name: row[name] for name in ("code", "count", "meaning")},
            "examples": list(dict.fromkeys(case["short"] for case in row["examples"] if case["short"])),
        }
        for row in rows
    ]
    yield Table("quality", QUALITY, cases, note=t("library.quality_note"))
