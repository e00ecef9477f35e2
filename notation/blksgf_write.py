"""Writer of `.blksgf`: text that the reference program reads. See pages/blksgf.md."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.variants import variant
from notation.blksgf_ids import (
    CLOCK,
    EVALUATION,
    HEADER,
    OUT,
    PASS,
    PENALTY,
    PROPERTIES,
    RULES,
    TERMINATION,
    Ids,
    ids,
)
from notation.blksgf_result import outs_of
from notation.encodings import writable
from notation.errors import CannotWrite
from notation.moves import move_from_names
from notation.record import Event, GameRecord, Move, Note, Out, Pass
from notation.sgf import TOKEN, escaped


def write(record: GameRecord) -> str:
    """Return the tree of a game, a game a line.

    Passes are left out, as the reference program refuses them and the order of colours says the same; one
    that nothing follows, or that has a note, is kept in a property of our own.

    Raises:
        CannotWrite: a move without a colour, or one whose text would not be read as it is; a zero character.
    """
    known = ids(record.variant)
    notes: dict[int, list[Note]] = {}
    for note in record.notes:
        notes.setdefault(note.event, []).append(note)
    branches: dict[int, list[str]] = {}
    for branch in record.branches:
        branches.setdefault(branch.event, []).append(branch.text)
    parts = ["(", _root(record, known, notes.get(-1, []))]
    events = _without_result(record, known)
    last = max((at for at, event in enumerate(events) if isinstance(event, Move)), default=-1)
    forks: list[list[str]] = []
    for at, event in enumerate(events):
        if at in branches:
            forks.append(branches[at])
            parts.append("(")
        kept = at > last or at in notes or at in record.clocks or at in record.evaluations
        parts.append(_event(record, known, event, kept))
        parts.extend(_extras(record, known, at, event, notes.get(at, [])))
    late = [text for at in sorted(branches) if at >= len(events) for text in branches[at]]
    if late:
        forks.append(late)
        # An empty main line keeps what follows a variation.
        parts.append("(;")
    if record.broken and _is_nodes(record.broken):
        parts.append(record.broken)
    for fork in reversed(forks):
        parts.append(")")
        parts.extend(fork)
    return writable("".join(parts) + ")\n")


def _without_result(record: GameRecord, known: Ids) -> list[Event]:
    """Events without those at the end that the result says already."""
    outs = outs_of(record.declared, len(known.player_id))
    said = [event for event in record.events if isinstance(event, Out)]
    if outs and said == outs and record.events[-1] == outs[0]:
        return record.events[: -len(outs)]
    return record.events


def _property(name: str, *values: str) -> str:
    return name + "".join(f"[{escaped(value)}]" for value in values)


def _raw(name: str, values: tuple[str, ...]) -> str:
    return name + "".join(f"[{value}]" for value in values)


def _root(record: GameRecord, known: Ids, notes: list[Note]) -> str:
    row = variant(record.variant)
    parts = [f";GM[{row.name}]CA[UTF-8]"]
    parts += _headers(record)
    for seat, name in enumerate(record.players):
        if name:
            parts.append(_property(known.player_id[seat], name))
    if record.declared is not None:
        parts.append(_property("RE", record.declared.text))
    if record.rules:
        parts.append(_property(RULES, *(f"{key}={value}" for key, value in record.rules.items())))
    outs = outs_of(record.declared, len(known.player_id))
    if record.termination is not None and (not outs or record.termination != outs[0].cause):
        parts.append(_property(TERMINATION, record.termination))
    if record.penalty_applied is not None:
        parts.append(_property(PENALTY, "yes" if record.penalty_applied else "no"))
    parts += _notes(notes)
    for colour, name in enumerate(known.setup_id):
        texts = [_cells(record, piece, known) for piece in record.setup.pieces if piece.colour == colour]
        if texts:
            parts.append(_raw(name, tuple(texts)))
    if record.setup.to_move is not None:
        parts.append(f"PL[{known.move_id[record.setup.to_move]}]")
    return "".join(parts)


def _headers(record: GameRecord) -> Iterator[str]:
    others = []
    for header, text in record.headers.items():
        if header == "encoding":
            continue
        if header in PROPERTIES:
            yield _property(PROPERTIES[header], text)
        elif header.startswith("sgf:") and _is_nodes(f";{header[4:]}[{text}]"):
            yield f"{header[4:]}[{text}]"
        else:
            others += [header, text]
    if others:
        yield _property(HEADER, *others)


def _notes(notes: list[Note]) -> Iterator[str]:
    comment = "\n\n".join(note.comment for note in notes if note.comment)
    if comment:
        yield _property("C", comment)
    for note in notes:
        for name, values in note.marks:
            if name and values and _is_nodes(f";{_raw(name, values)}"):
                yield _raw(name, values)


def _event(record: GameRecord, known: Ids, event: Event, kept: bool) -> str:
    if isinstance(event, Move):
        if event.colour < 0:
            raise CannotWrite("a move without a colour: the format names the colour of every move")
        return f";{known.move_id[event.colour]}[{_cells(record, event, known)}]"
    if isinstance(event, Out):
        return f";{OUT}[{event.seat + 1}:{event.cause}]"
    return f";{PASS}[{known.move_id[event.colour] if event.colour >= 0 else ''}]" if kept else ""


def _extras(record: GameRecord, known: Ids, at: int, event: Event, notes: list[Note]) -> Iterator[str]:
    """Clock, evaluation and notes of an event."""
    if at in record.clocks:
        of_colour = isinstance(event, Move | Pass) and event.colour >= 0
        name = known.clock_id[event.colour] if of_colour and isinstance(event, Move | Pass) else CLOCK
        yield _property(name, repr(record.clocks[at]))
    if at in record.evaluations:
        try:
            yield _property(
                EVALUATION, json.dumps(record.evaluations[at], ensure_ascii=False, allow_nan=False)
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise CannotWrite(f"an evaluation of the game cannot be written: {error}") from None
    yield from _notes(notes)


def _cells(record: GameRecord, move: Move, known: Ids) -> str:
    """Text of the cells: canonical for placements, for others what reads back as it is."""
    if move.placement < 0:
        again = move_from_names(record.variant, move.colour, escaped(move.text).split(","))
        if again != move:
            raise CannotWrite(f"the move {move.text[:40]!r} has no cells to write")
    return move.text


def _is_nodes(text: str) -> bool:
    """Whether a text is nothing but whole nodes, so that it can stand in a tree."""
    return all(token.startswith(";") for token in TOKEN.findall(text.rstrip())) and text.startswith(";")
