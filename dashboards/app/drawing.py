"""Drawings and tables that can be clicked: SVG and HTML in one component, the same for boards, graphs and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from pipeline import charts_axes, svg_inks

Ghosts = Mapping[int, tuple[Sequence[int], bool]]
"""For a cell under the pointer: the cells that a piece would cover there, and whether it may."""


@dataclass(frozen=True, slots=True)
class Event:
    """What a visitor did: the `data-pick` of an element that was clicked, or a key."""

    pick: str | None = None
    key: str | None = None


def drawn(
    markup: str,
    *,
    key: str,
    keys: Sequence[str] = (),
    ghosts: Ghosts | None = None,
    chosen: Sequence[int] = (),
    tallest: str | None = None,
    now: str = "",
    then: Callable[[Event], None] | None = None,
) -> Event:
    """Show SVG or HTML of ours, all words in it escaped, and say what the visitor did with it.

    Args:
        markup: the drawing; elements with ``data-pick`` can be clicked and reached by keyboard.
        key: of the component, one of its kind on a page.
        keys: names of keys (``ArrowLeft``) that are heard on the whole page.
        ghosts: see there; the cells are those of `pipeline.board_svg.pick_cells`.
        chosen: cells that are marked as chosen.
        tallest: greatest height, as a CSS length.
        now: elements whose ``data-now`` this is are marked, and scrolled to; the drawing stays as it is.
        then: called with what happened before the page is made anew, so that it need not be made twice.
    """
    data = {
        "markup": markup,
        "keys": list(keys),
        "ghosts": {str(cell): [list(cells), fits] for cell, (cells, fits) in ghosts.items()}
        if ghosts
        else None,
        "chosen": list(chosen),
        "tallest": tallest,
        "now": now,
    }

    def happened() -> None:
        if then is not None:
            sent = st.session_state[key]
            then(Event(sent.get("pick"), sent.get("key")))

    found = _component()(data=data, key=key, on_pick_change=happened, on_key_change=happened)
    return Event(found.get("pick"), found.get("key"))


@cache
def _component() -> Any:
    here = files("dashboards.app")
    return st.components.v2.component(
        "cornerwise_drawing",
        html='<div class="cw-picture"></div>',
        css=here.joinpath("drawing.css").read_text(encoding="utf-8") + _page_colours(),
        js=here.joinpath("drawing.js").read_text(encoding="utf-8"),
    )


def _page_colours() -> str:
    """Style rules that give a drawing's paper colours those of the page, light or dark."""
    text = "var(--st-text-color)"

    def mixed(part: int) -> str:
        return f"color-mix(in srgb, {text} {part}%, var(--st-background-color))"

    fills = {
        svg_inks.EMPTY: mixed(5),
        svg_inks.LABEL: mixed(75),
        charts_axes.AXIS: mixed(75),
        charts_axes.INK: text,
    }
    strokes = {
        svg_inks.GRID: mixed(22),
        svg_inks.EDGE: mixed(48),
        svg_inks.LABEL: mixed(75),
        charts_axes.AXIS: mixed(60),
        charts_axes.RULE: mixed(18),
        charts_axes.INK: text,
    }
    rules = [
        f".cw-picture {{ --cw-empty: {fills[svg_inks.EMPTY]}; --cw-edge: {strokes[svg_inks.EDGE]}; }}",
    ]
    rules += [f'.cw-picture [fill="{ink}"] {{ fill: {page}; }}' for ink, page in fills.items()]
    rules += [f'.cw-picture [stroke="{ink}"] {{ stroke: {page}; }}' for ink, page in strokes.items()]
    rules += [
        f'.cw-picture svg > text[fill="{svg_inks.OUTLINE}"] {{ fill: {text}; }}',
        f'.cw-picture circle[fill="none"][stroke="{svg_inks.OUTLINE}"] {{ stroke: {text}; }}',
    ]
    return "\n".join(rules)
