"""What the engine makes of game records: replayed in batches, resolved, scored; no files and no database."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import cast

import numpy as np
import numpy.typing as npt

from engine.errors import RuleError
from engine.kernels.replay import (
    CODE_OUT,
    CODE_PASS,
    EVENT_END,
    EVENT_START,
    OF_COLOUR,
    OVER,
    P_COLOUR,
    P_GAME,
    START_OK,
    STATUS,
    STOP,
)
from engine.kernels.verdicts import BAD_SETUP
from engine.replay import Coded, Replay, Script, replay_scripts
from engine.rulesets import Ruleset, parse_rules, rule_settings
from engine.scoring import Leaving
from engine.variants import variant
from engine.verdicts import REASONS
from notation.errors import BadRecord, Where
from notation.record import GameRecord, Move, Out, Pass

EVENT_LIMIT = 30_000
"""Moves and passes of the longest record that is judged: plies and rounds are numbers of 16 bits in the library."""


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """Rule settings of the caller: defaults for records that state nothing, or forced upon all."""

    settings: Mapping[str, str] = field(default_factory=dict)
    forced: bool = False
    strict: bool = False

    def of(self, record: GameRecord) -> Ruleset:
        """The ruleset of a record.

        Raises:
            RuleError: a setting does not exist or does not fit the variant.
        """
        first, then = (record.rules, self.settings) if self.forced else (self.settings, record.rules)
        return _rules(record.variant, tuple(sorted({**first, **then}.items())))


_KNOWN: dict[tuple[str, tuple[tuple[str, str], ...]], Ruleset] = {}


def _rules(variant_id: str, settings: tuple[tuple[str, str], ...]) -> Ruleset:
    key = (variant_id, settings)
    if key not in _KNOWN:
        if len(_KNOWN) > 10_000:  # hostile records must not fill the memory
            _KNOWN.clear()
        _KNOWN[key] = parse_rules(variant_id, dict(settings))
    return _KNOWN[key]


@dataclass(frozen=True, slots=True)
class Group:
    """Records of one variant and ruleset with their replay. `index` is the place of each in the caller's list.

    `expanded` maps each event of a game to its place among the game's events in the replay, where a seat that leaves
    is one event per colour. Games that are not in it have placements only.
    """

    variant: str
    rules: Ruleset
    rules_text: str
    records: list[GameRecord]
    index: list[int]
    replay: Replay
    expanded: dict[int, list[int]]

    def moves_of(self, game: int) -> list[Move]:
        """Recorded placements of a game."""
        events = self.records[game].events
        if game not in self.expanded:
            return cast("list[Move]", events)
        return [event for event in events if isinstance(event, Move)]

    def span(self, game: int) -> slice:
        """The replay's events of a game."""
        start, end = self.replay.batch.games[game, EVENT_START : EVENT_END + 1].tolist()
        return slice(start, end)

    def codes_of(self, game: int) -> Sequence[int]:
        """Place of each of a record's events among the replay's events."""
        span = self.span(game)
        offsets = self.expanded.get(game)
        if offsets is None:
            return range(span.start, span.stop)
        return [span.start + o for o in offsets]


@dataclass(slots=True)
class Stop:
    """Why a replay stopped: `event` in the record (-1: the setup), `ply` it would have been, reason."""

    event: int
    ply: int
    reason: str


def group_records(
    records: Sequence[GameRecord], choice: RuleChoice, source: str = ""
) -> tuple[list[Group], list[tuple[int, BadRecord]]]:
    """Replay records in batches of equal variant and rules; endless ones and those whose rules do not fit come back."""
    buckets: dict[tuple[str, Ruleset], list[int]] = {}
    refused: list[tuple[int, BadRecord]] = []
    for i, record in enumerate(records):
        if len(record.events) > EVENT_LIMIT:
            message = f"the record has {len(record.events)} moves and passes, no game more than {EVENT_LIMIT}"
            refused.append((i, BadRecord(message, Where(source, 0, record.line))))
            continue
        try:
            buckets.setdefault((record.variant, choice.of(record)), []).append(i)
        except RuleError as error:
            refused.append((i, BadRecord(str(error), Where(source, 0, record.line))))
    groups = []
    for (variant_id, rules), index in buckets.items():
        mine = [records[i] for i in index]
        expanded: dict[int, list[int]] = {}
        scripts = [_script(record, rules, game, expanded) for game, record in enumerate(mine)]
        replay = replay_scripts(variant_id, rules, scripts, choice.strict)
        text = json.dumps(rule_settings(variant_id, rules), sort_keys=True)
        groups.append(Group(variant_id, rules, text, mine, index, replay, expanded))
    return groups, refused


