"""A match of two engines: games in groups of one opening in which the seats go round, CPU time, where it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.rulesets import parse_rules
from engine.scoring import SeatResult, units
from pipeline.errors import PipelineError
from pipeline.match.balance import Balance
from pipeline.match.contestant import Contestant, Side
from pipeline.match.game import Played, play_game, record_of
from pipeline.match.gtp_engine import EngineFault
from pipeline.match.openings import Openings
from pipeline.match.record import Log, Stored, header_of
from pipeline.stopping import check_stop, stoppable

_SEED_STEP = 1_000_003
"""Between the seeds of two matches: more than a match has openings."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match, fixed before it begins. `seconds` is what an engine has for an answer, on the wall clock.

    With `balance` our engine's simulations are adjusted from game to game so that CPU times come out equal.
    """

    variant: str
    games: int
    first: Side
    second: Side
    openings: Openings
    seed: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 600.0
    balance: bool = False
    names: tuple[str | None, str | None] = (None, None)

    @property
    def groups(self) -> int:
        """Games with the same opening, in which the first engine has each seat (or team) once."""
        return len(units(parse_rules(self.variant, dict(self.settings))))

    def sides(self, number: int) -> tuple[int, ...]:
        """Which engine (0 or 1) has which seat in a game, by its number from 0: the first has one seat, or one team."""
        rules = parse_rules(self.variant, dict(self.settings))
        seats = units(rules)[number % self.groups]
        return tuple(0 if seat in seats else 1 for seat in range(len(rules.seats)))

    def fixed(self) -> dict[str, str | int | bool]:
        """What must be the same where a match goes on."""
        return {
            "first": self.first.text,
            "second": self.second.text,
            "openings": self.openings.name,
            "seed": self.seed,
            "balance": self.balance,
            "rules": ",".join(f"{key}={value}" for key, value in sorted(self.settings.items())),
        }


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game: what a table shows, and a summary needs. CPU seconds of (first, second) engine.

    `total_cpu` counts everything from the start of the match to the end of this game, the engines' start included.
    `simulations` are those a move of the engine that is balanced, else None.
    """

    number: int
    sides: tuple[int, ...]
    results: tuple[SeatResult, ...]
    plies: int
    cpu: tuple[float, float]
    own_cpu: tuple[float | None, float | None]
    total_cpu: tuple[float, float]
    seconds: float
    simulations: int | None
    fault_side: int | None
    fault: str | None

    @property
    def share(self) -> float:
        """Share of the result of the first engine, from 0 to 1."""
        found = [r.share for r, side in zip(self.results, self.sides, strict=True) if side == 0]
        return found[0] or 0.0

    @property
    def place(self) -> int:
        """Place of the first engine."""
        found = [r.place for r, side in zip(self.results, self.sides, strict=True) if side == 0]
        return found[0] or 0


@dataclass(slots=True)
class Match:
    """A match under way. `rows` are the finished games; `names` what the engines are called, once known."""

    plan: Plan
    rows: list[GameRow] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: ["", ""])
    resumed: int = 0

    def play(self, out: Path | None = None) -> Iterator[GameRow]:
        """Play the games that are missing and yield them one by one; with `out` they are kept there, and read first.

        Raises:
            PipelineError: what stands in `out` is not of this match, or an engine cannot be started at all.
            KeyboardInterrupt: a stop was asked for; `rows` has the games that were finished.
        """
        log = None if out is None else Log(out, self.plan.fixed())
        if log is not None:
            for stored in log.games():
                self.rows.append(_stored_row(self.plan, stored))
                self.names = list(stored.names)
        self.resumed = len(self.rows)
        before = self.rows[-1].total_cpu if self.rows else (0.0, 0.0)
        sides = (self.plan.first, self.plan.second)
        contestants = [Contestant(side, self.plan.variant, self.plan.seconds) for side in sides]
        try:
            with stoppable():
                _prepare(contestants)
                for number in range(len(self.rows), self.plan.games):
                    check_stop()
                    row = self._one(contestants, number, before, log)
                    self.rows.append(row)
                    yield row
        finally:
            for contestant in contestants:
                contestant.close(0.5)

    def _one(
        self, contestants: Sequence[Contestant], number: int, before: tuple[float, float], log: Log | None
    ) -> GameRow:
        plan = self.plan
        balance = Balance.of(plan, contestants, self.rows)
        opening = number // plan.groups
        seed = plan.seed * _SEED_STEP + opening
        played = play_game(
            contestants,
            plan.variant,
            plan.settings,
            plan.sides(number),
            plan.openings.opening(opening),
            seed,
            balance.adjust,
        )
        self._name(contestants)
        total = tuple(b + c.process.cpu for b, c in zip(before, contestants, strict=True))
        row = _row(number, played, (total[0], total[1]), balance.simulations)
        if log is not None:
            log.add(record_of(played, self.names, header_of(row, plan.fixed())))
        return row

    def _name(self, contestants: Sequence[Contestant]) -> None:
        """Names for the games: as given, else as the engines say, told apart where both say the same."""
        said = [given or c.name for given, c in zip(self.plan.names, contestants, strict=True)]
        said = [name or c.side.command[0] for name, c in zip(said, contestants, strict=True)]
        if said[0] == said[1]:
            said = [f"{said[0]} (first)", f"{said[1]} (second)"]
        self.names = said


def _prepare(contestants: Sequence[Contestant]) -> None:
    """Start both engines: one that is not there, or speaks something else, is no opponent who loses every game."""
    for which, contestant in zip(("first", "second"), contestants, strict=True):
        try:
            contestant.prepare()
        except EngineFault as fault:
            raise PipelineError(f"the {which} engine ({contestant.side.text}) {fault}") from None


def _row(number: int, played: Played, total: tuple[float, float], simulations: int | None) -> GameRow:
    return GameRow(
        number=number,
        sides=played.sides,
        results=tuple(played.game.results()),
        plies=len(played.game.moves),
        cpu=played.cpu,
        own_cpu=played.own_cpu,
        total_cpu=total,
        seconds=played.seconds,
        simulations=simulations,
        fault_side=None if played.fault is None else played.fault.side,
        fault=None if played.fault is None else played.fault.message,
    )


def _stored_row(plan: Plan, stored: Stored) -> GameRow:
    return GameRow(
        number=stored.number,
        sides=plan.sides(stored.number),
        results=tuple(stored.game.results()),
        plies=len(stored.game.moves),
        cpu=stored.cpu,
        own_cpu=stored.own_cpu,
        total_cpu=stored.total_cpu,
        seconds=stored.seconds,
        simulations=stored.simulations,
        fault_side=stored.fault_side,
        fault=stored.fault,
    )
