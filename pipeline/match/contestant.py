"""An engine that plays in a match: a process, what it knows, and the few commands a game takes."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

from engine.variants import variant
from notation.gtp_commands import colour_word
from pipeline.errors import PipelineError
from pipeline.match.gtp_engine import EngineFault, EngineProcess

OURS = "cornerwise"
"""Word of a command line that stands for our own engine, in the version that runs the match."""

_START, _COMPILING = 20.0, 600.0
"""Seconds for the first answer at least: a program may have to load; and for the first move of ours: it may compile."""

_FEW = 20
"""Simulations of a move that is made only so that everything is loaded."""

_SEEDS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Side:
    """How an engine is started: words of its command line, the command as given, whether it is ours."""

    command: tuple[str, ...]
    text: str
    ours: bool


def side_of(text: str, variant_id: str, budget: str | None, rules: tuple[str, ...]) -> Side:
    """The engine of a command line; the word `cornerwise` and its options are our own engine of this version.

    Raises:
        PipelineError: the line is empty or its quotes are not closed; a budget for a foreign engine.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise PipelineError(f"the command line {text!r} makes no sense: {error}") from None
    if not words:
        raise PipelineError("the command line of an engine is empty")
    if words[0] != OURS:
        if budget is not None:
            raise PipelineError(f"a budget is for our own engine: {words[0]!r} has options of its own")
        return Side(tuple(words), shlex.join(words), False)
    given = words[2:] if words[1:2] == ["gtp"] else words[1:]
    extra = ["--budget", budget] if budget is not None else []
    options = [*(part for rule in rules for part in ("--rule", rule)), *given, *extra]
    command = [sys.executable, "-m", "dashboards.cli", "gtp", "--variant", variant_id, *options]
    return Side(tuple(command), shlex.join([OURS, "gtp", *options]), True)


@dataclass(slots=True)
class Contestant:
    """One of the two engines: its process, started when a game needs it, and what it said of itself."""

    side: Side
    variant: str
    seconds: float
    process: EngineProcess = field(init=False)
    name: str = ""
    commands: frozenset[str] = frozenset()
    simulations: int | None = None
    adjusted: bool = False

    def __post_init__(self) -> None:
        self.process = EngineProcess(self.side.command, _environment() if self.side.ours else None)

    def prepare(self) -> None:
        """Start the program where it is not running, and ask what it is.

        Raises:
            EngineFault: it cannot be started, or does not know the game.
        """
        if self.process.running:
            return
        if self.side.ours and not self.name:
            self._compile()
        self.process.start()
        words = [self._first("name"), self._first("version")]
        self.name = " ".join(word for word in words if word)[:80] or Path(self.side.command[0]).name
        self.commands = frozenset(self.process.ask("list_commands", self.seconds).split())
        if self.side.ours:
            lines = self.process.ask("param", self.seconds).split("\n")
            found = dict(line.split(maxsplit=1) for line in lines if line.strip())
            self.simulations = int(found["simulations"])
        self.process.ask(f"set_game {variant(self.variant).name}", self.seconds)
        if self.side.ours:
            self._warm_up(self.process)
            self._set_simulations()

    def _set_simulations(self) -> None:
        few = f"simulations {self.simulations}" if self.simulations else "budget instant"
        self.process.ask(f"param {few}", self.seconds)

    def _compile(self) -> None:
        """Let a process that does not count compile what it lacks: once a machine, which is no part of a match."""
        once = EngineProcess(self.side.command, _environment())
        once.start()
        try:
            self._warm_up(once)
        finally:
            once.close()

    def _warm_up(self, process: EngineProcess) -> None:
        """Load everything that a move takes, so that the first game costs what the others do."""
        process.ask(f"param simulations {_FEW}", _COMPILING)
        for _ in range(
            len(variant(self.variant).colours) + 1
        ):  # the second move of a colour uses the first one's tree
            process.ask("g", _COMPILING)

    def _first(self, question: str) -> str:
        try:
            text = self.process.ask(question, max(self.seconds, _START))
        except EngineFault as fault:
            if self.process.running and fault.cause != "time":
                return ""  # it knows no such command
            raise
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())

    def begin(self, seed: int) -> None:
        """Begin a game; the seed is told where the engine takes one."""
        self.process.ask("clear_board", self.seconds)
        if "set_random_seed" in self.commands:
            self.process.ask(f"set_random_seed {seed % _SEEDS}", self.seconds)
        if self.adjusted:
            self._set_simulations()

    def tell(self, colour: int, move: str) -> None:
        """Tell a move that was played."""
        self.process.ask(f"play {colour_word(self.variant, colour)} {move}", self.seconds)

    def ask_move(self, colour: int) -> str:
        """The move that the engine makes."""
        return self.process.ask(f"genmove {colour_word(self.variant, colour)}", self.seconds).lower()

    def own_cpu(self) -> float | None:
        """CPU seconds as the engine itself counts them; None where it does not."""
        if "cputime" not in self.commands or not self.process.running:
            return None
        try:
            return float(self.process.ask("cputime", self.seconds))
        except (ValueError, EngineFault):
            return None

    def close(self, patience: float = 2.0) -> None:
        """End the program."""
        self.process.close(patience)


def _environment() -> dict[str, str]:
    """Our own modules are found wherever the match is run."""
    here = str(Path(__file__).resolve().parents[1])
    paths = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths))
