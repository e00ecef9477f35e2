"""Tree search over seats: every unit (seat or team) maximises its own value; leaves are valued by the network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import BLOCKED, CELLS, OUT
from engine.geometry import F64, I8, I16, I64, U64, Geometry
from engine.kernels.compile import inner, kernel, leaf, part
from engine.kernels.levels import Board
from engine.kernels.moving import advance, copy_state, next_mover, seat_on_turn
from engine.kernels.network import (
    ANYBODY,
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
from engine.kernels.policy import Moves, Policy, write_priors
from engine.kernels.randomness import start_stream
from engine.kernels.state import Rules, State
from engine.kernels.tree import (
    CHILD,
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
    USED_NODES,
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


@leaf
def score_weight(game: Game, taste: Taste, state: State, finished: bool) -> float:
    """Weight of points in what a unit maximises, 1 at most: the more, the more cells may still be placed."""
    left = 0.0
    if not finished and taste.score_early > 0:
        for colour in range(len(state.facts)):
            if not (state.facts[colour, BLOCKED] or state.facts[colour, OUT]):
                left += game.cells - state.facts[colour, CELLS]
    return min(1.0, taste.score_share + taste.score_early * left / (game.cells * len(state.facts)))


@part
def value_position(game: Game, brain: Brain, taste: Taste, desk: Desk, mover: int, moved: int) -> None:
    """Write the values of the position on the desk for all units; exact when nobody is to move.

    `moved` as `look` takes it.
    """
    state, sheet, values = desk.state, desk.sheet, desk.values
    finished = mover == NOBODY
    if finished:
        read_finals(state, sheet)
    else:
        look(game.geometry, game.rules, game.board, state, sheet, moved)
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
    total, weight = 0.0, score_weight(game, taste, state, finished)
    for unit in range(units):
        total += desk.points[unit]
    for unit in range(units):
        lead = desk.points[unit] - (total - desk.points[unit]) / (units - 1)
        by_score = logistic(lead / 15)
        values[UTILITY, unit] = (1 - weight) * values[SHARE, unit] + weight * by_score


@leaf
def _recall(tree: Tree, node: int, sheet: Sheet) -> None:
    """Write what was seen at a node to the sheet: the reach of all colours and which pieces fit."""
    for colour in range(tree.reach.shape[1]):
        for w in range(tree.reach.shape[2]):
            sheet.reach[0, colour, w] = tree.reach[node, colour, w]
        for k in range(2):
            sheet.fitting[colour, k] = tree.fitting[node, colour, k]


@leaf
def _remember(tree: Tree, node: int, sheet: Sheet, mover: int) -> None:
    """Keep at a node what is seen: the reach of all colours, which pieces fit, the classes for the colour to move."""
    for bit in range(tree.kinds.shape[1]):
        tree.kinds[node, bit] = sheet.classes[mover, bit]
    for colour in range(tree.reach.shape[1]):
        for w in range(tree.reach.shape[2]):
            tree.reach[node, colour, w] = sheet.reach[0, colour, w]
        for k in range(2):
            tree.fitting[node, colour, k] = sheet.fitting[colour, k]


@leaf
def _add_node(game: Game, tree: Tree, desk: Desk, mover: int) -> int:
    """Make a node of the position on the desk, which has been valued; -1: no room."""
    node = new_node(tree)
    if node < 0:
        return -1
    tree.nodes[node, MOVER] = mover
    if mover == NOBODY:
        tree.nodes[node, STATUS] = OVER
    else:
        _remember(tree, node, desk.sheet, mover)
        seat = seat_on_turn(game.rules, desk.state, len(game.unit_of_seat), mover)
        # A neutral seat has nothing to gain: it plays as if for the first unit.
        tree.nodes[node, UNIT] = max(0, game.unit_of_seat[seat])
    return node


@inner
def _grow(game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, node: int) -> bool:
    """Give a node its edges; the position on the desk is the node's. False: no room."""
    first = tree.cursor[USED_EDGES]
    moves = desk.moves
    mover = np.int64(tree.nodes[node, MOVER])
    most = len(moves.priors) if node == tree.cursor[ROOT] else taste.width
    n = write_priors(
        game.geometry,
        game.rules,
        game.board,
        game.touched,
        brain.policy,
        desk.state,
        tree.kinds,
        node,
        mover,
        np.int64(tree.fitting[node, mover, 0]),
        moves,
        most,
        taste.noise,
        desk.stream,
    )
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


