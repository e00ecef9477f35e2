"""The elements of a Software-Challenge protocol that tell a game, as they come out of the parser."""

from __future__ import annotations

import re
from typing import TypeAlias
from xml.sax import SAXException
from xml.sax.xmlreader import AttributesImpl

from notation.record import ANY_COLOUR, Pass
from notation.software_challenge_codes import colour_of, move_of, number_of
from notation.software_challenge_game import STARTS, Game, Played
from notation.software_challenge_result import TEAMS, Result, Score, Winner, seat_of
from notation.xml_stream import Events

GAMES = 1000
"""Games of one file; no protocol holds more than a few."""

MOVES = 40_000
"""Moves of one game that are read; a record of so many is refused anyway."""

_TEXT = 200
_CLASS = re.compile(r"sc\.plugin(\d{4})\b")
_GAME_TYPE = re.compile(r"swc_(\d{4})_(\w{1,40})")
_LEAVES = frozenset({"color", "part", "startTeam", "startColor"})

Attributes: TypeAlias = "AttributesImpl[str]"


def _get(attributes: Attributes, *names: str) -> str:
    """The first of these attributes that is there, as much of it as anybody needs."""
    return next((str(attributes[name])[:_TEXT] for name in names if name in attributes), "")


def short_name(class_name: str) -> str:
    """A class without its package, in small letters: `sc.plugin2021.SetMove` and `setmove` are the same."""
    return class_name.rpartition(".")[2].lower()


