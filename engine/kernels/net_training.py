"""Gradients of the network, and the steps of Adam (Kingma and Ba 2015)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.facts import ALL_PLACED, BLOCKED, CELLS, OUT, PIECES, SINGLE_LAST
from engine.geometry import F32, F64, I64
from engine.kernels.compile import inner, kernel, leaf
from engine.kernels.levels import CLASSES
from engine.kernels.network import (
    ALL,
    OUTPUTS,
    REST,
    SINGLE,
    STAGES,
    STEEPNESS,
    STRENGTH,
    WIDTHS,
    Net,
    logistic,
    softplus,
    stage_of,
)
from engine.kernels.search import Game
from engine.kernels.self_play import Samples
from engine.kernels.vectors import WIDTH, add_row


class Slate(NamedTuple):
    """Room for one sample's way there and back. n colours, U units."""

    first: F32  # (n, WIDTH)
    second: F32  # (n, WIDTH)
    outputs: F64  # (n, OUTPUTS)
    d_first: F32  # (n, WIDTH)
    d_second: F32  # (n, WIDTH)
    d_outputs: F64  # (n, OUTPUTS)
    points: F64  # (n,)
    strong: F64  # (U,)
    share: F64  # (U,)
    losses: F64  # (4,) sums: share, cells, everything placed, number


@leaf
def _rest_rows(rows: F32, first: F32, samples: Samples, s: int, colour: int, at: int, there: bool) -> None:
    """Add the rows from `at` on that a colour uses, besides those of cells, to its first layer, or that to them."""
    pieces = samples.left.shape[2]
    for piece in range(pieces):
        left = np.int64(samples.left[s, colour, piece])
        if left != 0:
            row = at + piece + (pieces if left < 0 else 0)
            if there:
                add_row(first, colour, rows, row, np.float32(abs(left)))
            else:
                add_row(rows, row, first, colour, np.float32(abs(left)))
    at += 2 * pieces
    for k in range(3):
        row = at + np.int64(samples.width[s, colour])
        if k == 1:
            row = at + WIDTHS + stage_of(np.int64(samples.facts[s, colour, PIECES]))
        elif k == 2:
            row = at + WIDTHS + STAGES + (colour - np.int64(samples.mover[s])) % samples.kinds.shape[1]
        if there:
            add_row(first, colour, rows, row, np.float32(1))
        else:
            add_row(rows, row, first, colour, np.float32(1))


@inner
def _forward(game: Game, net: Net, samples: Samples, s: int, slate: Slate) -> None:
    n, cells = samples.kinds.shape[1], samples.kinds.shape[2]
    slate.first[:] = 0
    rest = game.board.places * CLASSES
    for colour in range(n):
        for cell in range(cells):
            row = np.int64(game.board.row_of[colour * cells + cell]) + samples.kinds[s, colour, cell]
            add_row(slate.first, colour, net.rows, row, np.float32(1))
        _rest_rows(net.rows, slate.first, samples, s, colour, rest, True)
    for colour in range(n):
        for h in range(WIDTH):
            slate.second[colour, h] = net.hidden[n * WIDTH, h]
        for r in range(n):
            other = (colour + r) % n
            for i in range(WIDTH):
                if slate.first[other, i] > 0:
                    add_row(slate.second, colour, net.hidden, r * WIDTH + i, slate.first[other, i])
        for k in range(OUTPUTS):
            total = float(net.output[k, WIDTH])
            for h in range(WIDTH):
                if slate.second[colour, h] > 0:
                    total += slate.second[colour, h] * net.output[k, h]
            slate.outputs[colour, k] = total


