"""Mobility, corner access, reach and the other measures of every colour at every ply, for batches of replayed games.

`engine/measures.md` says exactly what each measure is; `engine.measures` reads that page.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import EngineError
from engine.feature_tables import feature_tables, opponents, work_words
from engine.geometry import I8, I16, I32, U8, U16, U64, geometry
from engine.kernel_rules import kernel_rules
from engine.kernels import features as kernels
from engine.kernels.replay import CODE, STATUS
from engine.kernels.replay import START_OK as SETUP_FITS
from engine.kernels.state import new_state
from engine.kernels.verdicts import LEGAL
from engine.replay import Replay, check_batch
from engine.rulesets import Ruleset
from engine.variants import variant

U32 = npt.NDArray[np.uint32]

VERSION = 1
"""Goes up when a definition changes: rows of an older version are computed again."""


class Features(NamedTuple):
    """Measures of Q positions of G games, in order of game and ply. S sectors of the board, W words of a bit string.

    A game has a position for ply 0 and for each placement of its legal prefix, or none where its setup does not fit.
    """

    game: I32  # (Q,) number in the batch
    ply: U16  # (Q,)
    mover: I8  # (Q,) colour that made the ply; -1 at ply 0
    contested: U16  # (Q,)
    dead: U16  # (Q,)
    occupied: U16  # (Q,)
    four_inside_five: I8  # (Q,) 1 or 0; -1 at ply 0 and on triangles
    mobility: U16  # (Q, colours), as all below
    corner_liberties: U16
    live_corner_liberties: U16
    reach: U16
    exclusive: U16
    fitting_pieces: U8
    fitting_mask: U32  # bit i: piece i
    locked_cells: U8
    block_liberties: U16
    block_mobility: U16
    corner_access: U8  # (S, Q, colours)
    centre_contact: I16  # (G, colours) ply, 0 for the setup; -1: never
    reach_bits: U64  # (Q, colours, W) the cells in reach, by `Geometry.cell_bit`


POSITION_COLUMNS = ("contested", "dead", "occupied", "four_inside_five")
"""Measures of a position as a whole."""

COLOUR_COLUMNS = (
    "mobility",
    "corner_liberties",
    "live_corner_liberties",
    "reach",
    "exclusive",
    "fitting_pieces",
    "fitting_mask",
    "locked_cells",
    "block_liberties",
    "block_mobility",
)
"""Measures of a colour in a position; `corner_access_1`.. come with them, one for every sector."""


def position_counts(replay: Replay) -> I32:
    """Number of positions of each game, ply 0 included: ``(G,) int32``."""
    placed = (replay.verdicts.events[:, STATUS] == LEGAL) & (replay.batch.events[:, CODE] >= 0)
    before = np.concatenate([[0], np.cumsum(placed)])
    spans = replay.batch.games
    counts = before[spans[:, 1]] - before[spans[:, 0]] + 1
    counts[replay.verdicts.games[:, SETUP_FITS] == 0] = 0
    out: I32 = counts.astype(np.int32)
    return out


def features(variant_id: str, rules: Ruleset, replay: Replay) -> Features:
    """Measure every position of the legal prefixes of a replayed batch, for every colour.

    `variant_id` and `rules` are those of the replay. Memory is about 100 to 140 bytes a position and colour, so let
    a long list of games come in batches of some thousands. Colours that leave are gone from the next ply on.

    >>> from engine.replay import Script, replay_scripts
    >>> from engine.rulesets import default_rules
    >>> rules = default_rules("duo")
    >>> features("duo", rules, replay_scripts("duo", rules, [Script([])])).mobility.tolist()
    [[414, 414]]

    Raises:
        EngineError: unknown variant, rules that do not fit it, or a replay that is not of this variant.
    """
    tables, more = geometry(variant_id), feature_tables(variant_id)
    colours = len(variant(variant_id).colours)
    rules_table = kernel_rules(variant_id, rules)
    _check(replay, variant_id)
    counts = position_counts(replay)
    total, words = int(counts.sum()), len(tables.board_bits)
    sheets = kernels.Sheets(
        colours=np.empty((kernels.ACCESS + len(more.areas) - 1, total, colours), np.uint16),
        fitting=np.empty((total, colours), np.int32),
        reach=np.empty((total, colours, words), np.uint64),
        positions=np.empty((5, total), np.int16),
        centre=np.empty((len(counts), colours), np.int16),
        occupied=np.zeros((1, words), np.uint64),
        opponents=opponents(variant_id, rules),
    )
    state = new_state(tables, colours)._replace(work=np.zeros(work_words(tables, more), np.uint64))
    written = kernels.measure_games(
        tables, rules_table, more, state, replay.batch, replay.verdicts.events, sheets
    )
    assert written == total, "the replay and its measures disagree about the setups"
    return _sorted_out(counts, sheets)


def _sorted_out(counts: I32, sheets: kernels.Sheets) -> Features:
    """The kernel's sheets as arrays by name, each as narrow as it can be."""
    colours, positions = sheets.colours, sheets.positions
    first = np.repeat(np.cumsum(counts) - counts, counts)
    return Features(
        game=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        ply=(np.arange(len(first)) - first).astype(np.uint16),
        mover=positions[kernels.MOVER].astype(np.int8),
        contested=positions[kernels.CONTESTED].astype(np.uint16),
        dead=positions[kernels.DEAD].astype(np.uint16),
        occupied=positions[kernels.OCCUPIED].astype(np.uint16),
        four_inside_five=positions[kernels.FOUR_INSIDE_FIVE].astype(np.int8),
        mobility=colours[kernels.MOBILITY],
        corner_liberties=colours[kernels.LIBERTIES],
        live_corner_liberties=colours[kernels.LIVE],
        reach=colours[kernels.REACH],
        exclusive=colours[kernels.EXCLUSIVE],
        fitting_pieces=colours[kernels.FITTING].astype(np.uint8),
        fitting_mask=sheets.fitting.view(np.uint32),
        locked_cells=colours[kernels.LOCKED].astype(np.uint8),
        block_liberties=colours[kernels.BLOCK_LIBERTIES],
        block_mobility=colours[kernels.BLOCK_MOBILITY],
        corner_access=colours[kernels.ACCESS :].astype(np.uint8),
        centre_contact=sheets.centre,
        reach_bits=sheets.reach,
    )


