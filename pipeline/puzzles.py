"""Puzzles as files: solutions read from any format that holds moves, and written as records of games."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.boards import BOARDS, cell_numbers, cells
from engine.errors import BadPuzzle
from engine.puzzles import PUZZLES, Placed, Problem, Puzzle, on_board, verify
from engine.variants import variant
from notation import puzzle_json
from notation.errors import BadRecord, CannotWrite, Where
from notation.fragments import PositionRecord
from notation.moves import move_from_cells
from notation.record import GameRecord, Move, Setup
from pipeline.appearing import appearing
from pipeline.output_paths import format_of_path, written_format
from pipeline.positions import TEXT_BEGINS, nth_record
from pipeline.sources import STDIN
from pipeline.unit import Reading


@dataclass(frozen=True, slots=True)
class Verdict:
    """A file held against a puzzle: its pieces, what is wrong with them, and the kinds they solve instead."""

    placed: list[Placed]
    problems: list[Problem]
    solves: list[str]


def read_solution(puzzle: Puzzle, path: str, reading: Reading, game: int = 1) -> list[Placed]:
    """The pieces of a file in order: our JSON of puzzles, a position text, or a record of a game or a position.

    Raises:
        NotationError: it cannot be read, or is of another board.
        PipelineError, NotThere: the file, or its game of that number, is not there.
    """
    if path != STDIN and Path(path).is_file():
        with Path(path).open("rb") as file:
            content = file.read(puzzle_json.MOST + 1)
        if puzzle_json.looks_like(content):
            return puzzle_json.read(content, puzzle, path)
        if content.startswith(TEXT_BEGINS.encode()):
            from notation.position_text import parse_position

            position = parse_position(content.decode("utf-8", "replace").strip())
            return _pieces(puzzle, position.variant, position.pieces, (), path)
    record = nth_record([path], reading, game)
    if isinstance(record, PositionRecord):
        return _pieces(puzzle, record.position.variant, record.position.pieces, (), path)
    moves = [event for event in record.events if isinstance(event, Move)]
    return _pieces(puzzle, record.variant, record.setup.pieces, moves, path)


def _pieces(
    puzzle: Puzzle, variant_id: str, setup: Sequence[Move], moves: Sequence[Move], source: str
) -> list[Placed]:
    row = variant(variant_id)
    here = puzzle.variant or ("trigon" if puzzle.board.lattice.triangular else "classic")
    same = row.geometry_id == variant(here).geometry_id
    if not same and (puzzle.by_rules or BOARDS[row.board].lattice.triangular):
        wanted = variant(here).id
        raise BadRecord(f"the record is of {row.id}, puzzle {puzzle.kind} is of {wanted}", Where(source))
    if setup and puzzle.by_rules:
        message = "the pieces were set up, not played: a solution by the rules of play is a game with moves in order"
        raise BadRecord(message, Where(source))
    places, out = cells(row.board), []
    for number, move in enumerate([*setup, *moves]):
        if not move.cells:
            raise BadRecord(f"move {number + 1}: {move.text[:60]!r} is not on the board", Where(source))
        colour = move.colour if move.colour >= 0 else number % len(row.colours)
        out.append(Placed(colour, "", tuple(places[cell] for cell in move.cells)))
    return out


def judge(puzzle: Puzzle, placed: list[Placed]) -> Verdict:
    """Verify a solution; where it is none, say which other kinds it solves."""
    problems = verify(puzzle, placed)
    solves = []
    if problems:
        for other in PUZZLES.values():
            fits = other.pieces == len(placed) and len(other.colours) > max(
                (p.colour for p in placed), default=0
            )
            if other.kind != puzzle.kind and fits and not verify(other, placed):
                solves.append(other.kind)
        return Verdict(placed, problems, solves)
    return Verdict(on_board(puzzle, placed), [], solves)


def record_of(puzzle: Puzzle, placed: Sequence[Placed], headers: Mapping[str, str]) -> GameRecord:
    """A solution as the record of a game: moves by the rules of play, else pieces set up on a board of Classic.

    Raises:
        CannotWrite: no variant's board or set of pieces holds it.
    """
    about = {"event": f"Puzzle {puzzle.kind}: {puzzle.title}", "puzzle": puzzle.kind, **headers}
    if puzzle.variant is not None:
        moves = _moves(puzzle.variant, placed)
        return GameRecord(puzzle.variant, "jsonl", list(moves), headers=about)
    board = puzzle.board
    edge = BOARDS["square20"].edge
    if board.lattice.triangular or board.width > edge or board.height > edge:
        advice = "write .json (our JSON of puzzles) or --svg"
        raise CannotWrite(f"a board of {board.name} lies on no board of a variant: {advice}")
    twice = [key for key, n in Counter((p.colour, p.piece) for p in placed).items() if n > 1]
    if twice:
        advice = "write .json (our JSON of puzzles) or --svg"
        raise CannotWrite(f"a colour has the piece {twice[0][1]} more than once, in no variant: {advice}")
    return GameRecord("classic", "jsonl", setup=Setup(_moves("classic", placed)), headers=about)


def _moves(variant_id: str, placed: Sequence[Placed]) -> list[Move]:
    number = cell_numbers(variant(variant_id).board)
    return [move_from_cells(variant_id, one.colour, [number[xy] for xy in one.cells]) for one in placed]


def solution_file(
    puzzle: Puzzle, placed: Sequence[Placed], headers: Mapping[str, str], name: str
) -> tuple[bytes, str]:
    """A file of that name with a solution, and its format.

    Names that end in `.json` are of our JSON of puzzles, other endings are formats of records.

    Raises:
        CannotWrite: the format cannot hold it.
        PipelineError: there is no such format.
    """
    path = Path(name)
    if path.suffix.lower() == ".json":
        return json.dumps(puzzle_json.document(puzzle, placed)).encode() + b"\n", "puzzle JSON"
    found = format_of_path(path)
    row = written_format(found.name if found is not None else path.suffix.lstrip(".") or path.name)
    assert row.write is not None
    return b"".join(row.pack([row.write(record_of(puzzle, placed, headers))])), row.name


def write_solution(puzzle: Puzzle, placed: Sequence[Placed], headers: Mapping[str, str], path: Path) -> str:
    """Write a solution, see `solution_file`; returns the format.

    Raises:
        CannotWrite: the format cannot hold it.
        PipelineError: there is no such format, or the disk does not take it.
    """
    content, form = solution_file(puzzle, placed, headers, str(path))
    write_file(path, content)
    return form


def write_file(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all; `-` is standard output."""
    if str(path) == STDIN:
        sys.stdout.write(content.decode())
        return
    with appearing(path, True) as part:
        part.write_bytes(content)


def bag_of(puzzle_kind: str, text: str | None) -> dict[str, int] | None:
    """The pieces that a text names, out of those that a kind of puzzle has."""
    if text is None:
        return None
    from notation.piece_bags import parse_bag

    if puzzle_kind not in PUZZLES:
        raise BadPuzzle(f"unknown kind of puzzle {puzzle_kind!r}: choose one of {', '.join(PUZZLES)}")
    return parse_bag(text, PUZZLES[puzzle_kind].piece_set)
