"""The slow twin of what the search looks at: levels and classes of cells, the network, the priors; sets and loops."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.boards import neighbours
from engine.facts import OUT
from engine.geometry import geometry, placement_cells
from engine.kernels.levels import ALLY, BARRED, CLASSES, FREE, LEVELS, LIBERTY, NEAR, OWN, REACHED, RIVAL
from engine.kernels.network import ALL, REST, SINGLE, STAGES, STEEPNESS, STRENGTH, WIDTHS, Net
from engine.kernels.policy import BUCKETS, CORNER, COVER, EDGE, PHASES, Policy
from engine.kernels.tree import Taste
from engine.position import Position
from engine.rulesets import Ruleset, start_groups
from engine.scoring import cells_of_set, units
from engine.scoring_tables import SCORINGS
from engine.search_tables import places

Array = npt.NDArray[np.float64]


def out(position: Position, colour: int) -> bool:
    return bool(position._state.facts[colour, OUT])


def placed(position: Position, colour: int) -> int:
    """Pieces that a colour has placed."""
    names = position.pieces_left(colour)
    return int(position._geometry.pieces[:, 1].sum()) - sum(names.values())


def stuck(position: Position, colour: int) -> bool:
    """Whether a colour makes no move any more."""
    return out(position, colour) or len(position.legal_placements(colour)) == 0


def side(rules: Ruleset, colour: int) -> set[int]:
    """The colours that win with a colour, itself included."""
    seat = next((s for s, owned in enumerate(rules.seats) if colour in owned), None)
    if seat is None:
        return {colour}
    team = next((t for t in rules.teams if seat in t), (seat,))
    return {c for s in team for c in rules.seats[s]}


def liberties(position: Position, colour: int) -> set[int]:
    """Empty cells that a move of the colour may touch, and that it may cover."""
    board, near = position.board, neighbours(position.variant.board)
    if placed(position, colour) == 0:
        groups = start_groups(position.variant.id, position.rules.start)[colour]
        found = {c for group in groups if all(board[g] < 0 for g in group) for c in group}
    else:
        found = {n for c in np.flatnonzero(board == colour) for n in near[c][1]}
    return found & allowed(position, colour)


def allowed(position: Position, colour: int) -> set[int]:
    """Empty cells that are not side by side with the colour's own."""
    board, near = position.board, neighbours(position.variant.board)
    empty = np.flatnonzero(board < 0).tolist()
    return {c for c in empty if all(board[n] != colour for n in near[c][0])}


def reach(position: Position, colour: int) -> set[int]:
    """Cells of the legal placements of a colour."""
    if out(position, colour):
        return set()
    tables = position._geometry
    listed = position.legal_placements(colour).tolist()
    return {c for placement in listed for c in placement_cells(tables, placement)}


def levels(position: Position, colour: int) -> list[int]:
    """Level of every cell for a colour, by breadth-first search from its reach."""
    out_of = [BARRED] * len(position.board)
    reached = reach(position, colour)
    if not reached:
        return out_of
    open_to, near = allowed(position, colour), neighbours(position.variant.board)
    touching = liberties(position, colour) if placed(position, colour) else set()
    distance = dict.fromkeys(reached, 0)
    waiting = deque(distance)
    while waiting:
        here = waiting.popleft()
        for there in near[here][0]:
            if there in open_to and there not in distance:
                distance[there] = distance[here] + 1
                waiting.append(there)
    for cell in open_to:
        steps = distance.get(cell, 99)
        if steps == 0:
            out_of[cell] = LIBERTY if cell in touching else REACHED
        else:
            out_of[cell] = NEAR if steps <= 4 else FREE
    return out_of