@inner
def _share_gradients(game: Game, samples: Samples, s: int, slate: Slate, mean: float) -> None:
    """Losses of the shares, and gradients by strengths and steepness; `mean` is that of the steepness outputs."""
    n = len(slate.outputs)
    out, d_out = slate.outputs, slate.d_outputs
    steepness = softplus(mean)
    units = len(game.units_of)
    for unit in range(units):
        slate.strong[unit] = 0
        for colour in range(n):
            if game.units_of[unit, colour]:
                slate.strong[unit] += out[colour, STRENGTH] + steepness * slate.points[colour] / 10
    for unit in range(units):
        slate.share[unit] = 0
        for other in range(units):
            if other != unit:
                slate.share[unit] += logistic(slate.strong[unit] - slate.strong[other]) / (units - 1)
    d_steep = 0.0
    for unit in range(units):
        share, target = slate.share[unit], float(samples.share[s, unit])
        slate.losses[0] -= target * math.log(share + 1e-9) + (1 - target) * math.log(1 - share + 1e-9)
        gradient = 0.0
        mine = (share - target) / (share * (1 - share) + 1e-3)
        for other in range(units):
            if other != unit:
                chance = logistic(slate.strong[unit] - slate.strong[other])
                theirs = slate.share[other]
                its = (theirs - samples.share[s, other]) / (theirs * (1 - theirs) + 1e-3)
                gradient += (mine - its) * chance * (1 - chance) / (units - 1)
        for colour in range(n):
            if game.units_of[unit, colour]:
                d_out[colour, STRENGTH] += gradient
                d_steep += gradient * slate.points[colour] / 10
    for colour in range(n):
        d_out[colour, STEEPNESS] = d_steep * logistic(mean) / n


@inner
def _output_gradients(game: Game, samples: Samples, s: int, slate: Slate, weights: F64) -> None:
    """Losses of a sample, and their gradients by the outputs; `weights` of cells and of everything placed."""
    n = len(slate.outputs)
    out, d_out = slate.outputs, slate.d_outputs
    d_out[:] = 0
    mean = 0.0
    for colour in range(n):
        mean += out[colour, STEEPNESS] / n
    for colour in range(n):
        placed = float(samples.facts[s, colour, CELLS])
        everything = float(samples.facts[s, colour, ALL_PLACED])
        single = float(samples.facts[s, colour, SINGLE_LAST])
        done = everything or samples.facts[s, colour, BLOCKED] or samples.facts[s, colour, OUT]
        final = placed
        if not done:
            fraction = logistic(out[colour, REST])
            final = placed + (game.cells - placed) * fraction
            error = (final - samples.final[s, colour, 0]) / 10
            slate.losses[1] += error * error
            d_out[colour, REST] = (
                weights[0] * 2 * error * (game.cells - placed) / 10 * fraction * (1 - fraction)
            )
            every = logistic(out[colour, ALL])
            target = float(samples.final[s, colour, 1])
            slate.losses[2] -= math.log(max(1e-9, every if target else 1 - every))
            d_out[colour, ALL] = weights[1] * (every - target)
            last = logistic(out[colour, SINGLE])
            if target:
                d_out[colour, SINGLE] = weights[1] * (last - samples.final[s, colour, 2])
            everything, single = every, every * last
        bonus = game.scoring[2] * (everything - single) + game.scoring[3] * single
        slate.points[colour] = game.scoring[0] * final + game.scoring[1] * (game.cells - final) + bonus
    slate.losses[3] += 1
    _share_gradients(game, samples, s, slate, mean)


@inner
def _backward(game: Game, net: Net, samples: Samples, s: int, slate: Slate, gradient: Net) -> None:
    n, cells = samples.kinds.shape[1], samples.kinds.shape[2]
    slate.d_first[:] = 0
    for colour in range(n):
        for h in range(WIDTH):
            total = 0.0
            if slate.second[colour, h] > 0:
                for k in range(OUTPUTS):
                    total += slate.d_outputs[colour, k] * net.output[k, h]
                    gradient.output[k, h] += slate.d_outputs[colour, k] * slate.second[colour, h]
            slate.d_second[colour, h] = total
        for k in range(OUTPUTS):
            gradient.output[k, WIDTH] += slate.d_outputs[colour, k]
        add_row(gradient.hidden, n * WIDTH, slate.d_second, colour, np.float32(1))
        for r in range(n):
            other = (colour + r) % n
            for i in range(WIDTH):
                value = slate.first[other, i]
                if value > 0:
                    add_row(gradient.hidden, r * WIDTH + i, slate.d_second, colour, value)
                    total = np.float32(0)
                    for h in range(WIDTH):
                        total += slate.d_second[colour, h] * net.hidden[r * WIDTH + i, h]
                    slate.d_first[other, i] += total
    rest = game.board.places * CLASSES
    for colour in range(n):
        for cell in range(cells):
            row = np.int64(game.board.row_of[colour * cells + cell]) + samples.kinds[s, colour, cell]
            add_row(gradient.rows, row, slate.d_first, colour, np.float32(1))
        _rest_rows(gradient.rows, slate.d_first, samples, s, colour, rest, False)


