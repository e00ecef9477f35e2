"""Generated games written as an archive: one file, or a folder of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from notation.formats import FORMATS
from pipeline.appearing import appearing
from pipeline.errors import PipelineError
from pipeline.executor import run_in_order
from pipeline.generate import generate_records
from pipeline.output_paths import check_room, format_of_path, written_format
from pipeline.stopping import stoppable

FILE_GAMES = 1000
"""Games in a file of a folder; formats with one game a file have so many files in a folder."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Games `first` to `first + games - 1`, to be written as text."""

    variant: str
    seed: int
    rules: tuple[tuple[str, str], ...]
    format: str
    first: int
    games: int


def _texts(part: _Part) -> tuple[_Part, list[str]]:
    """Texts of the files of a part, to be packed: one, or one a game."""
    write = FORMATS[part.format].write
    assert write is not None
    records = generate_records(part.variant, part.games, part.seed, dict(part.rules), part.first)
    texts = [write(record) for record in records]
    return part, texts if FORMATS[part.format].one_game_a_file else ["".join(texts)]


def write_archive(
    path: Path,
    variant_id: str,
    games: int,
    seed: int,
    rules_settings: Mapping[str, str],
    form: str | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> int:
    """Write generated games to a file, or to a folder with 1,000 games a file; returns the number of files.

    A path that ends like a format's files (`.blksgf`, `.jsonl`) is a file, any other a folder. Without `form` the
    format is that of the ending, else blksgf. The bytes depend on the arguments before `form` and on the format only.
    The file or folder appears at once and whole, or not at all; a file that was there is replaced. `progress` is told
    the number of games written so far.

    Raises:
        PipelineError: an unknown format, a folder that is not empty, a disk that does not take the files.
        EngineError: see `generate_records`.
        CannotWrite: the format cannot hold such games.
    """
    by_path = format_of_path(path)
    row = written_format(form or (by_path.name if by_path else "blksgf"))
    is_file = by_path is not None
    if games < 1:
        raise PipelineError(f"the number of games is 1 or more, not {games}")
    check_room(row, is_file, games)
    whole = _Part(variant_id, seed, tuple(sorted(rules_settings.items())), row.name, 0, games)
    # One game first: what the format or the rules refuse is refused before anything is written.
    _texts(replace(whole, games=1))
    with stoppable(), appearing(path, is_file) as hidden:
        return _write_parts(hidden, whole, is_file, jobs, progress)


def _parts(whole: _Part) -> Iterator[_Part]:
    for first in range(0, whole.games, FILE_GAMES):
        count = min(FILE_GAMES, whole.games - first)
        yield replace(whole, first=first, games=count)


def _write_parts(
    hidden: Path, whole: _Part, is_file: bool, jobs: int, progress: Callable[[int], None]
) -> int:
    """Write all parts, into the file or the folder `hidden`; returns the number of files."""
    row = FORMATS[whole.format]
    done = run_in_order(_texts, _parts(whole), jobs)
    if is_file:
        _write(hidden, row.pack(_told(done, progress)))
        return 1
    files = 0
    for part, texts in done:
        for name, text in zip(_names(part, len(texts)), texts, strict=True):
            target = hidden / name
            target.parent.mkdir(exist_ok=True)
            _write(target, row.pack([text]))
        files += len(texts)
        progress(part.first + part.games)
    return files


def _told(done: Iterator[tuple[_Part, list[str]]], progress: Callable[[int], None]) -> Iterator[str]:
    """The texts of all parts; `progress` is told of each that is written."""
    for part, texts in done:
        yield from texts
        progress(part.first + part.games)


def _names(part: _Part, count: int) -> list[str]:
    """Names in the folder of the files of a part."""
    row = FORMATS[part.format]
    suffix = row.suffixes[0]
    stem = f"{part.variant}-{part.first // FILE_GAMES + 1:04d}"
    if row.one_game_a_file:
        return [f"{stem}/{part.variant}-{part.first + i + 1:07d}{suffix}" for i in range(count)]
    return [stem + suffix]


def _write(path: Path, blocks: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(blocks)
