"""Random legal games from a seed, for tests and load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.facts import FACTS
from engine.geometry import COPIES, I32, geometry
from engine.kernel_rules import kernel_rules
from engine.kernels.legal import SPARE
from engine.kernels.random_play import Plan, Played, play_games
from engine.kernels.replay import Batch
from engine.kernels.state import new_state
from engine.rulesets import Ruleset
from engine.variants import variant

OPENING_PLIES = 6
"""Plies of the skewed choice, unless told otherwise."""

SKEW = 0.35
"""Skew of the opening, unless told otherwise."""

NUMBERS = 2**64
"""Seeds and numbers of games are below this."""


@dataclass(frozen=True, slots=True)
class RandomGames:
    """Games ready to be replayed (no passes, no setups), and ``(G, colours, FACTS) int32`` facts of their ends.

    The columns of `facts` are those of `engine.facts`.
    """

    batch: Batch
    facts: I32


def random_games(
    variant_id: str,
    rules: Ruleset,
    seed: int,
    games: int,
    first: int = 0,
    opening_plies: int = OPENING_PLIES,
    skew: float = SKEW,
) -> RandomGames:
    """Play `games` random games from number `first` on, each to its end by the end rule.

    A game depends on the seed and on its number only: any split of the numbers gives the same games. A placement is
    drawn uniformly among the legal ones of the colour on turn. Only the first `opening_plies` are drawn from the
    biggest pieces and skewed, so that openings repeat: `skew`, above 0 and below 1, is the chance of the most popular
    placement of a position; the two next share that chance of the rest, then four, and so on.

    >>> from engine.rulesets import default_rules
    >>> random_games("duo", default_rules("duo"), seed=1, games=3).batch.games.shape
    (3, 5)

    Raises:
        EngineError: unknown variant, rules that do not fit it, or numbers out of range.
    """
    tables, colours = geometry(variant_id), len(variant(variant_id).colours)
    if not 0 <= seed < NUMBERS:
        raise EngineError(f"a seed is from 0 to 2**64 - 1, not {seed}")
    if games < 0 or opening_plies < 0 or not 0 <= first <= NUMBERS - 1 - games:
        raise EngineError(f"no such games: {games} from number {first} on, {opening_plies} plies of opening")
    if not 0 < skew < 1:
        raise EngineError(f"the skew of openings is above 0 and below 1, not {skew}")
    most = colours * int(tables.pieces[:, COPIES].sum())
    out = Played(
        games=np.zeros((games, 5), np.int32),
        events=np.empty((games * most, 2), np.int32),
        facts=np.zeros((games, colours, FACTS), np.int32),
        moves=np.empty(len(tables.placement_piece) + SPARE, np.int32),
        stream=np.zeros(1, np.uint64),
    )
    plan = Plan(opening_plies, np.uint64(int(skew * NUMBERS)), np.uint64(seed), np.uint64(first))
    count = play_games(tables, kernel_rules(variant_id, rules), new_state(tables, colours), plan, out)
    return RandomGames(Batch(out.games, out.events[:count].copy(), np.zeros((0, 2), np.int32)), out.facts)
