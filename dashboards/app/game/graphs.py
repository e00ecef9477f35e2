"""Graphs along the game: share and expected score of every seat with the mistakes, and measures of the colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from dashboards.app import background
from dashboards.app.drawing import drawn
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.game import judging, telling
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.place import choose, chosen, pick_of, ply_of, stepping
from dashboards.app.opened import ask
from dashboards.app.words import colour, report_words, say, words
from engine.variants import variant
from pipeline.charts import Axes, Series, line_chart
from pipeline.charts_axes import INK
from pipeline.charts_picks import Pick
from pipeline.ground import ground
from pipeline.move_quality import ERRORS
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.queries import Row

VALUES = ("share", "score")
MEASURES = ("mobility", "live_corner_liberties", "reach", "exclusive")
GRAPHS = (*VALUES, *MEASURES)
"""What the address says of them; the first is the default."""


def show(game: Loaded) -> None:
    """Show the graph of the address; before the game is judged the measures are all there is."""
    graphs = GRAPHS if game.analysis else MEASURES
    shown = chosen("graph", graphs)
    st.session_state["game-graph"] = shown
    st.selectbox(
        say("game.graph"),
        graphs,
        key="game-graph",
        format_func=_name,
        on_change=lambda: choose("graph", graphs, st.session_state["game-graph"]),
        label_visibility="collapsed",
    )
    if shown in VALUES and game.analysis:
        _drawn(game, shown, lambda: _values(game, shown))
        judging.show_made_by(game.analysis)
    elif game.plies:
        _measure(game, shown)
    else:
        st.caption(report_words()("game.no_moves"))


def _name(graph: str) -> str:
    return say(f"game.graph_{graph}") if graph in VALUES else report_words()(f"measures.{graph}")


def _drawn(game: Loaded, graph: str, make: Callable[[], str]) -> None:
    svg = game.once(f"graph {graph}", make)
    drawn(svg, key="game-graph-drawn", now=pick_of(ply_of(game)), then=stepping(game))


def _values(game: Loaded, graph: str) -> str:
    return _chart(_seats(game, graph), _value_axes(graph), _name(graph), _value_picks(game, graph))


def _chart(lines: Sequence[Series], axes: Axes, title: str, picks: Sequence[Pick]) -> str:
    about = say("game.graph_about")
    return line_chart(lines, title=title, description=about, uid="graph", axes=axes, picks=picks)


def _seats(game: Loaded, graph: str) -> list[Series]:
    """A line for every seat, from the start to the end."""
    of = VALUES.index(graph)
    plies = [0, *(row["ply"] for row in game.analysis.moves)] if game.analysis else []
    found = [(float(ply), telling.values(game, ply)[of]) for ply in plies]
    return [
        Series(
            telling.seat_name(game, at),
            [(ply, values[at] if at < len(values) else None) for ply, values in found],
            colour=_ink(game, seat["colours"]),
        )
        for at, seat in enumerate(game.view.seats)
    ]


def _ink(game: Loaded, colours: Sequence[int]) -> str | None:
    names = variant(game.variant).colours
    return PALETTES[DEFAULT].ink(names[colours[0] - 1]).fill if colours else None


def _value_axes(graph: str) -> Axes:
    if graph == "share":
        return Axes(say("game.axis_ply"), reach=(0.0, 1.0), words=lambda value: words().share(value))
    return Axes(say("game.axis_ply"), say("game.axis_points"))


def _value_picks(game: Loaded, graph: str) -> list[Pick]:
    """Every ply, the mistakes among them marked on the line of who made them."""
    of, rows = VALUES.index(graph), {row["ply"]: row for row in game.analysis.moves} if game.analysis else {}
    picks = [Pick(0.0, pick_of(0), telling.move_line(game, 0))]
    for ply in range(1, game.plies + 1):
        row = rows.get(ply)
        verdict = ", ".join(part for part in (telling.label_words(row), telling.loss_words(row)) if part)
        said = telling.move_line(game, ply) + (f" – {verdict}" if verdict else "")
        picks.append(Pick(float(ply), pick_of(ply), said, **_marked(game, row, of)))
    return picks


def _marked(game: Loaded, row: Row | None, of: int) -> dict[str, Any]:
    if row is None or row["label"] not in ERRORS or row["seat"] is None:
        return {}
    seat = row["seat"] - 1
    value = telling.values(game, row["ply"])[of][seat]
    colours = game.view.seats[seat]["colours"]
    return {"y": value, "colour": _ink(game, colours) or INK, "weight": ERRORS.index(row["label"]) + 1}


def _measure(game: Loaded, name: str) -> None:
    """A measure of every colour; measured here where the library has not done it."""
    try:
        found = background.awaited(ask, ground, game.identity, note=say("game.measure_coming"))
    except EXPECTED as error:
        refused(error)
        return
    if found is None:
        return
    _drawn(game, name, lambda: _measured(game, name, getattr(found.measures, name)))


def _measured(game: Loaded, name: str, values: npt.NDArray[np.integer[Any]]) -> str:
    lines = [
        Series(
            colour(game.variant, at),
            [(float(ply), float(value)) for ply, value in enumerate(values[:, at].tolist())],
            colour=_ink(game, [at + 1]),
        )
        for at in range(values.shape[1])
    ]
    plies = range(game.plies + 1)
    picks = [Pick(float(ply), pick_of(ply), telling.move_line(game, ply)) for ply in plies]
    return _chart(lines, Axes(say("game.axis_ply"), "", (0.0,), whole=True), _name(name), picks)
