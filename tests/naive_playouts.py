"""The slow twin of playouts: the same policy and the same draws, on the sets of `tests.naive`."""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.boards import cells
from engine.geometry import placements_by_cells
from engine.playouts import TRIES, WEIGHTS
from engine.variants import variant
from tests.naive import XY, Cells, Game, placements

WORD = 2**64


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


class Stream:
    """The random numbers again, with big integers."""

    def __init__(self, state: int) -> None:
        self.state = state % WORD

    def draw(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        return mix(self.state)

    def below(self, n: int) -> int:
        while True:
            product = (self.draw() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


@cache
def numbers(variant_id: str) -> dict[Cells, int]:
    """The engine's number of each placement: the order in which placements are drawn."""
    where = cells(variant(variant_id).board)
    by_cells = placements_by_cells(variant_id)
    return {frozenset(where[c] for c in key): number for key, number in by_cells.items()}


def side_of(game: Game, colour: int) -> set[int]:
    """The colours that win with a colour, itself included."""
    rules = game.rules
    seat = next((s for s, owned in enumerate(rules.seats) if colour in owned), None)
    if seat is None:
        return {colour}
    team = next((t for t in rules.teams if seat in t), (seat,))
    return {c for s in team for c in rules.seats[s]}


def liberties(game: Game, colour: int) -> set[XY]:
    """Corner liberties of a colour that has begun."""
    if colour in game.out or not game.begun(colour):
        return set()
    return game.targets(colour) - {n for c in game.own(colour) for n in game.board.sides[c]}


def worth(game: Game, colour: int, move: Cells) -> int:
    """What a move is worth to its colour."""
    board, owner = game.board, game.owner
    mine, side = liberties(game, colour), side_of(game, colour)
    rivals = {n for c in game.colours if c not in side for n in liberties(game, c)}
    beside = {n for c in move for n in board.sides[c]} - move
    corners = {n for c in move for n in board.corners[c]} - move - beside
    forbidden = {n for c in game.own(colour) for n in board.sides[c]} | set(owner)
    counts = Counter(
        {
            "covered": len(move & rivals),
            "lost": len(beside & mine),
            "joined": sum(owner.get(n) == colour for n in corners),
            "opened": len(corners - forbidden - mine),
        }
    )
    return sum(weight * counts[name] for name, weight in WEIGHTS.items())


def choose(game: Game, colour: int, stream: Stream) -> Cells:
    """The move that the policy plays."""
    of = numbers(game.variant_id)
    legal = set(game.legal_moves(colour))
    most = max(len(move) for move in legal)
    largest = sorted((move for move in legal if len(move) == most), key=of.__getitem__)
    if len(largest) == 1:
        return largest[0]
    drawn = [largest[stream.below(len(largest))] for _ in range(TRIES)]
    return max(drawn, key=lambda move: worth(game, colour, move))  # the first of the best


def copy_of(game: Game) -> Game:
    """A game that can be played on without touching the other."""
    twin = Game(game.variant_id, game.rules, game.nominal, game.turn, game.plies)
    twin.owner, twin.hands = dict(game.owner), [hand.copy() for hand in game.hands]
    twin.out, twin.single_last = set(game.out), set(game.single_last)
    twin.everything_at = dict(game.everything_at)
    return twin


def play_out(start: Game, seed: int, number: int) -> Game:
    """The end of one playout."""
    stream = Stream(mix((mix(seed) + number) % WORD))
    game = copy_of(start)
    while not game.is_over():
        colour = game.to_move()
        assert colour is not None
        move = choose(game, colour, stream)
        assert move in placements(game.variant_id)
        game = game.at_turn_of(colour)
        game.turn += 1
        game.put(colour, move)
        game.nominal = (colour + 1) % len(game.colours)
    return game
