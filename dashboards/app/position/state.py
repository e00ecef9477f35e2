"""What the page shows, out of its address and into it: the line of moves, and what is asked of the position."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboards.app import links
from engine.errors import RuleError
from notation.position_text import parse_position
from pipeline.lines import Line, Rules, line_events, line_text

FIRST = "duo"
"""Variant of a page without an address."""

OF_ONE_POSITION = ("evaluate", "show", "first", "second")
"""Parameters that say something of one position only: they go when another one is shown."""


def line() -> Line:
    """The line of moves in the address.

    Raises:
        EngineError, NotationError, PipelineError: it makes no sense.
    """
    base = links.parameter("position")
    name = parse_position(base).variant if base else links.parameter("variant", FIRST)
    found = Line(name, _rules(links.parameter("rules")), base, line_events(name, links.parameter("moves")))
    ply = links.number("ply", -1)
    return found if ply < 0 else found.at(ply)


def keep(shown: Line) -> None:
    """Show another line, or another ply of it."""
    links.keep(
        variant=None if shown.base else shown.variant,
        rules=rules_text(dict(shown.rules)),
        position=shown.base,
        moves=line_text(shown.events),
        ply="" if shown.ply is None else str(shown.ply),
    )
    stay = ("evaluate",) if links.parameter("live") else ()
    links.keep(**{name: None for name in OF_ONE_POSITION if name not in stay})


def new(variant_id: str, rules: Mapping[str, str]) -> None:
    """Begin anew, with an empty board."""
    keep(Line(variant_id, tuple(sorted(rules.items()))))


def _rules(text: str) -> Rules:
    """Settings of the rules: ``end=rounds:25,start=any_corner``."""
    pairs = [part.partition("=") for part in text.split(",") if part]
    if any(not key or not value for key, _, value in pairs):
        raise RuleError(f"rules are pairs such as start=any_corner, not {text[:60]!r}")
    return tuple(sorted({key: value for key, _, value in pairs}.items()))


def rules_text(rules: Mapping[str, str]) -> str:
    """The inverse of what is read from the address."""
    return ",".join(f"{key}={value}" for key, value in sorted(rules.items()))


def tell(key: str, **values: object) -> None:
    """Leave a sentence for the next time that the page is made."""
    st.session_state["position.notice"] = (key, values)


def told() -> tuple[str, dict[str, object]] | None:
    """The sentence that was left, once."""
    found: tuple[str, dict[str, object]] | None = st.session_state.pop("position.notice", None)
    return found
