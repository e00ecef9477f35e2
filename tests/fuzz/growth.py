"""Looks for time that grows faster than its input: `python -m tests.fuzz.growth --minutes 5 [--format NAME]`.

A beginning, then one or two words of the format over and over, then an end: as 8 and as 64 KiB. Eight times the
input may take eight times as long; what takes three times more than that, and long enough to be measured, is printed.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from notation.formats import FORMATS
from notation.sniff import sniff
from notation.stream import HEAD
from tests.fuzz.mutations import WORDS, words_of
from tests.fuzz.reading import items_of
from tests.fuzz.seeds import seeds_of

_BLANKS = (" ", "\n", "\t", "\r", "\r\n", "\x0b", "\x1c", "\u2028")
_SIGNS = r"""( ) [ ] { } (; ]; [[ ]] (( {} [] [], {}, {[ }{ }] " ' "" , ; : :: | || = == # / // /* */
< > <a> <a/> </a> <!-- &
\ \\ \n \r \" \] \[ * ** + ~ ~~ @ O >> << . ... - _ a A 0 1 1. 1a a1 a1, a1; x[ x[] x[] ;x[y] "a": "a":[ {"a": "a","""
_LINES = (
    "\n ",
    " \n",
    "\na",
    "\n1",
    "1\n",
    "a\n",
    "{\n",
    "}\n",
    "\n{",
    "\n[",
    "=\n",
    '"\n',
    ",\n",
    ";\n",
    "\n\\n",
    "\n<",
)
_SPACED = ("a ", "1 ", ", ", "; ", "- ", " -", "} ", "{ ", "[ ", "( ", " )", "< ", "1\t", "\t\t\n")
UNITS = tuple(unit.encode() for unit in (*_BLANKS, *_SIGNS.split(), *_LINES, *_SPACED))
"""What is repeated in any format behind the beginnings of its texts."""

SMALL, LARGE = 8 * 1024, 64 * 1024
LEAST = 0.2
"""Seconds below which nothing is said of a time."""


def seconds(form: str, data: bytes) -> float:
    """Time of the processor to recognise and read an input."""
    clock = time.thread_time()
    sniff(data[:HEAD], "")
    items_of(form, data)
    return time.thread_time() - clock


def pattern(rng: Random, seeds: list[bytes], words: list[bytes]) -> tuple[bytes, bytes, bytes, bytes]:
    """Beginning, one word again and again, another word again and again (or none), end."""
    seed, other = rng.choice(seeds), rng.choice(seeds)
    at = rng.choice((0, 0, rng.randrange(min(len(seed), 600) + 1)))
    parts = [rng.choice(rng.choice((words, words, WORDS[:40]))) for _ in range(3)]
    line = rng.choice(other.split(b"\n"))[:200]
    unit = rng.choice(
        (
            parts[0],
            parts[0] + parts[1],
            parts[0] + parts[1] + parts[2],
            line,
            line + b"\n",
            line[:30] + parts[0],
        )
    )
    return seed[:at], unit or b" ", rng.choice((b"", b"", parts[2])), rng.choice((b"", parts[1], seed[-40:]))


def grown(found: tuple[bytes, bytes, bytes, bytes], size: int) -> bytes:
    """The pattern with about `size` bytes."""
    begins, unit, second, ends = found
    share = size // (2 if second else 1)
    return begins + unit * (share // len(unit)) + (second * (share // len(second)) if second else b"") + ends


def patterns(seeds: list[bytes], minutes: float, rng: Random) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """All units behind some beginnings of texts, then others for a while."""
    heads = [b""]
    for seed in rng.sample(seeds, min(3, len(seeds))):
        heads += [
            seed[:cut]
            for cut in (len(seed), rng.randrange(len(seed) + 1), rng.randrange(min(len(seed), 200) + 1))
        ]
    for head in heads:
        yield from ((head, unit, b"", rng.choice((b"", b"", b"x"))) for unit in UNITS)
    end = time.monotonic() + 60 * minutes
    words = words_of(seeds) or [b"x"]
    while time.monotonic() < end:
        yield pattern(rng, seeds, words)


def hunt(form: str, seeds: list[bytes], minutes: float, rng: Random) -> tuple[int, int]:
    """Try patterns for a while; returns how many, and how many grew too fast."""
    tried = faults = 0
    for found in patterns(seeds, minutes, rng):
        tried += 1
        large = seconds(form, grown(found, LARGE))
        if large < LEAST:
            continue
        small = seconds(form, grown(found, SMALL))
        if large > 3 * (LARGE / SMALL) * small:
            faults += 1
            print(
                f"{form}: {small:.3f} s for {SMALL // 1024} KiB, {large:.2f} s for {LARGE // 1024}: {found!r}"[
                    :600
                ],
                flush=True,
            )
    return tried, faults


def main() -> None:
    """Hunt in all formats in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.growth", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="minutes a format")
    parser.add_argument("--format", action="append", choices=list(FORMATS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=Path, help="the file seeds.pickle of a run of tests.fuzz")
    chosen = parser.parse_args()
    forms = chosen.format or [form for form in FORMATS if form != "parquet"]
    seeds = pickle.loads(chosen.seeds.read_bytes()) if chosen.seeds else seeds_of(forms)
    for form in forms:
        tried, faults = hunt(form, seeds[form], chosen.minutes, Random(f"{form} {chosen.seed}"))
        print(f"{form}: {tried} patterns, {faults} that grow too fast", flush=True)


if __name__ == "__main__":
    main()
