"""The nodes of a Blokus SGF main line: moves, passes, setup, notes; where variations branch off."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, replace

from notation.blksgf_ids import CLOCK, EVALUATION, OUT, PASS, Ids
from notation.blksgf_root import Root
from notation.errors import BadRecord, ForeignGame, Where
from notation.moves import keeps, move_from_names
from notation.record import ANY_COLOUR, CAUSES, Branch, Event, Move, Note, Out, Pass, Problem
from notation.sgf import MainLine, Property, properties, simple_text_of, text_of

_PROBLEMS_SHOWN = 20
_SETUP_LIMIT = 1000
"""More pieces than any board has cells for."""

_PASSES = ("", "pass", "--", "----", "0000")
_PLAIN = re.compile(r";\s*+([A-Z0-9]++)\s*+\[([A-Za-z0-9, ]*+)\]")


def plain_move(table: dict[str, Move], known: Ids, variant_id: str, node: str) -> Move | None:
    """Return the move of a node that is one move and nothing else; None: read it in the general way.

    `table` is the shared one (`keeps`) of the texts of such nodes.
    """
    move = table.get(node)
    if move is None and (match := _PLAIN.fullmatch(node)) is not None:
        colour, text = known.colour.get(match[1]), match[2].strip()
        if colour is not None and text.lower() not in _PASSES:
            move = move_from_names(variant_id, colour, text.split(","))
            if keeps(table, node, move):
                table[node] = move
    return move


@dataclass(slots=True)
class _Node:
    """Properties of one node, sorted by what they are for."""

    setup: list[Property] = field(default_factory=list)
    moves: list[Property] = field(default_factory=list)
    own: list[Property] = field(default_factory=list)
    marks: list[Property] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    to_move: str | None = None


class NodeReader:
    """Fills the record of a root from the nodes of its tree."""

    def __init__(self, root: Root, text: str, line: MainLine, where: Where, table: dict[str, Move]) -> None:
        self._root, self._record, self._ids = root, root.record, root.ids
        self._text, self._line, self._where, self._table = text, line, where, table
        self._moved = False
        self._said: set[str] = set()
        self._notes: dict[int, Note] = {note.event: note for note in root.record.notes}
        self._comments: dict[int, list[str]] = {note.event: [note.comment] for note in root.record.notes}

    def read(self) -> None:
        """Read all nodes up to the first that ends the readable main line."""
        record, nodes, table = self._record, self._line.nodes, self._table
        events_before = [0]
        self._take(self._sorted(self._root.rest, 0), 0)
        stop = len(nodes)
        for index in range(1, len(nodes)):
            events_before.append(len(record.events))
            node = nodes[index]
            if node == ";":
                continue
            move = plain_move(table, self._ids, record.variant, node)
            if move is not None:
                record.events.append(move)
                self._moved = True
            elif not self._take(self._sorted(properties(node), index), index):
                stop = index
                break
        self._end(stop)
        for event, comments in self._comments.items():
            self._notes[event].comment = "\n\n".join(filter(None, comments))
        for before, text in self._line.branches:
            at = events_before[before] if before < len(events_before) else len(record.events)
            record.branches.append(Branch(at, text))

    def _sorted(self, found: list[Property], index: int) -> _Node:
        """Sort the properties of a node.

        Raises:
            BadRecord: a colour that the variant does not have.
            ForeignGame: moves that are numbers.
        """
        node, known = _Node(), self._ids
        for prop in found:
            name, values = prop
            if name in known.colour:
                node.moves.append(prop)
            elif name in known.setup or name == "AE":
                node.setup.append(prop)
            elif name in known.foreign or name in known.foreign_setup:
                where = replace(self._where, line=_line_of(self._where, self._text, self._line, index))
                raise _foreign_colour(name, values[0], known, where)
            elif name == "C":
                node.comments.append(text_of(values[0]))
            elif name == "PL":
                node.to_move = values[0]
            elif name in known.clock_id or name in (OUT, PASS, EVALUATION, CLOCK):
                node.own.append(prop)
            else:
                node.marks.append(prop)
        return node

    def _end(self, stop: int) -> None:
        """Keep what was not read as text."""
        parts = self._line.nodes[stop:]
        if self._line.tail >= 0:
            self._say("unclosed_value", "the record ends inside a value", len(self._line.nodes) - 1)
            parts.append(self._text[self._line.tail :])
        self._record.broken = "".join(parts)

    def _take(self, node: _Node, index: int) -> bool:
        """Take a node; False when it ends the readable main line."""
        if self._moved and node.setup:
            name = node.setup[0][0]
            self._say(
                "setup_after_move",
                f"{name} changes the board after the first move: the rest is kept as text",
                index,
            )
            return False
        if node.to_move is not None:
            self._to_move(node, index)
        for prop in node.setup:
            self._set_up(prop, index)
        event = self._move(node, index) if node.moves else None
        if event is None:
            event = self._own_event(node)
        if event is not None:
            self._record.events.append(event)
            self._moved = self._moved or isinstance(event, Move)
        for prop in node.own:
            self._own(prop)
        if node.comments or node.marks:
            at = -1 if index == 0 else len(self._record.events) - 1
            self._note(at).marks.extend(node.marks)
            self._comments.setdefault(at, []).extend(node.comments)
        return True

    def _note(self, event: int) -> Note:
        note = self._notes.get(event)
        if note is None:
            note = self._notes[event] = Note(event)
            self._record.notes.append(note)
        return note

    def _move(self, node: _Node, index: int) -> Event | None:
        """The move of a node: of several the first by priority, the others become marks."""
        if len(node.moves) > 1:
            node.moves.sort(key=lambda prop: self._ids.priority.index(prop[0]))
            names = ", ".join(name for name, _ in node.moves[1:5])
            self._say(
                "two_moves",
                f"several moves in one node: {node.moves[0][0]} is played, {names} kept as text",
                index,
            )
            node.marks.extend(node.moves[1:])
        name, values = node.moves[0]
        colour = self._ids.colour[name]
        text = simple_text_of(",".join(values))
        if len(values) > 1:
            self._say("point_list", "moves are written as lists of points, as Pentobi 0.1 did", index)
        if text.lower() in _PASSES:
            self._say("pass_value", f"{name}[{text}] is read as a pass", index)
            return Pass(colour)
        return move_from_names(self._record.variant, colour, text.split(","))

    def _own_event(self, node: _Node) -> Event | None:
        for name, values in node.own:
            text = simple_text_of(values[0])
            if name == PASS:
                return Pass(self._ids.colour.get(text, ANY_COLOUR))
            if name == OUT:
                seat, _, cause = text.partition(":")
                if seat in ("1", "2", "3", "4")[: len(self._ids.player_id)] and cause in CAUSES:
                    return Out(int(seat) - 1, cause)
        return None

    def _own(self, prop: Property) -> None:
        """Clocks and evaluations; what does not fit stays a mark."""
        (name, values), record = prop, self._record
        at = len(record.events) - 1
        text = text_of(values[0])
        if name == EVALUATION and at >= 0:
            try:
                value = json.loads(text)
                json.dumps(value, allow_nan=False)  # what cannot be written again stays a mark
                record.evaluations[at] = value
                return
            except (ValueError, RecursionError):
                pass
        elif name in (PASS, OUT):
            return
        elif at >= 0 and self._clock_fits(name, record.events[at]):
            seconds = _seconds(text)
            if seconds is not None:
                record.clocks[at] = seconds
                return
        self._note(at).marks.append(prop)

    def _clock_fits(self, name: str, event: Event) -> bool:
        if name == CLOCK:
            return True
        return (
            isinstance(event, Move | Pass) and event.colour >= 0 and name == self._ids.clock_id[event.colour]
        )

    def _to_move(self, node: _Node, index: int) -> None:
        text = simple_text_of(node.to_move or "").upper()
        colour = self._ids.to_move.get(text)
        if self._moved or colour is None:
            why = "after the first move" if self._moved else "which is no colour of the game"
            self._say("colour_to_move", f"PL[{text[:20]}] {why} is kept as text", index)
            node.marks.append(("PL", (node.to_move or "",)))
        else:
            self._record.setup.to_move = colour

    def _set_up(self, prop: Property, index: int) -> None:
        name, values = prop
        pieces, variant_id = self._record.setup.pieces, self._record.variant
        if len(pieces) + len(values) > _SETUP_LIMIT:
            raise BadRecord(f"a setup of more than {_SETUP_LIMIT} pieces", self._where)
        for value in values:
            text = simple_text_of(value)
            if name != "AE":
                pieces.append(move_from_names(variant_id, self._ids.setup[name], text.split(",")))
                continue
            gone = move_from_names(variant_id, 0, text.split(",")).cells
            kept = [piece for piece in pieces if not gone or piece.cells != gone]
            if len(kept) == len(pieces):
                self._say("nothing_removed", f"AE[{text[:40]}] removes no piece of the setup", index)
            self._record.setup.pieces = pieces = kept

    def _say(self, code: str, message: str, index: int) -> None:
        """List a problem, each kind once."""
        if code in self._said or len(self._said) >= _PROBLEMS_SHOWN:
            return
        self._said.add(code)
        ply = sum(isinstance(event, Move) for event in self._record.events) + 1
        self._record.problems.append(
            Problem(code, message, _line_of(self._where, self._text, self._line, index), ply)
        )


def _line_of(where: Where, text: str, line: MainLine, index: int) -> int:
    return where.line + text.count("\n", 0, line.positions[index])


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) else None


def _foreign_colour(name: str, value: str, known: Ids, where: Where) -> BadRecord | ForeignGame:
    value = value.strip()
    if value.isdigit():
        message = (
            f"the move {name}[{value[:12]}] is a number, as minizero's Blokus tool writes them, not cells"
        )
        return ForeignGame(message, where)
    colours = ", ".join(known.move_id)
    return BadRecord(f"{name} is of a colour that the game does not have: its colours are {colours}", where)
