"""What a player does well and badly: measures beside what is usual, accuracy by phase."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import with_error, with_interval
from dashboards.app.players.choosing import one_of
from dashboards.app.words import say, words
from engine.areas import PHASES, phase_ends
from engine.variants import VARIANTS
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.errors import NoFeatures
from pipeline.players.measures import LESS_IS_BETTER, PlayerMeasures, player_measures
from pipeline.players.players import PlayerView
from pipeline.players.quality import PlayerQuality, player_quality
from pipeline.svg import words as escaped

Row = dict[str, Any]

WHOLE = "game"


def show_strengths(view: PlayerView, chosen: str | None) -> None:
    """Measures on the left, accuracy on the right, of one variant: those of several do not compare."""
    variant_id = main_variant(view, chosen)
    if variant_id is None:
        st.info(say("players.no_games"), icon=":material/info:")
        return
    if chosen is None:
        st.caption(say("players.one_variant", variant=VARIANTS[variant_id].name))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader(say("players.measures"))
        try:
            found = told(player_measures, view.player, variant_id)
        except NoFeatures:
            _unmeasured()
        else:
            _measures(found)
    with right:
        st.subheader(say("players.accuracy_by_phase"))
        quality = next((q for q in told(player_quality, view.player) if q.variant == variant_id), None)
        if quality is None:
            not_judged()
        else:
            _accuracy(quality)


def main_variant(view: PlayerView, chosen: str | None) -> str | None:
    """The chosen variant, else the one that the player has played most."""
    if chosen is not None:
        return chosen
    known = [row for row in view.by_variant if row["variant"]]
    return max(known, key=lambda row: row["games"])["variant"] if known else None


def _unmeasured() -> None:
    st.info(say("players.unmeasured"), icon=":material/straighten:")
    if st.button(say("players.to_library"), key="players.measure", type="primary"):
        links.go("library")


def not_judged() -> None:
    """There is no judged move of the player, and what to do."""
    st.info(say("players.unjudged"), icon=":material/gavel:")
    if st.button(say("players.to_library"), key="players.judge", type="primary"):
        links.go("library")


def _measures(found: PlayerMeasures) -> None:
    ends = phase_ends(found.variant)
    spans = (say("players.until_ply", n=ends[0]), say("players.until_ply", n=ends[1]), say("players.to_end"))
    options = {WHOLE: say("players.whole_game")} | {
        name: say("players.phase_span", phase=say(f"players.phase_{name}"), span=span)
        for name, span in zip(PHASES, spans, strict=True)
    }
    phase = one_of(say("players.phase"), "phase", options, WHOLE, width=280)
    rows = found.of(None if phase == WHOLE else phase)
    if not rows:
        st.info(say("players.no_measures"), icon=":material/info:")
        return
    best, worst = rows[0], rows[-1]
    st.markdown(_sentence("best", best) + "  \n" + _sentence("worst", worst))
    bars = [Bar(_name(row), row["strength"], row["low"], row["high"]) for row in rows]
    title = say("players.measures_chart")
    axes = Axes(say("players.deviations"), reach=(-0.5, 0.5))
    drawn(interval_chart(bars, title=title, uid="measures", axes=axes, level=0.0), key="players.measures")
    st.caption(
        say("players.measures_about", games=words().counted("players.count_games", found.games))
        + (" " + words().counted("players.missing", found.missing) if found.missing else "")
    )
    with st.expander(say("players.figures")):
        columns = [
            Column("measure", say("players.measure"), markup=lambda row: escaped(_name(row))),
            Column("value", say("players.value"), "fine"),
            Column("usual", say("players.usual"), "fine"),
            Column("strength", say("players.deviations"), markup=with_interval("strength", "low", "high", 2)),
            Column("games", say("players.games"), "whole"),
        ]
        table(columns, rows, key="players.measure_figures")
        st.caption(say("players.measure_units"))


def _name(row: Any) -> str:
    return say(f"players.measure_{row['measure']}")


def _sentence(which: str, row: Row) -> str:
    """The best or the worst measure in words."""
    t = words()
    beside = t.decimal(abs(row["strength"]), 2)
    sure = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
    better = "above" if row["strength"] > 0 else "below"
    text = say(
        f"players.{which}_measure",
        measure=_name(row),
        by=say(f"players.{better}", n=beside),
        value=t.decimal(row["value"], 1),
        usual=t.decimal(row["usual"], 1),
    )
    turned = "" if row["measure"] not in LESS_IS_BETTER else " " + say("players.less_is_better")
    return text + turned + ("" if sure else " " + say("players.not_sure"))


def _accuracy(quality: PlayerQuality) -> None:
    t = words()
    rows = [quality.total | {"name": say("players.whole_game")}]
    rows += [row | {"name": say(f"players.phase_{row['phase']}")} for row in quality.phases]
    bars = [
        Bar(
            row["name"],
            row["accuracy"],
            *_ends(row["accuracy"], row["accuracy_error"]),
            remark=t.counted("players.count_decisions", row["decisions"]),
        )
        for row in rows
    ]
    title = say("players.accuracy_chart")
    axes = Axes(say("players.accuracy"), reach=(50.0, 100.0))
    drawn(interval_chart(bars, title=title, uid="accuracy", axes=axes), key="players.accuracy")
    columns = [
        Column("name", say("players.phase")),
        Column("accuracy", say("players.accuracy"), markup=with_error("accuracy", "accuracy_error")),
        Column("all_accuracy", say("players.everybodys"), "decimal"),
        Column(
            "mean_loss", say("players.mean_loss"), markup=with_error("mean_loss", "mean_loss_error", 1, 100)
        ),
        Column("error_rate", say("players.error_rate"), "share"),
    ]
    table(columns, rows, key="players.phases")
    judged = t.counted("players.of_judged", quality.total["games"])
    older = " " + t.counted("players.older", quality.older) if quality.older else ""
    st.caption(f"{judged}{older} {say('players.accuracy_about')}")


def _ends(value: float | None, error: float | None) -> tuple[float | None, float | None]:
    """An interval of 95 % of an accuracy, inside what there can be."""
    if value is None or error is None:
        return None, None
    return max(0.0, value - 1.96 * error), min(100.0, value + 1.96 * error)
