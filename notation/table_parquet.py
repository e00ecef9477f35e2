"""Tables in Parquet: turned into the text of a CSV and read as that; written from such text. See pages/parquet.md."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from notation.errors import BadRecord, NotARecord
from notation.parquet_text import Damaged, texts_of
from notation.stream import BROKEN_OFF, Chunk, Read
from notation.table_layout import Columns, layout_of
from notation.table_split import split as split_table
from notation.table_write import COLUMNS

MAGIC = b"PAR1"

FILE_LIMIT = 512 * 1024 * 1024
"""Bytes of the largest file: its columns are read out of memory."""

ROWS_PACKED = 128 * 1024
"""Rows that are written at a time."""


def looks_like_parquet(head: bytes, name: str, columns: Columns = ()) -> bool:
    """The file begins as Parquet does; its columns stand at the end."""
    return head.startswith(MAGIC)


def split(read: Read, columns: Columns = ()) -> Iterator[Chunk]:
    """Read the file and cut its rows into chunks of whole games; lines are rows, the header counts as the first.

    Raises:
        NotARecord: it is a table of something else.
    """
    data = _whole(read)
    if data is None:
        limit = FILE_LIMIT // (1024 * 1024)
        message = f"a Parquet file of more than {limit} MiB: write it in several files, or as CSV"
        yield Chunk(MAGIC, refused=message)
        return
    texts = texts_of(data)
    try:
        header = next(texts)
        layout_of(header, columns)
    except Damaged as error:
        yield Chunk(data[:256], refused=_message(error))
        return
    except BadRecord as error:
        texts.close()
        raise NotARecord(f"no game records: {error.message}") from None
    source = _Text(header, texts)
    yield from split_table(source.read, columns)
    texts.close()
    if source.error:
        yield Chunk(data[:256], refused=source.error)


def broken_off(chunk: Chunk) -> Iterator[Chunk]:
    """A Parquet file of which the end is missing holds nothing that can be read."""
    yield Chunk(chunk.data[:256], chunk.record, refused=f"{BROKEN_OFF}: a Parquet file is read from its end")


def _whole(read: Read) -> bytes | None:
    parts, size = [], 0
    while block := read(1024 * 1024):
        parts.append(block)
        size += len(block)
        if size > FILE_LIMIT:
            return None
    return b"".join(parts)


def _message(error: Damaged) -> str:
    return f"the Parquet file is damaged or of a kind that is not read: {error}"


class _Text:
    """A source of the CSV text of a file; where the file is damaged it ends, and `error` says how."""

    def __init__(self, header: bytes, texts: Iterator[bytes]) -> None:
        self._ready, self._texts = header, texts
        self.error = ""

    def read(self, size: int) -> bytes:
        """Like `file.read`."""
        if not self._ready and not self.error:
            try:
                self._ready = next(self._texts, b"")
            except Damaged as error:
                self.error = _message(error)
        block, self._ready = self._ready[:size], self._ready[size:]
        return block


def pack_parquet(texts: Iterable[str]) -> Iterator[bytes]:
    """The file of some games' rows, which are CSV without the header: `ply` is a number, all else text.

    Rows are packed as they come; only packed ones stay in memory until the file is put together.
    """
    import polars as pl

    packed: list[bytes] = [_packed(text) for text in _gathered(texts)] or [_packed("")]
    out = io.BytesIO()
    pl.scan_parquet(packed).sink_parquet(out, compression="zstd")
    yield out.getvalue()


def _gathered(texts: Iterable[str]) -> Iterator[str]:
    parts: list[str] = []
    rows = 0
    for text in texts:
        parts.append(text)
        rows += text.count("\n")
        if rows >= ROWS_PACKED:
            yield "".join(parts)
            parts, rows = [], 0
    if parts:
        yield "".join(parts)


def _packed(text: str) -> bytes:
    import polars as pl

    rows = csv.reader(io.StringIO(text, newline=""))
    columns: list[list[str | None]] = [[] for _ in COLUMNS]
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            column.append(cell or None)
    series = [pl.Series(name, column, pl.String) for name, column in zip(COLUMNS, columns, strict=True)]
    frame = pl.DataFrame(series)
    out = io.BytesIO()
    frame.with_columns(pl.col("ply").cast(pl.Int32)).write_parquet(out, compression="zstd")
    return out.getvalue()