def classes(position: Position) -> list[list[int]]:
    """Class of every cell for every colour."""
    board = position.board.tolist()
    colours = range(len(position.variant.colours))
    levels_of = [levels(position, c) for c in colours]
    found = []
    for colour in colours:
        friends = side(position.rules, colour)
        row = []
        for cell, owner in enumerate(board):
            if owner < 0:
                rival = min(levels_of[c][cell] for c in colours if c not in friends)
                row.append(1 + LEVELS * levels_of[colour][cell] + rival)
            else:
                row.append(OWN if owner == colour else ALLY if owner in friends else RIVAL)
        found.append(row)
    return found


def fitting(position: Position, colour: int) -> tuple[set[int], int]:
    """Pieces that a colour can place, and how many legal placements it has."""
    if out(position, colour):
        return set(), 0
    listed = position.legal_placements(colour).tolist()
    return {int(position._geometry.placement_piece[placement]) for placement in listed}, len(listed)


@dataclass
class Seen:
    """What the network is shown of a position."""

    kinds: list[list[int]]
    fitting: list[tuple[set[int], int]]
    left: list[list[int]]
    placed: list[int]
    mover: int


def seen(position: Position, mover: int) -> Seen:
    colours = range(len(position.variant.colours))
    left = [list(map(int, position._state.left[c])) for c in colours]
    return Seen(
        classes(position),
        [fitting(position, c) for c in colours],
        left,
        [placed(position, c) for c in colours],
        mover,
    )


@cache
def places_of(variant_id: str) -> list[list[int]]:
    return [row.tolist() for row in places(variant_id)]


