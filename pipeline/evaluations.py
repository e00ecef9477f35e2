"""Evaluations as documents: a position of a game or a text, what the engine says of it, in names of moves and cells."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from engine.rulesets import rule_settings
from engine.variants import Variant, variant
from notation.position_text import PositionText, parse_position
from notation.record import GameRecord, Move
from pipeline.asking import Asked, placements_named, reach_in, record_of
from pipeline.judged import RuleChoice, group_records
from pipeline.positions import Reached, position_of_record, position_on_board

if TYPE_CHECKING:
    from engine.evaluation import Evaluation, MoveValue
    from pipeline.store import Reader

Document = dict[str, Any]
Stop = Callable[[], bool]

INCLUDE = ("territory", "policy", "variation", "features")
"""What an answer can have besides seats and best moves."""

BUDGETS = ("instant", "quick", "standard", "deep")


@dataclass(frozen=True, slots=True)
class Wish:
    """How positions are evaluated, and what of it is told.

    `allow` and `avoid` are moves of the root as cells, `allow_pieces` and `avoid_pieces` names of pieces.
    """

    budget: str | int = "quick"
    seed: int = 1
    top: int = 10
    include: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    allow_pieces: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    avoid_pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A game, or a position text, of which positions are evaluated under settings of the rules."""

    record: GameRecord
    rules: Mapping[str, str] = field(default_factory=dict)
    text: PositionText | None = None

    @staticmethod
    def of(asked: Asked) -> Subject:
        """What somebody asks about; raises as `asking.record_of`."""
        text = None if asked.position is None else parse_position(asked.position)
        return Subject(record_of(asked), asked.rules, text)

    @staticmethod
    def of_game(reader: Reader, identity: str) -> Subject:
        """A game of the library, by its full identity."""
        from pipeline.export import rebuild

        row = reader.table("SELECT game_no FROM games WHERE id = ?", [identity]).to_pylist()[0]
        ((_, record),) = rebuild(reader, [row["game_no"]])
        return Subject(record)

    def label(self, ply: int | None) -> int | None:
        """What the position after `ply` is called: the last one of a game by its number, a position text by none."""
        if ply is not None or self.text is not None:
            return ply
        return sum(isinstance(event, Move) for event in self.record.events)

    def plies(self) -> int:
        """Legal placements of the game; 0 of a position text."""
        return position_of_record(self.record, RuleChoice(self.rules)).ply or 0 if self.text is None else 0

    def reach(self, ply: int | None) -> Reached:
        """The position after a ply; raises as `asking.reach`."""
        if self.text is not None and ply in (None, 0):
            return position_on_board(self.text, self.rules)
        return reach_in(self.record, self.rules, ply)


class Cache:
    """The last answers, by what they depend on; may be shared by threads."""

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._guard = threading.Lock()
        self._answers: OrderedDict[str, Document] = OrderedDict()

    def get(self, key: str) -> Document | None:
        """The answer of that key, if it is there still."""
        with self._guard:
            found = self._answers.get(key)
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def put(self, key: str, answer: Document) -> None:
        """Keep an answer, in the place of the one that was longest not asked for."""
        with self._guard:
            self._answers[key] = answer
            while len(self._answers) > self._entries:
                self._answers.popitem(last=False)

    def __len__(self) -> int:
        return len(self._answers)


def evaluated(
    subject: Subject, ply: int | None, wish: Wish, stop: Stop | None = None, cache: Cache | None = None
) -> Document:
    """The evaluation of one position, `ply` placements into the game (None: the last position).

    `cached` says whether the answer was there already. An answer that `stop` broke off is not kept.

    Raises:
        IllegalGame, NotThere, PipelineError: there is no such position.
        EngineError: the engine refuses the budget, or no move is allowed.
    """
    reached = subject.reach(ply)
    about = {"ply": reached.ply, "position": reached.text()}
    key = _key(subject, reached, wish)
    found = None if cache is None else cache.get(key)
    if found is not None:
        return {**about, **found, "cached": True}
    answer = _finished(reached, wish) if reached.over else _searched(reached, wish, stop)
    if "features" in wish.include:
        answer["features"] = _features(subject, reached.ply or 0)
    if cache is not None and not answer["stopped"]:
        cache.put(key, answer)
    return {**about, **answer, "cached": False}


def evaluated_at(reached: Reached, wish: Wish, stop: Stop | None = None) -> Document:
    """The evaluation of a position that was reached, without its features; raises as `evaluated`."""
    answer = _finished(reached, wish) if reached.over else _searched(reached, wish, stop)
    return {"ply": reached.ply, "position": reached.text(), **answer}


def _key(subject: Subject, reached: Reached, wish: Wish) -> str:
    """All that an answer depends on. Games whose past matters, by rounds or turns of a shared colour, say that too."""
    from engine.evaluate import engine_version

    rules = reached.position.rules
    text = reached.text()
    past = text is None or bool(rules.rounds) or rules.shared is not None or "features" in wish.include
    history = [str(event) for event in subject.record.events] if past else None
    parts = (
        engine_version(reached.position.variant.id),
        text,
        reached.position.key,
        sorted(rule_settings(reached.position.variant.id, rules).items()),
        history,
        reached.ply if past else None,
        wish.budget,
        wish.seed,
        wish.top,
        sorted(wish.include),
        [sorted(names) for names in (wish.allow, wish.allow_pieces, wish.avoid, wish.avoid_pieces)],
    )
    return json.dumps(parts)


