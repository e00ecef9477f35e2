"""Texts to begin with: what our writers make, what the tests hold, and files of the archives where they are."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import tests.dashboards
import tests.notation
import tests.pipeline
from engine.variants import VARIANTS
from notation.errors import CannotWrite, NotationError
from notation.formats import FORMATS
from notation.record import GameRecord
from notation.sniff import sniff
from notation.stream import HEAD
from pipeline.export import _name_colours
from pipeline.generate import generate_records
from tests import records
from tests.fuzz.made import made
from tests.fuzz.reading import LIMIT, items_of
from tests.places import ARCHIVES

CONSTANTS = 300
"""Texts of the tests that a format takes at most."""

LIST = 100
"""Texts of a list that are taken: one of thousands holds the same thousands of times."""

ARCHIVE_FILES = 40
"""Files of the archives that a format takes at most."""


def seeds_of(forms: Iterable[str]) -> dict[str, list[bytes]]:
    """Texts of each format, without repetition; every one holds something that its reader reads."""
    found: dict[str, dict[bytes, None]] = {form: {} for form in forms}
    texts = sorted(_constants(), key=lambda text: (-len(text) % 997, text))  # long and short ones mixed
    for form, kept in found.items():
        for text in (*written(form), *made(form)):
            kept.setdefault(text)
        for text in texts:
            if len(kept) < CONSTANTS and _reads(form, text):
                kept.setdefault(text)
    for form, text in _archived():
        if form in found and len(text) <= LIMIT:
            found[form].setdefault(text)
    return {form: list(kept) for form, kept in found.items()}


def _reads(form: str, text: bytes) -> bool:
    """Whether a text is a source of the format, or at least gives one thing without complaint."""
    if sniff(text[:HEAD], "") is FORMATS[form]:
        return True
    if form == "parquet":  # anything else only costs its reader a process
        return False
    items = items_of(form, text)
    return bool(items) and not any(isinstance(item, NotationError) or item.problems for item in items)


def written(form: str) -> Iterator[bytes]:
    """Games that our writers make: all variants, one and several in a file."""
    row = FORMATS[form]
    if row.write is None:
        return
    for variant_id in VARIANTS:
        texts = []
        for record in (*_reports(variant_id), *generate_records(variant_id, 2, 1, {})):
            if row.names_colours:
                _name_colours([record])
            try:
                texts.append(row.write(record))
            except CannotWrite:
                continue
        for part in ([texts[0]], texts[-1:], texts[:3]) if texts else ():
            yield b"".join(row.pack(part))


def _reports(variant_id: str) -> Iterator[GameRecord]:
    for name, text in vars(records).items():
        if name.startswith("O_"):
            for item in items_of("blksgf", text.encode()):
                if isinstance(item, GameRecord) and item.variant == variant_id:
                    yield item


def _constants() -> Iterator[bytes]:
    """Texts in the tests: all that stand there, and those that are put together at the top of a module."""
    for package in (tests.notation, tests.pipeline, tests.dashboards):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            loaded = importlib.import_module(module.name)
            for name, value in vars(loaded).items():
                if not name.startswith("__"):
                    yield from _texts_in(value, 0)
            for node in ast.walk(ast.parse(Path(str(loaded.__file__)).read_text("utf-8"))):
                if isinstance(node, ast.Constant):
                    yield from _texts_in(node.value, 0)


def _texts_in(value: object, depth: int) -> Iterator[bytes]:
    if isinstance(value, str | bytes):
        text = value.encode("utf-8", "replace") if isinstance(value, str) else value
        if 4 <= len(text) <= LIMIT:
            yield text
    elif depth < 3 and isinstance(value, list | tuple):
        for part in value[:LIST]:
            yield from _texts_in(part, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for part in value.values():
            yield from _texts_in(part, depth + 1)


def _archived() -> Iterator[tuple[str, bytes]]:
    taken: dict[str, int] = {}
    for path in sorted(ARCHIVES.rglob("*")) if ARCHIVES.is_dir() else ():
        if not path.is_file():
            continue
        with path.open("rb") as file:
            data = file.read(4 * LIMIT)
        row = sniff(data[:HEAD], path.name)
        if isinstance(row, NotationError) or taken.get(row.name, 0) >= ARCHIVE_FILES:
            continue
        taken[row.name] = taken.get(row.name, 0) + 1
        # Of a long file the beginning, up to the end of a line.
        yield row.name, data if len(data) < LIMIT else data[: data.rfind(b"\n", 0, LIMIT // 4) + 1]
