"""Games as text in every format, also in those that the program only reads: for tests, benchmarks and fuzzing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache

from engine.boards import BOARDS, cell_names
from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.variants import variant
from notation import metablok_codes, step_log_codes
from notation.errors import CannotWrite
from notation.formats import FORMATS
from notation.record import ANY_COLOUR, Event, GameRecord, Move, Out, Pass
from notation.shorthand_lines import Play
from notation.shorthand_paths import resolve
from notation.software_challenge_codes import ROTATIONS
from pipeline.export import _name_colours
from pipeline.generate import generate_records
from tests.notation.boards import digits, final
from tests.notation.reading import game
from tests.notation.software_challenge_writer import replay_xml, spelling_of

_SQUARE14 = BOARDS[variant("duo").board].id


def sample(form: str, record: GameRecord) -> bytes:
    """A file with one game, or with what the format holds of one.

    Raises:
        CannotWrite: the format cannot hold it.
    """
    row = FORMATS[form]
    if row.write is None:
        return _WRITERS[form](record).encode()
    if row.names_colours:
        record = GameRecord(**{name: getattr(record, name) for name in record.__slots__})
        _name_colours([record])
    return b"".join(row.pack([row.write(record)]))


def files(form: str, games: int) -> list[bytes]:
    """Files of so many games: one, or one a game where the format has one a file."""
    made = _records(form, games)
    row = FORMATS[form]
    if row.write is not None and not row.one_game_a_file:
        return [b"".join(row.pack(row.write(record) for record in made))]
    texts = [sample(form, record) for record in made]
    return [_JOINED[form](texts)] if form in _JOINED else texts


@cache
def _records(form: str, games: int) -> tuple[GameRecord, ...]:
    duo = (
        "fourcode",
        "json_cells",
        "metablok",
        "gtp",
        "ui_script",
        "final_boards",
        "board_picture",
        "shorthand",
    )
    two = ("software_challenge", "piece_lines")
    variant_id = "duo" if form in duo else "classic_2" if form in two else "classic"
    made = []
    for record in generate_records(variant_id, games, 1, {}):
        if form == "step_log":
            codes = _step_codes()
            record.events = [e for e in record.events if isinstance(e, Move) and e.placement in codes]
        made.append(record)
    return tuple(made)


def _without_outs(record: GameRecord, variant_id: str, passes: bool) -> list[Move | Pass]:
    if record.variant != variant_id:
        raise CannotWrite(f"not for {record.variant}")
    if record.setup or record.rules:
        raise CannotWrite("no room for a setup or rules")
    out: list[Move | Pass] = []
    for event in record.events:
        if isinstance(event, Out) or (isinstance(event, Pass) and not passes):
            raise CannotWrite("no room for passes, or for players who leave")
        if isinstance(event, Move) and event.placement < 0:
            raise CannotWrite("a move that is no placement")
        out.append(event)
    return out


def _moves(record: GameRecord, variant_id: str) -> list[Move]:
    return [event for event in _without_outs(record, variant_id, False) if isinstance(event, Move)]


@cache
def _metablok_codes() -> dict[int, str]:
    out: dict[int, str] = {}
    for piece in range(metablok_codes.PIECES):
        for x, y in ((x, y) for x in range(-2, 14) for y in range(-2, 14)):
            for turns, flip in ((turns, flip) for turns in range(4) for flip in range(2)):
                move = metablok_codes.move_of(piece, x, y, turns, flip)
                out.setdefault(move.placement, f"{piece} {x} {y} {turns} {flip}")
    return out


def _metablok(record: GameRecord) -> str:
    head = "Number_Of_Players 2\nSize_Of_Board 14\nStart_Tile 0 4 4\nStart_Tile 1 9 9\n"
    return head + "".join(f"Move {_metablok_codes()[move.placement]}\n" for move in _moves(record, "duo"))


@cache
def _inputs() -> dict[int, str]:
    lines = [
        f"{name} {keys}p {x} {y}"
        for name in PIECE_SETS["polyominoes"].names
        for keys in ("", "r ", "r r ", "r r r ", "f ", "f r ", "f r r ", "f r r r ")
        for x in range(14)
        for y in range(14)
    ]
    out: dict[int, str] = {}
    for start in range(0, len(lines), 1000):
        part = lines[start : start + 1000]
        for line, event in zip(part, game("\n".join(part), "ui_script").events, strict=True):
            if isinstance(event, Move):
                out.setdefault(event.placement, line)
    return out


def _ui_script(record: GameRecord) -> str:
    return "".join(f"{_inputs()[move.placement]}\n" for move in _moves(record, "duo"))


@cache
def _step_codes() -> dict[int, tuple[int, int, int, int]]:
    out: dict[int, tuple[int, int, int, int]] = {}
    for piece, orientation in step_log_codes.shapes():
        for row, column in ((row, column) for row in range(20) for column in range(20)):
            move = step_log_codes.move_of("classic", 0, piece, orientation, row, column)
            out.setdefault(move.placement, (piece, orientation, row, column))
    return out


def _step_log(record: GameRecord) -> str:
    lines = []
    for turn, move in enumerate(_moves(record, "classic")):
        if move.placement not in _step_codes():
            raise CannotWrite("its set has no Z5")
        names = ("piece_id", "orientation", "anchor_row", "anchor_col")
        action = dict(zip(names, _step_codes()[move.placement], strict=True))
        named = record.headers.get("event", "") + record.headers.get("round", "") + str(id(record))
        row = {"game_id": named, "turn_index": turn, "player_id": move.colour + 1, "action": action}
        lines.append(json.dumps(row) + "\n")
    return "".join(lines)


def _piece_lines(record: GameRecord) -> str:
    lines = []
    for event in _without_outs(record, "classic_2", True):
        if event.colour == ANY_COLOUR:
            raise CannotWrite("a colour that is left open")
        name = ("BLUE", "YELLOW", "RED", "GREEN")[event.colour]
        if isinstance(event, Pass):
            lines.append(f"{name}|skip\n")
        else:
            kind, rotation, flipped, x, y = spelling_of(event)
            lines.append(f"{name}|{kind}:{list(ROTATIONS).index(rotation)}:{int(flipped)}|{x},{y}\n")
    return "".join(lines)


def _replay(record: GameRecord) -> str:
    if record.variant != "classic_2":
        raise CannotWrite(f"not for {record.variant}")
    return replay_xml(record).decode()


def _shorthand(record: GameRecord) -> str:
    said = [_play(event) for event in _without_outs(record, "duo", True)]
    lines = [" - ".join(said[at : at + 2]) for at in range(0, len(said), 2)]
    return "".join(f"{number}. {line}\n" for number, line in enumerate(lines, 1))


@cache
def _play(event: Event) -> str:
    """The name of the piece and a path that leads to its cells, if need be over cells twice."""
    if not isinstance(event, Move):
        return "pass"
    size = len(event.cells)
    name = next(n for n, shape in PIECE_SETS["polyominoes"].shapes.items() if _same_shape(shape, event.cells))
    for start in event.cells:
        for steps in _walks(start, frozenset(event.cells), size + 2):
            square = cell_names(_SQUARE14)[start]
            play = Play(name, square[0], int(square[1:]), steps)
            if resolve(play).cells == event.cells:
                return f"{name}({square.upper()}{steps})"
    raise CannotWrite(f"no path to {event.text}")


def _walks(start: int, inside: frozenset[int], steps: int) -> list[str]:
    """Walks inside a piece that reach all of its cells, the shortest first; the empty one for the single cell."""
    way = {"u": 14, "d": -14, "l": -1, "r": 1}
    reached = [(start, frozenset([start]), "")]
    out: list[str] = []
    for _ in range(steps):
        out.extend(text for _, seen, text in reached if seen == inside)
        reached = [
            (at + way[s], seen | {at + way[s]}, text + s)
            for at, seen, text in reached
            for s in "udlr"
            if at + way[s] in inside
        ]
    return out


def _same_shape(shape: Sequence[tuple[int, int]], numbers: Sequence[int]) -> bool:
    return _canonical(tuple(shape)) == _canonical(tuple((n % 14, n // 14) for n in numbers))


@cache
def _canonical(cells: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    images = []
    for mirrored in (cells, tuple((-x, y) for x, y in cells)):
        for _ in range(4):
            mirrored = tuple((y, -x) for x, y in mirrored)
            left, low = min(x for x, _ in mirrored), min(y for _, y in mirrored)
            images.append(tuple(sorted((x - left, y - low) for x, y in mirrored)))
    return min(images)


def _final_board(record: GameRecord) -> str:
    return digits(record.variant, *final(record)) + ",\n"


def _board_picture(record: GameRecord) -> str:
    cells = digits("duo", *final(record)).translate(str.maketrans("012", "+@O"))
    parts = ["\n".join(cells[at : at + 14] for at in range(0, 196, 14)) + "\n"]
    names, of = PIECE_SETS["polyominoes"].names, geometry("duo").placement_piece
    for colour in (0, 1):
        placed = [event for event in record.events if isinstance(event, Move) and event.colour == colour]
        parts.append(f"\nPlayer {colour + 1} score\n{sum(len(move.cells) for move in placed)}\n")
        parts.append(
            f"\nPlayer {colour + 1} used\n" + "".join(f"{names[of[move.placement]]}\n" for move in placed)
        )
    return "~".join([*parts, "\nDifficulty\nEasy\n", ""])


def _twogtp(record: GameRecord) -> str:
    return f"{len(record.events)}\t1\t{len(record.events)}\t0\t279.24\t0.05\t2\n"


def _result_log(record: GameRecord) -> str:
    seats = dict(zip("1234", (name or "" for name in record.players), strict=False))
    scores = {seat: 60 + 3 * int(seat) for seat in seats}
    row = {"game_id": str(id(record)), "seat_assignment": seats, "final_scores": scores, "winner_ids": [4]}
    return json.dumps(row | {"moves_made": len(record.events), "passes": 3, "duration_sec": 1.5}) + "\n"


_WRITERS: dict[str, Callable[[GameRecord], str]] = {
    "software_challenge": _replay,
    "step_log": _step_log,
    "result_log": _result_log,
    "metablok": _metablok,
    "twogtp": _twogtp,
    "piece_lines": _piece_lines,
    "ui_script": _ui_script,
    "final_boards": _final_board,
    "board_picture": _board_picture,
    "shorthand": _shorthand,
}

_JOINED: dict[str, Callable[[list[bytes]], bytes]] = {
    "step_log": b"".join,
    "result_log": b"".join,
    "final_boards": b"".join,
    "twogtp": lambda rows: b"# Game\tResult\tLength\tPlayerB\tCpuB\tCpuW\tFast\n" + b"".join(rows),
}