def _searched(reached: Reached, wish: Wish, stop: Stop | None) -> Document:
    from engine.evaluate import evaluate

    position = reached.position
    allow = placements_named(reached, wish.allow, wish.allow_pieces)
    avoid = placements_named(reached, wish.avoid, wish.avoid_pieces)
    found = evaluate(
        position,
        wish.budget,
        wish.seed,
        top=wish.top,
        territory="territory" in wish.include,
        allow=allow if wish.allow or wish.allow_pieces else None,
        avoid=avoid,
        stop=stop,
    )
    return {**_head(reached), **_values(position.variant, found, wish)}


def _head(reached: Reached) -> Document:
    row = reached.position.variant
    return {
        "variant": row.id,
        "rules": rule_settings(row.id, reached.position.rules),
        "position_key": reached.position.key,
        "to_move": None if reached.to_move is None else row.colours[reached.to_move],
        "over": reached.over,
    }


def _values(row: Variant, found: Evaluation, wish: Wish) -> Document:
    out: Document = {
        "legal_moves": found.legal_moves,
        "exact": found.exact,
        "stopped": found.stopped,
        "engine": found.engine,
        "budget": found.budget,
        "simulations": found.simulations,
        "seed": found.seed,
        "seats": [
            {
                "seat": seat,
                "score": value.score,
                "score_error": value.score_error,
                "spread": value.spread,
                "share": value.share,
                "share_error": value.share_error,
                "places": None if value.places is None else list(value.places),
            }
            for seat, value in enumerate(found.seats, 1)
        ],
        "moves": [_move(row, move, found.to_move, wish) for move in found.moves[: wish.top]],
    }
    if "policy" in wish.include:
        out["policy"] = {_cells(row, placement): prior for placement, prior in found.priors}
    if "territory" in wish.include and found.territory is not None:
        out["territory"] = {
            "colours": [*row.colours, "nobody"],
            "cells": {
                name: [round(float(value), 4) for value in values]
                for name, values in zip(cell_names(row.board), found.territory, strict=True)
            },
        }
    return out


def _move(row: Variant, value: MoveValue, colour: int | None, wish: Wish) -> Document:
    out: Document = {
        "move": _cells(row, value.placement),
        "piece": _piece(row, value.placement),
        "colour": row.colours[colour or 0],
        "share": value.share,
        "share_error": value.share_error,
        "bound": value.bound,
        "score": value.score,
        "visits": value.visits,
        "prior": value.prior,
    }
    if "variation" in wish.include:
        out["variation"] = [
            {"colour": row.colours[who], "move": _cells(row, number), "piece": _piece(row, number)}
            for who, number in value.variation
        ]
    return out


def _cells(row: Variant, placement: int) -> str:
    names = cell_names(row.board)
    return ",".join(names[cell] for cell in placement_cells(geometry(row.id), placement))


def _piece(row: Variant, placement: int) -> str:
    return PIECE_SETS[row.pieces].names[int(geometry(row.id).placement_piece[placement])]


def _finished(reached: Reached, wish: Wish) -> Document:
    """What there is to say once the game is over: its result."""
    from engine.evaluate import engine_version
    from pipeline.documents import score_document

    seats = score_document(reached)["seats"]
    out: Document = {
        **_head(reached),
        "legal_moves": 0,
        "exact": True,
        "stopped": False,
        "engine": engine_version(reached.position.variant.id),
        "budget": str(wish.budget),
        "simulations": 0,
        "seed": wish.seed,
        "seats": [
            {
                "seat": row["seat"],
                "score": float(row["points"]),
                "score_error": 0.0,
                "spread": 0.0,
                "share": row["share"],
                "share_error": 0.0,
                "places": _certain(row["place"], len(seats)),
            }
            for row in seats
        ],
        "moves": [],
    }
    row = reached.position.variant
    if "policy" in wish.include:
        out["policy"] = {}
    if "territory" in wish.include:
        board = reached.position.board.tolist()
        columns = range(len(row.colours))
        out["territory"] = {
            "colours": [*row.colours, "nobody"],
            "cells": {
                name: [float(owner == colour) for colour in columns] + [float(owner < 0)]
                for name, owner in zip(cell_names(row.board), board, strict=True)
            },
        }
    return out


def _certain(place: int | None, seats: int) -> list[float] | None:
    return None if place is None else [float(at == place) for at in range(1, seats + 1)]


def _features(subject: Subject, ply: int) -> Document:
    """Measures of the position, by colour and of the whole, as `engine/measures.md` defines them."""
    from engine.features import COLOUR_COLUMNS, POSITION_COLUMNS, features

    groups, refused = group_records([subject.record], RuleChoice(subject.rules))
    if refused:
        raise refused[0][1]
    (group,) = groups
    found = features(group.variant, group.rules, group.replay)
    return {
        "position": {name: int(getattr(found, name)[ply]) for name in POSITION_COLUMNS},
        "colours": {
            colour: {
                name: int(getattr(found, name)[ply, number])
                for name in COLOUR_COLUMNS
                if name != "fitting_mask"
            }
            for number, colour in enumerate(variant(group.variant).colours)
        },
    }
