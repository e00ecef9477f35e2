"""The slow twin of playouts: the same policy and the same draws, on the sets of `tests.naive`."""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.boards import cells
from engine.geometry import placements_by_cells
from engine.playouts import TRIES, WEIGHTS
from engine.variants import variant
from tests.naive import XY, Cells, Game, board_of, placements

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


@cache
def shapes(variant_id: str) -> dict[str, dict[frozenset[XY], list[Cells]]]:
    """The placements of each shape of each piece, all in the order of their numbers."""
    out: dict[str, dict[frozenset[XY], list[Cells]]] = {}
    for move in sorted(placements(variant_id), key=numbers(variant_id).__getitem__):
        of_piece = out.setdefault(placements(variant_id)[move], {})
        of_piece.setdefault(near_origin(variant_id, move), []).append(move)
    return out


def near_origin(variant_id: str, move: Cells) -> frozenset[XY]:
    """The same shape near the origin; a triangle that points up still does."""
    x, y = min(cell[0] for cell in move), min(cell[1] for cell in move)
    x -= (x + y) % 2 if board_of(variant_id).triangles else 0
    return frozenset((cell[0] - x, cell[1] - y) for cell in move)


def choose(game: Game, colour: int, stream: Stream, largest: dict[int, int]) -> Cells:
    """The move that the policy plays; `largest` is the size of each colour's last piece, where it goes on to look."""
    legal = set(game.legal_moves(colour))
    in_hand = [(name, of) for name, of in shapes(game.variant_id).items() if game.hands[colour][name]]
    size_of = {name: len(next(iter(of))) for name, of in in_hand}
    sizes = sorted(set(size_of.values()), reverse=True)
    known = [size for size in sizes if size <= largest[colour]] if colour in largest else []
    for size in known + sizes:  # the larger ones have another try where nothing else fits
        left = [here for name, of in reversed(in_hand) if size_of[name] == size for here in of.values()]
        drawn: list[Cells] = []
        while left and len(drawn) < TRIES:
            at = stream.below(len(left))
            here, left[at] = left[at], left[-1]
            left.pop()
            if fitting := [move for move in here if move in legal]:
                drawn.append(fitting[stream.below(len(fitting))])
        if drawn:
            largest[colour] = size
            return max(drawn, key=lambda move: worth(game, colour, move))  # the first of the best
    raise AssertionError("a colour that has no move is not asked")


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
    game, largest = copy_of(start), dict[int, int]()
    while not game.is_over():
        colour = game.to_move()
        assert colour is not None
        move = choose(game, colour, stream, largest)
        assert move in placements(game.variant_id)
        game = game.at_turn_of(colour)
        game.turn += 1
        game.put(colour, move)
        game.nominal = (colour + 1) % len(game.colours)
    return game
