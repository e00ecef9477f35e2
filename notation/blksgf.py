"""Reader of `.blksgf`, the SGF of Blokus: bytes of a chunk to game records. See pages/blksgf.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import cast

from notation.blksgf_hints import upside_down
from notation.blksgf_nodes import NodeReader, plain_move
from notation.blksgf_root import read_root
from notation.encodings import decode
from notation.errors import BadRecord, NotationError, Where
from notation.record import Event, GameRecord, Move, Out, Problem
from notation.sgf import JUNK_KEPT, TOKEN, MainLine, main_line
from notation.stream import Chunk, ReadOptions, excerpt, refused
from notation.trees import SEVERAL_TREES, tree_spans

_BOM = b"\xef\xbb\xbf"
_TOKENS = TOKEN.findall


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield one record or one error for every tree of a chunk."""
    where = Where(options.source, chunk.record, chunk.line)
    if chunk.refused:
        yield refused(chunk, options)
        return
    data, line, at = chunk.data, chunk.line, 0
    spans = list(tree_spans(data))
    if not spans:
        if data.strip():
            message = "no game tree: a record begins with an opening bracket and a semicolon"
            yield refused(replace(chunk, refused=message), options)
        return
    for index, (start, end, closed) in enumerate(spans):
        problems = list(chunk.problems)
        problems += _around(data[at:start], "before", line)
        line += data.count(b"\n", at, start)
        where = Where(options.source, chunk.record + index, line)
        if where.record == 2:
            problems.append(Problem("several_trees", SEVERAL_TREES, line))
        if not closed:
            problems.append(Problem("unclosed", "the closing bracket of the game is missing", line))
        if index == len(spans) - 1:
            problems += _around(data[end:], "after", line + data.count(b"\n", start, end))
        try:
            record = _record(data[start:end], where, options, problems)
            if (hint := upside_down(record)) is not None:
                record.problems.append(hint)
            yield record
        except NotationError as error:
            error.text = excerpt(data[start:end])
            yield error
        line += data.count(b"\n", start, end)
        at = end


def _around(gap: bytes, side: str, line: int) -> list[Problem]:
    """What to say of the bytes between trees."""
    if not gap or not (gap := gap.strip()):
        return []
    if gap.startswith(_BOM):
        mark = Problem("byte_order_mark", "a byte-order mark stands between two games", line)
        return [mark, *_around(gap[len(_BOM) :], side, line)]
    shown = gap[:40].decode("utf-8", "replace")
    return [Problem(f"text_{side}_tree", f"text {side} the game is left out: {shown!r}", line)]


@cache
def node_table(variant_id: str) -> dict[str, Move]:
    """Shared cache: text of a node that is one readable move and no more -> the move (see `moves.keeps`)."""
    return {}


def _record(data: bytes, where: Where, options: ReadOptions, problems: list[Problem]) -> GameRecord:
    """Read one tree."""
    if data == b"()":
        raise BadRecord("the game tree is empty", where)
    text, odd = decode(data)
    text = text.rstrip()  # blanks that no token follows would be searched for one from each of them
    problems += odd
    tokens = _TOKENS(text)
    if len(tokens) < 3 or tokens[1][0] != ";":
        return _general(text, where, options, problems)
    root = read_root(tokens[1], where, options)
    if root.rest or tokens[-1] != ")":
        return _general(text, where, options, problems)
    # Most games are nodes with one move each, and most moves have been read before.
    variant_id = root.record.variant
    table = node_table(variant_id)
    events: list[Event | None] = list(map(table.get, tokens[2:-1]))
    if None in events:
        for at, known in enumerate(events):
            if known is None and (known := plain_move(table, root.ids, variant_id, tokens[at + 2])) is None:
                return _general(text, where, options, problems)
            events[at] = known
    record = root.record
    record.events = cast(list[Event], events)
    record.problems = problems + record.problems if problems else record.problems
    root.finish()
    return record


def _general(text: str, where: Where, options: ReadOptions, problems: list[Problem]) -> GameRecord:
    """Read any tree: variations, damage, several properties in a node."""
    line = main_line(text)
    if not line.nodes:
        raise BadRecord("the game tree is empty", where)
    root = read_root(line.nodes[0], where, options)
    record = root.record
    record.problems = problems + record.problems
    reader = NodeReader(root, text, line, where, node_table(record.variant))
    reader.read()
    _junk(record, text, line, where)
    root.finish(stated=any(isinstance(event, Out) for event in record.events))
    return record


def _junk(record: GameRecord, text: str, line: MainLine, where: Where) -> None:
    for position, token in line.junk[:JUNK_KEPT]:
        at = where.line + text.count("\n", 0, position)
        record.problems.append(Problem("junk", f"no SGF, left out: {token[:40]!r}", at))
    if line.junk_count > JUNK_KEPT:
        message = f"{line.junk_count - JUNK_KEPT} more such places"
        record.problems.append(Problem("junk", message, where.line))
