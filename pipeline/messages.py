"""Sentences about what is wrong with a game: the same words in the quarantine, in checks and on the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from engine.kernels.verdicts import BAD_SETUP, START_RULE, UNFORCED_PASS
from engine.rulesets import start_rules_that_allow
from engine.variants import variant
from engine.verdicts import REASONS, WORDS
from notation.record import Move
from pipeline.big_rows import unforced_passes
from pipeline.judged import Group, RuleChoice, Stop, group_records

TEXT_SHOWN = 200
"""Characters of a move that a message repeats: a move takes thirty, a hostile one a megabyte."""


def illegal_message(
    variant_id: str, stop: Stop, moves: Sequence[Move], colours: Sequence[int], setup: Sequence[Move] = ()
) -> str:
    """Why a placement is illegal: `ply 5: first plays f9,g9: it touches ...`.

    `moves` and `colours` are the recorded placements, `setup` the pieces before them.
    """
    if stop.reason == REASONS[BAD_SETUP]:
        return f"setup: {WORDS[stop.reason]}"
    index = stop.ply - 1
    move, colour = moves[index], colours[index]
    name = variant(variant_id).colours[colour]
    text = move.text if len(move.text) <= TEXT_SHOWN else f"{move.text[:TEXT_SHOWN]}..."
    message = f"ply {stop.ply}: {name} plays {text or 'nothing'}: {WORDS[stop.reason]}"
    if stop.reason == REASONS[START_RULE]:
        covered = {cell for other in (*setup, *moves[:index]) for cell in other.cells}
        wider = start_rules_that_allow(variant_id, colour, move.cells, covered)
        if wider:
            message += f" (--rule start={' or '.join(wider)} would allow it)"
    return message


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
        return pass_message(group.variant, *unforced_passes(lenient[0])[0][0])
    return illegal_message(group.variant, stop, moves, colours, group.records[game].setup.pieces)
