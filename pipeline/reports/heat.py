"""Heat maps of a variant as figures, for the reports of a library and of a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.areas import PHASES, phase_ends
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

BY_PHASE = ("occupied", "reach", "contested", "dead")
"""Maps that are drawn for each phase of the game, of all colours together; files have them by colour too."""

HEAT = (
    Column("variant"), Column("measure", page=False), Column("phase", page=False), Column("colour"),
    Column("cell", page=False),
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
            phases = [[heat_map(reader, name, m, None, player, p) for p in PHASES] for m in BY_PHASE]
        except (NoFeatures, NoSuchPlayer):
            yield Remark(t("heat.none", variant=variant(name).name))
            continue
        # The first map is of one colour, so of games; of a player it is of all colours that the player had.
        counted = t.counted("games" if player is None else "heat.colours", maps[0].games)
        yield Remark(t("heat.of", variant=variant(name).name, games=counted))
        if maps[0].missing:
            yield Remark(t("heat.missing", games=t.counted("games", maps[0].missing)))
        yield Figures([_figure(found, t) for found in maps], "boards")
        yield Remark(t("heat.phases", ends=t("list_comma").join(phase_words(name, t))))
        for of_measure in phases:
            top = max((float(np.nanmax(m.values)) for m in of_measure if m.of), default=0.0)
            yield Figures([_figure(found, t, top) for found in of_measure], "thirds")
        more = [found for of_measure in phases for found in of_measure]
        more += [] if player else list(_of_colours_by_phase(reader, name))
        rows += [row for found in (*maps, *more) for row in _rows(found)]
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


def _of_colours_by_phase(reader: Reader, name: str) -> Iterator[HeatMap]:
    for measure in OF_COLOURS:
        for colour in range(1, len(variant(name).colours) + 1):
            for phase in PHASES:
                yield heat_map(reader, name, measure, colour, None, phase)


def phase_words(name: str, t: Texts) -> Iterator[str]:
    """Each phase with the plies that it has."""
    opening, middle = phase_ends(name)
    for phase, first, last in zip(PHASES, (0, opening + 1, middle + 1), (opening, middle, None), strict=True):
        plies = t("heat.plies_from", first=first) if last is None else t("heat.plies", first=first, last=last)
        yield t("heat.phase", phase=t.named("phases", phase), plies=plies)


def _figure(found: HeatMap, t: Texts, top: float | None = None) -> Figure:
    """The map, its scale up to its greatest value, or to `top`."""
    caption = heat_words(found, t)
    if found.phase is not None:
        caption = t(
            "heat.of_phase",
            what=t(f"heat.short.{found.measure}"),
            phase=t.named("phases", found.phase),
            top=t.share(top or 0.0),
        )
    heat = heat_of(found, t, top)
    if heat is None:
        return Figure("", t("heat.empty", what=caption))
    if found.phase is not None:
        # Maps of phases are too small for the letters of a scale: their captions say it.
        heat = Heat(heat.values)
    uid = f"heat-{found.variant}-{found.measure}-{found.phase or found.colour or 0}"
    return Figure(board_svg(found.variant, title=caption, uid=uid, heat=heat, small=True), caption)


def heat_words(found: HeatMap, t: Texts) -> str:
    """What a map shows, and of which colour."""
    said = t(f"heat.{found.measure}")
    if found.colour is None:
        return said
    return t("heat.colour", colour=colour_name(t, found.variant, found.colour - 1), what=said)


def heat_of(found: HeatMap, t: Texts, top: float | None = None) -> Heat | None:
    """Shades of a map with the ends of their scale, its greatest value or `top`; early contacts are dark.

    None where no cell has a value.
    """
    known = found.values[np.isfinite(found.values)]
    if not len(known):
        return None
    low, high = float(known.min()), float(known.max()) if top is None else top
    first = found.measure == FIRST_CONTACT
    low = low if first else 0.0
    part = (found.values - low) / (high - low) if high > low else found.values * 0
    values = [float(v) if np.isfinite(v) else None for v in (1 - part if first else part)]
    ends = (t("heat.ply", n=t.decimal(high, 0)), t("heat.ply", n=t.decimal(low, 0)))
    pale, dark = ends if first else (t.share(low), t.share(high))
    return Heat(values, pale, dark)


def _rows(found: HeatMap) -> Iterator[Row]:
    colour = None if found.colour is None else variant(found.variant).colours[found.colour - 1]
    for cell, value, count in zip(
        cell_names(variant(found.variant).board), found.values.tolist(), found.counts.tolist(), strict=True
    ):
        yield {
            "variant": found.variant,
            "measure": found.measure,
            "phase": found.phase,
            "colour": colour,
            "cell": cell,
            "heat": value,
            "count": count,
            "of": found.of,
        }
