"""Moves of the explorer: from frames of symmetric images back into the one asked for, added up, and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.boards import cell_names
from engine.geometry import I8, I16, geometry, placement_cells
from engine.pieces import PIECE_SETS
from engine.position_keys import Key, board_key, cells_key, combined
from engine.variants import variant
from pipeline.game_selection import day_text
from pipeline.intervals import student, wilson
from pipeline.openings.positions import Image, Spot
from pipeline.queries import Row

NO_RESULTS = "no game with this move has a result"
ONE_GAME = "one game has no interval"

Cells = tuple[int, ...]


class Frames:
    """The images of a position that count as the position, and how moves there are moves here."""

    def __init__(self, spot: Spot, images: list[Image]) -> None:
        self.spot = spot
        self.images = images
        self.by_key: dict[Key, I16] = {}
        for image in images:
            self.by_key.setdefault(image.key, image.permutation)
        self._same = [image.permutation.tolist() for image in images if image.key == spot.key]
        self._inverse = {key: np.argsort(image).tolist() for key, image in self.by_key.items()}

    def back(self, frame: Key, cells: Cells) -> Cells:
        """The cells here of a move that was played in the image with the key `frame`.

        Where symmetries leave the position as it is, of the moves that are alike the one with the first cells.
        """
        here = [self._inverse[frame][cell] for cell in cells]
        return min(tuple(sorted(same[cell] for cell in here)) for same in self._same)

    def rest_after(self, frame: Key, colour: int, cells: Cells, key: Key) -> Key:
        """The part of a key that is not of the cells, after a move (`cells` as played) in the image `frame`."""
        spot = self.spot
        there = board_key(spot.variant, spot.board, self.by_key[frame])
        return combined(combined(key, there), cells_key(spot.variant, colour, cells))

    @cached_property
    def _boards(self) -> list[tuple[list[int], Key]]:
        spot = self.spot
        return [
            (image.permutation.tolist(), board_key(spot.variant, spot.board, image.permutation))
            for image in self.images
        ]

    def keys_after(self, colour: int, cells: Cells, rest: Key) -> set[Key]:
        """The keys of all images of the position after a move, `cells` as they are here."""
        return {
            combined(combined(board, rest), cells_key(self.spot.variant, colour, [to[c] for c in cells]))
            for to, board in self._boards
        }


class Places:
    """Positions of one variant with the same number of pieces on the board, asked for together."""

    def __init__(self, frames: Sequence[Frames]) -> None:
        self.frames = frames
        self.variant, self.depth = frames[0].spot.variant, frames[0].spot.depth
        self.keys = list(dict.fromkeys(key for one in frames for key in one.by_key))

    def listed(self, half: int) -> str:
        """One half of all keys (0 the high one), as a list in a question."""
        return ", ".join(str(key[half]) for key in self.keys)

    def keys_on(self, board: I8) -> Iterator[Key]:
        """The keys of those of the positions, or of their images, that have these colours on the cells."""
        there = board_key(self.variant, board)
        for one in self.frames:
            for key, image in one.by_key.items():
                if board_key(self.variant, one.spot.board, image) == there:
                    yield key


@dataclass(slots=True)
class Tally:
    """A move (colour from 0, cells here) with sums over the games that played it from here.

    `keys` are the positions it leads to, with all their images that count; `latest` pairs of a game's day and its
    number, negative.
    """

    colour: int
    cells: Cells
    placement: int
    games: int = 0
    results: int = 0
    twelfths: int = 0
    score: float = 0.0
    score_squares: float = 0.0
    rating: float = 0.0
    rated: int = 0
    day: int = 0
    keys: set[Key] = field(default_factory=set)
    latest: list[tuple[int, int]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The sum of the shares."""
        return self.twelfths / 12

    @property
    def samples(self) -> list[int]:
        """Numbers of games, the latest first."""
        return [-number for _, number in sorted(self.latest, reverse=True)]

    def add(self, row: dict[str, Any]) -> None:
        """Add a row of `questions`."""
        self.games += row["games"]
        self.results += row["results"]
        self.twelfths += row["twelfths"] or 0
        self.score += row["score"] or 0.0
        self.score_squares += row["score_squares"] or 0.0
        self.rating += row["rating"] or 0.0
        self.rated += row["rated"]
        self.day = max(self.day, row["day"] or 0)
        self.latest += [(sample["day"], sample["number"]) for sample in row["latest"]]


def collect(frames: Frames, rows: Iterable[dict[str, Any]]) -> list[Tally]:
    """Add up the rows of a question by move; those without a move are passed over."""
    tables = geometry(frames.spot.variant)
    tallies: dict[tuple[int, Cells], Tally] = {}
    for row in rows:
        if row["colour"] is None:
            continue
        frame, colour = (row["from_hi"], row["from_lo"]), row["colour"] - 1
        there = placement_cells(tables, row["placement"])
        cells = frames.back(frame, there)
        tally = tallies.setdefault((colour, cells), Tally(colour, cells, row["placement"]))
        tally.add(row)
        key = (row["key_hi"], row["key_lo"])
        if len(frames.images) == 1:
            tally.keys.add(key)
        else:
            tally.keys |= frames.keys_after(colour, cells, frames.rest_after(frame, colour, there, key))
    return list(tallies.values())


def ordered(tallies: Iterable[Tally]) -> list[Tally]:
    """Most played first; then larger pieces, then by cells."""
    return sorted(tallies, key=lambda t: (-t.games, -len(t.cells), t.colour, t.cells))


def row_of(variant_id: str, tally: Tally, reached: int, samples: list[str]) -> Row:
    """A move as a row: what it is, `games` from here, `reached` games at the position it leads to, how they did.

    `results` of the games have a result; share and score are the mover's seat's, with intervals of 95 %; what is null
    has its reason beside it.
    """
    row = variant(variant_id)
    names = cell_names(row.board)
    piece = geometry(variant_id).placement_piece[tally.placement]
    return {
        "move": ",".join(names[cell] for cell in tally.cells),
        "piece": PIECE_SETS[row.pieces].names[piece],
        "colour": tally.colour + 1,
        "colour_name": row.colours[tally.colour],
        "games": tally.games,
        "reached": reached,
        **figures(tally.results, tally.share, tally.score, tally.score_squares),
        "average_rating": tally.rating / tally.rated if tally.rated else None,
        "last_played": day_text(tally.day),
        "sample_games": samples,
    }


def figures(n: int, share: float, score: float, score_squares: float) -> Row:
    """Mean share and score of n results from their sums, with intervals, or null with a reason."""
    if not n:
        empty = dict.fromkeys(("share", "share_low", "share_high", "score", "score_low", "score_high"))
        return {"results": 0, **empty, "share_reason": NO_RESULTS, "score_reason": NO_RESULTS}
    mean = score / n
    deviation = (max(0.0, score_squares - n * mean * mean) / (n - 1)) ** 0.5 if n > 1 else None
    part, span = wilson(share / n, n), student(mean, deviation, n)
    return {
        "results": n,
        "share": share / n,
        "share_low": part and part.low,
        "share_high": part and part.high,
        "share_reason": None,
        "score": mean,
        "score_low": span and span.low,
        "score_high": span and span.high,
        "score_reason": None if span else ONE_GAME,
    }
