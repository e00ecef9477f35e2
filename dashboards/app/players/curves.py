"""Curves of a player: rating, results and points over the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dashboards.app.words import say, words
from engine.variants import VARIANTS
from pipeline.charts import Axes, Series, line_chart, panels_chart
from pipeline.competition import LABEL
from pipeline.ratings import FAMILIES

Row = dict[str, Any]
Families = Mapping[str, Sequence[Row]]

POINTS = 160
"""Points of a line: of longer ones every so many is drawn, and the last."""

WINDOW = 20
"""Games over which results are averaged."""


def short_variant(variant_id: str) -> str:
    """A variant in words that fit beside a bar: ``Trigon Two-Player``."""
    name = VARIANTS[variant_id].name
    return name.removeprefix("Blokus ") if name != "Blokus" else name


def family_name(family: str) -> str:
    """A family of variants in words."""
    found = FAMILIES[family]
    name = short_variant(found.variant)
    return say("players.in_teams", variant=name) if found.teams else name


def rating_chart(families: Families) -> str:
    """Ratings after every rated game, with their intervals of 95 %."""

    def line(family: str, rows: Sequence[Row]) -> Series:
        kept = some(rows)
        points = [(float(row["games"]), row["mu"]) for row in kept]
        return Series(family_name(family), points, [(row["low"], row["high"]) for row in kept])

    return _chart(families, line, say("players.rating_chart"), "rating", say("players.rating"))


def points_chart(families: Families) -> str:
    """The approximation of the competition room's points."""

    def line(family: str, rows: Sequence[Row]) -> Series:
        return Series(family_name(family), [(float(row["games"]), row["points"]) for row in some(rows)])

    return _chart(families, line, LABEL, "points", say("players.points_axis"))


def results_chart(families: Families) -> str:
    """Share of the result over the last `WINDOW` games; nothing where nobody has played so many."""
    enough = {name: rows for name, rows in families.items() if len(rows) > WINDOW}

    def line(family: str, rows: Sequence[Row]) -> Series:
        shares = [row["share"] for row in rows]
        means = [
            (float(rows[at]["games"]), sum(shares[at - WINDOW + 1 : at + 1]) / WINDOW)
            for at in range(WINDOW - 1, len(rows))
        ]
        return Series(family_name(family), some(means))

    if not enough:
        return ""
    title = say("players.results_chart", n=WINDOW)
    return _chart(enough, line, title, "results", say("players.share"), True)


def _chart(
    families: Families,
    line: Callable[[str, Sequence[Row]], Series],
    title: str,
    uid: str,
    axis: str,
    shares: bool = False,
) -> str:
    """One family as a chart, several as panels on the same scale."""
    x = say("players.rated_games")
    axes = Axes(x, say("players.share_axis"), (0.0, 1.0), _percent) if shares else Axes(x, axis)
    lines = {family_name(name): [line(name, rows)] for name, rows in families.items()}
    about = say("list_comma").join(lines)
    if len(lines) == 1:
        return line_chart(next(iter(lines.values())), title=title, description=about, uid=uid, axes=axes)
    return panels_chart(lines, title=title, description=about, uid=uid, axes=axes)


def _percent(share: float) -> str:
    return words().decimal(100 * share, 0)


def some(rows: Sequence[Any]) -> list[Any]:
    """Not more than about `POINTS` of a line's points, the last among them."""
    step = -(-len(rows) // POINTS)
    return [row for at, row in enumerate(rows) if at % step == 0 or at == len(rows) - 1]