@leaf
def _adam(
    weights: F32, gradient: F32, mean: F32, square: F32, rate: float, decay: float, scale: float, t: int
) -> None:
    """One step on a 2-d array; clears the gradient."""
    first, second = np.float32(0.9), np.float32(0.999)
    one = np.float32(1)
    size = np.float32(rate * math.sqrt(1 - 0.999**t) / (1 - 0.9**t))
    shrink = np.float32(1 - rate * decay)
    by = np.float32(scale)
    small = np.float32(1e-8)
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            g = gradient[i, j] * by
            gradient[i, j] = 0
            m = first * mean[i, j] + (one - first) * g
            v = second * square[i, j] + (one - second) * g * g
            mean[i, j], square[i, j] = m, v
            weights[i, j] = weights[i, j] * shrink - size * m / (np.float32(math.sqrt(v)) + small)


class Steps(NamedTuple):
    """Adam's memory of an array of weights: gradient, mean, mean square; the same of what places have in common."""

    gradient: Net
    mean: Net
    square: Net
    common: F32  # (2, CLASSES, WIDTH) mean, mean square


@leaf
def _common_step(net: Net, steps: Steps, places: int, rate: float, scale: float, t: int) -> None:
    """One step of what the rows of a class have in common at all places: learned apart, it is learned soon."""
    common = steps.common
    size = np.float32(rate * math.sqrt(1 - 0.999**t) / (1 - 0.9**t))
    for kind in range(CLASSES):
        for h in range(WIDTH):
            g = np.float32(0)
            for place in range(places):
                g += steps.gradient.rows[place * CLASSES + kind, h]
            g *= np.float32(scale)
            m = np.float32(0.9) * common[0, kind, h] + np.float32(0.1) * g
            v = np.float32(0.999) * common[1, kind, h] + np.float32(0.001) * g * g
            common[0, kind, h], common[1, kind, h] = m, v
            step = size * m / (np.float32(math.sqrt(v)) + np.float32(1e-8))
            for place in range(places):
                net.rows[place * CLASSES + kind, h] -= step


@kernel
def train_net(
    game: Game,
    net: Net,
    steps: Steps,
    samples: Samples,
    order: I64,
    slate: Slate,
    weights: F64,
    batch: int,
    t: int,
) -> int:
    """One pass over the samples in `order`; `weights`: of cells, of everything placed, rate at begin and end, decay.

    `t` steps were made before; returns the number after. `slate.losses` are the sums of the pass.
    """
    slate.losses[:] = 0
    for i in range(len(order)):
        s = order[i]
        _forward(game, net, samples, s, slate)
        _output_gradients(game, samples, s, slate, weights)
        _backward(game, net, samples, s, slate, steps.gradient)
        if (i + 1) % batch == 0:
            t += 1
            rate = weights[2] + (weights[3] - weights[2]) * i / len(order)
            scale = 1 / batch
            g, m, v = steps.gradient, steps.mean, steps.square
            _common_step(net, steps, game.board.places, rate, scale, t)
            _adam(net.rows, g.rows, m.rows, v.rows, rate, weights[4], scale, t)
            _adam(net.hidden, g.hidden, m.hidden, v.hidden, rate, weights[4], scale, t)
            _adam(net.output, g.output, m.output, v.output, rate, weights[4], scale, t)
    return t


@kernel
def predict(game: Game, net: Net, samples: Samples, order: I64, slate: Slate, weights: F64, out: F64) -> None:
    """Predictions of the samples in `order`: shares of the units, then points of the colours, ``(len, U + n)``."""
    slate.losses[:] = 0
    units = len(game.units_of)
    for i in range(len(order)):
        _forward(game, net, samples, order[i], slate)
        _output_gradients(game, samples, order[i], slate, weights)
        for unit in range(units):
            out[i, unit] = slate.share[unit]
        for colour in range(len(slate.points)):
            out[i, units + colour] = slate.points[colour]