_ONLY_MOVES = {Move}
_COLOUR, _PLACEMENT = itemgetter(Move._fields.index("colour")), itemgetter(Move._fields.index("placement"))


def _script(record: GameRecord, rules: Ruleset, game: int, expanded: dict[int, list[int]]) -> Script:
    setup = [(piece.colour, piece.placement) for piece in record.setup.pieces]
    first = record.setup.to_move or 0
    events = record.events
    if not set(map(type, events)) - _ONLY_MOVES:
        pairs = np.empty((len(events), 2), np.int32)
        pairs[:, 0] = np.fromiter(map(_COLOUR, events), np.int32, len(events))
        pairs[:, 1] = np.fromiter(map(_PLACEMENT, events), np.int32, len(events))
        return Script(pairs, setup, first)
    codes: list[Coded] = []
    offsets = []
    for event in events:
        offsets.append(len(codes))
        if isinstance(event, Move):
            codes.append((event.colour, event.placement))
        elif isinstance(event, Pass):
            codes.append((event.colour, CODE_PASS))
        else:
            codes += [(colour, CODE_OUT) for colour in _colours_of(rules, event.seat)]
    expanded[game] = offsets
    return Script(codes, setup, first)


def _colours_of(rules: Ruleset, seat: int) -> Sequence[int]:
    return rules.seats[seat] if 0 <= seat < len(rules.seats) else ()


def stop_of(group: Group, game: int) -> Stop | None:
    """Where and why the replay of a game stopped; a pass counts as the ply before which it stands."""
    replay = group.replay
    if not replay.verdicts.games[game, START_OK]:
        return Stop(-1, 0, REASONS[BAD_SETUP])
    at = int(replay.verdicts.games[game, STOP])
    if at < 0:
        return None
    start = int(replay.batch.games[game, EVENT_START])
    event = at - start
    if game in group.expanded:
        event = max(i for i, o in enumerate(group.expanded[game]) if o <= at - start)
    ply = sum(isinstance(e, Move) for e in group.records[game].events[:event]) + 1
    return Stop(event, ply, REASONS[int(replay.verdicts.events[at, STATUS])])


def resolved_colours(group: Group, game: int, stop: Stop | None) -> list[int]:
    """Colour of every recorded placement: as recorded, or found by the replay.

    Behind the placement that stopped the replay nobody knows; there the order of play goes on, one turn each.
    """
    record = group.records[game]
    found = group.replay.verdicts.events
    colours: list[int] = []
    if stop is None and game not in group.expanded:
        colours = found[group.span(game), OF_COLOUR].tolist()
        return colours
    codes = group.codes_of(game)
    n = len(variant(group.variant).colours)
    for i, (event, code) in enumerate(zip(record.events, codes, strict=True)):
        if not isinstance(event, Move):
            continue
        if event.colour >= 0:
            colours.append(event.colour)
        elif stop is not None and i > stop.event:
            colours.append((colours[-1] + 1) % n if colours else record.setup.to_move or 0)
        else:
            colours.append(int(found[code, OF_COLOUR]))
    return colours


def found_colour(group: Group, game: int, event: int) -> int:
    """Colour to which the replay gave an event that it reached: as recorded, or the colour on turn."""
    return int(group.replay.verdicts.events[group.codes_of(game)[event], OF_COLOUR])


def leavings_of(record: GameRecord, rules: Ruleset, stop: Stop | None) -> list[tuple[Leaving, int]]:
    """Seats that left before the replay stopped, in order, each with the ply after which it did."""
    out: list[tuple[Leaving, int]] = []
    plies = 0
    gone: set[int] = set()
    last = len(record.events) if stop is None else stop.event
    for i, event in enumerate(record.events[: max(last, 0)]):
        plies += isinstance(event, Move)
        if isinstance(event, Out) and 0 <= event.seat < len(rules.seats) and event.seat not in gone:
            gone.add(event.seat)
            out.append((Leaving(event.seat, event.cause, i), plies))
    return out


def is_over(group: Group, game: int) -> bool:
    """Whether the game ended by its end rule."""
    return bool(group.replay.verdicts.games[game, OVER])


def pass_counts(replay: Replay, colours: int) -> npt.NDArray[np.int64]:
    """Passes that the replay keeps, by game and colour: ``(G, colours) int64``."""
    passes = replay.verdicts.passes
    flat = passes[:, P_GAME].astype(np.int64) * colours + passes[:, P_COLOUR]
    return np.bincount(flat, minlength=len(replay.batch.games) * colours).reshape(-1, colours)
