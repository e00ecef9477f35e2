"""Parquet as the text of a CSV, read in a process of its own.

A damaged or hostile file makes the library that reads it give up the whole process: then only the helper is lost, and
the file is refused.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
from collections.abc import Generator, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

ROWS = 16 * 1024
"""Rows that are turned into text at a time."""

TEXT_LIMIT = 4 * 1024 * 1024
"""Bytes of text that are made at a time, as long as they are of several rows."""

CELL_LIMIT = 128 * 1024
"""Bytes of the longest cell."""

MEMORY = 8 * 1024**3
"""Bytes of addresses that the helper may use."""

PATIENCE = 120.0
"""Seconds without an answer after which the helper is given up."""

_TEXT, _FAULT, _GO = b"t", b"f", b"g"
_LOST = "reading it ended the process that did so"


class Damaged(ValueError):
    """The file cannot be read; the message says why."""


def texts_of(data: bytes) -> Generator[bytes]:
    """Yield the CSV text of a file, the header first; all cells are text, null is empty.

    Raises:
        Damaged: the file cannot be read.
    """
    helper = _idle.pop() if _idle else _Helper()
    waits = False
    try:
        header = helper.header(data)
        waits = True
        yield header
        waits = False
        yield from helper.rows()
        waits = True
    finally:
        if waits:
            _idle.append(helper)
        else:
            helper.stop()


class _Helper:
    """The process that reads, and the line to it."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def header(self, data: bytes) -> bytes:
        """Hand a file over; the header comes back, and the helper waits for a word or for the next file."""
        self._tell(data)
        return self._answer()

    def rows(self) -> Iterator[bytes]:
        """The text below the header."""
        self._tell(_GO)
        while text := self._answer():
            yield text

    def _tell(self, word: bytes) -> None:
        try:
            self._line.send_bytes(word)
        except OSError:
            raise Damaged(_LOST) from None

    def _answer(self) -> bytes:
        """The next text, none at the end."""
        try:
            if not self._line.poll(PATIENCE):
                raise Damaged("reading it does not come to an end")
            answer = self._line.recv_bytes()
        except (EOFError, OSError):
            raise Damaged(_LOST) from None
        if answer[:1] == _FAULT:
            raise Damaged(answer[1:].decode("utf-8", "replace"))
        return answer[1:]

    def stop(self) -> None:
        self._line.close()
        self._process.kill()
        self._process.join()


_idle: list[_Helper] = []
"""Helpers that wait for the next file: starting one takes longer than reading a game."""


def _serve(line: Connection) -> None:
    """Answer for file after file, until the other side closes the line or a file cannot be read."""
    _settle()
    word = b""
    while True:
        try:
            word = word or line.recv_bytes()
            texts = _texts(word)
            line.send_bytes(_TEXT + next(texts))
            word = line.recv_bytes()
            if word == _GO:
                word = b""
                for text in texts:
                    line.send_bytes(_TEXT + text)
                line.send_bytes(_TEXT)
        except EOFError:
            return
        except BaseException as error:  # panics of the library are no ordinary exceptions
            message = " ".join(str(error).split())[:200] or type(error).__name__
            line.send_bytes(_FAULT + message.encode("utf-8", "replace"))
            return


def _settle() -> None:
    """Leave Ctrl-C to the one who asks, keep panics off the terminal, use few threads and not all memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["POLARS_MAX_THREADS"] = "2"
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _texts(data: bytes) -> Iterator[bytes]:
    import polars as pl

    names = list(pl.read_parquet_schema(io.BytesIO(data)))
    yield pl.DataFrame({name: [] for name in names}).write_csv(quote_style="always").encode()
    plan = pl.scan_parquet(io.BytesIO(data))
    start = 0
    while True:
        frame = plan.slice(start, ROWS).collect()
        if not frame.height:
            return
        yield from _parts(frame.select(_as_text(frame[name]).alias(name) for name in frame.columns))
        start += frame.height


def _parts(frame: pl.DataFrame) -> Iterator[bytes]:
    """CSV text of some rows, in parts that fit in memory: a short file may hold a long text many times."""
    import polars as pl

    sizes = frame.select(pl.all().str.len_bytes())
    if (longest := max(int(column.max() or 0) for column in sizes)) > CELL_LIMIT:  # type: ignore[arg-type]
        raise ValueError(f"a cell of {longest} bytes")
    if sum(int(column.sum()) for column in sizes) > TEXT_LIMIT and frame.height > 1:
        half = frame.height // 2
        yield from _parts(frame[:half])
        yield from _parts(frame[half:])
    else:
        yield frame.write_csv(include_header=False).encode()


def _as_text(column: pl.Series) -> pl.Series:
    """A column as text: numbers digit for digit, lists as moves and cells are joined."""
    import polars as pl

    kind = column.dtype
    if isinstance(kind, pl.List | pl.Array):
        joint = ";" if "moves" in column.name.lower() else ","
        column = column.cast(pl.List(pl.String)).list.join(joint, ignore_nulls=False)
    elif isinstance(kind, pl.Struct):
        column = column.struct.json_encode()
    elif kind == pl.Binary:
        column = _bytes_as_text(column)
    return column.cast(pl.String).fill_null("")


def _bytes_as_text(column: pl.Series) -> pl.Series:
    import polars as pl

    try:
        return column.cast(pl.String)
    except pl.exceptions.PolarsError:
        return column.bin.encode("hex")
