"""Tables with one move a row: the rows of a game become a record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import cast

from engine.rulesets import Ruleset
from notation.errors import BadRecord, Where
from notation.record import Event, GameRecord, Move, Pass, Problem
from notation.stream import ReadOptions
from notation.table_events import Unreadable, event_of, event_table, is_piece, piece_names
from notation.table_layout import BY_GAME, Layout
from notation.table_order import Said, in_order, is_counted
from notation.table_record import begin, finish, name_player
from notation.table_rows import Rows

_START = re.compile(r"0+(?:\.0+)?")


@dataclass(slots=True)
class _Game:
    """A record as it grows; `base` is the line of the chunk, `numbers` are its rows up to the first fault."""

    record: GameRecord
    rules: Ruleset
    layout: Layout
    rows: Rows
    base: int
    numbers: Sequence[int]

    def warn(self, code: str, message: str, row: int | None = None, ply: int = 0) -> None:
        """List something odd."""
        line = self.record.line if row is None else self.base + self.rows.starts[row]
        self.record.problems.append(Problem(code, message, line, ply))

    def end(self, code: str, message: str, numbers: Sequence[int]) -> None:
        """Keep rows as text from the first of them on."""
        ply = sum(isinstance(event, Move) for event in self.record.events) + 1
        self.warn(code, f"{message}; the game ends before this row", numbers[0], ply)
        self.record.broken = "\n".join(map(self.rows.text, numbers))


def game_of_rows(
    form: str,
    name: str,
    rows: Rows,
    numbers: Sequence[int],
    layout: Layout,
    base: int,
    where: Where,
    options: ReadOptions,
) -> GameRecord:
    """Return the game of the rows with these numbers; `base` is the line of the chunk.

    Raises:
        BadRecord: no row says a move that can be read, or the rows say no game.
    """
    fault = (
        next((at for at, number in enumerate(numbers) if number in rows.faults), None)
        if rows.faults
        else None
    )
    good, broken = (numbers, []) if fault is None else (numbers[:fault], numbers[fault:])
    if not good:
        raise BadRecord(rows.faults[numbers[0]], where)
    table = [rows.cells[number] for number in good]
    columns = list(zip(*table, strict=True))
    said, varying = _said(columns, {role: layout.at[role] for role in BY_GAME if role in layout.at})
    said["game"] = name
    others, more = _said(columns, {other: at for at, other in layout.others})
    record, rules = begin(form, said, others, where, options)
    if "variant" in varying:
        raise BadRecord("the rows of the game are of several variants", where)
    game = _Game(record, rules, layout, rows, base, good)
    for column in varying + more:
        kept = (said | others)[column]
        game.warn(
            "column_varies", f"the column {column[:60]!r} varies within the game: {kept[:60]!r} is kept"
        )
    _take(game, table, columns, broken, where)
    finish(record, said)
    return record


def _said(columns: list[tuple[str, ...]], at: dict[str, int]) -> tuple[dict[str, str], list[str]]:
    """What columns say of a game: the first text of each; and the names of those that say several things."""
    out, varying = {}, []
    for name, place in at.items():
        if columns[place].count(columns[place][0]) == len(columns[place]):
            out[name] = columns[place][0].strip()
            continue
        different = list(dict.fromkeys(text.strip() for text in columns[place] if text.strip()))
        out[name] = different[0] if different else ""
        if len(different) > 1:
            varying.append(name)
    return out, varying


def _take(
    game: _Game, table: list[list[str]], columns: list[tuple[str, ...]], broken: Sequence[int], where: Where
) -> None:
    """Put the events into the record, up to the first row that says none."""
    layout = game.layout
    at = layout.at.get("colour")
    texts = columns[layout.key]
    pairs = list(zip(columns[at] if at is not None else repeat("", len(texts)), texts, strict=True))
    found = list(map(event_table(game.record.variant).get, pairs))
    if None not in found and "" not in texts and is_counted(columns, layout):
        game.record.events = cast("list[Event]", found)
        kept = game.numbers
    else:
        rows = in_order(_one_by_one(game, table, pairs), layout, game.warn)
        bad = next((at for at, said in enumerate(rows) if said.event is None), len(rows))
        if bad < len(rows):
            if not bad:
                line = game.base + game.rows.starts[rows[0].number]
                raise BadRecord(rows[0].reason, Where(where.source, where.record, line))
            left = [said.number for said in rows[bad:]] + list(broken)
        kept = [said.number for said in rows[:bad]]
        game.record.events = [said.event for said in rows[:bad] if said.event is not None]
        if bad < len(rows):
            game.end("broken_row", rows[bad].reason, left)
            broken = ()
    if broken:
        game.end("ragged_row", game.rows.faults[broken[0]], broken)
    _players(game, kept)
    _pieces(game, kept)


def _one_by_one(game: _Game, table: list[list[str]], pairs: list[tuple[str, str]]) -> list[Said]:
    """Every row with its event, or with why it says none."""
    out = []
    for number, cells, (colour, text) in zip(game.numbers, table, pairs, strict=True):
        if not text and _is_no_move(cells, game.layout, colour):
            continue
        try:
            event = event_of(game.record.variant, game.rules, colour, text)
        except Unreadable as error:
            out.append(Said(number, cells, None, str(error)))
            continue
        at = game.layout.at.get("piece")
        piece = cells[at].strip() if at is not None else ""
        if isinstance(event, Pass) and not text.strip() and piece not in ("", "-"):
            out.append(Said(number, cells, None, f"a piece without cells: {piece[:40]!r}"))
            continue
        out.append(Said(number, cells, event))
    return out


def _is_no_move(cells: list[str], layout: Layout, colour: str) -> bool:
    """Whether a row is ply 0: it says something of the game, but no move."""
    at = layout.at.get("ply")
    return at is not None and not colour.strip() and _START.fullmatch(cells[at].strip()) is not None


def _players(game: _Game, kept: Sequence[int]) -> None:
    """Name the players by the colours they move; where a colour is shared, its rows name nobody."""
    at = game.layout.at.get("player")
    if at is None:
        return
    cells = game.rows.cells
    said = dict.fromkeys(
        (event.colour, cells[number][at])
        for number, event in zip(kept, game.record.events, strict=True)
        if isinstance(event, Move | Pass)
    )
    told = False
    for colour, text in said:
        name = text.strip()
        seat = next((i for i, owned in enumerate(game.rules.seats) if colour in owned), None)
        if name and seat is not None:
            name_player(game.record, seat, name)
        elif name and colour < 0 and not told:
            told = True
            game.warn("player_left_out", f"rows without a colour name players: {name[:60]!r} is left out")


def _pieces(game: _Game, kept: Sequence[int]) -> None:
    """Compare the names of pieces with the cells."""
    at = game.layout.at.get("piece")
    if at is None:
        return
    names = piece_names(game.record.variant)
    cells = game.rows.cells
    ply = 0
    for number, event in zip(kept, game.record.events, strict=True):
        if not isinstance(event, Move):
            continue
        ply += 1
        text = cells[number][at]
        if event.placement < 0 or text == names[event.placement] or not text.strip():
            continue
        if not is_piece(game.record.variant, text, names[event.placement]):
            name = names[event.placement]
            message = f"the piece {text.strip()[:40]!r} does not fit the cells, which are {name}"
            game.warn("piece_name", message, number, ply)
