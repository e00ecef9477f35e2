"""A session of the Go Text Protocol: a game, and commands that change it or ask about it. Nothing is printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.boards import cell_names
from engine.errors import EngineError
from engine.position import Position
from engine.rulesets import Ruleset, parse_rules
from notation.blksgf_write import write
from notation.errors import NotationError
from notation.gtp_commands import (
    LINE_LIMIT,
    Command,
    answer,
    colour_of,
    parse_command,
    score_text,
    variant_of_game,
)
from notation.moves import move_from_names
from notation.record import GameRecord, Move
from pipeline.errors import PipelineError
from pipeline.played_game import PlayedGame

NAME = "Cornerwise"
PROTOCOL = "2"


class Chooser(Protocol):
    """What finds moves, such as `engine.player.Player`."""

    def choose(self, position: Position, simulations: int) -> int:
        """Placement for the colour to move."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a session is told to use: a maker of choosers, budgets in simulations, a drawing of the board."""

    make: Callable[[str, Ruleset, int], Chooser]
    simulations: Callable[[str, str | int], int]
    draw: Callable[[PlayedGame], str]
    version: str


class Refused(Exception):
    """A command that cannot be done; the message is the answer."""


class GtpSession:
    """Answers commands one by one; `done` once it was told to quit.

    `budget` is a word or a number of simulations; `settings` are those of `engine.rulesets.parse_rules`.
    """

    def __init__(
        self, parts: Parts, variant_id: str, budget: str | int, seed: int, settings: Mapping[str, str]
    ) -> None:
        self._parts = parts
        self._budget = budget
        self._seed = seed
        self._settings = dict(settings)
        self._chooser: Chooser | None = None
        self.game = PlayedGame(variant_id, settings)
        self.done = False

    def respond(self, line: str) -> str | None:
        """The answer to a line; None where the protocol asks for none. Whatever the line is, a session goes on."""
        if len(line) > LINE_LIMIT:
            return answer("", "the line is too long", good=False)
        command = parse_command(line)
        if command is None:
            return None
        try:
            return answer(command.number, self._run(command))
        except (Refused, EngineError, NotationError, PipelineError) as error:
            return answer(command.number, str(error) or "refused", good=False)
        except OSError as error:
            return answer(command.number, error.strerror or str(error), good=False)
        except Exception as error:
            # A match is not lost because of one command that nobody foresaw.
            return answer(command.number, f"internal error ({type(error).__name__}: {error})", good=False)

    def _run(self, command: Command) -> str:
        row = COMMANDS.get(command.name)
        if row is None:
            raise Refused(f"unknown command ({command.name[:60]})")
        run, least, most = row
        given = len(command.arguments)
        if given > most:
            raise Refused("no arguments allowed" if most == 0 else f"too many arguments: {most} at most")
        if given < least:
            raise Refused(f"missing argument {given + 1}")
        return run(self, command)

    # What is asked about the program

    def _name(self, command: Command) -> str:
        return NAME

    def _version(self, command: Command) -> str:
        return self._parts.version

    def _protocol(self, command: Command) -> str:
        return PROTOCOL

    def _list(self, command: Command) -> str:
        return "\n".join(sorted(COMMANDS))

    def _known(self, command: Command) -> str:
        return "true" if command.rest in COMMANDS else "false"

    def _cputime(self, command: Command) -> str:
        return f"{time.process_time():.3f}"

    def _quit(self, command: Command) -> str:
        self.done = True
        return ""

    # What the program is set to

    def _set_seed(self, command: Command) -> str:
        if not (command.rest.isascii() and command.rest.isdigit() and len(command.rest) <= 19):
            raise Refused(f"argument 1 ({command.rest[:40]!r}) is no number from 0")
        self._seed, self._chooser = int(command.rest), None
        return ""

    def _param(self, command: Command) -> str:
        name, *value = command.arguments or ("",)
        if not name:
            return f"simulations {self._simulations()}\nseed {self._seed}"
        if name == "seed" and value:
            return self._set_seed(Command("", "", value[0]))
        if name not in ("simulations", "budget") or not value:
            raise Refused("usage: param, param simulations NUMBER, param budget WORD, param seed NUMBER")
        budget = (
            int(value[0]) if value[0].isascii() and value[0].isdigit() and len(value[0]) < 19 else value[0]
        )
        self._parts.simulations(self.game.variant.id, budget)
        self._budget = budget
        return ""

    def _simulations(self) -> int:
        return self._parts.simulations(self.game.variant.id, self._budget)

    # The game

    def _begin(self, game: PlayedGame) -> str:
        self.game, self._chooser = game, None
        return ""

    def _set_game(self, command: Command) -> str:
        found = variant_of_game(command.rest)
        if found is None:
            raise Refused(f"invalid argument: there is no game {command.rest[:60]!r}")
        parse_rules(found, self._settings)
        return self._begin(PlayedGame(found, self._settings))

    def _clear(self, command: Command) -> str:
        return self._begin(PlayedGame(self.game.variant.id, self._settings))

    def _load(self, command: Command) -> str:
        from pipeline.positions import nth_record
        from pipeline.unit import Reading

        path, *before = command.rest.rsplit(maxsplit=1) if _ends_in_number(command.rest) else (command.rest,)
        if not Path(path).is_file():
            raise Refused(f"could not open {path!r}")
        record = nth_record([path], Reading())
        if not isinstance(record, GameRecord):
            raise Refused("the file holds a position without a game")
        game = PlayedGame(record.variant, self._settings | record.rules, record.setup)
        most = int(before[0]) - 1 if before else len(record.events)
        for event in record.events:
            if len(game.moves) >= most:
                break
            if isinstance(event, Move) and event.colour < 0:
                event = event._replace(colour=game.position.to_move or 0)
            game.add(event)
        return self._begin(game)

    def _save(self, command: Command) -> str:
        Path(command.rest).write_text(write(self.game.record()), encoding="utf-8")
        return ""

    def _colour(self, name: str) -> int:
        colour = colour_of(self.game.variant.id, name)
        if colour is None:
            raise Refused(f"invalid color argument {name[:40]!r}")
        return colour

    def _on_turn(self) -> int:
        colour = self.game.to_move
        if colour is None:
            raise Refused("the game is over")
        return colour

    def _play(self, command: Command) -> str:
        name, _, move = command.rest.partition(" ")
        return self._play_move(self._colour(name), move)

    def _play_on_turn(self, command: Command) -> str:
        return self._play_move(self._on_turn(), command.rest)

    def _play_move(self, colour: int, text: str) -> str:
        if text.lower() == "pass":
            if self.game.rules.passing != "voluntary" and self.game.position.mobility(colour):
                raise Refused("illegal move: this colour can move")
            self.game.pass_turn(colour)
            return ""
        move = move_from_names(self.game.variant.id, colour, text.split(","))
        if move.placement < 0:
            raise Refused("invalid move")
        why = self.game.why_illegal(colour, move.cells)
        if why is not None:
            raise Refused(f"illegal move: {why}")
        self.game.play(colour, move.cells)
        return ""

    def _genmove(self, command: Command) -> str:
        return self._make_move(self._colour(command.rest), keep=True)

    def _genmove_on_turn(self, command: Command) -> str:
        colour = self.game.to_move
        return "pass" if colour is None else self._make_move(colour, keep=True)

    def _only_choose(self, command: Command) -> str:
        return self._make_move(self._colour(command.rest), keep=False)

    def _make_move(self, colour: int, keep: bool) -> str:
        game = self.game
        if game.over or not game.position.mobility(colour):
            return "pass"
        simulations = self._simulations()
        if self._chooser is None:
            self._chooser = self._parts.make(game.variant.id, game.rules, self._seed)
        placement = self._chooser.choose(turned_to(game.position, colour), simulations)
        move = _move_of(game, colour, placement)
        if keep:
            game.play(colour, move.cells)
        return move.text

    def _undo(self, command: Command) -> str:
        if self.game.undo() is None:
            raise Refused("cannot undo")
        return ""

    def _all_legal(self, command: Command) -> str:
        colour = self._colour(command.rest)
        if self.game.over:
            return ""
        names = cell_names(self.game.variant.board)
        moves = self.game.position.legal_moves(colour)
        return "\n".join(",".join(names[cell] for cell in cells) for _, cells in moves)

    def _final_score(self, command: Command) -> str:
        totals = [seat.total for seat in self.game.results(decided=False)]
        return score_text(self.game.variant.id, self.game.colour_points(), totals)

    def _show(self, command: Command) -> str:
        return "\n" + self._parts.draw(self.game)


