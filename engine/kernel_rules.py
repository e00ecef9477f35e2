"""From a ruleset to the arrays that kernels know of it."""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.kernels.state import Rules
from engine.rulesets import Ruleset, start_groups
from engine.variants import variant

_ENDS = ("all_blocked", "first_blocked", "rounds", "max_rounds")


@cache
def kernel_rules(variant_id: str, rules: Ruleset, strict: bool = False) -> Rules:
    """Return the kernels' view of a ruleset on a variant.

    Raises:
        RuleError: the start rule does not fit the board.
    """
    groups = start_groups(variant_id, rules.start)
    most = max(len(g) for g in groups)
    size = max(len(cells) for g in groups for cells in g)
    table = np.full((len(groups), most, size), -1, np.int16)
    for colour, of_colour in enumerate(groups):
        for i, cells in enumerate(of_colour):
            table[colour, i, : len(cells)] = cells
    seat_of = np.full(len(variant(variant_id).colours), -1, np.int8)
    for seat, owned in enumerate(rules.seats):
        seat_of[list(owned)] = seat
    table.flags.writeable = seat_of.flags.writeable = False
    return Rules(
        start_groups=table,
        seat_of=seat_of,
        end=_ENDS.index(rules.end),
        rounds=rules.rounds,
        voluntary=int(rules.passing == "voluntary"),
        strict=int(strict),
    )
