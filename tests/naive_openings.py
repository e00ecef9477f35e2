"""The explorer's slow twin: games replayed one by one, positions compared cell by cell, counts in dictionaries."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.boards import cell_names
from engine.geometry import I16
from engine.position import Position
from engine.rulesets import parse_rules
from engine.variants import variant
from notation.blksgf_write import write
from notation.moves import move_from_cells
from notation.record import GameRecord
from pipeline.store import Reader

Move = tuple[int, tuple[int, ...]]
Where = tuple[tuple[int, ...], int | None]
"""A position of a game in which nobody leaves: colour on each cell, colour to move."""


@dataclass
class Game:
    id: str
    moves: list[Move]
    shares: list[float | None]
    positions: list[Where] = field(default_factory=list)

    def replay(self, variant_id: str) -> None:
        position = Position(variant_id)
        self.positions = [(tuple(position.board.tolist()), position.to_move)]
        for colour, cells in self.moves:
            position.play(colour, cells)
            self.positions.append((tuple(position.board.tolist()), position.to_move))


def games_of(reader: Reader, variant_id: str) -> list[Game]:
    """All games of a variant, replayed, in any state."""
    names = {name: i for i, name in enumerate(cell_names(variant(variant_id).board))}
    out = []
    for row in reader.table("SELECT game_no, id FROM games WHERE variant = ?", [variant_id]).to_pylist():
        moves = reader.table(
            "SELECT colour, move::VARCHAR AS move FROM moves WHERE game_no = ? ORDER BY ply", [row["game_no"]]
        ).to_pylist()
        seats = reader.table(
            "SELECT share, colours FROM seats WHERE game_no = ? ORDER BY seat", [row["game_no"]]
        ).to_pylist()
        shares = {colour: seat["share"] for seat in seats for colour in seat["colours"]}
        game = Game(
            row["id"],
            [(m["colour"] - 1, tuple(sorted(names[n] for n in m["move"].split(",")))) for m in moves],
            [shares.get(m["colour"]) for m in moves],
        )
        game.replay(variant_id)
        out.append(game)
    return out


def turned(where: Where, image: Sequence[int]) -> Where:
    board = [-1] * len(where[0])
    for cell, colour in enumerate(where[0]):
        board[image[cell]] = colour
    return tuple(board), where[1]


def explored(games: list[Game], where: Where, symmetries: list[list[int]]) -> dict[str, Any]:
    """Games at a position or its images, those that end there, and by move (in the frame of the position): games from
    here, mean share, games that have the position after it.
    """
    orbit = {turned(where, image) for image in symmetries}
    same = [image for image in symmetries if turned(where, image) == where]
    from_here: Counter[Move] = Counter()
    shares: dict[Move, list[float]] = defaultdict(list)
    at, ended = 0, 0
    for game in games:
        ply = next((ply for ply, there in enumerate(game.positions) if there in orbit), None)
        if ply is None:
            continue
        at += 1
        if ply == len(game.moves):
            ended += 1
            continue
        image = next(image for image in symmetries if turned(where, image) == game.positions[ply])
        back = {to: cell for cell, to in enumerate(image)}
        colour, cells = game.moves[ply]
        here = [back[cell] for cell in cells]
        move = (colour, min(tuple(sorted(to[cell] for cell in here)) for to in same))
        from_here[move] += 1
        share = game.shares[ply]
        if share is not None:
            shares[move].append(share)
    return {
        "games": at,
        "ended": ended,
        "moves": {
            move: (n, sum(shares[move]) / len(shares[move]) if shares[move] else None)
            for move, n in from_here.items()
        },
    }


def with_position(games: list[Game], where: Where, move: Move, symmetries: list[list[int]]) -> int:
    """Games with the cells of a position after a move, or an image of them, whoever is to move."""
    board = list(where[0])
    for cell in move[1]:
        board[cell] = move[0]
    orbit = {turned((tuple(board), None), image)[0] for image in symmetries}
    return sum(any(there[0] in orbit for there in game.positions) for game in games)


def alike(variant_id: str, seed: int, count: int, plies: int, symmetries: I16) -> str:
    """Records in Blokus SGF of games of the same few moves in many orders and frames; none of them ends."""
    rng = random.Random(seed)
    rules = parse_rules(variant_id, {})
    colours = len(variant(variant_id).colours)
    pool: list[list[tuple[int, ...]]] = [[] for _ in range(colours)]
    first = Position(variant_id, rules)
    for _ in range(plies):
        colour = first.to_move
        assert colour is not None
        legal = [cells for _, cells in first.legal_moves(colour)]
        big = [cells for cells in legal if len(cells) >= 4]
        cells = rng.choice(big or legal)
        first.play(colour, cells)
        pool[colour].append(cells)
    texts = []
    for _ in range(count):
        image = rng.choice(symmetries.tolist())
        left = [list(moves) for moves in pool]
        position = Position(variant_id, rules)
        record = GameRecord(variant_id, "blksgf")
        for _ in range(rng.randint(1, plies)):
            colour = position.to_move
            assert colour is not None
            rng.shuffle(left[colour])
            turned_ones = {cells: tuple(sorted(image[c] for c in cells)) for cells in left[colour]}
            fitting = [c for c, there in turned_ones.items() if position.why_illegal(colour, there) is None]
            if not fitting:
                break
            left[colour].remove(fitting[0])
            position.play(colour, turned_ones[fitting[0]])
            record.events.append(move_from_cells(variant_id, colour, turned_ones[fitting[0]]))
        texts.append(write(record))
    return "".join(texts)
