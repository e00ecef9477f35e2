"""Small games as text: `1:a20+b20 2:pass 3:out *:pass`, colours from 1, `*` for the colour on turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.boards import cells_by_name
from engine.geometry import placements_by_cells
from engine.kernels.replay import CODE_NOT_A_PIECE, CODE_OFF_BOARD, CODE_OUT, CODE_PASS
from engine.position import Position
from engine.replay import Script, replay_scripts
from engine.rulesets import Ruleset, parse_rules
from engine.scoring import ColourFacts, Leaving, SeatResult, results
from engine.variants import variant
from engine.verdicts import PASS_KINDS, REASONS
from notation.record import GameRecord, Move, Out, Pass


@dataclass(frozen=True)
class Played:
    """A replayed game: `reasons`, `turns` by event; `passes` as (turn, colour from 1, kind, recorded)."""

    variant_id: str
    rules: Ruleset
    reasons: list[str]
    turns: list[int]
    passes: list[tuple[int, int, str, bool]]
    over: bool
    facts: list[ColourFacts]
    blocked: list[bool]

    def results(self, leavings: Sequence[Leaving] = (), decided: bool = True) -> list[SeatResult]:
        return results(self.variant_id, self.rules, self.facts, leavings, decided)

    def totals(self) -> list[int]:
        return [seat.total for seat in self.results()]

    def places(self, leavings: Sequence[Leaving] = ()) -> list[int | None]:
        return [seat.place for seat in self.results(leavings)]


def position_of(record: GameRecord) -> Position:
    """The position after all placements and passes of a record, under its variant's default rules."""
    position = Position(record.variant)
    for event in record.events:
        if isinstance(event, Move):
            position.play(event.colour, event.cells)
        elif isinstance(event, Pass):
            position.pass_turn(event.colour)
    return position


def numbers(variant_id: str, names: str) -> list[int]:
    """Cell numbers of `a1+b1`."""
    by_name = cells_by_name(variant(variant_id).board)
    return [by_name[name] for name in names.split("+")]


def _coded(variant_id: str, text: str) -> list[tuple[int, int]]:
    known = cells_by_name(variant(variant_id).board)
    out = []
    for part in text.split():
        who, what = part.split(":")
        colour = -1 if who == "*" else int(who) - 1
        if what in ("pass", "out"):
            out.append((colour, CODE_PASS if what == "pass" else CODE_OUT))
        elif not all(name in known for name in what.split("+")):
            out.append((colour, CODE_OFF_BOARD))
        else:
            cells = tuple(sorted(numbers(variant_id, what)))
            out.append((colour, placements_by_cells(variant_id).get(cells, CODE_NOT_A_PIECE)))
    return out


def played(script: Script, variant_id: str, rules: Ruleset, strict: bool = False) -> Played:
    """Replay one script."""
    said = replay_scripts(variant_id, rules, [script], strict).verdicts
    rows = said.facts[0].tolist()
    return Played(
        variant_id,
        rules,
        [REASONS[row[0]] for row in said.events.tolist()],
        said.events[:, 1].tolist(),
        [(turn, c + 1, PASS_KINDS[kind], bool(mine)) for _, turn, _, c, kind, mine in said.passes.tolist()],
        bool(said.games[0, 1]),
        [ColourFacts(row[0], bool(row[2]), bool(row[3])) for row in rows],
        [bool(row[5]) for row in rows],
    )


def play(
    variant_id: str, text: str, setup: str = "", strict: bool = False, first: int = 1, **settings: str
) -> Played:
    """Replay a game given as text; `settings` are rules, `passing` for `pass`; `first` has turn 1."""
    chosen = {"pass" if key == "passing" else key: value for key, value in settings.items()}
    script = Script(_coded(variant_id, text), _coded(variant_id, setup), first - 1)
    return played(script, variant_id, parse_rules(variant_id, chosen), strict)


def reasons(variant_id: str, text: str, **settings: str) -> list[str]:
    """Only the verdicts."""
    return play(variant_id, text, **settings).reasons


def script_of(record: GameRecord) -> Script:
    """The script of a record without setup, as the pipeline makes it."""
    events: list[tuple[int, int]] = []
    for event in record.events:
        if isinstance(event, Move):
            events.append((event.colour, event.placement))
        elif isinstance(event, Pass):
            events.append((event.colour, CODE_PASS))
        elif isinstance(event, Out):
            events += [(c, CODE_OUT) for c in parse_rules(record.variant, record.rules).seats[event.seat]]
    return Script(events)
