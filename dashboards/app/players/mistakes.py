"""What a player loses points with, and the mistakes themselves, each of which is an exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import piece_cell, with_error
from dashboards.app.players.naming import address
from dashboards.app.players.strengths import main_variant, not_judged
from dashboards.app.words import colour, say, words
from engine.variants import VARIANTS
from pipeline.analysis.mistakes import MistakeFilter, mistakes
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.move_quality import ERRORS, INACCURACY
from pipeline.players.players import PlayerView
from pipeline.players.quality import PlayerQuality, player_quality
from pipeline.queries import Row

MOST, SHOWN = 300, 12
"""Exercises of a player, the costliest ones, and pieces of the chart."""


FEWEST = 5
"""Decisions that an interval of their mean needs."""


def show_mistakes(view: PlayerView, chosen: str | None) -> None:
    """All that is lost, and the exercises."""
    qualities = [q for q in told(player_quality, view.player) if chosen in (None, q.variant)]
    if not qualities:
        not_judged()
        return
    rows = exercises(view.player, chosen)
    _start(rows)
    variant_id = main_variant(view, chosen)
    quality = next((q for q in qualities if q.variant == variant_id), qualities[0])
    if chosen is None:
        st.caption(say("players.one_variant", variant=VARIANTS[quality.variant].name))
    left, right = st.columns(2, gap="large")
    with left:
        _pieces(quality)
    with right:
        _labels(quality)
    _list(view, rows, chosen)


def exercises(person: str, chosen: str | None) -> list[Row]:
    """The mistakes of a player that another move could have mended, the costliest first."""
    found = told(mistakes, MistakeFilter(INACCURACY, person, chosen), MOST)
    return [row for row in found.rows if row["best_move"] is not None]


def _start(rows: list[Row]) -> None:
    if not rows:
        st.success(say("players.no_mistakes"), icon=":material/check_circle:")
        return
    st.button(
        say("players.practise", n=words().counted("players.count_positions", len(rows))),
        type="primary",
        icon=":material/school:",
        key="players.practise",
        on_click=lambda: links.keep(game=rows[0]["short"], ply=rows[0]["ply"]),
    )


def _pieces(quality: PlayerQuality) -> None:
    st.subheader(say("players.by_piece"))
    costly = [row for row in quality.pieces if row["lost"] > 0][:SHOWN]
    if not costly:
        st.caption(say("players.nothing_lost"))
        return
    worst = costly[0]
    st.markdown(
        say(
            "players.worst_piece",
            piece=worst["key"],
            lost=words().decimal(worst["loss"] * 100, 0),
            times=words().counted("players.count_times", worst["decisions"]),
        )
    )
    bars = [
        Bar(
            row["key"],
            100 * row["loss"],
            *_ends(row),
            remark=words().counted("players.count_times", row["decisions"]),
        )
        for row in costly
    ]
    axes = Axes(say("players.mean_loss"), reach=(0.0,))
    title = say("players.pieces_chart")
    drawn(interval_chart(bars, title=title, uid="pieces", axes=axes, level=0.0), key="players.pieces")
    with st.expander(say("players.figures")):
        columns = [
            Column(
                "key",
                say("players.piece"),
                markup=lambda row: piece_cell(quality.variant, 0, row["key"], f"shape-{row['key']}"),
            ),
            Column("decisions", say("players.decisions"), "whole"),
            Column("loss", say("players.mean_loss"), markup=with_error("loss", "loss_error", 1, 100)),
            Column("all_loss", say("players.everybodys"), markup=with_error("all_loss", "", 1, 100)),
            Column("lost_points", say("players.lost_points"), "decimal"),
        ]
        table(columns, quality.pieces, key="players.piece_figures", tall="24rem")


def _ends(row: Mapping[str, Any]) -> tuple[float | None, float | None]:
    if row["loss_error"] is None or row["decisions"] < FEWEST:
        return None, None
    loss, around = row["loss"], 1.96 * row["loss_error"]
    return 100 * (loss - around), 100 * (loss + around)


def _labels(quality: PlayerQuality) -> None:
    st.subheader(say("players.by_label"))
    t = words()
    lost = sum(row["lost"] for row in quality.labels if row["lost"] > 0)
    rows = [
        row
        | {
            "name": say(f"players.label_{row['key']}"),
            "part": row["lost"] / lost if lost > 0 and row["lost"] > 0 else None,
        }
        for row in reversed(quality.labels)
    ]
    wrong = sum(row["decisions"] for row in rows if row["key"] in ERRORS)
    total = quality.total
    st.markdown(
        say(
            "players.errors",
            n=t.whole(wrong),
            of=t.counted("players.count_decisions", total["decisions"]),
            rate=t.share(total["error_rate"]),
        )
        if total["decisions"]
        else say("players.nothing_lost")
    )
    columns = [
        Column("name", say("players.label")),
        Column("decisions", say("players.decisions"), "whole"),
        Column("lost_points", say("players.lost_points"), "decimal"),
        Column("part", say("players.part_of_loss"), "share"),
    ]
    table(columns, rows, key="players.labels")
    st.caption(say("players.labels_about"))


def _list(view: PlayerView, rows: list[Row], chosen: str | None) -> None:
    if not rows:
        return
    st.subheader(say("players.exercises"))
    columns = [
        Column(
            "short",
            say("players.game"),
            markup=lambda row: say("players.at_ply", game=row["short"], n=row["ply"]),
        ),
        Column("variant", say("players.variant"), markup=lambda row: VARIANTS[row["variant"]].name),
        Column(
            "colour", say("players.colour_head"), markup=lambda row: colour(row["variant"], row["colour"] - 1)
        ),
        Column("label", say("players.label"), markup=_label),
        Column(
            "loss_share", say("players.loss"), markup=with_error("loss_share", "loss_share_error", 0, 100)
        ),
        Column("loss_points", say("players.lost_points"), "decimal"),
    ]
    table(
        columns,
        rows,
        key="players.exercises",
        caption=say("players.exercises_of", n=words().counted("players.count_positions", len(rows))),
        pick=lambda row: f"exercise:{row['short']}:{row['ply']}",
        link=lambda row: address(
            view.player, view="mistakes", variant=chosen, game=row["short"], ply=row["ply"]
        ),
        tall="30rem",
        then=_go,
    )


def _label(row: Mapping[str, Any]) -> str:
    proven = f" ({say('players.proven')})" if row["proven"] else ""
    return say(f"players.label_{row['label']}") + proven


def _go(event: Event) -> None:
    if event.pick is not None and event.pick.startswith("exercise:"):
        _, game, ply = event.pick.split(":")
        links.keep(game=game, ply=ply)
