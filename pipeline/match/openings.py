"""Openings of a match: the first plies of recorded games, or random plies of a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.position import Position
from engine.random_games import random_games
from engine.rulesets import parse_rules
from engine.variants import variant
from notation.errors import NotationError
from notation.moves import move_from_cells
from notation.record import GameRecord, Move
from pipeline.errors import PipelineError
from pipeline.judged import RuleChoice
from pipeline.portions import Digest, Inventory, portions_of
from pipeline.positions import position_of_record
from pipeline.unit import Reading, read_portion

_SKEW = 0.01
"""Chance of the most popular placement of random plies: nearly all of the biggest pieces alike, few openings twice."""

Opening = tuple[Move, ...]
"""Placements, each with its colour, from the empty board."""


@dataclass(frozen=True, slots=True)
class Openings:
    """Where openings come from: `suite` if there are any, else `plies` random placements of `seed`."""

    variant: str
    settings: Mapping[str, str]
    seed: int
    plies: int = 0
    suite: tuple[Opening, ...] = ()

    def opening(self, number: int) -> Opening:
        """The opening of that number from 0; a suite begins again at its end."""
        if self.suite:
            return self.suite[number % len(self.suite)]
        if not self.plies:
            return ()
        rules = parse_rules(self.variant, dict(self.settings))
        played = random_games(self.variant, rules, self.seed, 1, number, max(self.plies, 1), _SKEW)
        position = Position(self.variant, rules)
        moves: list[Move] = []
        for colour, placement in played.batch.events[: self.plies].tolist():
            moves.append(_move(self.variant, colour, placement))
            position.play(colour, moves[-1].cells)
            if position.is_over:
                return tuple(moves[:-1])
        return tuple(moves)

    @property
    def name(self) -> str:
        """What the openings are, the same for the same ones."""
        if not self.suite:
            return f"{self.plies} random plies" if self.plies else "empty board"
        text = "\n".join(";".join(f"{m.colour}:{m.text}" for m in opening) for opening in self.suite)
        return f"suite of {len(self.suite)} ({hashlib.sha256(text.encode()).hexdigest()[:12]})"


def _move(variant_id: str, colour: int, placement: int) -> Move:
    from engine.geometry import geometry, placement_cells

    return move_from_cells(variant_id, colour, placement_cells(geometry(variant_id), placement))


def suite_of(paths: Sequence[str], variant_id: str, plies: int | None) -> tuple[Opening, ...]:
    """The openings of all games of a variant in some files: their first plies (None: all), each opening once.

    Raises:
        PipelineError: no game of the variant, one with a setup or with illegal moves, or one that ends in its opening.
    """
    found: dict[tuple[tuple[int, int], ...], Opening] = {}
    inventory = Inventory()
    reading = Reading()
    for portion in portions_of(list(paths), reading, inventory):
        if isinstance(portion, Digest):
            continue
        for item in read_portion(portion, reading):
            record = item.item
            if isinstance(record, NotationError):
                raise record
            if isinstance(record, GameRecord) and record.variant == variant_id:
                opening = _opening_of(record, plies, f"{item.origin.source}, game {item.origin.record}")
                found.setdefault(tuple((move.colour, move.placement) for move in opening), opening)
    for name, reason in inventory.unreadable:
        raise PipelineError(f"{name}: {reason}")
    if not found:
        raise PipelineError(f"there are no games of {variant(variant_id).id} in {', '.join(paths)}")
    return tuple(found.values())


def _opening_of(record: GameRecord, plies: int | None, where: str) -> Opening:
    if record.setup:
        raise PipelineError(f"{where}: an opening begins on the empty board, this game has a setup")
    total = len([event for event in record.events if isinstance(event, Move)])
    reached = position_of_record(record, RuleChoice(), None if plies is None else min(plies, total))
    if reached.note is not None and (reached.ply or 0) < (total if plies is None else min(plies, total)):
        raise PipelineError(f"{where}: {reached.note}")
    if reached.over:
        raise PipelineError(f"{where}: the game is over after this opening; --opening-plies takes fewer")
    return tuple(reached.pieces)
