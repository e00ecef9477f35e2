"""A folder that holds everything at once: the real archives, the same games in every format that is written, this
repository, and files that are none of Cornerwise's business."""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.variants import VARIANTS
from notation.errors import CannotWrite
from notation.formats import FORMATS, Format
from notation.record import GameRecord
from tests.notation.reading import read_all
from tests.notation.software_challenge_writer import replay_xml
from tests.places import REPOSITORY, archives

FIRST = 20
"""Games of each reference file that are written in every format."""

SOURCE = (".", "dashboards", "data", "engine", "notation", "pipeline", "tests")
"""Folders of this repository; of the first one the files alone."""

JUNK = {
    "board.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01",
    "league.xlsx": b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0",
    "empty.txt": b"",
    "blanks.csv": b"\n\n  \n",
    "standings.csv": b"rank,player,points\n1,Ada,12\n2,Ben,9\n",
    "standings.tsv": b"rank\tplayer\tpoints\n1\tAda\t12\n",
    "settings.json": b'{"rounds": 5, "players": ["Ada", "Ben"], "moves": 3}\n',
    "events.jsonl": b'{"level": "info", "message": "started"}\n{"level": "info", "message": "done"}\n',
    "page.html": b"<!DOCTYPE html>\n<html><body>(;GM[Blokus Duo];B[e10])</body></html>\n",
    "pom.xml": b'<?xml version="1.0"?>\n<project><modelVersion>4.0.0</modelVersion></project>\n',
    "chess.pgn": b'[Event "Club"]\n[White "Ada"]\n\n1. e4 e5 2. Nf3 *\n',
    "invitation.md": b"# Club night\n\nBring F - X and W - N if you have them.\n",
    "rounds.dat": b"1 2 3\n4 5 6\n",
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A file that was written: its place as an import names it, below the folder, and the reference games in it."""

    source: str
    variant: str
    games: range


def reference_games(variant: str) -> list[GameRecord]:
    """The first games of a reference file."""
    found = read_all(archives("reference", f"{variant}.blksgf").read_bytes())[:FIRST]
    return [record for record in found if isinstance(record, GameRecord)]


def build(folder: Path) -> list[Written]:
    """Fill a folder, and say what was written of the reference games.

    The source tree comes with the sample games in `data/`: they are records like others.
    """
    shutil.copytree(archives(), folder / "archives", copy_function=shutil.copyfile)
    _copy_source(folder / "source")
    for name, content in JUNK.items():
        _put(folder / "club" / "misc" / name, content)
    files = [file for variant in VARIANTS for file in _season(variant)]
    written = [_put_written(folder, file) for file in files]
    return written + _packed(folder, files)


def _copy_source(target: Path) -> None:
    target.mkdir(parents=True)
    for name in SOURCE:
        if name != ".":
            shutil.copytree(REPOSITORY / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in REPOSITORY.glob("[!.]*"):
        if path.is_file():
            shutil.copyfile(path, target / path.name)


File = tuple[str, bytes, Written]
"""Path below the season's folder, content, and what it holds."""


def _season(variant: str) -> Iterator[File]:
    """The first reference games in every format that holds them."""
    records = reference_games(variant)
    for row in FORMATS.values():
        if row.write is None:
            continue
        try:
            texts = [row.write(record) for record in records]
        except CannotWrite:
            continue
        if row.one_game_a_file:
            for number, text in enumerate(texts):
                yield _file(row, variant, [text], range(number, number + 1))
        else:
            yield _file(row, variant, texts, range(len(records)))
    if variant == "classic_2":
        for number, record in enumerate(records):
            data = replay_xml(record, 2027 if number % 2 else 2021)
            name = f"xml/game{number:02d}.xml"
            packed = (name + ".gz", gzip.compress(data)) if number % 4 >= 2 else (name, data)
            yield *packed, Written(packed[0], variant, range(number, number + 1))


def _file(row: Format, variant: str, texts: list[str], games: range) -> File:
    many = f"_{games.start:02d}" if row.one_game_a_file else ""
    path = f"{row.name}/{variant}{many}{row.suffixes[0]}"
    content = b"".join(row.pack(texts))
    if row.name == "blksgf":
        content += (
            b"\n"  # three-player Trigon has just so many games, and the same bytes again would be no sighting
        )
    return path, content, Written(path, variant, games)


def _put_written(folder: Path, file: File) -> Written:
    path, content, written = file
    _put(folder / "season" / path, content)
    return Written(f"season/{path}", written.variant, written.games)


def _packed(folder: Path, files: list[File]) -> list[Written]:
    """The same files once more inside of archives; other bytes, so that they are seen on their own."""
    with_comment = {"csv": b"\r\n", "tsv": b"\r\n", "blksgf": b"\n\n", "jsonl": b"\n\n", "gtp": b"# again\n"}
    chosen = [file for file in files if file[0].partition("/")[0] in with_comment]
    zipped, tarred = io.BytesIO(), io.BytesIO()
    out = []
    with zipfile.ZipFile(zipped, "w") as archive, tarfile.open(fileobj=tarred, mode="w:gz") as tar:
        for number, (path, content, written) in enumerate(chosen):
            content += with_comment[path.partition("/")[0]]
            if number % 2:
                archive.writestr(path, content)
            else:
                member = tarfile.TarInfo(path)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
            name = "last_year.zip" if number % 2 else "older/seasons.tar.gz"
            out.append(Written(f"club/{name}!{path}", written.variant, written.games))
    _put(folder / "club" / "last_year.zip", zipped.getvalue())
    _put(folder / "club" / "older" / "seasons.tar.gz", tarred.getvalue())
    return out


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
