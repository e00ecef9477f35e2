"""Replay of batches of games: a verdict on every placement, inferred passes, facts at the end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import OUT, SINGLE_LAST
from engine.geometry import CELLS_END, I32, I64, U64, Geometry
from engine.kernels.compile import inner, kernel, leaf, part
from engine.kernels.legal import can_move
from engine.kernels.state import (
    EMPTY,
    END_FIRST_BLOCKED,
    END_MAX_ROUNDS,
    END_ROUNDS,
    Rules,
    State,
    clear,
    place,
)
from engine.kernels.turns import (
    FORCED,
    NOBODY,
    UNFORCED,
    is_over,
    last_turn,
    pass_kind,
    position_key,
    someone_blocked,
    to_move,
)
from engine.kernels.verdicts import (
    BAD_SETUP,
    COLOUR_OUT,
    GAME_OVER,
    LEGAL,
    NOT_A_PIECE,
    NOT_REACHED,
    OFF_BOARD,
    UNFORCED_PASS,
    placing_verdict,
)

CODE_OFF_BOARD, CODE_NOT_A_PIECE, CODE_PASS, CODE_OUT = -1, -2, -3, -4
"""Event codes that are no placements."""

NO_EVENT = -1
NO_LIMIT = 1 << 30

NOMINAL, TURN, PLIES, ROWS, LIMIT, ENDED = range(6)
"""Columns of `Verdicts.cursor`: colour next in order, turns and placements so far, rows of passes written, last turn of
the end rule, whether `first_blocked` has ended the game."""


EVENT_START, EVENT_END, SETUP_START, SETUP_END, FIRST_COLOUR = range(5)
"""Columns of `Batch.games`."""

COLOUR, CODE = 0, 1
"""Columns of `Batch.events` and `Batch.setup`."""


class Batch(NamedTuple):
    """Games of one variant and ruleset. G games, E events of all games, S setup pieces of all games."""

    games: I32  # (G, 5) EVENT_START.. in the other arrays, colour of turn 1
    events: I32  # (E, 2) COLOUR (-1: the colour on turn), CODE: placement or CODE_*
    setup: I32  # (S, 2) COLOUR, CODE


STATUS, AT_TURN, OF_COLOUR = 0, 1, 2
"""Columns of `Verdicts.events`."""

STOP, OVER, START_OK = 0, 1, 2
"""Columns of `Verdicts.games`."""

P_GAME, P_TURN, P_AFTER, P_COLOUR, P_KIND, P_RECORDED = range(6)
"""Columns of `Verdicts.passes`."""


class Verdicts(NamedTuple):
    """What the replay says. G games, E events, R rows of passes."""

    events: I32  # (E, 3) STATUS: LEGAL for legal placements, passes and leavings, else the reason; AT_TURN; OF_COLOUR
    keys: U64  # (E, 2) position key after a legal placement
    games: I32  # (G, 3) STOP: event that stopped it or NO_EVENT; OVER: ended by its end rule; START_OK: setup fits
    first_keys: U64  # (G, 2) key of the start
    facts: I32  # (G, colours, FACTS) at the end, BLOCKED always known
    passes: I32  # (R, 6) P_GAME, turn, placements before it, colour, kind, whether the record holds it
    cursor: I64  # (8,) scratch: where the replay of a game stands


@part
def set_up(geometry: Geometry, state: State, batch: Batch, game: int) -> bool:
    """Put the setup of a game on the empty board; false when a piece overlaps, is none, or is used up."""
    clear(geometry, state)
    for i in range(batch.games[game, SETUP_START], batch.games[game, SETUP_END]):
        placement, colour = np.int64(batch.setup[i, CODE]), np.int64(batch.setup[i, COLOUR])
        if placement < 0 or state.left[colour, geometry.placement_piece[placement]] <= 0:
            return False
        for k in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
            if state.board[geometry.touched[k]] != EMPTY:
                return False
        place(geometry, state, colour, placement)
    for each in range(len(state.facts)):
        state.facts[each, SINGLE_LAST] = 0  # the bonus for the single cell is for moves only
    return True


@part
def _note_pass(
    geometry: Geometry, rules: Rules, state: State, out: Verdicts, game: int, colour: int, recorded: int
) -> None:
    """Let one turn of a colour go by and write it as a row of passes."""
    at = out.cursor
    row = at[ROWS]
    out.passes[row, P_GAME] = game
    out.passes[row, P_TURN] = at[TURN] + 1
    out.passes[row, P_AFTER] = at[PLIES]
    out.passes[row, P_COLOUR] = colour
    kind = pass_kind(geometry, rules, state, colour)
    # Behind the end of the game nobody has a move to make.
    if kind == UNFORCED and (at[ENDED] or is_over(geometry, rules, state, at[TURN], at[LIMIT], at[NOMINAL])):
        kind = FORCED
    out.passes[row, P_KIND] = kind
    out.passes[row, P_RECORDED] = recorded
    at[ROWS] = row + 1
    at[TURN] += 1
    at[NOMINAL] = (colour + 1) % len(state.facts)


@part
def _colour_on_turn(geometry: Geometry, rules: Rules, state: State, nominal: int, is_pass: bool) -> int:
    """The colour of an event that names none: for a placement the next that can move, for a pass the next at all."""
    if not is_pass:
        mover = to_move(geometry, rules, state, nominal)
        return nominal if mover == NOBODY else mover
    colours = len(state.facts)
    for step in range(colours):
        if not state.facts[(nominal + step) % colours, OUT]:
            return (nominal + step) % colours
    return nominal


@part
def _is_refused(rules: Rules, out: Verdicts, first_row: int) -> bool:
    """Whether one of the passes from a row on stops a strict replay."""
    found = False
    if rules.strict:
        for row in range(first_row, out.cursor[ROWS]):
            found = found or out.passes[row, P_KIND] == UNFORCED
    return found


@part
def verdict(
    geometry: Geometry, rules: Rules, state: State, out: Verdicts, code: int, colour: int, first_row: int
) -> int:
    """The first reason that applies to a placement, in the order of the rule page; its skips begin at `first_row`."""
    if code == CODE_OFF_BOARD:
        return OFF_BOARD
    if out.cursor[ENDED] or out.cursor[TURN] + 1 > out.cursor[LIMIT]:
        return GAME_OVER
    reason = (
        NOT_A_PIECE if code == CODE_NOT_A_PIECE else placing_verdict(geometry, rules, state, colour, code)
    )
    if state.facts[colour, OUT]:
        reason = COLOUR_OUT
    # A legal placement proves that the game goes on, so its end is looked for only with the others.
    if reason != LEGAL and is_over(geometry, rules, state, out.cursor[TURN], out.cursor[LIMIT], colour):
        return GAME_OVER
    if reason == LEGAL and _is_refused(rules, out, first_row):
        return UNFORCED_PASS
    return reason


@part
def _place_event(
    geometry: Geometry, rules: Rules, state: State, out: Verdicts, e: int, code: int, first_row: int
) -> int:
    """Judge a placement on the turn of its colour and put it on the board if it is legal; returns the verdict."""
    at = out.cursor
    colour = np.int64(out.events[e, OF_COLOUR])
    reason = verdict(geometry, rules, state, out, code, colour, first_row)
    if reason != LEGAL:
        return reason
    colours = len(state.facts)
    place(geometry, state, colour, code)
    at[TURN] += 1
    at[PLIES] += 1
    at[NOMINAL] = (colour + 1) % colours
    if rules.end == END_ROUNDS:
        at[LIMIT] = min(at[LIMIT], last_turn(rules, state, at[TURN]))
    elif rules.end == END_FIRST_BLOCKED:
        at[ENDED] = 1 if someone_blocked(geometry, rules, state) else 0
    mover = at[NOMINAL]
    # Nearly always the next colour can move: asked here, that costs no call.
    if state.facts[mover, OUT] or not can_move(geometry, rules, state, mover):
        mover = to_move(geometry, rules, state, mover)
    position_key(geometry, state, mover, out.keys, e)
    return LEGAL


@part
def replay_event(
    geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts, game: int, e: int
) -> int:
    """Replay one event; returns its status. A strict replay stops at an unforced pass, recorded or inferred."""
    at = out.cursor
    code, colour = np.int64(batch.events[e, CODE]), np.int64(batch.events[e, COLOUR])
    out.events[e, AT_TURN], out.events[e, OF_COLOUR] = at[TURN], colour
    if code == CODE_OUT:
        state.facts[colour, OUT] = 1
        return LEGAL
    is_pass = code == CODE_PASS
    if colour < 0:
        colour = _colour_on_turn(geometry, rules, state, at[NOMINAL], is_pass)
    out.events[e, OF_COLOUR] = colour
    rows, turn, nominal = at[ROWS], at[TURN], at[NOMINAL]
    while at[NOMINAL] != colour:
        _note_pass(geometry, rules, state, out, game, at[NOMINAL], 0)
    out.events[e, AT_TURN] = at[TURN] + 1
    if is_pass:
        _note_pass(geometry, rules, state, out, game, colour, 1)
        reason = UNFORCED_PASS if _is_refused(rules, out, rows) else LEGAL
    else:
        reason = _place_event(geometry, rules, state, out, e, code, rows)
    if reason != LEGAL:  # the turns before a refused event did not go by
        at[ROWS], at[TURN], at[NOMINAL] = rows, turn, nominal
    return reason


@part
def _drop_inferred(out: Verdicts, kept: int) -> None:
    """Behind the last placement, from row `kept` on, let inferred passes go, but for those that flag the game."""
    end = kept
    for row in range(kept, out.cursor[ROWS]):
        if out.passes[row, P_RECORDED] or out.passes[row, P_KIND] == UNFORCED:
            for k in range(out.passes.shape[1]):
                out.passes[end, k] = out.passes[row, k]
            end += 1
    out.cursor[ROWS] = end


@inner
def _write_end(geometry: Geometry, rules: Rules, state: State, out: Verdicts, game: int) -> None:
    """Write the facts of the final position."""
    at = out.cursor
    limit = at[LIMIT]
    if rules.end == END_MAX_ROUNDS:  # where a record stops, it may have ended a round early
        limit = min(limit, last_turn(rules, state, at[TURN]))
    over = at[ENDED] or is_over(geometry, rules, state, at[TURN], limit, at[NOMINAL])
    out.games[game, OVER] = 1 if over else 0
    for colour in range(len(state.facts)):
        can_move(geometry, rules, state, colour)  # so that BLOCKED is known
        for k in range(state.facts.shape[1]):
            out.facts[game, colour, k] = state.facts[colour, k]


@leaf
def _write_event(out: Verdicts, e: int, status: int, colour: int) -> None:
    out.events[e, STATUS], out.events[e, AT_TURN], out.events[e, OF_COLOUR] = status, 0, colour


@part
def begin(geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts, game: int) -> None:
    """Set up the start of a game; passes are written behind those of the games before."""
    at = out.cursor
    out.games[game, START_OK] = 1 if set_up(geometry, state, batch, game) else 0
    out.games[game, STOP] = NO_EVENT
    at[NOMINAL], at[TURN], at[PLIES], at[ENDED] = batch.games[game, FIRST_COLOUR], 0, 0, 0
    at[LIMIT] = NO_LIMIT
    if rules.end == END_ROUNDS:
        at[LIMIT] = last_turn(rules, state, 0)
    elif rules.end == END_MAX_ROUNDS:
        at[LIMIT] = rules.rounds * len(state.facts)
    if rules.end == END_FIRST_BLOCKED:  # a setup may have blocked a player already
        at[ENDED] = 1 if someone_blocked(geometry, rules, state) else 0
    mover = to_move(geometry, rules, state, at[NOMINAL])
    position_key(geometry, state, mover, out.first_keys, game)


@part
def _replay_game(
    geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts, game: int
) -> None:
    begin(geometry, rules, state, batch, out, game)
    kept = out.cursor[ROWS]
    for e in range(batch.games[game, EVENT_START], batch.games[game, EVENT_END]):
        if out.games[game, STOP] != NO_EVENT:
            _write_event(out, e, NOT_REACHED, np.int64(batch.events[e, COLOUR]))
            continue
        if out.games[game, START_OK]:
            out.events[e, STATUS] = replay_event(geometry, rules, state, batch, out, game, e)
        else:
            _write_event(out, e, BAD_SETUP, np.int64(batch.events[e, COLOUR]))
        if out.events[e, STATUS] != LEGAL:
            out.games[game, STOP] = e
        elif batch.events[e, CODE] >= 0:
            kept = out.cursor[ROWS]
    _drop_inferred(out, kept)
    _write_end(geometry, rules, state, out, game)


@kernel
def replay_games(geometry: Geometry, rules: Rules, state: State, batch: Batch, out: Verdicts) -> int:
    """Replay all games of a batch; returns the number of rows of passes."""
    out.cursor[ROWS] = 0
    for game in range(len(batch.games)):
        _replay_game(geometry, rules, state, batch, out, game)
    return out.cursor[ROWS]
