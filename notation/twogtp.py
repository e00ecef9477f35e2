"""Reader of `output.dat`, the table of results that twogtp writes beside the games. See pages/twogtp.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from engine.variants import variant
from notation.blksgf_result import parse_result
from notation.errors import BadRecord, NotationError, Where
from notation.fragments import ResultRecord
from notation.recognise import text_of_head
from notation.record import Declared, Problem
from notation.stream import BROKEN_OFF, Chunk, Read, ReadOptions, excerpt, refused, split_lines

COLUMNS = ("game", "result", "length", "playerb", "cpub", "cpuw", "fast")
_HEADERS = {"result": "result", "playerb": "player_b", "cpub": "cpu_b", "cpuw": "cpu_w", "fast": "fast"}
_NUMBER = re.compile(r"\d{1,9}", re.A)
_SHARE = re.compile(r"[01](?:\.\d{1,6})?|\.\d{1,6}", re.A)
_CELL = 100


def looks_like(head: bytes, name: str) -> bool:
    """The first line names the columns of the table."""
    first = text_of_head(head[:2048]).lstrip().partition("\n")[0]
    return first.startswith("#") and _columns(first)[:4] == COLUMNS[:4]


@cache
def _columns(header: str) -> tuple[str, ...]:
    """Names of the columns in a line that begins with `#`."""
    return tuple("".join(cell.lower().split()) for cell in header.strip().lstrip("#").split("\t"))


def split(read: Read) -> Iterator[Chunk]:
    """Cut a table by its rows; every chunk has the line with the names of the columns as its `head`."""
    head, record = b"", 1
    for chunk in split_lines(read):
        lines = chunk.data.split(b"\n")
        head = head or next((line.strip()[:2048] for line in lines if line.lstrip()[:1] == b"#"), b"")
        yield replace(chunk, record=record, head=head)
        record += sum(map(_is_row, lines))


def broken_off_rows(chunk: Chunk) -> Iterator[Chunk]:
    """The last chunk of a damaged source: a last row without its end is refused, the others stay."""
    cut = chunk.data.rfind(b"\n") + 1
    rest = chunk.data[cut:].strip()
    if chunk.refused or not rest or rest.startswith(b"#"):
        yield chunk
        return
    before = sum(_is_row(line) for line in chunk.data[:cut].split(b"\n"))
    if before:
        yield replace(chunk, data=chunk.data[:cut])
    line = chunk.line + chunk.data.count(b"\n", 0, cut)
    yield replace(chunk, data=rest[:2048], record=chunk.record + before, line=line, refused=BROKEN_OFF)


def _is_row(line: bytes) -> bool:
    text = line.strip()
    return text != b"" and not text.startswith(b"#")


def read(chunk: Chunk, options: ReadOptions) -> Iterator[ResultRecord | NotationError]:
    """Yield the result or one error for every row."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    columns = _columns(chunk.head.decode("utf-8", "replace")) if chunk.head else COLUMNS
    number = chunk.record
    for offset, line in enumerate(chunk.data.split(b"\n")):
        if not _is_row(line):
            continue
        where = Where(options.source, number, chunk.line + offset)
        number += 1
        try:
            result = _row(line.decode("utf-8", "replace"), columns, where, options.variant)
            result.problems[:0] = chunk.problems
            yield result
        except BadRecord as error:
            error.text = excerpt(line)
            yield error


def _row(line: str, columns: tuple[str, ...], where: Where, variant_id: str | None) -> ResultRecord:
    cells = [cell.strip()[:_CELL] for cell in line.strip("\r\n ").split("\t")]
    if len(cells) != len(columns):
        raise BadRecord(f"the row has {len(cells)} fields, the table {len(columns)} columns", where)
    row = dict(zip(columns, cells, strict=True))
    for column in ("game", "length", "playerb"):
        if _NUMBER.fullmatch(row.get(column, "0")) is None:
            raise BadRecord(f"{column}: {row[column][:40]!r} is no number", where)
    result = ResultRecord(variant_id or "", "twogtp", str(int(row.get("game", "0"))), line=where.line)
    result.plies = int(row["length"]) if "length" in row else None
    result.headers = {ours: row[theirs] for theirs, ours in _HEADERS.items() if row.get(theirs)}
    seats = len(variant(variant_id).seats) if variant_id else 0
    declared = declared_of(result, seats)
    if declared.winner is None and row.get("result", "?") != "?":
        result.problems.append(Problem("result", _unclear(row["result"], seats), where.line))
    elif seats == 2 and declared.winner is not None:
        result.places = (1, 1) if declared.winner < 0 else ((1, 2), (2, 1))[declared.winner]
        result.margin = 0 if declared.winner < 0 else declared.margin
        if declared.winner == 1 and declared.margin is not None:
            result.margin = -declared.margin
    return result


def _unclear(text: str, seats: int) -> str:
    if seats == 2:
        return f"the result {text[:40]!r} names no winner"
    if seats > 2:
        return f"the result {text[:40]!r} is that of one seat of {seats}: the places of the others are not stated"
    return f"the table does not say the variant: without it the result {text[:40]!r} names no seats"


def declared_of(result: ResultRecord, seats: int) -> Declared:
    """What a row says of a game with so many seats, for a game of this number whose own record says nothing.

    The result is the share of the program that was given first, which sits on the seat `player_b` (from 0): 1 a win,
    0.5 a draw, 0 a loss. Texts such as `B+3` and `Draw` name the colour.
    """
    text, player = result.headers.get("result", ""), result.headers.get("player_b", "0")
    if seats != 2 or not text or _SHARE.fullmatch(text) is None:
        return parse_result(text, seats) if seats == 2 else Declared(text)
    share, seat = float(text), int(player) if player in ("0", "1") else -1
    if share == 0.5:
        return Declared(text, winner=-1)
    if seat < 0 or share not in (0.0, 1.0):
        return Declared(text)
    return Declared(text, winner=seat if share == 1.0 else 1 - seat)