class Protocol(Events):
    """Games of a protocol, in the order in which their rooms appear."""

    ignored = frozenset(
        {"board", "fields", "field", "lastMoveMono", "validColors", "orderedColors", "definition", "hint"}
        | {"blueShapes", "yellowShapes", "redShapes", "greenShapes", "originalMessage", "originalRequest"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Game] = []
        self._of_room: dict[str, Game] = {}
        self._game: Game | None = None
        self._season = ""
        self._other = ""
        self._text = ""
        self._move: dict[str, str] | None = None
        self._seat: int | None = None
        self._result: Result | None = None
        """Of a message that has not ended: half a result is none."""
        self._name = ""

    @property
    def game(self) -> Game:
        """The game that messages belong to now."""
        return self._game or self._enter("")

    def _enter(self, room: str, anew: bool = False) -> Game:
        game = None if anew else self._of_room.get(room)
        if game is None:
            if len(self.games) >= GAMES:
                raise SAXException(f"more than {GAMES} games in one file")
            game = Game(room, self.line_number() or 1, hint=self._season, other_season=self._other)
            self.games.append(game)
            self._of_room[room] = game
        self._game = game
        return game

    def opened(self, name: str, attributes: Attributes) -> None:
        """See `Events`."""
        self._text = ""
        handler = _OPENED.get(name) or _OPENED.get(short_name(name))
        if handler is not None:
            handler(self, attributes)
        elif "gameType" in attributes:
            self._game_type(_get(attributes, "gameType"))

    def closed(self, name: str) -> None:
        """See `Events`."""
        if name in _LEAVES:
            self._leaf(name, self._text.strip())
            self._text = ""
        elif name in ("first", "second"):
            self._player(self._seat, self._name)
            self._seat = None
        elif name == "room":
            self._game = None
        elif self._result is not None and name in ("data", "result"):
            self.game.result, self._result = self._result, None
        elif self._move is not None and name == self._move["element"]:
            self._end_move(self._move)
            self._move = None

    def text(self, content: str) -> None:
        """See `Events`."""
        if len(self._text) < _TEXT and self.path[-1] in _LEAVES:
            self._text += content[:_TEXT]

    def _room(self, attributes: Attributes) -> None:
        self._enter(_get(attributes, "roomId"))

    def _data(self, attributes: Attributes) -> None:
        kind = self._class(attributes)
        if kind in ("setmove", "skipmove"):
            self._begin_move(kind)
        elif kind in ("result", "gameresult"):
            self._result = Result()
        elif kind in ("error", "errormessage", "protocolerrormessage"):
            self.game.error = _get(attributes, "message")

    def _class(self, attributes: Attributes) -> str:
        """The class of an element, which may tell the season."""
        name = _get(attributes, "class")
        if match := _CLASS.match(name):
            self._season_is(match[1])
        return short_name(name)

    def _season_is(self, year: str) -> None:
        game = self.game
        if year in STARTS:
            game.season = game.season or year
        else:
            game.other_season = game.other_season or f"season {year}"

    def _game_type(self, text: str) -> None:
        if match := _GAME_TYPE.match(text):
            self._season = match[1] if match[1] in STARTS else ""
            self._other = "" if match[1] in STARTS else f"{match[2].replace('_', ' ')} (season {match[1]})"

    def _state(self, attributes: Attributes) -> None:
        turn = number_of(_get(attributes, "turn"))
        game = self.game
        if game.begins_anew(turn):
            game = self._enter(game.room, anew=True)
        if "startTeam" in attributes:
            game.hint = "2027"
            game.start_team = _get(attributes, "startTeam")
        game.start_piece = game.start_piece or _get(attributes, "startPiece")
        game.state(turn)

    def _last_move(self, attributes: Attributes) -> None:
        self._begin_move(self._class(attributes))

    def _begin_move(self, kind: str) -> None:
        if self._move is None:
            self._move = {"element": self.path[-1], "class": kind}

    def _bare_move(self, attributes: Attributes) -> None:
        if match := _CLASS.match(self.path[-1]):
            self._season_is(match[1])
        self._begin_move(short_name(self.path[-1]))

    def _piece(self, attributes: Attributes) -> None:
        if self._move is not None:
            self._move |= {
                "color": _get(attributes, "color"),
                "kind": _get(attributes, "kind"),
                "rotation": _get(attributes, "rotation"),
                "flipped": _get(attributes, "isFlipped", "is_flipped"),
            }

    def _position(self, attributes: Attributes) -> None:
        if self._move is not None:
            self._move |= {"x": _get(attributes, "x"), "y": _get(attributes, "y")}

    def _end_move(self, move: dict[str, str]) -> None:
        """A move is complete: one of a state, or one that was sent."""
        played = _played(move, self.line_number() or 1)
        if played is None:
            return
        if len(self.game.moves) + len(self.game.sent) >= MOVES:
            raise SAXException(f"more than {MOVES} moves in one game")
        if move["element"] == "lastMove":
            self.game.last_move(played)
        else:
            self.game.sent.append(played)

    def _first(self, attributes: Attributes) -> None:
        self.game.hint = "2021"
        self._seat, self._name = 0, _get(attributes, "displayName")

    def _second(self, attributes: Attributes) -> None:
        self._seat, self._name = 1, _get(attributes, "displayName")

    def _player(self, seat: int | None, name: str) -> None:
        if seat is not None and name.strip():
            self.game.players[seat] = name

    def _result_player(self, attributes: Attributes) -> None:
        self._seat, self._name = seat_of(_get(attributes, "team")), _get(attributes, "name", "displayName")
        self._player(self._seat, self._name)

    def _entry(self, attributes: Attributes) -> None:
        self.game.hint = "2027"
        self._seat = None

    def _score(self, attributes: Attributes) -> None:
        if (result := self._result) is not None and len(result.scores) < len(TEAMS):
            result.scores.append(Score(_get(attributes, "cause"), _get(attributes, "reason"), self._seat))

    def _bare_result(self, attributes: Attributes) -> None:
        self._result = Result()

    def _winner(self, attributes: Attributes) -> None:
        if (result := self._result) is not None and len(result.winners) < len(TEAMS):
            team = seat_of(_get(attributes, "team", "color"))
            regular, reason = _get(attributes, "regular"), _get(attributes, "reason")
            result.winners.append(Winner(_get(attributes, "displayName"), team, regular, reason))

    def _leaf(self, name: str, text: str) -> None:
        """The text of an element that holds nothing else."""
        parent = self.path[-1]
        result = self._result
        if name == "startTeam":
            self.game.hint = "2021"
            self.game.start_team = text
        elif name == "startColor":
            colour = colour_of(text)
            self.game.start_colour = colour if colour != ANY_COLOUR else None
        elif name == "color" and self._move is not None:
            self._move.setdefault("color", text)
        elif name == "color" and parent in ("first", "second"):
            self._seat = seat_of(text) if text else self._seat
        elif name == "color" and parent == "winner" and result is not None and result.winners:
            result.winners[-1].team = seat_of(text)
        elif name == "part" and result is not None and result.scores and len(result.scores[-1].parts) < 4:
            result.scores[-1].parts.append(text[:20])


def _played(move: dict[str, str], line: int) -> Played | None:
    """The move that the parts of an element make; None for a state without a last move."""
    if move["class"] == "skipmove" or ("kind" not in move and "color" in move):
        colour = colour_of(move.get("color", ""))
        return Played(Pass(ANY_COLOUR if colour is None else colour), "", line)
    if "kind" not in move and move["class"] != "setmove":
        return None
    names = ("color", "kind", "rotation", "flipped", "x", "y")
    return Played(move_of(*(move.get(name, "") for name in names)), move.get("kind", ""), line)


_OPENED = {
    "room": Protocol._room,
    "data": Protocol._data,
    "setmove": Protocol._bare_move,
    "skipmove": Protocol._bare_move,
    "state": Protocol._state,
    "lastMove": Protocol._last_move,
    "piece": Protocol._piece,
    "position": Protocol._position,
    "first": Protocol._first,
    "second": Protocol._second,
    "player": Protocol._result_player,
    "entry": Protocol._entry,
    "result": Protocol._bare_result,
    "score": Protocol._score,
    "winner": Protocol._winner,
}
