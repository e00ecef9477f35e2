"""Which games a page counts, as the address says it; `filter_fields` are the fields to choose them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dashboards.app import links
from dashboards.app.opened import ask
from dashboards.app.words import say
from engine.variants import VARIANTS, variant
from pipeline import queries
from pipeline.contests import known_player
from pipeline.errors import PipelineError
from pipeline.game_selection import Selection
from pipeline.store import Reader

TEXTS = ("player", "with", "since", "until", "source")
NUMBERS = ("seat", "min_rating", "max_rating", "min_games")
FLAGS = ("flawed",)
NAMES = ("rules", *TEXTS, *NUMBERS, *FLAGS)
"""Parameters of the address that are filters, beside the variant."""

EVERY_RULE, DEFAULT_RULES = "", "default"
BETWEEN = ","
"""Between the settings of a ruleset in an address."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address asks for; `rules` as in the address, see `rules_of`."""

    variant: str | None = None
    rules: str = EVERY_RULE
    player: str = ""
    against: str = ""
    seat: int | None = None
    since: str = ""
    until: str = ""
    source: str = ""
    ratings: tuple[float | None, float | None] = (None, None)
    min_games: int = 1
    flawed: bool = False

    def selection(self) -> Selection:
        """The same for the pipeline."""
        people = tuple(name for name in (self.player, self.against) if name)
        return Selection(
            self.variant,
            rules_of(self.rules),
            people,
            self.seat if people else None,
            self.since or None,
            self.until or None,
            self.ratings,
            self.source or None,
            self.flawed,
        )

    @property
    def rated(self) -> bool:
        """Whether ratings are needed to choose the games."""
        return self.ratings != (None, None)

    @property
    def chosen(self) -> int:
        """How many filters choose, apart from the variant."""
        return sum(name in st.query_params for name in NAMES)


def of_address(variant_id: str | None) -> Filters:
    """The filters of the address."""
    text = links.parameter
    return Filters(
        variant_id,
        text("rules"),
        text("player").strip(),
        text("with").strip(),
        links.number("seat", 0) or None,
        text("since").strip(),
        text("until").strip(),
        text("source").strip(),
        (_decimal("min_rating"), _decimal("max_rating")),
        max(1, links.number("min_games", 1)),
        bool(text("flawed")),
    )


def _decimal(name: str) -> float | None:
    try:
        value = float(links.parameter(name))
    except ValueError:
        return None
    return value if abs(value) < 1e6 else None


def rules_of(text: str) -> dict[str, str] | None:
    """The settings that differ from the default rules; None: whatever rules.

    Raises:
        PipelineError: the text says none.
    """
    if text == EVERY_RULE:
        return None
    if text == DEFAULT_RULES:
        return {}
    settings = dict(part.partition("=")[::2] for part in text.split(BETWEEN))
    if not all(settings.values()):
        raise PipelineError(say("filters.no_rules", text=text[:60]))
    return settings


def rules_text(settings: Mapping[str, str]) -> str:
    """Rules as an address has them."""
    return BETWEEN.join(f"{key}={value}" for key, value in settings.items()) or DEFAULT_RULES


def variants(reader: Reader) -> dict[str, int]:
    """Variants of the library with their games, those with most games first."""
    found = queries.info(reader)["by_variant"]
    return {name: found[name] for name in found if name in VARIANTS}


def chosen_variant(every: bool = False) -> str | None:
    """The variant of the address; else the one with most games, or None where `every` lets all be chosen.

    Raises:
        UnknownVariant: the address names none.
    """
    named = links.parameter("variant")
    if named:
        return variant(named).id
    return None if every else ask(queries.most_played)


def known(filters: Filters) -> None:
    """See that the players of a filter to which nothing fits exist.

    Raises:
        NoSuchPlayer: one does not; the message names some that are called nearly so.
    """
    for name in (filters.player, filters.against):
        if name:
            ask(known_player, name)


def clear() -> None:
    """Take all filters out of the address."""
    links.keep(**dict.fromkeys(NAMES))
