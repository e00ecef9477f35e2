"""Legal moves and verdicts of a position against the slow twin: every variant, every start rule."""

from __future__ import annotations

import random

import pytest

from engine.boards import cells
from engine.position import Position
from engine.rulesets import parse_rules
from engine.variants import VARIANTS, variant
from tests.engine.hostile import cell_numbers, gold_game, nearby, random_game
from tests.engine.test_replay_twin import STARTS
from tests.naive import Cells, Game, placements
from tests.naive_replay import Event

CASES = [(variant_id, start) for variant_id, row in VARIANTS.items() for start in STARTS[row.board]]


class Pair:
    """The engine's position and the twin's, side by side."""

    def __init__(self, variant_id: str, start: str) -> None:
        rules = parse_rules(variant_id, {"start": start})
        self.variant_id = variant_id
        self.position, self.game = Position(variant_id, rules), Game(variant_id, rules)

    def play(self, colour: int, what: Cells) -> None:
        self.position.play(colour, cell_numbers(self.variant_id, what))
        self.game = self.game.at_turn_of(colour)
        self.game.turn += 1
        self.game.put(colour, what)
        self.game.nominal = (colour + 1) % len(self.game.colours)

    def check_lists(self) -> None:
        where = cells(variant(self.variant_id).board)
        for colour in self.game.colours:
            listed = self.position.legal_moves(colour)
            ours = {frozenset(where[c] for c in move): name for name, move in listed}
            assert len(ours) == len(listed) == self.position.mobility(colour)
            assert ours.keys() == set(self.game.legal_moves(colour))
            assert all(placements(self.variant_id)[move] == name for move, name in ours.items())
            assert self.position.pieces_left(colour) == dict(+self.game.hands[colour])
        mover = self.position.to_move
        assert mover == self.game.to_move()
        assert self.position.is_over == self.game.is_over()
        owners = [self.game.owner.get(c, -1) for c in where]
        assert self.position.board.tolist() == owners

    def check_verdicts(self, rng: random.Random, events: list[Event], tries: int) -> None:
        for _ in range(tries):
            colour = rng.choice(self.game.colours)
            what = nearby(self.variant_id, rng, events)
            expected = self.game.verdict(colour, what)
            found = self.position.why_illegal(colour, cell_numbers(self.variant_id, what))
            assert (found or "legal") == expected, (colour, sorted(what))


@pytest.mark.parametrize(("variant_id", "start"), CASES)
def test_lists_and_verdicts_along_a_random_game(variant_id: str, start: str) -> None:
    rng = random.Random(f"{variant_id} {start}")
    pair = Pair(variant_id, start)
    pair.check_lists()
    pair.check_verdicts(rng, [], 10)
    events = random_game(variant_id, pair.position.rules, rng, 100, skips=0.1)
    for ply, (colour, what) in enumerate(events, 1):
        assert isinstance(what, frozenset)
        pair.play(colour, what)
        if ply <= 2 or ply % 16 == 0 or ply == len(events):
            pair.check_lists()
            pair.check_verdicts(rng, events[:ply], 8)


@pytest.mark.parametrize("variant_id", ["junior", "classic_3", "trigon_2"])
def test_verdicts_at_the_end_of_a_game_that_somebody_left(variant_id: str) -> None:
    rng = random.Random(variant_id)
    pair = Pair(variant_id, VARIANTS[variant_id].start)
    events = gold_game(variant_id, rng, finished=True)
    for colour, what in events[:-6]:
        assert isinstance(what, frozenset)
        pair.play(colour, what)
    pair.check_verdicts(rng, events, 40)
    pair.position.leave(1)
    pair.game.out |= set(pair.position.rules.seats[1])
    pair.check_lists()
    pair.check_verdicts(rng, events, 40)
