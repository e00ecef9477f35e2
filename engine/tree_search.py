"""A search tree of one position at a time, and how its room is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.feature_tables import feature_tables, work_words
from engine.geometry import COPIES, geometry
from engine.kernels.legal import SPARE
from engine.kernels.levels import LEVELS
from engine.kernels.network import OUTPUTS, Sheet
from engine.kernels.policy import BUCKETS, Moves, bucket_weights
from engine.kernels.search import Desk
from engine.kernels.state import new_state
from engine.kernels.tree import Taste, Tree
from engine.kernels.vectors import WIDTH
from engine.playouts import new_scratch
from engine.rulesets import Ruleset
from engine.search_tables import search_game
from engine.variants import variant

TASTE = Taste(exploration=0.6, urgency=0.05, noise=0.0, width=64, playouts=0.0, score_share=0.1)
"""How the search chooses, unless told otherwise (`engine/README.md` has the experiments)."""


def new_sheet(colours: int, words: int) -> Sheet:
    """Room for the network."""
    return Sheet(
        occupied=np.zeros((colours + 1, words), np.uint64),
        levels=np.zeros((colours, LEVELS, words), np.uint64),
        flood=np.zeros((6, words), np.uint64),
        rival=np.zeros(LEVELS, np.uint64),
        classes=np.zeros((colours, 64 * words), np.uint8),
        fitting=np.zeros((colours, 2), np.int64),
        reach=np.zeros((1, colours, words), np.uint64),
        first=np.zeros((colours, WIDTH), np.float32),
        second=np.zeros((1, WIDTH), np.float32),
        outputs=np.zeros((colours, OUTPUTS), np.float32),
        readings=np.zeros((colours, 4), np.float64),
    )


def new_moves(variant_id: str) -> Moves:
    """Room for a list of legal moves with priors."""
    tables = geometry(variant_id)
    placements, cells = len(tables.placement_piece), len(tables.cell_bit)
    return Moves(
        listed=np.zeros(placements + SPARE, np.int32),
        priors=np.zeros(placements, np.float32),
        ranked=np.zeros(placements, np.int32),
        values=np.zeros(3 * cells + 1, np.float32),
        buckets=np.zeros(placements, np.int32),
        counts=np.zeros(BUCKETS, np.int32),
        weights=bucket_weights(),
    )


def new_desk(variant_id: str, rules: Ruleset) -> Desk:
    """Room for a search."""
    tables, colours = geometry(variant_id), len(variant(variant_id).colours)
    units = len(search_game(variant_id, rules).units_of)
    shapes = feature_tables(variant_id)
    return Desk(
        state=new_state(tables, colours)._replace(work=np.zeros(work_words(tables, shapes), np.uint64)),
        clock=np.zeros(4, np.int64),
        sheet=new_sheet(colours, len(tables.board_bits)),
        moves=new_moves(variant_id),
        scratch=new_scratch(tables),
        mixed=np.zeros((3, colours)),
        values=np.zeros((3, colours)),
        points=np.zeros(units),
        strong=np.zeros(units),
        stream=np.zeros(1, np.uint64),
    )


def new_tree(variant_id: str, nodes: int, edges: int) -> Tree:
    """An empty tree with room for so many nodes and edges."""
    tables, colours = geometry(variant_id), len(variant(variant_id).colours)
    longest = colours * int(tables.pieces[:, COPIES].sum()) + 1
    arrays: dict[str, Any] = {
        "nodes": np.empty((nodes, 6), np.int32),
        "visits": np.empty(nodes, np.int32),
        "sums": np.empty((nodes, 3, colours), np.float64),
        "edges": np.empty((edges, 3), np.int32),
        "weights": np.empty((edges, 2), np.float64),
        "cursor": np.zeros(4, np.int64),
        "path": np.zeros((2, longest), np.int32),
    }
    return Tree(**arrays)