def first_layer(variant_id: str, net: Net, shown: Seen) -> Array:
    """First layer of every colour: ``(n, WIDTH)``."""
    rows, at = net.rows.astype(float), places_of(variant_id)
    spots = max(map(max, at)) + 1
    n, pieces = len(shown.kinds), len(geometry(variant_id).pieces)
    layers = np.zeros((n, rows.shape[1]))
    for colour in range(n):
        for cell, kind in enumerate(shown.kinds[colour]):
            layers[colour] += rows[at[colour][cell] * CLASSES + kind]
        fit, number = shown.fitting[colour]
        base = spots * CLASSES
        for piece, copies in enumerate(shown.left[colour]):
            layers[colour] += copies * rows[base + piece + (0 if piece in fit else pieces)]
        base += 2 * pieces
        layers[colour] += rows[base + min(number.bit_length(), WIDTHS - 1)]
        base += WIDTHS
        layers[colour] += rows[base + min(shown.placed[colour] // 2, STAGES - 1)]
        layers[colour] += rows[base + STAGES + (colour - shown.mover) % n]
    return layers


def outputs(variant_id: str, net: Net, shown: Seen) -> Array:
    """Outputs of every colour: ``(n, OUTPUTS)``."""
    layers = np.maximum(first_layer(variant_id, net, shown), 0)
    n, width = layers.shape
    hidden, output = net.hidden.astype(float), net.output.astype(float)
    found = []
    for colour in range(n):
        turned = np.concatenate([layers[(colour + r) % n] for r in range(n)])
        second = np.maximum(turned @ hidden[: n * width] + hidden[n * width], 0)
        found.append(output[:, :width] @ second + output[:, width])
    return np.array(found)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


@dataclass
class Values:
    """Values of a position: by unit, by colour."""

    utility: list[float]
    share: list[float]
    points: list[float]


def values(position: Position, net: Net, mover: int | None, taste: Taste) -> Values:
    """Values of all units; exact where nobody is to move."""
    rules, variant_id, facts = position.rules, position.variant.id, position.facts
    table, cells = SCORINGS[rules.scoring], cells_of_set(variant_id)
    colours = range(len(facts))
    final = [float(f.cells_placed) for f in facts]
    every, single = [float(f.all_placed) for f in facts], [float(f.single_last) for f in facts]
    strength, steepness = [0.0] * len(facts), 0.0
    if mover is not None:
        found = outputs(variant_id, net, seen(position, mover))
        steepness = math.log1p(math.exp(found[:, STEEPNESS].mean()))
        strength = found[:, STRENGTH].tolist()
        for c in colours:
            if not stuck(position, c):
                final[c] += (cells - final[c]) * sigmoid(found[c, REST])
                every[c] = sigmoid(found[c, ALL])
                single[c] = every[c] * sigmoid(found[c, SINGLE])
    points = [
        table.placed * final[c]
        + table.left * (cells - final[c])
        + table.all_placed * (every[c] - single[c])
        + table.single_last * single[c]
        for c in colours
    ]
    owned = [[c for seat in unit for c in rules.seats[seat]] for unit in units(rules)]
    totals = [sum(points[c] for c in unit) for unit in owned]
    strong = [sum(strength[c] + steepness * points[c] / 10 for c in unit) for unit in owned]
    gone = [all(out(position, c) for c in unit) for unit in owned]
    count = len(owned)
    share = [0.0] * count
    for one in range(count):
        for other in range(count):
            if one != other:
                share[one] += _ahead(one, other, gone, totals if mover is None else strong, mover) / (
                    count - 1
                )
    utility = []
    weight = taste.score_share
    if mover is not None:
        open_ = sum(cells - facts[c].cells_placed for c in colours if not stuck(position, c))
        weight = min(1.0, weight + taste.score_early * open_ / (cells * len(facts)))
    for one in range(count):
        lead = totals[one] - (sum(totals) - totals[one]) / (count - 1)
        utility.append((1 - weight) * share[one] + weight * sigmoid(lead / 15))
    return Values(utility, share, points)


def _ahead(one: int, other: int, gone: list[bool], strong: list[float], mover: int | None) -> float:
    """Chance of a unit to end up before another."""
    if gone[one] or gone[other]:
        return 0.5 if gone[one] and gone[other] else float(gone[other])
    if mover is None:
        return 0.5 if strong[one] == strong[other] else float(strong[one] > strong[other])
    return sigmoid(strong[one] - strong[other])


def used(position: Position, colour: int) -> dict[int, Counter[tuple[str, int, int]]]:
    """How often every legal placement of a colour uses each weight: (array, two last indexes or one and 0)."""
    near, kinds = neighbours(position.variant.board), classes(position)[colour]
    at = places_of(position.variant.id)[colour]
    found = {}
    for placement in position.legal_placements(colour).tolist():
        covered = set(placement_cells(position._geometry, placement))
        beside = {n for c in covered for n in near[c][0]} - covered
        corners = {n for c in covered for n in near[c][1]} - covered - beside
        uses = Counter({("pieces", int(position._geometry.placement_piece[placement]), 0): 1})
        for part, cells in ((COVER, covered), (EDGE, beside), (CORNER, corners)):
            uses.update(("cells", part, kinds[c]) for c in cells)
        uses.update(("places", at[c], 0) for c in covered)
        found[placement] = uses
    return found


def phase(position: Position, colour: int) -> int:
    return min(placed(position, colour) // 3, PHASES - 1)


def log_weights(position: Position, colour: int, policy: Policy) -> dict[int, float]:
    """Logarithm of the weight of every legal placement of a colour."""
    of: Any = {key: array[phase(position, colour)].astype(float) for key, array in policy._asdict().items()}
    return {
        placement: sum(n * of[key][(i, j) if key == "cells" else i] for (key, i, j), n in uses.items())
        for placement, uses in used(position, colour).items()
    }


def priors(weights: dict[int, float]) -> dict[int, float]:
    """Softmax of the weights, rounded down to sixteenths below the best; the best first, of equal ones the lowest."""
    best = max(weights.values())
    step = {p: min(int((best - w) * 16), BUCKETS - 1) for p, w in weights.items()}
    total = sum(math.exp(-(s + 0.5) / 16) for s in step.values())
    order = sorted(step, key=lambda p: (step[p], p))
    return {p: math.exp(-(step[p] + 0.5) / 16) / total for p in order}
