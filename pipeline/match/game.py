"""One game of a match, judged by our own rules: an engine that breaks them, crashes or hangs has lost it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from engine.errors import EngineError
from notation.blksgf_result import parse_result
from notation.gtp_commands import score_text
from notation.moves import move_from_names
from notation.record import GameRecord, Note
from pipeline.match.contestant import Contestant
from pipeline.match.gtp_engine import EngineFault
from pipeline.match.openings import Opening
from pipeline.played_game import PlayedGame

_MOVE_SHOWN = 100
"""Characters of an answer that can be a move."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an engine (0 the first, 1 the second) lost a game before its end."""

    side: int
    cause: str
    message: str


@dataclass(frozen=True, slots=True)
class Played:
    """What was played: seats of each engine by seat, CPU seconds of both in this game, wall seconds."""

    game: PlayedGame
    sides: tuple[int, ...]
    cpu: tuple[float, float]
    own_cpu: tuple[float | None, float | None]
    seconds: float
    fault: Fault | None


class _Lost(Exception):
    """An engine has lost the game."""

    def __init__(self, side: int, cause: str, message: str) -> None:
        super().__init__(message)
        self.side, self.cause = side, cause


def play_game(
    contestants: Sequence[Contestant],
    variant_id: str,
    settings: Mapping[str, str],
    sides: tuple[int, ...],
    opening: Opening,
    seed: int,
    prepared: Callable[[], None] = lambda: None,
) -> Played:
    """Play a game; `sides` says for every seat which engine plays it; `prepared` is called once both are running.

    Raises:
        KeyboardInterrupt: a stop was asked for; the game is not finished.
    """
    game = PlayedGame(variant_id, settings)
    fault: Fault | None = None
    started = time.monotonic()
    for side, contestant in enumerate(contestants):
        fault = fault or _try_to_start(side, contestant)
    prepared()
    before = [contestant.process.cpu for contestant in contestants]
    own_before = [contestant.own_cpu() for contestant in contestants]
    if fault is None:
        try:
            _play(contestants, game, sides, opening, seed)
        except _Lost as lost:
            fault = Fault(lost.side, lost.cause, str(lost))
    own_after = [contestant.own_cpu() for contestant in contestants]
    cpu = tuple(max(0.0, c.process.cpu - b) for c, b in zip(contestants, before, strict=True))
    own = tuple(None if a is None or b is None else a - b for a, b in zip(own_after, own_before, strict=True))
    if fault is not None:
        if fault.cause != "resigned":
            contestants[fault.side].close(0.0)  # nobody knows what state it is in
        for seat, side in enumerate(sides):
            if side == fault.side:
                game.leave(seat, fault.cause)
    return Played(game, sides, (cpu[0], cpu[1]), (own[0], own[1]), time.monotonic() - started, fault)


def _try_to_start(side: int, contestant: Contestant) -> Fault | None:
    try:
        contestant.prepare()
    except EngineFault as fault:
        contestant.close(0.0)
        return Fault(side, fault.cause, str(fault))
    return None


def _play(
    contestants: Sequence[Contestant],
    game: PlayedGame,
    sides: tuple[int, ...],
    opening: Opening,
    seed: int,
) -> None:
    for side, contestant in enumerate(contestants):
        with _blaming(side):
            contestant.begin(seed)
    for move in opening:
        game.play(move.colour, move.cells)
        _tell(contestants, move.colour, move.text)
    passes = 0
    # Where passing is free, a game in which nobody wants to move any more is over.
    while (colour := game.to_move) is not None and passes < 2 * len(game.variant.colours):
        side = sides[game.owner(colour)]
        with _blaming(side):
            text = contestants[side].ask_move(colour)
        if _judge(game, side, colour, text):
            passes = 0
            _tell(contestants, colour, game.moves[-1].text, but=side)
        else:
            passes += 1


@contextmanager
def _blaming(side: int) -> Iterator[None]:
    """Turn a fault of an engine into its loss of the game."""
    try:
        yield
    except EngineFault as fault:
        raise _Lost(side, fault.cause, str(fault)) from None


def _tell(contestants: Sequence[Contestant], colour: int, move: str, but: int = -1) -> None:
    for side, contestant in enumerate(contestants):
        if side != but:
            with _blaming(side):
                contestant.tell(colour, move)


def _judge(game: PlayedGame, side: int, colour: int, text: str) -> bool:
    """Play what an engine answered; returns whether it was a placement, and not a pass that the rules allow."""
    name, ply = game.variant.colours[colour], len(game.moves) + 1
    if text == "resign":
        raise _Lost(side, "resigned", f"resigned as {name} at ply {ply}")
    if text in ("pass", "null", ""):
        if game.rules.passing != "voluntary":
            legal = game.position.mobility(colour)
            raise _Lost(side, "violation", f"passed as {name} at ply {ply} with {legal} legal moves")
        game.pass_turn(colour)
        return False
    move = move_from_names(game.variant.id, colour, text[:_MOVE_SHOWN].split(","))
    try:
        game.play(colour, move.cells)
    except EngineError as error:
        shown = text[:_MOVE_SHOWN]
        raise _Lost(side, "violation", f"illegal move {shown!r} at ply {ply}: {error}") from None
    return True


def record_of(played: Played, names: Sequence[str], headers: Mapping[str, str]) -> GameRecord:
    """The game as a record: players named after the engines, the result, and what went wrong as a comment."""
    game = played.game
    record = game.record([names[side] for side in played.sides], headers)
    if played.fault is not None:
        record.termination = played.fault.cause
        record.notes.append(Note(-1, f"{names[played.fault.side]} {played.fault.message}"))
    elif len(game.rules.seats) == 2:
        totals = [seat.total for seat in game.results()]
        record.declared = parse_result(score_text(game.variant.id, (), totals), 2)
    return record
