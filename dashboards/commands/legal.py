"""`cornerwise legal`: legal moves of a position out of a record or a position text."""

from __future__ import annotations

import sys
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from engine.variants import Variant
    from pipeline.positions import Reached
    from pipeline.unit import Reading

TEXT_LIMIT = 10_000
"""Bytes of a file that are read when it begins like a position text."""


Source = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A file of records or with a position text, - , or a position text."),
]
Game = Annotated[int, typer.Option("--game", metavar="N", min=1, help="Number of the game in the file.")]
Ply = Annotated[
    int | None,
    typer.Option(
        "--ply", metavar="N", min=0, help="After N placements; default: at the end of the legal part."
    ),
]
Colour = Annotated[
    str | None,
    typer.Option("--colour", metavar="C", help="A name, a number, or B and W; default: the one to move."),
]
Moves = Annotated[
    list[str] | None,
    typer.Option("--move", metavar="CELLS", help="Say whether this is legal, and why not. Repeatable."),
]


def run(
    source: Source,
    game: Game = 1,
    ply: Ply = None,
    colour: Colour = None,
    move: Moves = None,
    form: options.Format = None,
    variant: options.Variant = None,
    columns: options.Columns = None,
    rule: options.Rules = None,
    force_rules: options.ForceRules = False,
    as_json: options.Json = False,
) -> None:
    """List the legal moves of a position, on turn or not, or (--move) ask about some."""
    reading = options.reading(form, variant, rule, force_rules, False, columns)
    from pipeline import compiling
    from pipeline.asking import colour_number
    from pipeline.documents import legal_document

    compiling.announce_compiling(terminal.say, compiling.REPLAY, compiling.STEPPING)
    reached = reach(source, reading, game, ply)
    row = reached.position.variant
    asked = None if colour is None else colour_number(row, colour)
    probes = [_probe(reached, asked, cells) for cells in move or ()]
    if as_json:
        document = legal_document(reached, asked)
        terminal.emit({**document, "probes": probes} if move else document)
    elif move:
        for probe in probes:
            terminal.out(f"{probe['colour']} {probe['move']}: {probe['message']}")
    else:
        _print(reached, row, asked)


def reach(source: str, reading: Reading, game: int, ply: int | None) -> Reached:
    """The position of a file of records, of a file with a position text, or of a position text itself.

    Raises:
        UsageFailure: no such file, or a game or ply of what is one position; else as `pipeline.positions`.
    """
    from notation.record import GameRecord
    from pipeline.positions import (
        TEXT_BEGINS,
        nth_record,
        position_of_record,
        position_of_text,
        position_on_board,
    )

    text = source if source.startswith(TEXT_BEGINS) else _position_text(source, TEXT_BEGINS)
    if text is None:
        record = nth_record([source], reading, game)
        if isinstance(record, GameRecord):
            return position_of_record(record, reading.rules, ply)
        if ply is not None:
            raise UsageFailure("--ply is for games: this record is one position")
        return position_on_board(record.position, reading.rules.settings)
    if game != 1 or ply is not None:
        raise UsageFailure("--game and --ply are for records: a position text is one position")
    reached = position_of_text(text, dict(reading.rules.settings))
    if reading.variant not in (None, reached.position.variant.id):
        raise UsageFailure(f"the position is of {reached.position.variant.id}, not of {reading.variant}")
    return reached


def _position_text(source: str, begins: str) -> str | None:
    """The position text that a file holds; None where it holds something else."""
    options.existing([source])
    head = begins.encode()
    if source == "-":
        # Looked at without taking it: the readers of records come after.
        stream = sys.stdin.buffer
        if not isinstance(stream, BufferedReader) or stream.peek(len(head))[: len(head)] != head:
            return None
        return stream.read(TEXT_LIMIT).decode("utf-8", "replace").strip()
    if not Path(source).is_file():
        return None
    try:
        with Path(source).open("rb") as file:
            if file.read(len(head)) == head:
                return (head + file.read(TEXT_LIMIT)).decode("utf-8", "replace").strip()
    except OSError:
        return None  # the readers of records say what is wrong
    return None


def _probe(reached: Reached, asked: int | None, cells: str) -> dict[str, Any]:
    from pipeline.asking import probe

    colour = reached.to_move if asked is None else asked
    if colour is None:
        raise UsageFailure("no colour is to move here: name one with --colour")
    return probe(reached, colour, cells)


def _print(reached: Reached, row: Variant, asked: int | None) -> None:
    from engine.boards import cell_names

    to_move = reached.to_move
    whose = "the game is over" if to_move is None else f"{row.colours[to_move]} to move"
    terminal.out(f"{row.id}{'' if reached.ply is None else f', ply {reached.ply}'}: {whose}")
    if reached.note:
        terminal.out(terminal.clean(f"the record goes on, but {reached.note}"))
    for number, name in enumerate(row.colours):
        terminal.out(f"  {name}: {terminal.plural(reached.mobility(number), 'legal move')}")
    colour = to_move if asked is None else asked
    if colour is None:
        return
    names = cell_names(row.board)
    terminal.out(f"moves of {row.colours[colour]}:")
    for piece, cells in reached.moves(colour):
        terminal.out(f"  {piece:<3} {','.join(names[c] for c in cells)}")
