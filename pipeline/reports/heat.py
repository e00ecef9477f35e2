"""Heat maps of a variant as figures, for the reports of a library and of a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.boards import cell_names
from engine.variants import variant
from pipeline.board_svg import board_svg
from pipeline.errors import NoFeatures, NoSuchPlayer
from pipeline.heat_maps import FIRST_CONTACT, HeatMap, heat_map
from pipeline.reports.boards import colour_name
from pipeline.reports.document import Block, Column, Figure, Figures, Remark, Row, Table
from pipeline.reports.texts import Texts
from pipeline.store import Reader
from pipeline.svg_heat import Heat

OF_COLOURS, OF_ALL = ("occupied",), ("reach", "contested", "dead", FIRST_CONTACT)
"""Maps that are drawn for each colour, and for all colours together."""

HEAT = (
    Column("variant"), Column("measure", page=False), Column("colour"), Column("cell", page=False),
    Column("heat", "fine", page=False), Column("count", "whole", page=False), Column("of", "whole", page=False),
)  # fmt: skip


def heat_blocks(
    reader: Reader, variants: Sequence[str], t: Texts, player: str | None = None
) -> Iterator[Block]:
    """Maps of some variants, of one player's colours where one is named, and a table with their numbers for files."""
    rows: list[Row] = []
    for name in variants:
        try:
            maps = list(_maps(reader, name, player))
        except (NoFeatures, NoSuchPlayer):
            yield Remark(t("heat.none", variant=variant(name).name))
            continue
        # The first map is of one colour, so of games; of a player it is of all colours that the player had.
        counted = t.counted("games" if player is None else "heat.colours", maps[0].games)
        yield Remark(t("heat.of", variant=variant(name).name, games=counted))
        if maps[0].missing:
            yield Remark(t("heat.missing", games=t.counted("games", maps[0].missing)))
        yield Figures([_figure(found, t) for found in maps], "boards")
        rows += [row for found in maps for row in _rows(found)]
    if rows:
        yield Table("heat_maps", HEAT, rows, 0)


def _maps(reader: Reader, name: str, player: str | None) -> Iterator[HeatMap]:
    for measure in OF_COLOURS:
        if player is not None:
            yield heat_map(reader, name, measure, player=player)
            continue
        for colour in range(1, len(variant(name).colours) + 1):
            yield heat_map(reader, name, measure, colour)
    for measure in OF_ALL:
        yield heat_map(reader, name, measure, player=player)


def _figure(found: HeatMap, t: Texts) -> Figure:
    """The map, its scale from the least to the greatest value; early contacts are dark."""
    known = found.values[np.isfinite(found.values)]
    caption = t(f"heat.{found.measure}")
    if found.colour is not None:
        caption = t("heat.colour", colour=colour_name(t, found.variant, found.colour - 1), what=caption)
    if not len(known):
        return Figure("", t("heat.empty", what=caption))
    low, high = float(known.min()), float(known.max())
    first = found.measure == FIRST_CONTACT
    low = low if first else 0.0
    part = (found.values - low) / (high - low) if high > low else found.values * 0
    values = [float(v) if np.isfinite(v) else None for v in (1 - part if first else part)]
    ends = (t("heat.ply", n=t.decimal(high, 0)), t("heat.ply", n=t.decimal(low, 0)))
    pale, dark = ends if first else (t.share(low), t.share(high))
    heat = Heat(values, pale, dark)
    uid = f"heat-{found.variant}-{found.measure}-{found.colour or 0}"
    return Figure(board_svg(found.variant, title=caption, uid=uid, heat=heat, small=True), caption)


def _rows(found: HeatMap) -> Iterator[Row]:
    colour = None if found.colour is None else variant(found.variant).colours[found.colour - 1]
    for cell, value, count in zip(
        cell_names(variant(found.variant).board), found.values.tolist(), found.counts.tolist(), strict=True
    ):
        yield {
            "variant": found.variant,
            "measure": found.measure,
            "colour": colour,
            "cell": cell,
            "heat": value,
            "count": count,
            "of": found.of,
        }
