"""Replay of recorded games: verdict per event, inferred passes, facts at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.errors import EngineError
from engine.facts import FACTS
from engine.geometry import I32, geometry
from engine.kernel_rules import kernel_rules
from engine.kernels.replay import (
    CODE,
    CODE_NOT_A_PIECE,
    CODE_OUT,
    COLOUR,
    FIRST_COLOUR,
    Batch,
    Verdicts,
    replay_games,
)
from engine.kernels.state import new_state
from engine.rulesets import Ruleset
from engine.variants import variant

Coded = tuple[int, int]
"""(colour, placement or CODE_*); colour -1 is the colour on turn."""


@dataclass(slots=True)
class Script:
    """What happened in one game, in numbers: setup pieces, colour of the first turn, events in order.

    Events are pairs, or an array of them: ``(E, 2) int32``.
    """

    events: Sequence[Coded] | I32
    setup: Sequence[Coded] = field(default_factory=tuple)
    first_colour: int = 0


@dataclass(frozen=True, slots=True)
class Replay:
    """Verdicts over a batch; see `engine.kernels.replay.Verdicts` for shapes. Pass arrays are cut to their rows."""

    batch: Batch
    verdicts: Verdicts


def _ragged(lists: Sequence[Sequence[Coded] | I32]) -> tuple[I32, I32]:
    """((G, 2) start and end of each list, (sum, 2) pairs)."""
    ends = np.cumsum([len(x) for x in lists], dtype=np.int32).reshape(-1, 1)
    starts = np.concatenate([np.zeros((1, 1), np.int32), ends[:-1]]) if len(lists) else ends
    parts = [np.asarray(x, np.int32).reshape(-1, 2) for x in lists if len(x)]
    return np.hstack([starts, ends]), np.concatenate(parts) if parts else np.zeros((0, 2), np.int32)


def batch_of(scripts: Sequence[Script]) -> Batch:
    """Concatenate scripts into the arrays that the kernel takes."""
    event_span, events = _ragged([s.events for s in scripts])
    setup_span, setup = _ragged([s.setup for s in scripts])
    first = np.array([s.first_colour for s in scripts], np.int32).reshape(-1, 1)
    return Batch(np.hstack([event_span, setup_span, first]), events, setup)


def replay_batch(variant_id: str, rules: Ruleset, batch: Batch, strict: bool = False) -> Replay:
    """Replay a batch of games of one variant and ruleset.

    Raises:
        EngineError: unknown variant, rules that do not fit it, or colours and placements out of range.
    """
    tables = geometry(variant_id)
    colours = len(variant(variant_id).colours)
    check_batch(batch, colours, len(tables.placement_piece))
    games, events = len(batch.games), len(batch.events)
    verdicts = Verdicts(
        events=np.zeros((events, 3), np.int32),
        keys=np.zeros((events, 2), np.uint64),
        games=np.zeros((games, 3), np.int32),
        first_keys=np.zeros((games, 2), np.uint64),
        facts=np.zeros((games, colours, FACTS), np.int32),
        # Every event lets at most one turn of each colour go by.
        passes=np.empty((events * colours + 1, 6), np.int32),
        cursor=np.zeros(8, np.int64),
    )
    rules_table = kernel_rules(variant_id, rules, strict)
    written = replay_games(tables, rules_table, new_state(tables, colours), batch, verdicts)
    return Replay(batch, verdicts._replace(passes=verdicts.passes[:written]))


def replay_scripts(
    variant_id: str, rules: Ruleset, scripts: Sequence[Script], strict: bool = False
) -> Replay:
    """Replay scripts; see `replay_batch`."""
    return replay_batch(variant_id, rules, batch_of(scripts), strict)


def check_batch(batch: Batch, colours: int, placements: int) -> None:
    """Refuse colours and placements that the kernels could not bear.

    Raises:
        EngineError: a number is out of range; the message says which.
    """
    leaving = batch.events[:, CODE] == CODE_OUT
    for name, values, low, high in (
        ("event colour", batch.events[:, COLOUR], -1, colours),
        ("colour that leaves", batch.events[leaving, COLOUR], 0, colours),
        ("event code", batch.events[:, CODE], CODE_OUT, placements),
        ("setup colour", batch.setup[:, COLOUR], 0, colours),
        ("setup placement", batch.setup[:, CODE], CODE_NOT_A_PIECE, placements),
        ("first colour", batch.games[:, FIRST_COLOUR], 0, colours),
    ):
        if len(values) and (values.min() < low or values.max() >= high):
            raise EngineError(
                f"{name} out of range: {values.min()} to {values.max()}, allowed {low} to {high - 1}"
            )
