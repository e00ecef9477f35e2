"""Tree search over seats: every unit (seat or team) maximises its own value; leaves are valued by the network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import OUT
from engine.geometry import F64, I8, I16, I64, U64, Geometry
from engine.kernels.compile import inner, kernel, leaf
from engine.kernels.levels import Board
from engine.kernels.moving import advance, copy_state, next_mover, seat_on_turn
from engine.kernels.network import (
    STRONG,
    Net,
    Sheet,
    colour_points,
    logistic,
    look,
    read_finals,
    read_outputs,
    run_network,
)
from engine.kernels.playouts import Playing, Scratch, play_out
from engine.kernels.policy import Moves, Policy, write_priors
from engine.kernels.randomness import start_stream
from engine.kernels.state import Rules, State
from engine.kernels.tree import (
    CHILD,
    DEEPEST,
    EDGES,
    FIRST_EDGE,
    GROWN,
    MOVER,
    NEW,
    OVER,
    PLACEMENT,
    POINTS,
    PRIOR,
    ROOT,
    SHARE,
    STATUS,
    TRIED,
    UNIT,
    USED_EDGES,
    UTILITY,
    VISITS,
    WORTH,
    Taste,
    Tree,
    back_up,
    choose,
    new_node,
)
from engine.kernels.turns import NOBODY


class Game(NamedTuple):
    """What a search needs to know of a variant and a ruleset. n colours, S seats, U units."""

    geometry: Geometry
    rules: Rules
    board: Board
    scoring: F64  # (4,) points for a cell placed, a cell left, all placed, all with the single cell last
    cells: int  # of all pieces of a colour
    touched: I16  # (P, k GATHERED) indexes of what placements cover and touch, see `search_tables`
    units_of: I8  # (U, n) how often a colour's points count for a unit: 1 or 0
    unit_of_seat: I8  # (S,) unit of a seat, -1: none
    playing: Playing  # policy of playouts


class Brain(NamedTuple):
    """Learned weights."""

    net: Net
    policy: Policy


class Desk(NamedTuple):
    """Room for a search: its own position and scratch."""

    state: State
    clock: I64  # (4,)
    sheet: Sheet
    moves: Moves
    scratch: Scratch  # of playouts
    mixed: F64  # (3, n)
    values: F64  # (3, n) UTILITY and SHARE by unit, POINTS by colour
    points: F64  # (U,)
    strong: F64  # (U,)
    stream: U64  # (1,)


@inner
def _shares(game: Game, desk: Desk, finished: bool) -> None:
    """Write the shares of the units: the mean over the others of the chance to be ahead of them."""
    values, units = desk.values, len(game.units_of)
    for unit in range(units):
        values[SHARE, unit] = 0
    for one in range(units):
        for other in range(one):
            apart = desk.strong[one] - desk.strong[other]
            ahead = 1.0 if apart > 0 else (0.5 if apart == 0 else 0.0)
            chance = ahead if finished else logistic(apart)
            values[SHARE, one] += chance / (units - 1)
            values[SHARE, other] += (1 - chance) / (units - 1)


@inner
def value_position(game: Game, brain: Brain, taste: Taste, desk: Desk, mover: int) -> None:
    """Write the values of the position on the desk for all units; exact when nobody is to move."""
    state, sheet, values = desk.state, desk.sheet, desk.values
    finished = mover == NOBODY
    if finished:
        read_finals(state, sheet)
    else:
        look(game.geometry, game.rules, game.board, state, sheet)
        run_network(game.geometry, game.board, brain.net, state, sheet, mover)
        read_outputs(game.scoring, game.cells, state, sheet)
    units, colours = game.units_of.shape
    for colour in range(colours):
        values[POINTS, colour] = colour_points(game.scoring, game.cells, sheet.readings, colour)
    for unit in range(units):
        points, strong, gone = 0.0, 0.0, True
        for colour in range(colours):
            if game.units_of[unit, colour]:
                points += values[POINTS, colour]
                strong += sheet.readings[colour, STRONG]
                gone = gone and state.facts[colour, OUT] == 1
        desk.points[unit] = points
        # Who has left is behind all others, whatever the points.
        desk.strong[unit] = -1e6 if gone else (points if finished else strong)
    _shares(game, desk, finished)
    total = 0.0
    for unit in range(units):
        total += desk.points[unit]
    for unit in range(units):
        lead = desk.points[unit] - (total - desk.points[unit]) / (units - 1)
        by_score = logistic(lead / 15)
        values[UTILITY, unit] = (1 - taste.score_share) * values[SHARE, unit] + taste.score_share * by_score


@inner
def _mix_playout(game: Game, brain: Brain, taste: Taste, desk: Desk) -> None:
    """Play the desk's position out, and mix the end with the values the network gave it."""
    kinds, columns = desk.values.shape
    for kind in range(kinds):
        for column in range(columns):
            desk.mixed[kind, column] = desk.values[kind, column]
    play_out(game.geometry, game.rules, game.playing, desk.state, desk.clock, desk.scratch, desk.stream)
    value_position(game, brain, taste, desk, NOBODY)
    for kind in range(kinds):
        for column in range(columns):
            apart = desk.values[kind, column] - desk.mixed[kind, column]
            desk.values[kind, column] = desk.mixed[kind, column] + taste.playouts * apart


@inner
def _add_node(game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk) -> int:
    """Value the position on the desk and make a node of it; -1: no room."""
    mover = next_mover(game.geometry, game.rules, desk.state, desk.clock)
    value_position(game, brain, taste, desk, mover)
    node = new_node(tree)
    if node < 0:
        return -1
    tree.nodes[node, MOVER] = mover
    if mover == NOBODY:
        tree.nodes[node, STATUS] = OVER
    else:
        seat = seat_on_turn(game.rules, desk.state, len(game.unit_of_seat), mover)
        # A neutral seat has nothing to gain: it plays as if for the first unit.
        tree.nodes[node, UNIT] = max(0, game.unit_of_seat[seat])
        if taste.playouts > 0:
            _mix_playout(game, brain, taste, desk)
    return node


