"""The games of a match in a file: one record a line, each with what the match needs to go on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notation.blksgf_write import write
from notation.formats import FORMATS
from notation.record import GameRecord
from notation.stream import Chunk, ReadOptions
from pipeline.errors import PipelineError
from pipeline.played_game import PlayedGame

if TYPE_CHECKING:
    from pipeline.match.match import GameRow

HEADER = "match"
"""Header of a record that holds what a match knows of its game, as JSON."""

Fixed = Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Stored:
    """A game of the file, see `pipeline.match.match.GameRow`."""

    number: int
    game: PlayedGame
    names: tuple[str, str]
    cpu: tuple[float, float]
    own_cpu: tuple[float | None, float | None]
    total_cpu: tuple[float, float]
    seconds: float
    simulations: int | None
    fault_side: int | None
    fault: str | None


def header_of(row: GameRow, fixed: Fixed) -> dict[str, str]:
    """Headers of the record of a game."""
    said = {
        **fixed,
        "sides": list(row.sides),
        "cpu": [round(x, 4) for x in row.cpu],
        "own_cpu": [None if x is None else round(x, 4) for x in row.own_cpu],
        "total_cpu": [round(x, 4) for x in row.total_cpu],
        "seconds": round(row.seconds, 3),
        "simulations": row.simulations,
        "fault_side": row.fault_side,
        "fault": row.fault,
    }
    return {
        "event": f"engine match, seed {fixed['seed']}",
        "game_number": str(row.number + 1),
        HEADER: json.dumps(said, ensure_ascii=False),
    }


class Log:
    """The file of a match; a game that was not written to its end, as by a machine that stopped, is played again."""

    def __init__(self, path: Path, fixed: Fixed) -> None:
        """Name the file.

        Raises:
            PipelineError: its name is not that of Blokus SGF, or its folder is not there.
        """
        if path.suffix.lower() not in FORMATS["blksgf"].suffixes:
            raise PipelineError(
                f"{path}: the games of a match are written as Blokus SGF: name a .blksgf file"
            )
        if not path.parent.is_dir():
            raise PipelineError(f"{path}: there is no folder {path.parent}")
        self._path, self._fixed = path, fixed

    def games(self) -> Iterator[Stored]:
        """The games that are there, in order; the file keeps these only.

        Raises:
            PipelineError: something else stands there, or games of another match.
        """
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].splitlines(keepends=True)):
            yield self._stored(line, number)
        if whole < len(data):
            with self._path.open("r+b") as file:
                file.truncate(whole)

    def _stored(self, line: bytes, number: int) -> Stored:
        found = next(iter(FORMATS["blksgf"].read(Chunk(line, number + 1, number + 1), ReadOptions())), None)
        text = found.headers.get(HEADER) if isinstance(found, GameRecord) else None
        if not isinstance(found, GameRecord) or text is None:
            raise PipelineError(
                f"{self._path}, line {number + 1}: this is no game of a match; name another file"
            )
        try:
            said = json.loads(text)
            self._check(said, found, number)
            return _stored(found, said, number)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise PipelineError(
                f"{self._path}, line {number + 1}: a damaged game of a match ({error})"
            ) from None

    def _check(self, said: dict[str, Any], record: GameRecord, number: int) -> None:
        for key, ours in self._fixed.items():
            if said.get(key) != ours:
                raise PipelineError(
                    f"{self._path} holds another match: its {key} is {said.get(key)!r}, not {ours!r}; name another file"
                )
        if record.headers.get("game_number") != str(number + 1):
            raise PipelineError(f"{self._path}, line {number + 1}: game {number + 1} should be here")

    def add(self, record: GameRecord) -> None:
        """Write a game behind the others."""
        with self._path.open("ab") as file:
            file.write(write(record).encode("utf-8", "replace"))
            file.flush()


def _stored(record: GameRecord, said: dict[str, Any], number: int) -> Stored:
    game = PlayedGame(record.variant, record.rules)
    for event in record.events:
        game.add(event)
    names = ["", ""]
    for side, name in zip(said["sides"], record.players, strict=True):
        names[side] = name or ""
    return Stored(
        number,
        game,
        (names[0], names[1]),
        _pair(said["cpu"]),
        (said["own_cpu"][0], said["own_cpu"][1]),
        _pair(said["total_cpu"]),
        float(said["seconds"]),
        said["simulations"],
        said["fault_side"],
        said["fault"],
    )


def _pair(values: list[float]) -> tuple[float, float]:
    return float(values[0]), float(values[1])
