"""One game judged, move by move. Pure and repeatable, so that any process may do it.

Positions are valued from the end of the game to its start: what the exact solver proves is not searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from engine.areas import phase_ends
from engine.evaluate import engine_version
from pipeline import move_quality
from pipeline.analysis.columns import ANALYSED_GAMES, ANALYSED_PLIES
from pipeline.analysis.replay import PlayedMove, Replayed, Station, StoredGame, replayed
from pipeline.analysis.values import Judge, Value, as_good
from pipeline.stopping import check_stop

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Terms:
    """How games are judged: the budget as asked for, simulations by variant, the seed."""

    budget: str | int
    simulations: dict[str, int]
    seed: int

    def made_by(self, variant_id: str) -> Row:
        """The columns that say what made a row."""
        return {
            "budget": str(self.budget),
            "simulations": self.simulations[variant_id],
            "seed": self.seed,
            "engine": engine_version(variant_id),
            "version": move_quality.VERSION,
        }


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game with its rows in `ANALYSIS_KINDS`."""

    game: StoredGame
    plies: pa.Table
    games: pa.Table


def judge_game(terms: Terms, game: StoredGame) -> JudgedGame:
    """Judge every move of a game.

    Raises:
        KeyboardInterrupt: a stop was asked for.
    """
    judge = _judge(terms.budget, terms.simulations[game.variant], terms.seed)
    searches = judge.searches
    line = replayed(game)
    values, proven_from = _values(judge, line)
    made_by = terms.made_by(game.variant)
    rows = [
        _move_row(game, judge, line, values, ply, move) | made_by for ply, move in enumerate(game.moves, 1)
    ]
    result = game.result
    of_game = {
        "game_no": game.number,
        **made_by,
        "fingerprint": game.fingerprint,
        "plies": len(game.moves),
        "searches": judge.searches - searches,
        "proven_from": proven_from,
        **_lists("start", values[0]),
        **_lists("final", values[-1]),
        "shares": None if result is None else list(result.shares),
        "points": None if result is None else list(result.points),
    }
    return JudgedGame(
        game, pa.Table.from_pylist(rows, ANALYSED_PLIES), pa.Table.from_pylist([of_game], ANALYSED_GAMES)
    )


@lru_cache(maxsize=1)
def _judge(budget: str | int, simulations: int, seed: int) -> Judge:
    """The judge of this process, which remembers positions that games have in common."""
    return Judge(budget, simulations, seed)


def _values(judge: Judge, line: Replayed) -> tuple[list[Value], int | None]:
    """Values of all stations; plies after which everything is proven."""
    found: list[Value] = []
    proving, first = True, None
    for station in reversed(line.stations):
        check_stop()
        value = judge.proven(station) if proving else None
        proving = value is not None
        found.append(judge.searched(station) if value is None else value)
        first = len(found) if proving else first
    found.reverse()
    if first is None:
        return found, None
    at = len(found) - first
    return found, sum(after <= at for after in line.after)


def _move_row(
    game: StoredGame, judge: Judge, line: Replayed, values: list[Value], ply: int, move: PlayedMove
) -> Row:
    station = line.stations[line.before[ply - 1]]
    before, after = values[line.before[ply - 1]], values[line.after[ply - 1]]
    legal = len(station.position.legal_placements(move.colour))
    best, placement = _best(judge, station, before, after, move, legal)
    return {
        "game_no": game.number,
        "ply": ply,
        "colour": move.colour + 1,
        "seat": None if move.seat is None else move.seat + 1,
        "phase": 1 + sum(ply > end for end in phase_ends(game.variant)),
        "legal_moves": legal,
        "played": move.placement,
        "best": placement,
        **_lists("before", before),
        **_lists("best", best),
        **_lists("after", after),
        **_verdict(best, after, move.seat, legal == 1, placement == move.placement),
    }


def _best(
    judge: Judge, station: Station, before: Value, after: Value, move: PlayedMove, legal: int
) -> tuple[Value, int | None]:
    """The value after the best move, and that move; the played one where it is as good."""
    if legal == 1 or before.best == move.placement:
        return after, move.placement
    if before.proven and after.proven:
        if move.seat is None or as_good(station, before, after, move.seat):
            return after, move.placement
        return before, before.best
    if before.best is None:
        return after, move.placement
    position = station.position.copy()
    position._play(move.colour, before.best)
    other = Station(position, station.leavings)
    check_stop()
    exact = judge.proven(other) if after.proven or position.is_over else None
    return (judge.searched(other) if exact is None else exact), before.best


def _verdict(best: Value, after: Value, seat: int | None, forced: bool, played_best: bool) -> Row:
    """Losses of the mover, label and accuracy."""
    share = points = None
    share_error = points_error = 0.0
    if seat is not None:
        points = best.points[seat] - after.points[seat]
        one, other = best.shares[seat], after.shares[seat]
        share = None if one is None or other is None else one - other
        if best is not after:
            share_error = move_quality.difference_error(best.share_errors[seat], after.share_errors[seat])
            points_error = move_quality.difference_error(best.points_errors[seat], after.points_errors[seat])
    decided = share is not None and not forced
    return {
        "loss_share": share,
        "loss_share_error": None if share is None else share_error,
        "loss_points": points,
        "loss_points_error": None if points is None else points_error,
        "label": move_quality.label(share, share_error, forced=forced, best=played_best),
        "forced": forced,
        "proven": best.proven and after.proven,
        "unclear": move_quality.is_unclear(share, share_error, forced=forced, best=played_best),
        "accuracy": move_quality.accuracy(share, share_error) if decided and share is not None else None,
        "accuracy_error": move_quality.accuracy_error(share, share_error)
        if decided and share is not None
        else None,
    }


def _lists(name: str, value: Value) -> Row:
    return {f"{name}_shares": list(value.shares), f"{name}_points": list(value.points)}


def partition_tables(judged: Sequence[JudgedGame]) -> dict[str, pa.Table]:
    """The rows of some games in order of their numbers, by kind."""
    ordered = sorted(judged, key=lambda one: one.game.number)
    return {
        "analysed_plies": pa.concat_tables([one.plies for one in ordered]),
        "analysed_games": pa.concat_tables([one.games for one in ordered]),
    }
