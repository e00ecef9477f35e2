"""The report of a player: results by variant, seat and year, ratings and their history, opponents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date

from engine.variants import variant
from pipeline.charts import Axes, Bar, Series, interval_chart, panels_chart
from pipeline.contests import ContestFilter
from pipeline.errors import LibraryError
from pipeline.game_selection import Selection
from pipeline.players.players import PlayerView, player
from pipeline.ratings import FAMILIES, history
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
from pipeline.reports.openings import first_boards
from pipeline.reports.texts import Texts
from pipeline.store import Reader

_FIGURES = (
    Column("games", "whole"), Column("share", "share", interval=True), Column("mean_score", "decimal", interval=True),
    Column("seats", "whole"), Column("wins", "whole"), Column("draws", "whole"), Column("losses", "whole"),
    Column("last_played", "date", page=False),
)  # fmt: skip
BY_VARIANT = (Column("variant"), *_FIGURES)
BY_SEAT = (Column("variant"), Column("seat", "whole"), *_FIGURES)
BY_YEAR = (Column("year", "text"), *_FIGURES)
RATINGS = (
    Column("family"), Column("games", "whole"), Column("mu", "decimal", interval=True), Column("ordinal", "decimal"),
    Column("elo", "whole"), Column("rating_points", "whole"), Column("date", "date"),
)  # fmt: skip
HISTORY = (*RATINGS, Column("share", "share"), Column("id", "code"), Column("sigma", "decimal"))
OPPONENTS = (
    Column("against"), Column("games", "whole"), Column("share", "share", interval=True), Column("meetings", "whole"),
    Column("wins", "whole"), Column("draws", "whole"), Column("losses", "whole"),
)  # fmt: skip

MOST_OPPONENTS, MOST_BARS = 30, 12
"""Opponents that a page lists, and that a chart shows."""

MOST_VARIANTS, MOST_FIRST = 3, 4
"""Variants whose first moves are drawn, and moves of each."""

MOST_MAPS = 2
"""Variants of which heat maps are drawn."""

POINTS = 120
"""Points of a line of a rating history: of longer ones every so many is drawn."""


def player_report(reader: Reader, name: str, wanted: ContestFilter, t: Texts, made: date) -> Report:
    """The report of a player.

    Raises:
        NoSuchPlayer: nobody is called so; the message has names near it.
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    view = player(reader, name, wanted)
    rated = history(reader, view.player, wanted.variant if wanted.variant in FAMILIES else None, wanted.odd)
    sections = [
        *_sections(view, [_rating(row) for row in rated], t),
        *_openings(reader, view, wanted, t),
        *_heat(reader, view, wanted, t),
    ]
    return Report(
        "player",
        t("player.title", name=t.shown(view.player, "text")),
        filter_words(t, asdict(wanted)) or t("player.all"),
        {**about(reader, made), "player": view.player, "filter": asdict(wanted)},
        sections,
        "players_by_variant",
        footer(reader, t, made),
    )


def _sections(view: PlayerView, rated: list[Row], t: Texts) -> Iterator[Section]:
    yield Section("results", t("player.results"), list(_results(view, t)))
    if view.by_seat:
        rows = [figures(row) for row in view.by_seat]
        yield Section("seats", t("player.seats"), [Table("players_by_seat", BY_SEAT, rows)])
    if view.by_year:
        rows = [figures(row) | {"year": row["year"] or t("library.undated")} for row in view.by_year]
        yield Section("time", t("player.time"), [Table("players_by_year", BY_YEAR, rows)])
    yield Section("ratings", t("player.ratings"), list(_ratings(rated, t)))
    if view.opponents:
        yield Section("opponents", t("player.opponents"), list(_opponents(view, t)))


def figures(row: Row) -> Row:
    """A row of `pipeline.players.players` with the ends of intervals called after their values."""
    return row | {"mean_score_low": row.get("score_low"), "mean_score_high": row.get("score_high")}