def position_columns(found: Features) -> dict[str, npt.NDArray[Any]]:
    """Columns by name for a table with one row a position, in order of game and ply; no copies."""
    names = ("game", "ply", "mover", *POSITION_COLUMNS)
    return {name: getattr(found, name) for name in names}


def colour_columns(found: Features) -> dict[str, npt.NDArray[Any]]:
    """Columns by name for a table with one row a position and colour, in order of game, ply and colour."""
    colours = found.mobility.shape[1]
    out: dict[str, npt.NDArray[Any]] = {
        "game": np.repeat(found.game, colours),
        "ply": np.repeat(found.ply, colours),
        "colour": np.tile(np.arange(colours, dtype=np.uint8), len(found.game)),
    }
    out |= {name: getattr(found, name).reshape(-1) for name in COLOUR_COLUMNS}
    return out | {f"corner_access_{s}": part.reshape(-1) for s, part in enumerate(found.corner_access, 1)}


def _check(replay: Replay, variant_id: str) -> None:
    batch, verdicts = replay.batch, replay.verdicts
    colours = len(variant(variant_id).colours)
    check_batch(batch, colours, len(geometry(variant_id).placement_piece))
    if verdicts.facts.shape[:2] != (len(batch.games), colours) or len(verdicts.events) != len(batch.events):
        raise EngineError(f"this is no replay of a batch of {variant_id}")
