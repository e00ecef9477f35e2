"""Fuzzing led by coverage, where atheris is installed: `python -m tests.fuzz.guided FORMAT OUT [libFuzzer options]`.

OUT is the folder of a run of `tests.fuzz`, whose texts it begins with; `-max_total_time=600` ends it after ten minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris  # type: ignore[import-not-found,unused-ignore]

with atheris.instrument_imports(include=["notation"]):
    from notation.formats import FORMATS

from tests.fuzz.mutations import Material, mutated, words_of
from tests.fuzz.reading import LIMIT, Trial
from tests.fuzz.target import fault_of
from tests.fuzz.worker import save, seeds_for


def main(form: str, out: Path, options: list[str]) -> None:
    """Feed one format until libFuzzer's options end it; faults are saved as those of `tests.fuzz`."""
    assert form in FORMATS
    seeds, kept = seeds_for(form, out)
    start = out / "guided" / form
    start.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(seeds + kept):
        (start / f"seed-{number}").write_bytes(text)
    words = words_of(seeds)

    def test(data: bytes) -> None:
        fault, _ = fault_of(trial := Trial(form, data, step=7, block=100), False)
        if fault is not None:
            save(out, trial, fault, False)

    def mutator(data: bytes, size: int, seed: int) -> bytes:
        if seed % 3 == 0:
            return bytes(atheris.Mutate(data, size))
        return mutated(data, Material(Random(seed), seeds, words))[:size]

    atheris.Setup([sys.argv[0], str(start), f"-max_len={LIMIT // 8}", *options], test, custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
