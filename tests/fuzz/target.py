"""What must hold of any input: nothing raises, items only, bounded time and memory, cuts and writing change nothing."""

from __future__ import annotations

import pickle
import re
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace

from notation.errors import CannotWrite, NotationError
from notation.formats import FORMATS, Format
from notation.fragments import Item
from notation.identity import game_id
from notation.record import GameRecord, Move
from notation.sniff import sniff
from notation.stream import HEAD, Chunk
from pipeline.export import _name_colours
from pipeline.judged import RuleChoice, group_records, resolved_colours, stop_of
from pipeline.unit import Portion, Reading, unit_tables
from tests.fuzz.reading import LIMIT, Trial, chunks_of, items_of, read_chunk

SECONDS = 2.0
"""Time of the processor that an input may take."""

MEBIBYTES = 300
"""Memory that an input may add to the largest so far."""

WRITTEN = 2
"""Games of an input that are written and read again."""


class Broken(Exception):
    """Something that must hold does not; `kind` is a short word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken promise: `key` is the same for inputs that break it in the same place."""

    key: str
    text: str


_CONTROLS = re.compile(r"[^\S\t\n\r ]|[\x00-\x08\x0e-\x1f]")

Signature = frozenset[str]
"""What an input led to, without its numbers and names: inputs with a new one are worth mutating."""


def fault_of(trial: Trial, deep: bool, clocks: bool = True) -> tuple[Fault | None, Signature]:
    """Try an input; `deep` also writes its games, judges them and makes tables. Time counts with `clocks`."""
    try:
        return None, _try(trial, deep, clocks)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of a native library is no Exception
        return Fault(_key(trial.form, error), traceback.format_exc()), frozenset()


def _key(form: str, error: BaseException) -> str:
    if isinstance(error, Broken):
        return f"{form}-{error.kind}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/tests/" not in f.filename]
    ours = [f for f in frames if re.search(r"/(engine|notation|pipeline)/", f.filename)]
    where = (ours or frames or [None])[-1]
    place = f"{where.filename.rsplit('/', 1)[-1]}-{where.name}" if where else "?"
    return f"{form}-{type(error).__name__}-{place}"


def _try(trial: Trial, deep: bool, clocks: bool) -> Signature:
    memory, clock = _peak(), time.thread_time()
    row = sniff(trial.data[:HEAD], trial.name, None, trial.columns)
    _need(isinstance(row, Format | NotationError), "sniff", repr(row))
    chunks = chunks_of(replace(trial, step=LIMIT, block=LIMIT))
    items = [item for chunk in chunks for item in read_chunk(trial, chunk)]
    seconds, memory = time.thread_time() - clock, _peak() - memory
    _need(all(isinstance(item, Item) for item in items), "item", "not an item")
    _need(seconds < SECONDS or not clocks, "slow", f"{seconds:.1f} s for {len(trial.data)} bytes")
    _need(memory < MEBIBYTES or not clocks, "memory", f"{memory} MiB more for {len(trial.data)} bytes")
    _cut_anywhere(trial, items)
    if deep:
        _broken_off(trial, chunks)
        games = [item for item in items if isinstance(item, GameRecord)]
        for game in games[:WRITTEN]:
            _written_and_read(trial.form, game)
        seconds = _tables(trial, chunks)
        _need(
            seconds < 2 * SECONDS or not clocks, "slow-tables", f"{seconds:.1f} s for {len(trial.data)} bytes"
        )
    return frozenset(map(_sign, items))


def _need(holds: bool, kind: str, message: str) -> None:
    if not holds:
        raise Broken(kind, message)


def _peak() -> int:
    """The most memory so far in MiB; `getrusage` would count what the parent had at the start."""
    with open("/proc/self/status") as status:
        line = next((line for line in status if line.startswith("VmHWM")), "VmHWM 0")
    return int(line.split()[1]) // 1024


