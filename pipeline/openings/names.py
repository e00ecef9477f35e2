"""Names of openings, out of `names.json`: by the pieces that a colour plays first, or by the cells of a line.

Most names are handed down with pieces only. Such a name says that the pieces fit (`by` is "pieces"); where the cells of
a line are known too, it says that they are on the board, in any order and in any exact image (`by` is "cells").
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import permutations

from engine.boards import cells_by_name
from engine.rulesets import default_rules
from engine.symmetries import automorphisms
from engine.variants import variant
from pipeline.openings.positions import Spot
from pipeline.queries import Row

Steps = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An opening, by `steps` or by a `line`.

    Steps are the pieces that one colour plays, each one of several; a line has the cells of the moves of all colours in
    turn.
    """

    name: str
    variants: tuple[str, ...]
    steps: Steps
    line: tuple[tuple[str, ...], ...]
    note: str
    sources: tuple[str, ...]


@cache
def named_openings() -> tuple[Named, ...]:
    """All openings that have a name, the longer ones first."""
    data = json.loads(resources.files("pipeline.openings").joinpath("names.json").read_text(encoding="utf-8"))
    found = [
        Named(
            entry["name"],
            tuple(entry["variants"]),
            tuple(frozenset(step) for step in entry.get("steps", ())),
            tuple(tuple(move.split(",")) for move in entry.get("line", ())),
            entry.get("note", ""),
            tuple(data["sources"][source] for source in entry["sources"]),
        )
        for entry in data["openings"]
    ]
    return tuple(sorted(found, key=lambda named: -max(len(named.steps), len(named.line))))


def names_at(spot: Spot) -> list[Row]:
    """Names that fit a position: name, colour (from 1; null: a line of all), by pieces or cells, note, sources."""
    rows = []
    for named in named_openings():
        if spot.variant not in named.variants:
            continue
        if named.line:
            if _on_board(spot, named):
                rows.append(_row(spot, named, None))
            continue
        for colour in range(len(variant(spot.variant).colours)):
            pieces = [piece for of, piece in spot.pieces if of == colour]
            if _fits(pieces, named.steps, spot.in_order):
                rows.append(_row(spot, named, colour))
    return _most_precise(rows)


def name_after(spot: Spot, colour: int, piece: str) -> str | None:
    """The name that a move of a colour (from 0) with a piece completes, by pieces alone; None: none."""
    pieces = [other for of, other in spot.pieces if of == colour]
    if not spot.in_order:
        return None
    whole = [*pieces, piece]
    fitting = (
        named.name
        for named in named_openings()
        if spot.variant in named.variants
        and len(named.steps) == len(whole)
        and _fits(whole, named.steps, True)
    )
    return next(fitting, None)


def _fits(pieces: Sequence[str], steps: Steps, in_order: bool) -> bool:
    """Whether a colour's first pieces are those of the steps; without an order, whether they can have been."""
    if in_order:
        first = pieces[: len(steps)]
        # Two steps with the same choice are not the same piece twice.
        return len(first) == len(steps) and all(p in step for p, step in zip(first, steps, strict=True))
    return len(pieces) == len(steps) and any(_fits(order, steps, True) for order in permutations(pieces))


def _on_board(spot: Spot, named: Named) -> bool:
    by_name = cells_by_name(variant(spot.variant).board)
    colours = len(variant(spot.variant).colours)
    wanted = [(by_name[name], number % colours) for number, move in enumerate(named.line) for name in move]
    start = default_rules(spot.variant).start
    return any(
        all(spot.board[image[cell]] == colour for cell, colour in wanted)
        for image in automorphisms(spot.variant, start).tolist()
    )


def _row(spot: Spot, named: Named, colour: int | None) -> Row:
    return {
        "name": named.name,
        "colour": None if colour is None else colour + 1,
        "colour_name": None if colour is None else variant(spot.variant).colours[colour],
        "by": "pieces" if colour is not None else "cells",
        "note": named.note or None,
        "sources": list(named.sources),
    }


def _most_precise(rows: list[Row]) -> list[Row]:
    """Of several names for one colour's pieces the first, which is the longest; lines all stay."""
    seen: set[int | None] = set()
    out = []
    for row in rows:
        if row["colour"] is None or row["colour"] not in seen:
            out.append(row)
        seen.add(row["colour"])
    return out
