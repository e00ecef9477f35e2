"""The command line run inside the test's process, its streams captured."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dashboards.cli import main
from notation.formats import FORMATS
from notation.record import GameRecord
from notation.stream import Chunk, ReadOptions


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output; anything else there is an error, and so is NaN."""

        def refuse(name: str) -> None:
            raise AssertionError(f"{name} is no JSON")

        return json.loads(self.out, parse_constant=refuse)

    @property
    def message(self) -> str:
        assert "Traceback" not in self.err
        return self.err.strip()


class Cli:
    """Runs commands on one library in one folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.library = folder / "library"
        self._monkeypatch = monkeypatch

    def __call__(self, *args: object, stdin: bytes | io.RawIOBase = b"") -> Result:
        out, err = io.BytesIO(), io.BytesIO()
        source = io.BytesIO(stdin) if isinstance(stdin, bytes) else stdin
        streams = [io.TextIOWrapper(raw, encoding="utf-8", write_through=True) for raw in (out, err)]
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(source), encoding="utf-8"))
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            patch.setenv("CORNERWISE_LIBRARY", str(self.library))
            code = main([str(arg) for arg in args])
        return Result(code, out.getvalue().decode(), err.getvalue().decode())

    def ok(self, *args: object, stdin: bytes = b"") -> Result:
        """A command that must succeed."""
        result = self(*args, stdin=stdin)
        assert result.code == 0, result.err
        return result

    def json(self, *args: object) -> Any:
        return self.ok(*args, "--json").json

    def put(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def games(self, *args: object) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.json("games", "--limit", 0, *args)["games"]
        return rows

    def only_game(self) -> dict[str, Any]:
        """The one game of the library, as `show` has it."""
        (row,) = self.games()
        game: dict[str, Any] = self.json("show", row["id"])
        return game


def written_formats(*without: str) -> tuple[str, ...]:
    """Formats that have a writer, but for some."""
    return tuple(row.name for row in FORMATS.values() if row.write is not None and row.name not in without)


def record_of(text: str) -> GameRecord:
    """The first record of a text in Blokus SGF."""
    record = next(iter(FORMATS["blksgf"].read(Chunk(text.encode()), ReadOptions())))
    assert isinstance(record, GameRecord)
    return record


def in_format(text: str, form: str) -> tuple[str, bytes]:
    """A record in Blokus SGF as a file in a format: name and content."""
    row = FORMATS[form]
    assert row.write is not None
    content = text.encode() if form == "blksgf" else b"".join(row.pack([row.write(record_of(text))]))
    return f"game{row.suffixes[0]}", content
