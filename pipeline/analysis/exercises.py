"""Mistakes as exercises: the position before one, and what another move would have been worth.

A move that is tried is valued like a judged one (`move_quality.md`): the position after it and the one after the better
move are searched with the same budget and seed, or proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.boards import cell_names
from engine.budgets import simulations
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from engine.position import Position
from pipeline import move_quality
from pipeline.abbreviations import find_game, short_ids
from pipeline.analysis.comments import MoveComment, explain
from pipeline.analysis.queries import game_analysis, is_older
from pipeline.analysis.replay import Station, replayed
from pipeline.analysis.tasks import stored_games
from pipeline.analysis.values import Judge, Value
from pipeline.errors import NotThere
from pipeline.store import Reader

Row = dict[str, Any]

BUDGET, SEED = "quick", 1
"""With what a tried move is valued: an answer within a fraction of a second."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move: its placement, cells and piece as text, the mover's share of the result and points after it."""

    placement: int
    cells: tuple[int, ...]
    move: str
    piece: str
    share: float
    points: float


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position in which somebody chose a move that lost something, and what was better.

    Colour and seat count from 0. `row` is the judged move as `queries.game_analysis` has it. Nobody changes
    `station`.
    """

    id: str
    short: str
    variant: str
    ply: int
    colour: int
    seat: int
    player: str | None
    players: tuple[str | None, ...]
    date: str | None
    station: Station
    played: Choice
    best: Choice
    row: Row
    comment: MoveComment
    made_by: Row
    older: bool

    @property
    def position(self) -> Position:
        """The position before the move."""
        return self.station.position

    def legal(self) -> dict[tuple[int, ...], int]:
        """Placements that may be played, by their cells, ascending."""
        tables = geometry(self.variant)
        return {
            tuple(sorted(placement_cells(tables, placement))): placement
            for placement in self.position.legal_placements(self.colour).tolist()
        }


@dataclass(frozen=True, slots=True)
class Tried:
    """What a move that was tried loses against the better one, with standard errors; see `Judged moves`."""

    choice: Choice
    loss_share: float
    loss_share_error: float
    loss_points: float
    label: str
    proven: bool

    @property
    def found(self) -> bool:
        """Whether it is as good as the better move, as far as that can be told."""
        return self.label in ("best", "good", "unclear")


def exercise(reader: Reader, game: str, ply: int) -> Exercise:
    """The exercise of a judged move of a game, which is named by its identity or the beginning of it.

    Raises:
        NoSuchGame, AmbiguousGame, NoIdentity: as `abbreviations.find_game`.
        NotThere: the game is not judged, or the move of this ply was no mistake that another move could mend.
    """
    identity = find_game(reader, game)
    about = reader.table(
        "SELECT game_no, variant, date_text AS date FROM games WHERE id = ?", [identity]
    ).to_pylist()[0]
    analysis = game_analysis(reader, about["game_no"])
    if analysis is None:
        raise NotThere(f"game {identity} is not judged yet")
    row = next((move for move in analysis.moves if move["ply"] == ply), None)
    if row is None or not _is_mistake(row):
        raise NotThere(f"ply {ply} of game {identity} is no mistake that another move could mend")
    (stored,) = stored_games(reader, [about["game_no"]], set())
    line = replayed(stored)
    station = line.stations[line.before[ply - 1]]
    seats = {seat["seat"]: seat["player"] for seat in analysis.seats}
    seat = row["seat"] - 1
    return Exercise(
        id=identity,
        short=short_ids(reader, [identity])[identity],
        variant=about["variant"],
        ply=ply,
        colour=row["colour"] - 1,
        seat=seat,
        player=seats.get(row["seat"]),
        players=tuple(seats[number] for number in sorted(seats)),
        date=about["date"],
        station=station,
        played=choice(about["variant"], row["played"], row["after_shares"][seat], row["after_points"][seat]),
        best=choice(about["variant"], row["best"], row["best_shares"][seat], row["best_points"][seat]),
        row=row,
        comment=explain(station.position, row),
        made_by=analysis.made_by,
        older=is_older(about["variant"], analysis.made_by),
    )


def _is_mistake(row: Row) -> bool:
    return (
        row["loss_share"] is not None
        and row["loss_share"] > 0
        and row["best"] not in (None, row["played"])
        and not row["forced"]
    )


def choice(variant_id: str, placement: int, share: float, points: float) -> Choice:
    """A placement with what it is worth to its seat."""
    tables = geometry(variant_id)
    position = Position(variant_id)
    row = position.variant
    names = cell_names(row.board)
    covered = tuple(sorted(placement_cells(tables, placement)))
    piece = PIECE_SETS[row.pieces].names[int(tables.placement_piece[placement])]
    return Choice(placement, covered, ",".join(names[cell] for cell in covered), piece, share, points)


def tried(asked: Exercise, placement: int) -> Tried:
    """Value a legal placement in the place of the played one; takes a fraction of a second, seconds at first.

    The played move and the better one keep what they were judged to be.
    """
    row = asked.row
    if placement == asked.best.placement:
        return Tried(asked.best, 0.0, 0.0, 0.0, "best", row["proven"])
    if placement == asked.played.placement:
        return Tried(
            asked.played,
            row["loss_share"],
            row["loss_share_error"],
            row["loss_points"],
            row["label"],
            row["proven"],
        )
    best, other = _valued(asked, [asked.best.placement, placement])
    seat = asked.seat
    shares = best.shares[seat], other.shares[seat]
    loss = (shares[0] or 0.0) - (shares[1] or 0.0)
    error = move_quality.difference_error(best.share_errors[seat], other.share_errors[seat])
    # Told beside the stored values, which another budget may have made: what counts is the difference.
    loss_points = best.points[seat] - other.points[seat]
    found = choice(asked.variant, placement, asked.best.share - loss, asked.best.points - loss_points)
    label = move_quality.label(loss, error, forced=False, best=False)
    return Tried(found, loss, error, loss_points, label or "unclear", best.proven and other.proven)


def _valued(asked: Exercise, placements: Sequence[int]) -> list[Value]:
    """Values after some placements: all proven, or all searched."""
    judge = Judge(BUDGET, simulations(asked.variant, BUDGET), SEED)
    stations = []
    for placement in placements:
        position = asked.position.copy()
        position._play(asked.colour, placement)
        stations.append(Station(position, asked.station.leavings))
    proven = [judge.proven(station) for station in stations]
    if all(value is not None for value in proven):
        return [value for value in proven if value is not None]
    return [judge.searched(station) for station in stations]