NO_EDGE = -1


@part
def _visit(
    game: Game, brain: Brain, taste: Taste, tree: Tree, desk: Desk, wanted: int, planting: bool
) -> bool:
    """One simulation from the root, whose position is on the desk; false when there is no room for more.

    It begins with the edge `wanted`, if that is not NO_EDGE. If `planting`, it makes the root. There is one place where
    it values a position, whatever it is for: that compiles sooner.
    """
    node, edge, depth, moved, fresh = tree.cursor[ROOT], wanted, 0, np.int64(ANYBODY), planting
    while not fresh and tree.nodes[node, STATUS] != OVER:
        if tree.nodes[node, STATUS] == NEW and not _grow(game, brain, taste, tree, desk, node):
            break  # No room for edges: the node stays a leaf, and its value counts again.
        if depth > 0 or edge == NO_EDGE:
            edge = choose(tree, taste, node)
        tree.path[0, depth], tree.path[1, depth] = node, edge
        depth += 1
        moved = np.int64(tree.nodes[node, MOVER])
        advance(
            game.geometry, game.rules, desk.state, desk.clock, moved, np.int64(tree.edges[edge, PLACEMENT])
        )
        child = np.int64(tree.edges[edge, CHILD])
        if child < 0:
            _recall(tree, node, desk.sheet)
            fresh = True
        else:
            node = child
    mover = np.int64(tree.nodes[node, MOVER])
    if fresh:
        mover = next_mover(game.geometry, game.rules, desk.state, desk.clock)
    else:
        moved = np.int64(ANYBODY)
    value_position(game, brain, taste, desk, mover, moved)
    if fresh:
        child = _add_node(game, tree, desk, mover)
        if child < 0:
            return False
        if depth > 0:
            tree.edges[edge, CHILD] = child
            tree.nodes[node, TRIED] += 1
        node = child
    back_up(tree, depth, node, desk.values)
    return True


@leaf
def _set_desk(desk: Desk, state: State, clock: I64) -> None:
    copy_state(state, desk.state)
    for k in range(len(clock)):
        desk.clock[k] = clock[k]


PLANT, GROW, TRY, SEARCH = range(4)
"""What `work_on` does; `engine.tree_search` has a function for each."""


@leaf
def _next_untried(tree: Tree) -> int:
    """The first of the root's edges that has no visit."""
    root = tree.cursor[ROOT]
    return np.int64(tree.nodes[root, FIRST_EDGE] + tree.nodes[root, TRIED])


@leaf
def _is_wanted(tree: Tree, job: int, number: np.uint64) -> bool:
    """Whether the job has another simulation to do."""
    root = tree.cursor[ROOT]
    if job == PLANT:
        return tree.cursor[USED_NODES] == 0
    if job == TRY:
        return tree.nodes[root, TRIED] < min(np.int64(number), np.int64(tree.nodes[root, EDGES]))
    return tree.visits[root] < np.int64(number) and tree.nodes[root, STATUS] != OVER


@kernel
def work_on(
    game: Game,
    brain: Brain,
    taste: Taste,
    tree: Tree,
    desk: Desk,
    state: State,
    clock: I64,
    job: int,
    number: np.uint64,
) -> int:
    """Work on the tree of a position; returns the number of visits of its root.

    PLANT empties it and makes the root, `number` is the seed. GROW gives the root its edges, if it has none and is not
    over. TRY visits each of the root's first `number` moves once, a look of one ply. SEARCH visits leaves until the
    root has `number` visits: fewer when there is no room.

    One kernel does all, because each one that takes these arguments costs five seconds of compiling.
    """
    _set_desk(desk, state, clock)
    if job == GROW:
        if tree.nodes[tree.cursor[ROOT], STATUS] == NEW:
            _grow(game, brain, taste, tree, desk, tree.cursor[ROOT])
        return np.int64(tree.visits[tree.cursor[ROOT]])
    if job == PLANT:
        tree.cursor[:] = 0
        start_stream(desk.stream, number, np.uint64(0))
    done = True
    while done and _is_wanted(tree, job, number):
        edge = _next_untried(tree) if job == TRY else NO_EDGE
        done = _visit(game, brain, taste, tree, desk, edge, job == PLANT)
        _set_desk(desk, state, clock)
    return np.int64(tree.visits[tree.cursor[ROOT]])