def _sign(item: Item) -> str:
    if isinstance(item, NotationError):
        return re.sub(r"\d+|'[^']*'|\"[^\"]*\"", "#", f"{item.code} {item.message}")[:80]
    codes = ",".join(sorted({problem.code for problem in item.problems}))
    if not isinstance(item, GameRecord):
        return f"{item.kind} {codes}"
    kinds = ",".join(sorted({type(event).__name__ for event in item.events}))
    has = (
        f"{bool(item.broken)}{bool(item.setup)}{bool(item.notes)}{bool(item.branches)}{item.declared is None}"
    )
    return f"{item.variant} {kinds} {codes} {sorted(item.rules)} {item.termination} {has}"


def text_of(item: Item) -> str:
    """Everything about an item."""
    if isinstance(item, NotationError):
        return f"{type(item).__name__} {item} {item.text!r}"
    return repr(item)


def _cut_anywhere(trial: Trial, items: Sequence[Item]) -> None:
    """Where the source is cut changes nothing."""
    again = [item for chunk in chunks_of(trial) for item in read_chunk(trial, chunk)]
    one, two = [text_of(item) for item in items], [text_of(item) for item in again]
    if one != two:
        at = next(
            (i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
        )
        shown = [texts[at][:3000] if at < len(texts) else "nothing" for texts in (one, two)]
        raise Broken("cut", f"item {at} of {len(one)} and {len(two)}:\n{shown[0]}\n{shown[1]}")


def _broken_off(trial: Trial, chunks: Sequence[Chunk]) -> None:
    """A damaged source's last chunk, and chunks on the way to another process."""
    for chunk in FORMATS[trial.form].break_off(chunks[-1]) if chunks else ():
        for item in read_chunk(trial, pickle.loads(pickle.dumps(chunk))):
            _need(text_of(pickle.loads(pickle.dumps(item))) == text_of(item), "pickle", text_of(item)[:3000])


def identity(record: GameRecord) -> str:
    """The identity that an import finds; empty for a record whose rules do not fit."""
    groups, _ = group_records([record], RuleChoice())
    for group in groups:
        colours = resolved_colours(group, 0, stop_of(group, 0))
        moves = [event for event in record.events if isinstance(event, Move)]
        return game_id(record.variant, record.setup, moves, colours)
    return ""


def _written_and_read(form: str, game: GameRecord) -> None:
    """Every format that can hold the game gives it back."""
    same = identity(game)
    if not same:
        return
    for row in FORMATS.values():
        if row.write is None:
            continue
        record: GameRecord = pickle.loads(pickle.dumps(game))
        if row.names_colours:
            _name_colours([record])
        try:
            text = row.write(record)
        except CannotWrite:
            continue
        data = b"".join(row.pack([text]))
        again = items_of(row.name, data)
        only = again[0] if len(again) == 1 else None
        _need(isinstance(only, GameRecord), f"lost-{row.name}", f"{again}\n{game}\n{text[:3000]}")
        assert isinstance(only, GameRecord)
        _need(identity(only) == same, f"other-game-{row.name}", f"{game}\n{only}\n{text[:3000]}")
        if row.name == "jsonl":
            _need(row.write(only) == text, "jsonl", f"{text}\n{row.write(only)}")
        found = sniff(data[:HEAD], "")
        if any(isinstance(event, Move) and event.placement < 0 for event in game.events) or _CONTROLS.search(
            text
        ):
            continue  # what stands there for a move need not look like one, and many such characters not like text
        _need(found is row, f"unrecognised-{row.name}", f"{found}\n{game}\n{text[:3000]}")


def _tables(trial: Trial, chunks: Sequence[Chunk]) -> float:
    """The pipeline makes tables of what was found; returns the seconds it takes."""
    portions = [Portion("fuzz", "0" * 32, trial.form, chunk) for chunk in chunks]
    clock = time.thread_time()
    unit_tables(1, portions, Reading(None, trial.variant, columns=trial.columns)).tables()
    return time.thread_time() - clock