def _move_of(game: PlayedGame, colour: int, placement: int) -> Move:
    from engine.geometry import geometry, placement_cells
    from notation.moves import move_from_cells

    return move_from_cells(game.variant.id, colour, placement_cells(geometry(game.variant.id), placement))


def turned_to(position: Position, colour: int) -> Position:
    """The position with this colour on turn, which can move: itself, or a copy in which others let theirs go by."""
    if position.to_move == colour:
        return position
    turned = position.copy()
    for _ in range(len(position.variant.colours)):
        on_turn = turned.to_move
        if on_turn is None or on_turn == colour:
            break
        turned.pass_turn(on_turn)
    return turned


def _ends_in_number(text: str) -> bool:
    last = text.rsplit(maxsplit=1)[1:]
    return bool(last) and last[0].isascii() and last[0].isdigit() and len(last[0]) < 9


_MANY = 1000
"""Arguments of commands that take the rest of their line."""

Run = Callable[[GtpSession, Command], str]

COMMANDS: dict[str, tuple[Run, int, int]] = {
    "all_legal": (GtpSession._all_legal, 1, 1),
    "clear_board": (GtpSession._clear, 0, 0),
    "cputime": (GtpSession._cputime, 0, 0),
    "final_score": (GtpSession._final_score, 0, 0),
    "g": (GtpSession._genmove_on_turn, 0, 0),
    "genmove": (GtpSession._genmove, 1, 1),
    "known_command": (GtpSession._known, 1, 1),
    "list_commands": (GtpSession._list, 0, 0),
    "loadsgf": (GtpSession._load, 1, _MANY),
    "name": (GtpSession._name, 0, 0),
    "p": (GtpSession._play_on_turn, 1, _MANY),
    "param": (GtpSession._param, 0, 2),
    "play": (GtpSession._play, 2, _MANY),
    "protocol_version": (GtpSession._protocol, 0, 0),
    "quit": (GtpSession._quit, 0, 0),
    "reg_genmove": (GtpSession._only_choose, 1, 1),
    "savesgf": (GtpSession._save, 1, _MANY),
    "set_game": (GtpSession._set_game, 1, _MANY),
    "set_random_seed": (GtpSession._set_seed, 1, 1),
    "showboard": (GtpSession._show, 0, 0),
    "undo": (GtpSession._undo, 0, 0),
    "version": (GtpSession._version, 0, 0),
}
"""Name -> what runs it, least and most arguments."""
