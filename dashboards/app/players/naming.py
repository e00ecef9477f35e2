"""Names of players in addresses and on pages: they come from records, so they can be anything."""

from __future__ import annotations

import hashlib

import streamlit as st

from dashboards.app import links
from pipeline.contests import known_player
from pipeline.errors import NoSuchPlayer
from pipeline.players.listing import listed_players
from pipeline.store import Reader
from pipeline.svg import words as escaped

LONGEST = 120
"""Characters of a name that an address holds; a longer one is named by its beginning and a digest."""

SHOWN = 60
"""Characters of a name that tables and headings show; the whole is in the tooltip."""

MARK = "~"


def in_address(name: str) -> str:
    """What names a player in an address."""
    return name if len(name) <= LONGEST else f"{name[:20]}{MARK}{_digest(name)}"


def person_of(reader: Reader, text: str) -> str:
    """The player of an address.

    Raises:
        NoSuchPlayer: there is none of that name.
    """
    try:
        return known_player(reader, text)
    except NoSuchPlayer:
        for row in listed_players(reader) if MARK in text else ():
            if in_address(row["player"]) == text:
                return str(row["player"])
        raise


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def address(name: str, **values: object) -> str:
    """Address of a player's page."""
    return links.address("players", name=in_address(name), **values)


def short(name: str, most: int = SHOWN) -> str:
    """A name cut to what fits."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def marked(name: str | None, unknown: str = "") -> str:
    """A name as HTML that keeps to itself, whatever way it is written in."""
    if name is None:
        return escaped(unknown)
    whole = f' title="{escaped(short(name, 1000))}"' if len(name) > SHOWN else ""
    return f"<bdi{whole}>{escaped(short(name))}</bdi>"


def heading(markup: str, about: str = "") -> None:
    """A heading of escaped words, with a line below it."""
    below = (
        f'<p style="margin: 0.3rem 0 0; opacity: 0.8; overflow-wrap: anywhere">{about}</p>' if about else ""
    )
    look = "font-size: 1.9rem; line-height: 1.2; margin: 0; padding: 0; overflow-wrap: anywhere"
    st.html(f'<h1 style="{look}">{markup}</h1>{below}')