@inner
def _grow(game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, node: int) -> bool:
    """Give a node its edges; the position on the desk is the node's. False: no room."""
    first = tree.cursor[USED_EDGES]
    look(game.geometry, game.rules, game.board, desk.state, desk.sheet)
    moves = desk.moves
    n = write_priors(
        game.geometry,
        game.rules,
        game.board,
        game.touched,
        brain.policy,
        desk.state,
        desk.sheet.classes,
        np.int64(tree.nodes[node, MOVER]),
        moves,
        taste.noise,
        desk.stream,
    )
    if node != tree.cursor[ROOT]:
        n = min(n, taste.width)
    if first + n > len(tree.edges):
        return False
    for i in range(n):
        at = np.int64(moves.ranked[i])
        tree.edges[first + i, PLACEMENT] = moves.listed[at]
        tree.edges[first + i, CHILD] = -1
        tree.edges[first + i, VISITS] = 0
        tree.weights[first + i, PRIOR] = moves.priors[at]
        tree.weights[first + i, WORTH] = 0
    tree.cursor[USED_EDGES] = first + n
    tree.nodes[node, FIRST_EDGE], tree.nodes[node, EDGES] = first, n
    tree.nodes[node, STATUS] = GROWN
    return True


@inner
def _visit(game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk) -> bool:
    """One simulation from the root, whose position is on the desk; false when there is no room for more."""
    node = tree.cursor[ROOT]
    depth = 0
    while True:
        status = tree.nodes[node, STATUS]
        if status == OVER:
            value_position(game, brain, taste, desk, NOBODY)
            break
        if status == NEW and not _grow(game, brain, taste, tree, desk, node):
            # No room for edges: the node stays a leaf, and its value counts again.
            value_position(game, brain, taste, desk, np.int64(tree.nodes[node, MOVER]))
            break
        edge = choose(tree, taste, node)
        tree.path[0, depth], tree.path[1, depth] = node, edge
        depth += 1
        mover = np.int64(tree.nodes[node, MOVER])
        advance(
            game.geometry, game.rules, desk.state, desk.clock, mover, np.int64(tree.edges[edge, PLACEMENT])
        )
        child = np.int64(tree.edges[edge, CHILD])
        if child < 0:
            child = _add_node(game, brain, taste, tree, desk)
            if child < 0:
                return False
            tree.edges[edge, CHILD] = child
            tree.nodes[node, TRIED] += 1
            node = child
            break
        node = child
    tree.cursor[DEEPEST] = max(tree.cursor[DEEPEST], depth)
    back_up(tree, depth, node, desk.values)
    return True


@leaf
def _set_desk(desk: Desk, state: State, clock: I64) -> None:
    copy_state(state, desk.state)
    for k in range(len(clock)):
        desk.clock[k] = clock[k]


@kernel
def plant(
    game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, state: State, clock: I64, seed: np.uint64
) -> int:
    """Empty the tree and make the root; returns the colour to move, NOBODY when the game is over."""
    tree.cursor[:] = 0
    start_stream(desk.stream, seed, np.uint64(0))
    _set_desk(desk, state, clock)
    root = _add_node(game, brain, taste, tree, desk)
    back_up(tree, 0, root, desk.values)
    return np.int64(tree.nodes[root, MOVER])


@kernel
def grow_root(
    game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, state: State, clock: I64
) -> bool:
    """Give the root its edges, if it is not over."""
    root = tree.cursor[ROOT]
    _set_desk(desk, state, clock)
    return tree.nodes[root, STATUS] == NEW and _grow(game, brain, taste, tree, desk, root)


@kernel
def try_moves(
    game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, state: State, clock: I64, count: int
) -> None:
    """Visit each of the root's first `count` moves once, if it has none: a look of one ply."""
    root = tree.cursor[ROOT]
    while tree.nodes[root, TRIED] < min(count, tree.nodes[root, EDGES]):
        _set_desk(desk, state, clock)
        edge = np.int64(tree.nodes[root, FIRST_EDGE] + tree.nodes[root, TRIED])
        mover = np.int64(tree.nodes[root, MOVER])
        tree.path[0, 0], tree.path[1, 0] = root, edge
        advance(
            game.geometry, game.rules, desk.state, desk.clock, mover, np.int64(tree.edges[edge, PLACEMENT])
        )
        child = _add_node(game, brain, taste, tree, desk)
        if child < 0:
            break
        tree.edges[edge, CHILD] = child
        tree.nodes[root, TRIED] += 1
        back_up(tree, 1, child, desk.values)


@kernel
def search(
    game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, state: State, clock: I64, visits: int
) -> int:
    """Visit leaves until the root has `visits`; returns how many visits it has: fewer when there is no room."""
    root = tree.cursor[ROOT]
    while tree.visits[root] < visits and tree.nodes[root, STATUS] != OVER:
        _set_desk(desk, state, clock)
        if not _visit(game, brain, taste, tree, desk):
            break
    return np.int64(tree.visits[root])


@kernel
def static_value(game: Game, brain: Brain, taste: Taste, desk: Desk, state: State, clock: I64) -> int:
    """Value a position without search: `desk.values`, and `desk.sheet.readings` of the colours; returns the mover."""
    _set_desk(desk, state, clock)
    mover = next_mover(game.geometry, game.rules, desk.state, desk.clock)
    value_position(game, brain, taste, desk, mover)
    return mover
