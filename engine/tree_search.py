"""A search tree of one position at a time, and how its room is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.feature_tables import feature_tables, work_words
from engine.geometry import COPIES, I64, geometry
from engine.kernels.legal import SPARE
from engine.kernels.levels import LEVELS
from engine.kernels.network import OUTPUTS, Sheet
from engine.kernels.policy import BUCKETS, Moves, bucket_weights
from engine.kernels.search import GROW, PLANT, SEARCH, TRY, Brain, Desk, Game, work_on
from engine.kernels.state import State, new_state
from engine.kernels.tree import MOVER, Taste, Tree
from engine.kernels.vectors import WIDTH
from engine.rulesets import Ruleset
from engine.search_tables import search_game
from engine.variants import variant

TASTE = Taste(exploration=0.6, urgency=0.05, noise=0.0, width=64, score_share=0.1, score_early=0.0)
"""How the search of two sides chooses, unless told otherwise (`engine/README.md` has the experiments)."""

MANY_SCORE_EARLY = 2.0
"""Where more than two play, points are all that counts until the middle of the game: that won more matches."""


def taste_for(game: Game, noise: float = 0.0) -> Taste:
    """How the search of a game chooses."""
    many = len(game.units_of) > 2
    return TASTE._replace(noise=noise, score_early=MANY_SCORE_EARLY if many else 0.0)


def new_sheet(colours: int, words: int) -> Sheet:
    """Room for the network."""
    return Sheet(
        occupied=np.zeros((colours + 1, words), np.uint64),
        levels=np.zeros((colours, LEVELS, words), np.uint64),
        flood=np.zeros((6, words), np.uint64),
        rival=np.zeros(LEVELS - 1, np.uint64),
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
        "kinds": np.empty((nodes, 64 * len(tables.board_bits)), np.uint8),
        "reach": np.empty((nodes, colours, len(tables.board_bits)), np.uint64),
        "fitting": np.empty((nodes, colours, 2), np.int32),
        "edges": np.empty((edges, 3), np.int32),
        "weights": np.empty((edges, 2), np.float64),
        "cursor": np.zeros(3, np.int64),
        "path": np.zeros((2, longest), np.int32),
    }
    return Tree(**arrays)


Task = tuple[Game, Brain, Taste, Tree, Desk, State, I64]
"""A search: what is searched, with what, where, and the position (its arrays and its clock)."""


def plant(task: Task, seed: int) -> int:
    """Empty the tree and make the root; returns the colour to move, NOBODY when the game is over."""
    work_on(*task, PLANT, np.uint64(seed))
    return int(task[3].nodes[0, MOVER])


def grow_root(task: Task) -> None:
    """Give the root its edges, if it has none and its game is not over."""
    work_on(*task, GROW, np.uint64(0))


def try_moves(task: Task, count: int) -> None:
    """Visit each of the root's first `count` moves once, if it has none: a look of one ply."""
    work_on(*task, TRY, np.uint64(count))


def search(task: Task, visits: int) -> int:
    """Visit leaves until the root has `visits`; returns how many it has: fewer when there is no room."""
    return int(work_on(*task, SEARCH, np.uint64(visits)))
