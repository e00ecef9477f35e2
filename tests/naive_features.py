"""The slow twin of `engine.features` and `engine.heat`: measures by sets and loops on a `tests.naive.Game`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.pieces import PIECE_SETS
from engine.variants import VARIANTS
from tests.naive import XY, Board, Cells, Game, board_of, covering, placements
from tests.naive_replay import Event, Twin


@cache
def _middle_of(board_id: str) -> dict[XY, tuple[float, float]]:
    """Middle points of all cells, seen from that of the board."""
    board = Board(board_id)
    points = {}
    for x, y in board.cells:
        if board.triangles:  # sides of length 2
            third = 1 / 3 if board.points_up((x, y)) else 2 / 3
            points[x, y] = (x + 1.0, (y + third) * math.sqrt(3))
        else:
            points[x, y] = (x + 0.5, y + 0.5)
    mean = [sum(p[i] for p in points.values()) / len(points) for i in (0, 1)]
    return {c: (p[0] - mean[0], p[1] - mean[1]) for c, p in points.items()}


def sector(board: Board, at: XY) -> int:
    """Quarter or sixth of a cell, by its angle."""
    right, up = _middle_of(board.id)[at]
    turn = math.atan2(up, right) / (2 * math.pi) % 1
    return int(turn * (6 if board.triangles else 4))


def centre(board: Board) -> set[XY]:
    """The cells nearest to the middle of the board."""
    far = {c: math.hypot(*p) for c, p in _middle_of(board.id).items()}
    return {c for c in board.cells if far[c] < min(far.values()) + 1e-6}


@dataclass
class View:
    """What a colour can do in a position."""

    legal: set[Cells]
    liberties: set[XY]
    reach: set[XY]
    hand: Counter[str]


def view(game: Game, colour: int) -> View:
    beside = {n for c in game.own(colour) for n in game.board.sides[c]}
    liberties, hand = game.targets(colour) - beside, +game.hands[colour]
    shut = beside | set(game.owner)
    legal = {
        move
        for target in liberties
        for name in hand
        for move in covering(game.variant_id).get((name, target), ())
        if colour not in game.out and shut.isdisjoint(move)
    }
    return View(legal, liberties, {c for move in legal for c in move}, hand)


def views(game: Game) -> list[View]:
    return [view(game, colour) for colour in game.colours]


def colour_row(game: Game, all_of: list[View], colour: int) -> dict[str, Any]:
    """Measures of a colour that need nothing of the position before."""
    mine = all_of[colour]
    others = {c for i, other in enumerate(all_of) if i != colour for c in other.reach}
    names = PIECE_SETS[VARIANTS[game.variant_id].pieces].names  # the bits of a mask follow this order
    size = {name: len(shape) for name, shape in PIECE_SETS[VARIANTS[game.variant_id].pieces].shapes.items()}
    fits = {placements(game.variant_id)[move] for move in mine.legal}
    live = mine.liberties & mine.reach
    return {
        "mobility": len(mine.legal),
        "corner_liberties": len(mine.liberties),
        "live_corner_liberties": len(live),
        "reach": len(mine.reach),
        "exclusive": len(mine.reach - others),
        "fitting_pieces": sum(n for name, n in mine.hand.items() if name in fits),
        "fitting_mask": sum(1 << names.index(name) for name in fits),
        "locked_cells": sum(n * size[name] for name, n in mine.hand.items() if name not in fits),
        "corner_access": [
            sum(sector(game.board, c) == s for c in live) for s in range(6 if game.board.triangles else 4)
        ],
    }


def position_row(game: Game, all_of: list[View]) -> dict[str, int]:
    times = Counter(c for each in all_of for c in each.reach)
    return {
        "contested": sum(n > 1 for n in times.values()),
        "dead": len(game.board.place - set(times) - set(game.owner)),
        "occupied": len(game.owner),
    }


def one_side(game: Game, one: int, other: int) -> bool:
    """Whether two colours belong to one seat or team."""
    seats = game.rules.seats
    sides = game.rules.teams or [(seat,) for seat in range(len(seats))]
    return one == other or any({one, other} <= {c for s in side for c in seats[s]} for side in sides)


def inside_five(game: Game, before: View, move: Cells) -> int:
    if game.board.triangles:
        return -1
    return int(len(move) == 4 and any(len(other) == 5 and move < other for other in before.legal))


@dataclass
class Row:
    """A position with all its measures."""

    ply: int
    mover: int
    position: dict[str, int]
    colours: list[dict[str, Any]]
    views: list[View]
    owner: dict[XY, int]


class Measured:
    """A game with the measures of every position of its legal prefix; no rows where the setup does not fit."""

    def __init__(self, game: Game, events: Sequence[Event], every: int = 1, shift: int = 0) -> None:
        """Measure ply 0 and those that leave `shift` when divided by `every`."""
        self.game = game
        self.rows: list[Row] = []
        self.contact = [self._centre(c) for c in game.colours]
        self.covered_at = dict.fromkeys(game.owner, 0)
        if not game.fits:
            self.contact = [-1 for _ in game.colours]
            return
        twin = Twin(game)
        self._add_row(-1, None, None)
        for colour, what in events:
            plies = game.plies
            wanted = (plies + 1) % every == shift % every
            # The mover of an event that names none is known only afterwards.
            before = self._before() if wanted and isinstance(what, frozenset) else None
            reason, _, mover = twin.event(colour, what)
            if reason != "legal":
                break
            if game.plies > plies:
                assert isinstance(what, frozenset)
                self.covered_at |= dict.fromkeys(what, game.plies)
                if self.contact[mover] < 0 and what & centre(game.board):
                    self.contact[mover] = game.plies
                if before is not None:
                    self._add_row(mover, what, before)

    def _before(self) -> list[View]:
        """What everybody can do just before the next move: as in the last row, or nothing who has left since."""
        game, last = self.game, self.rows[-1]
        if last.ply != game.plies:
            return views(game)
        return [view(game, c) if c in game.out else last.views[c] for c in game.colours]

    def _centre(self, colour: int) -> int:
        return 0 if self.game.own(colour) & centre(self.game.board) else -1

    def _add_row(self, mover: int, move: Cells | None, before: list[View] | None) -> None:
        game, now = self.game, views(self.game)
        colours = [colour_row(game, now, c) for c in game.colours]
        position = position_row(game, now)
        position["four_inside_five"] = -1
        if move is not None and before is not None:
            position["four_inside_five"] = inside_five(game, before[mover], move)
        for c, row in enumerate(colours):
            row["block_liberties"] = row["block_mobility"] = 0
            if before is not None and not one_side(game, mover, c):
                live = before[c].liberties & before[c].reach
                row["block_liberties"] = len(live) - row["live_corner_liberties"]
                row["block_mobility"] = len(before[c].legal) - row["mobility"]
        self.rows.append(Row(game.plies, mover, position, colours, now, dict(game.owner)))


def heat(games: Sequence[Measured], groups: Sequence[Sequence[int]], ends: tuple[int, int]) -> Counter[Any]:
    """Counts by (name, group, phase or None, cell or None), for games with a row at every ply."""
    out: Counter[Any] = Counter()
    for measured, of_colour in zip(games, groups, strict=True):
        for colour, group in enumerate(of_colour):
            if group < 0 or not measured.rows:
                continue
            out["played", group, None, None] += 1
            for cell, ply in measured.covered_at.items():
                if measured.game.owner[cell] == colour:
                    out["contact_plies", group, None, cell] += ply
                    out["contact_times", group, None, cell] += 1
            for row in measured.rows:
                phase = sum(row.ply > end for end in ends)
                out["positions", group, phase, None] += 1
                others = {c for i, v in enumerate(row.views) if i != colour for c in v.reach}
                mine = row.views[colour].reach
                sets = {
                    "occupied": {c for c, of in row.owner.items() if of == colour},
                    "reach": mine,
                    "contested": mine & others,
                    "dead": board_of(measured.game.variant_id).place - mine - others - set(row.owner),
                }
                for name, cells in sets.items():
                    for c in cells:
                        out[name, group, phase, c] += 1
    return +out