def _results(view: PlayerView, t: Texts) -> Iterator[Block]:
    total = view.total
    if not total["games"]:
        yield Remark(t("player.no_games"))
    else:
        counts = {name: t.whole(total[name]) for name in ("games", "seats", "wins", "draws", "losses")}
        share = t.share(total["share"])
        if total["share_low"] is not None:
            low, high = (t.decimal(total[f"share_{end}"] * 100, 0) for end in ("low", "high"))
            share = f"{share} {t('interval', low=low, high=high)}"
        names = t("list_comma").join(view.names) or None
        yield Facts({**counts, "share": share, "last_played": total["last_played"], "names": names})
    if view.own_games:
        yield Remark(t("player.own_games", games=t.counted("games", view.own_games)))
    if view.by_variant:
        title = t("player.variants_chart")
        svg = interval_chart(
            [_bar(row["variant"], row, t) for row in view.by_variant],
            title=title,
            uid="variants",
            axes=Axes(t("axes.share"), reach=(0.0, 1.0), words=t.share),
            level=0.5,
        )
        yield Figures([Figure(svg, title)])
        rows = [figures(row) for row in view.by_variant]
        yield Table("players_by_variant", BY_VARIANT, rows, note=t("player.figures_note"))


def _bar(name: str, row: Row, t: Texts) -> Bar:
    remark = t.counted("games", row["games"])
    return Bar(name, row["share"], row["share_low"], row["share_high"], remark=remark)


def _rating(row: Row) -> Row:
    whole = {"rating_points": _whole(row["points"]), "elo": _whole(row["elo"])}
    return row | {"mu_low": row["low"], "mu_high": row["high"]} | whole


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _ratings(rated: list[Row], t: Texts) -> Iterator[Block]:
    if not rated:
        yield Remark(t("player.unrated"))
        return
    by_family: dict[str, list[Row]] = {}
    for row in rated:
        by_family.setdefault(row["family"], []).append(row)
    families = [by_family[name] for name in FAMILIES if name in by_family]
    yield Table("ratings", RATINGS, [rows[-1] for rows in families], note=t("player.ratings_note"))
    several = {rows[0]["family"]: [_line(rows)] for rows in families if len(rows) > 1}
    if several:
        title = t("player.history_chart")
        axes = Axes(t("axes.rated_games"), t("axes.rating"))
        yield Figures([Figure(panels_chart(several, title=title, uid="history", axes=axes), title)])
    yield Table("rating_history", HISTORY, rated, 0)


def _line(rows: list[Row]) -> Series:
    step = -(-len(rows) // POINTS)
    kept = [row for at, row in enumerate(rows) if at % step == 0 or at == len(rows) - 1]
    points = [(float(row["games"]), row["mu"]) for row in kept]
    return Series(kept[0]["family"], points, [(row["mu_low"], row["mu_high"]) for row in kept])


def _opponents(view: PlayerView, t: Texts) -> Iterator[Block]:
    if len(view.opponents) > 1:
        title = t("player.opponents_chart")
        svg = interval_chart(
            [_bar(row["against"], row, t) for row in view.opponents[:MOST_BARS]],
            title=title,
            uid="opponents",
            axes=Axes(t("axes.share"), reach=(0.0, 1.0), words=t.share),
            level=0.5,
        )
        yield Figures([Figure(svg, title)])
    note = t("player.opponents_note")
    yield Table("opponents", OPPONENTS, view.opponents, MOST_OPPONENTS, note)


def _heat(reader: Reader, view: PlayerView, wanted: ContestFilter, t: Texts) -> Iterator[Section]:
    """Heat maps of the variants that the player plays most: of all games, so only where all are asked for."""
    if view.by_variant and wanted in (ContestFilter(), ContestFilter(wanted.variant)):
        by_games = sorted((row for row in view.by_variant if row["variant"]), key=lambda row: -row["games"])
        names = [row["variant"] for row in by_games[:MOST_MAPS]]
        yield Section("heat", t("player.heat"), list(heat_blocks(reader, names, t, view.player)))


def _openings(reader: Reader, view: PlayerView, wanted: ContestFilter, t: Texts) -> Iterator[Section]:
    """First moves by the variants that the player plays most; a filter by events does not know positions."""
    if wanted.event is not None or not view.by_variant:
        return
    blocks: list[Block] = []
    by_games = sorted((row for row in view.by_variant if row["variant"]), key=lambda row: -row["games"])
    try:
        for row in by_games[:MOST_VARIANTS]:
            mine = Selection(
                row["variant"], None, (view.player,), 1, wanted.since, wanted.until, source=wanted.source
            )
            boards = first_boards(reader, mine, t, f"open-{row['variant']}-", MOST_FIRST)
            if boards:
                blocks += [
                    Remark(t("player.first_of", variant=variant(row["variant"]).name)),
                    Figures(boards, "boards"),
                ]
    except LibraryError as error:
        blocks = [Remark(str(error))]
    if blocks:
        yield Section("openings", t("player.openings"), blocks)
