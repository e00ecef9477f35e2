"""Gradients of the priors, and their steps of Adam (Kingma and Ba 2015)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.geometry import F32, F64, I64
from engine.kernels.compile import kernel, leaf
from engine.kernels.legal import LIST, legal
from engine.kernels.levels import CLASSES
from engine.kernels.moving import advance
from engine.kernels.network import ANYBODY, look
from engine.kernels.policy import COVER, PHASES, Policy, cell_values, phase_of
from engine.kernels.search import Desk, Game
from engine.kernels.self_play import Play, clear_desk
from engine.kernels.vectors import sum_at


class PolicySteps(NamedTuple):
    """Gradients of the priors, and Adam's memory. Cells are ``(PHASES 3, CLASSES)`` here."""

    cells: F32  # (4, PHASES 3, CLASSES) weights, gradient, mean, square
    places: F32  # (4, PHASES, L)
    pieces: F32  # (4, PHASES, N)


@leaf
def _policy_gradient(
    game: Game, desk: Desk, steps: PolicySteps, phase: int, colour: int, placement: int, error: float
) -> None:
    """Add `error` to the gradients of all weights that a placement uses."""
    geometry = game.geometry
    cells = len(geometry.cell_bit)
    span = geometry.span
    by = np.float32(error)
    steps.pieces[1, phase, geometry.placement_piece[placement]] += by
    for i in range(span[placement, 0], span[placement, 3]):
        kind = 0 if i < span[placement, 1] else (1 if i < span[placement, 2] else 2)
        cell = np.int64(geometry.touched[i])
        steps.cells[1, phase * 3 + kind, desk.sheet.classes[colour, geometry.cell_bit[cell]]] += by
        if kind == COVER:
            steps.places[1, phase, game.board.row_of[colour * cells + cell] // CLASSES] += by


@leaf
def _learn_ply(
    game: Game, policy: Policy, steps: PolicySteps, desk: Desk, colour: int, share_of: F32, teach: bool
) -> float:
    """Cross entropy of the priors of the desk's position and `share_of`, in nats; adds to the gradients if `teach`."""
    state, moves = desk.state, desk.moves
    look(game.geometry, game.rules, game.board, state, desk.sheet, ANYBODY)
    n = legal(game.geometry, game.rules, state, colour, LIST, moves.listed)
    phase = phase_of(state, colour)
    cell_values(game.geometry, game.board, policy, moves, desk.sheet.classes, colour, phase, colour)
    best = -1e30
    for i in range(n):
        placement = np.int64(moves.listed[i])
        value = sum_at(moves.values, game.touched, placement)
        moves.priors[i] = value + policy.pieces[phase, game.geometry.placement_piece[placement]]
        best = max(best, float(moves.priors[i]))
    mass = 0.0
    for i in range(n):
        mass += math.exp(moves.priors[i] - best)
    loss = 0.0
    for i in range(n):
        placement = np.int64(moves.listed[i])
        chance = math.exp(moves.priors[i] - best) / mass
        target = share_of[placement]
        if target > 0:
            loss -= target * math.log(max(1e-12, chance))
        if teach and (target > 0 or chance > 1e-4):
            _policy_gradient(game, desk, steps, phase, colour, placement, chance - target)
    return loss


@kernel
def train_policy(
    game: Game,
    policy: Policy,
    steps: PolicySteps,
    desk: Desk,
    play: Play,
    order: I64,
    share_of: F32,
    rates: F64,
    batch: int,
    t: int,
    losses: F64,
) -> int:
    """One pass over the games in `order`; `rates`: at begin and end (0 and 0: only the losses), decay.

    `share_of` is scratch by placement, ``(P,)``, zeros. `losses`: sum of the cross entropies in nats, number of plies.
    Returns the number of steps.
    """
    losses[:] = 0
    waiting = 0
    teach = rates[0] > 0
    for k in range(len(order)):
        clear_desk(game, desk)
        for e in range(play.first[order[k]], play.first[order[k] + 1]):
            colour = np.int64(play.events[e, 0])
            begin, stop = play.first_move[e], play.first_move[e + 1]
            total = 0.0
            for i in range(begin, stop):
                total += play.searched[i, 1]
            if total > 0:
                for i in range(begin, stop):
                    share_of[play.searched[i, 0]] = play.searched[i, 1] / total
                losses[0] += _learn_ply(game, policy, steps, desk, colour, share_of, teach)
                losses[1] += 1
                waiting += 1
                for i in range(begin, stop):
                    share_of[play.searched[i, 0]] = 0
            advance(game.geometry, game.rules, desk.state, desk.clock, colour, np.int64(play.events[e, 1]))
            if waiting == batch and teach:
                waiting = 0
                t += 1
                rate = rates[0] + (rates[1] - rates[0]) * k / len(order)
                _policy_step(policy, steps, rate, rates[2], 1 / batch, t)
    return t


@leaf
def _policy_step(policy: Policy, steps: PolicySteps, rate: float, decay: float, scale: float, t: int) -> None:
    """One step of Adam on all weights of the priors."""
    size = rate * math.sqrt(1 - 0.999**t) / (1 - 0.9**t)
    for phase in range(PHASES):
        for kind in range(3):
            for k in range(CLASSES):
                row = phase * 3 + kind
                policy.cells[phase, kind, k] = policy.cells[phase, kind, k] * np.float32(
                    1 - rate * decay
                ) - np.float32(_move(steps.cells, row, k, scale, size))
        for k in range(policy.places.shape[1]):
            policy.places[phase, k] = policy.places[phase, k] * np.float32(1 - rate * decay) - np.float32(
                _move(steps.places, phase, k, scale, size)
            )
        for k in range(policy.pieces.shape[1]):
            policy.pieces[phase, k] = policy.pieces[phase, k] * np.float32(1 - rate * decay) - np.float32(
                _move(steps.pieces, phase, k, scale, size)
            )


@leaf
def _move(memory: F32, row: int, k: int, scale: float, size: float) -> float:
    """Adam's step of one weight; clears its gradient."""
    g = memory[1, row, k] * np.float32(scale)
    memory[1, row, k] = 0
    m = np.float32(0.9) * memory[2, row, k] + np.float32(0.1) * g
    v = np.float32(0.999) * memory[3, row, k] + np.float32(0.001) * g * g
    memory[2, row, k], memory[3, row, k] = m, v
    return float(size * m / (math.sqrt(v) + 1e-8))
