"""Random legal games as the records of an archive: with players, dates, events, and openings that repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from engine.geometry import geometry, placement_cells
from engine.random_games import RandomGames, random_games
from engine.rulesets import Ruleset, parse_rules, rule_settings
from engine.scoring import batch_results
from notation.blksgf_result import parse_result
from notation.moves import move_from_cells
from notation.record import Declared, GameRecord, Move
from pipeline.generate_headers import headers_of, players_of

CHUNK = 1000
"""Games played at a time."""


def generate_records(
    variant_id: str, games: int, seed: int, rules_settings: Mapping[str, str], first: int = 0
) -> Iterator[GameRecord]:
    """Yield `games` random games from number `first` on, as records.

    A record depends on the seed and on its number only. Games of two seats declare their result. The settings are
    those of `engine.rulesets.parse_rules`; a record states those that differ from the variant's default.

    Raises:
        EngineError: unknown variant, rules that do not exist or do not fit, numbers out of range.
    """
    rules = parse_rules(variant_id, rules_settings)
    stated = rule_settings(variant_id, rules)
    for start in range(first, first + games, CHUNK):
        played = random_games(variant_id, rules, seed, min(CHUNK, first + games - start), start)
        moves = _moves(variant_id, played.batch.events)
        results = _declared(variant_id, rules, played)
        for i, (begin, end) in enumerate(played.batch.games[:, :2].tolist()):
            yield GameRecord(
                variant_id,
                "generated",
                events=list(moves[begin:end]),
                players=list(players_of(seed, start + i, len(rules.seats))),
                headers=headers_of(seed, start + i),
                rules=dict(stated),
                declared=results[i],
            )


@cache
def _known_moves(variant_id: str) -> dict[int, Move]:
    """Shared moves by colour and placement in one number; no more than the variant has."""
    return {}


def _moves(variant_id: str, events: npt.NDArray[np.int32]) -> list[Move]:
    """The move of every event."""
    placements = len(geometry(variant_id).placement_piece)
    codes = events[:, 0].astype(np.int64) * placements + events[:, 1]
    known = _known_moves(variant_id)
    for code in np.unique(codes).tolist():
        if code not in known:
            colour, placement = divmod(code, placements)
            known[code] = move_from_cells(
                variant_id, colour, placement_cells(geometry(variant_id), placement)
            )
    return [known[code] for code in codes.tolist()]


def _declared(variant_id: str, rules: Ruleset, played: RandomGames) -> list[Declared | None]:
    """The result of every game, where two seats play."""
    games = len(played.batch.games)
    if len(rules.seats) != 2:
        return [None] * games
    nobody_left = np.full((games, 2), -1)
    totals = batch_results(variant_id, rules, played.facts, nobody_left, np.ones(games, np.bool_)).totals
    leads = (totals[:, 0] - totals[:, 1]).tolist()
    return [parse_result(f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "Draw", 2) for lead in leads]
