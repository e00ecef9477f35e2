"""Sentences about what is wrong with a game: the same words in the quarantine, in checks and on the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from engine.kernels.verdicts import BAD_SETUP, UNFORCED_PASS
from engine.variants import variant
from engine.verdicts import REASONS, WORDS
from notation.record import Move
from pipeline.big_rows import unforced_passes
from pipeline.judged import Group, RuleChoice, Stop, group_records


def illegal_message(variant_id: str, stop: Stop, moves: Sequence[Move], colours: Sequence[int]) -> str:
    """Why a placement is illegal: `ply 5: first plays f9,g9: it touches ...`."""
    if stop.reason == REASONS[BAD_SETUP]:
        return f"setup: {WORDS[stop.reason]}"
    move = moves[stop.ply - 1]
    name = variant(variant_id).colours[colours[stop.ply - 1]]
    return f"ply {stop.ply}: {name} plays {move.text or 'nothing'}: {WORDS[stop.reason]}"


def pass_message(variant_id: str, turn: int, after_ply: int, colour: int) -> str:
    """That a colour let its turn go by though it could move."""
    name = variant(variant_id).colours[colour]
    return f"ply {after_ply + 1}: {name} skipped although it can move (turn {turn}, after ply {after_ply})"


def stop_message(group: Group, game: int, stop: Stop, moves: Sequence[Move], colours: Sequence[int]) -> str:
    """Why the replay of a game stopped, as `illegal_message`; an unforced pass is told as such, by its own colour."""
    if stop.reason == REASONS[UNFORCED_PASS]:
        # A strict replay keeps no pass that it refuses: a lenient one finds it.
        record = replace(group.records[game], rules=json.loads(group.rules_text))
        lenient, _ = group_records([record], RuleChoice())
        for skip in unforced_passes(lenient[0], 0):
            return pass_message(group.variant, *skip)
    return illegal_message(group.variant, stop, moves, colours)
