"""One game of a Software-Challenge protocol: what its messages say, put together to a record."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from notation.record import ANY_COLOUR, GameRecord, Move, Pass, Problem
from notation.software_challenge_codes import COLOURS, VARIANT, piece_name
from notation.software_challenge_result import Result, declare

STARTS = {"2021": "any_corner", "2027": "any_border"}
"""Season -> start rule. A game that does not tell its season has the wider one."""

LAST_ROUND = 25
"""Rounds of a game; the program of 2027 stops when its counter of rounds, which begins with 1, reaches it."""

_REPLAY = re.compile(
    r"replay_swc_(20\d\d)_blokus_(\d{4}-\d{2}-\d{2})_(\d{2})-(\d{2})-(\d{2})_[^/\\!]*\.xml(?:\.gz)?", re.I
)
_SHOWN = 200


@dataclass(slots=True)
class Played:
    """A move of a message: what it is, and the kind of the piece as written."""

    event: Move | Pass
    kind: str = ""
    line: int = 0


@dataclass(slots=True)
class Game:
    """A game so far. `moves` come from states, `sent` are moves that were sent to the referee.

    `season` is what names of classes say, `hint` what the form of the messages suggests.
    """

    room: str
    line: int
    season: str = ""
    hint: str = ""
    other_season: str = ""
    start_piece: str = ""
    start_team: str = ""
    start_colour: int | None = None
    error: str = ""
    players: dict[int, str] = field(default_factory=dict)
    moves: list[Played] = field(default_factory=list)
    sent: list[Played] = field(default_factory=list)
    result: Result | None = None
    states: int = 0
    turn: int | None = None
    problems: list[Problem] = field(default_factory=list)
    _last: tuple[Move | Pass | None, int | None] = (None, None)
    _placed: set[Move] = field(default_factory=set)

    def begins_anew(self, turn: int | None) -> bool:
        """Whether a state of this turn, without a move so far, is the first of another game."""
        return turn == 0 and bool(self.moves)

    def state(self, turn: int | None) -> None:
        """Note a state; a jump of more than a round means that a move is missing."""
        before, self.turn = self.turn, turn if turn is not None else self.turn
        self.states += 1
        if turn is None or len(self.problems) >= 10:
            return
        if before is not None and turn > before + len(COLOURS):
            message = f"between turns {before} and {turn} at least one move is missing"
            self.problems.append(Problem("gap", message, self.line, len(self._placed)))
        elif self.states == 1 and turn > 1:
            message = f"the first state is of turn {turn}: the moves before it are missing"
            self.problems.append(Problem("begins_late", message, self.line))

    def last_move(self, move: Played) -> None:
        """Take the last move of the current state, unless it is that of a state before.

        A server writes the move of before again where a turn went by, and whole states twice: a placement counts once.
        A colour that passes again does so a round later; a pass that names none may come every turn.
        """
        event, (last, at) = move.event, self._last
        if isinstance(event, Move):
            if event in self._placed:
                return
            self._placed.add(event)
        elif last == event and self._since(at) < (1 if event.colour == ANY_COLOUR else len(COLOURS)):
            return
        self._last = event, self.turn
        self.moves.append(move)

    def _since(self, turn: int | None) -> int:
        """Turns since one; many where they are not counted."""
        return len(COLOURS) if turn is None or self.turn is None else self.turn - turn

    @property
    def is_blokus(self) -> bool:
        """Whether there is any move, or a state of this game before the first one."""
        return bool(self.moves or self.sent or self.start_piece)


def record_of(game: Game, source: str) -> GameRecord:
    """The record of a game that has moves or states; `source` may tell the season and the date."""
    record = GameRecord(VARIANT, "software_challenge", line=game.line)
    record.players = [game.players.get(seat) or None for seat in range(2)] if game.players else []
    record.problems = list(game.problems)
    named = _REPLAY.search(source)
    season = game.season or (named[1] if named and named[1] in STARTS else game.hint)
    record.rules = {
        "start": STARTS.get(season, "any_border"),
        "pass": "voluntary",
        "end": f"max_rounds:{LAST_ROUND}",
        "scoring": "online",
    }
    record.headers = _headers(game, season)
    if named:
        record.headers["date"] = f"{named[2]} {named[3]}:{named[4]}:{named[5]}"
    if game.start_colour:
        record.setup.to_move = game.start_colour
    moves = _moves(game, record)
    record.events = [move.event for move in moves]
    _check_start(game, moves, record)
    if game.result is not None:
        outs = declare(record, game.result)
        record.events += outs
        if record.termination == "normal" and (game.turn or 0) < (LAST_ROUND - 1) * len(COLOURS):
            record.termination = None  # the board tells; an administrator may have stopped it
    return record


def _headers(game: Game, season: str) -> dict[str, str]:
    values = {
        "room": game.room,
        "season": season,
        "start_piece": game.start_piece,
        "start_team": game.start_team if game.start_team != "ONE" else "",
        "reason": game.result.reason if game.result is not None else "",
        "error": game.error,
    }
    return {key: value for key, value in values.items() if value}


def _moves(game: Game, record: GameRecord) -> list[Played]:
    """The moves of the states; where these have none, those that were sent."""
    if not game.moves:
        first = {move.event: move for move in reversed(game.sent)}
        # A recorded conversation may hold a message twice, as sent and as passed on.
        return [m for m in game.sent if isinstance(m.event, Pass) or m is first[m.event]]
    confirmed = {move.event for move in game.moves}
    for move in game.sent:
        if isinstance(move.event, Move) and move.event not in confirmed:
            message = f"a move that was sent is in no state and left out: {move.event.text[:_SHOWN]}"
            record.problems.append(Problem("unconfirmed_move", message, move.line, len(game.moves)))
            break
    return game.moves


def _check_start(game: Game, moves: list[Played], record: GameRecord) -> None:
    """Warn of colours that begin with another piece than the game's start piece."""
    wanted = piece_name(game.start_piece)
    begun = {ANY_COLOUR}
    ply = 0
    for move in moves:
        if not isinstance(move.event, Move):
            continue
        ply += 1
        colour = move.event.colour
        if wanted is None or colour in begun:
            continue
        begun.add(colour)
        if piece_name(move.kind) != wanted:
            name = COLOURS[colour].lower()
            message = (
                f"{name} begins with {move.kind[:_SHOWN]}, the start piece of the game is {game.start_piece}"
            )
            record.problems.append(Problem("start_piece", message, move.line, ply))
