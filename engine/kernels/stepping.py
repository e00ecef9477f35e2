"""One position at a time: the kernels behind `engine.position.Position`, on the same rules code as the replay."""

from __future__ import annotations

import numpy as np

from engine.geometry import I32, Geometry
from engine.kernels.compile import kernel
from engine.kernels.legal import LIST, legal
from engine.kernels.replay import (
    ENDED,
    LIMIT,
    NOMINAL,
    ROWS,
    START_OK,
    TURN,
    Batch,
    Verdicts,
    begin,
    replay_event,
    verdict,
)
from engine.kernels.state import Rules, State
from engine.kernels.turns import is_over, position_key, to_move


@kernel
def start(geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts) -> bool:
    """Set up the one game of `batch`; false when the setup does not fit."""
    out.cursor[ROWS] = 0
    begin(geometry, rules, state, batch, out, 0)
    return out.games[0, START_OK] == 1


@kernel
def step(geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts) -> int:
    """Play the one event of `batch`; returns the verdict. `out.passes` holds the turns that went by before it."""
    out.cursor[ROWS] = 0
    return replay_event(geometry, rules, state, batch, out, 0, 0)


@kernel
def probe(geometry: Geometry, rules: Rules, state: State, out: Verdicts, code: int, colour: int) -> int:
    """Verdict on a placement of any colour, as if the colours before it let their turns go by; plays nothing."""
    at = out.cursor
    turn = at[TURN]
    at[TURN] += (colour - at[NOMINAL]) % len(state.facts)
    reason = verdict(geometry, rules, state, out, code, colour, np.int64(out.passes.shape[0]))
    at[TURN] = turn
    return reason


@kernel
def legal_list(geometry: Geometry, rules: Rules, state: State, colour: int, out: I32) -> int:
    """Legal placements of a colour into `out`; returns their number."""
    return legal(geometry, rules, state, colour, LIST, out)


@kernel
def mover(geometry: Geometry, rules: Rules, state: State, out: Verdicts) -> int:
    """The colour to move, NOBODY when none can; writes the position's key to the first row of `out.keys`."""
    colour = to_move(geometry, rules, state, out.cursor[NOMINAL])
    position_key(geometry, state, colour, out.keys, 0)
    return colour


@kernel
def over(geometry: Geometry, rules: Rules, state: State, out: Verdicts) -> bool:
    """Whether the game has ended."""
    at = out.cursor
    return at[ENDED] == 1 or is_over(geometry, rules, state, at[TURN], at[LIMIT], at[NOMINAL])
