"""Cells of a table that say a move: colours, cells, passes, players who leave, names of pieces."""

from __future__ import annotations

import re
from functools import cache

from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.rulesets import Ruleset
from engine.variants import variant
from notation.blksgf_ids import ids
from notation.moves import TEXTS_KEPT, keeps, move_from_names
from notation.record import ANY_COLOUR, CAUSES, Event, Move, Out, Pass

PASSES = ("pass", "-", "", "\u2013", "\u2014")
"""Texts of a pass; the dashes are what spreadsheets make of a hyphen."""

_BETWEEN = re.compile(r"[,\s+]+")
_WITH_SIZE = {
    "i1": "1", "i2": "2", "i": "I5", "v": "V5", "o4": "O", "s4": "Z4", "n5": "N", "p5": "P", "u5": "U", "w5": "W",
    "f5": "F", "x5": "X", "y5": "Y", "t": "T5", "z": "Z5", "l": "L5",
}  # fmt: skip
_SPARE = 16
"""Characters of the longest colour or pass that is kept."""


class Unreadable(ValueError):
    """A cell that says no move and no pass; the message says why."""


def colour_of(variant_id: str, text: str) -> int:
    """Return the colour of a cell, ANY_COLOUR where it is empty.

    Raises:
        Unreadable: the variant has no such colour.
    """
    word = text.strip()
    if not word:
        return ANY_COLOUR
    colour = ids(variant_id).to_move.get(word.upper().removesuffix(".0"))
    if colour is None:
        row = variant(variant_id)
        raise Unreadable(f"{row.id} has no colour {word[:40]!r}: its colours are {', '.join(row.colours)}")
    return colour


def event_of(variant_id: str, rules: Ruleset, colour_text: str, text: str) -> Event:
    """Return the event that two cells say: the colour, and cells of the board, a pass or why its player leaves.

    Raises:
        Unreadable: there is no such colour, or nobody is named who leaves.
    """
    table = event_table(variant_id)
    known = table.get((colour_text, text))
    if known is not None:
        return known
    colour = colour_of(variant_id, colour_text)
    word = text.strip().lower()
    if word in CAUSES:
        seat = next((i for i, owned in enumerate(rules.seats) if colour in owned), None)
        if seat is None:
            raise Unreadable(f"{word!r} without the colour of the player who leaves")
        return Out(seat, word)
    event: Event = Pass(colour)
    if word not in PASSES:
        event = move_from_names(variant_id, colour, _BETWEEN.split(word.strip(",+ \t\r\n")))
    if len(colour_text) <= _SPARE and _is_kept(table, text, event):
        table[colour_text, text] = event
    return event


def _is_kept(table: dict[tuple[str, str], Event], text: str, event: Event) -> bool:
    if isinstance(event, Move):
        return keeps(table, text, event)
    return len(text) <= _SPARE and len(table) < TEXTS_KEPT


@cache
def event_table(variant_id: str) -> dict[tuple[str, str], Event]:
    """Shared cache (text of the colour, text of the move) -> event; only moves that are placements, and passes."""
    return {}


@cache
def piece_names(variant_id: str) -> tuple[str, ...]:
    """Name of the piece of every placement."""
    names = PIECE_SETS[variant(variant_id).pieces].names
    return tuple(names[piece] for piece in geometry(variant_id).placement_piece.tolist())


@cache
def _by_any_name(variant_id: str) -> dict[str, str]:
    names = PIECE_SETS[variant(variant_id).pieces].names
    known = {name.lower(): name for name in names}
    return {other: name for other, name in _WITH_SIZE.items() if name in names} | known


def is_piece(variant_id: str, text: str, name: str) -> bool:
    """Whether a cell names this piece, by its name or another usual one."""
    return _by_any_name(variant_id).get(text.strip().lower()) == name
