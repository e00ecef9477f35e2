"""Makes the short fixed corpus of the gate: `python -m tests.fuzz.keep`, when a format is new or reads anew.

For every format the shortest of the mutated texts that lead each somewhere else. Nothing of the archives is in it: only
what our writers and the tests' own texts give. Inputs that once broke something stand in `test_fuzz_corpus.py`.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

from notation.formats import FORMATS
from tests.fuzz.made import made
from tests.fuzz.mutations import Material, mutated, words_of
from tests.fuzz.reading import Trial
from tests.fuzz.seeds import written
from tests.fuzz.target import fault_of
from tests.places import REPOSITORY

CORPUS = REPOSITORY / "tests" / "notation" / "corpus.json"
LONGEST = {"software_challenge": 2500, "board_picture": 600, "final_boards": 600}
"""Bytes of the longest input that is kept; 400 where nothing stands here."""
KEPT = 14
SECONDS = 8.0


def kept(form: str) -> list[str]:
    """Inputs of a format as Latin-1, so that every byte is a character."""
    rng = Random(form)
    longest = LONGEST.get(form, 400)
    seeds = [*written(form), *made(form)]
    seeds += [text[: text.find(b"\n", longest // 2)] for text in seeds]
    material = Material(rng, seeds, words_of(seeds))
    shortest: dict[str, bytes] = {}
    pool, end = list(seeds), time.monotonic() + SECONDS
    while time.monotonic() < end:
        text = mutated(rng.choice(pool), material)
        if len(text) > longest:
            text = text[: rng.randrange(1, longest)]
        _, signature = fault_of(Trial(form, text), False)
        for sign in signature:
            if sign not in shortest or len(text) < len(shortest[sign]):
                shortest[sign] = text
                pool.append(text)
    return sorted({text.decode("latin-1") for text in shortest.values()}, key=lambda text: (len(text), text))[
        -KEPT:
    ]


def main(path: Path = CORPUS) -> None:
    """Write the corpus of all formats but Parquet, of whose bytes hardly any mutation is a file."""
    corpus = {form: kept(form) for form in FORMATS if form != "parquet"}
    path.write_text(json.dumps(corpus, indent=1) + "\n")


if __name__ == "__main__":
    main()
