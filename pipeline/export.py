"""Games back out of a library, as files in any format that can hold them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notation import jsonl
from notation.errors import CannotWrite
from notation.formats import Format
from notation.moves import move_from_text
from notation.record import ANY_COLOUR, Event, GameRecord, Move, Out, Pass
from pipeline.appearing import appearing
from pipeline.edit_fields import Asks, apply, edits_of
from pipeline.errors import PipelineError
from pipeline.output_paths import check_room, format_of_path, written_format
from pipeline.store import Reader

if TYPE_CHECKING:
    from pipeline.judged import Group

CHUNK = 1000
"""Games rebuilt at a time."""

STDOUT = Path("-")
"""Where a single file goes to standard output."""

EDITED = "edited"
"""Header of an exported game that lists what was corrected by hand."""

FIRST_SIGHTINGS = """
SELECT g.game_no, g.id, g.variant, s.format, g.rules, s.players, s.headers, s.whole
FROM games g JOIN sightings s USING (game_no)
WHERE g.game_no IN (SELECT unnest($numbers::BIGINT[]))
QUALIFY row_number() OVER (PARTITION BY g.game_no ORDER BY s.seen_no) = 1
ORDER BY g.game_no
"""

MOVES = """
SELECT game_no, colour, move::VARCHAR AS move FROM moves
WHERE game_no BETWEEN $first AND $last AND game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY game_no, ply
"""


@dataclass(slots=True)
class Report:
    """What was written: games, edited and annotated ones among them, files; and the games that were not, why."""

    games: int = 0
    edited: int = 0
    files: int = 0
    annotated: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


def export_games(
    reader: Reader,
    ids: Sequence[str] | None,
    form: str,
    out: Path,
    progress: Callable[[int], None] = lambda games: None,
    annotate: bool = False,
) -> Report:
    """Write games (None: all, in order of import) to a file, or to a folder with one game a file named by its identity.

    A path that ends like the files of a format is a file, as is `STDOUT`; any other is a folder. What stands at the
    path appears whole or not at all. A record states the rules by which its game was judged, and has the headers of the
    first sighting; those of an edited game are as corrected, and a header `edited` lists the fields. With `annotate`
    judged games have their verdicts as annotations and comments. `progress` is told how many games are done.

    Raises:
        PipelineError: a format that is not written, no games, a file for several games where the format holds one,
            a folder that is not empty, a disk that does not take the files.
    """
    row = written_format(form)
    numbers = _numbers(reader, ids)
    if not numbers:
        raise PipelineError(f"there are no games in {reader.layout.root}")
    is_file = out == STDOUT or format_of_path(out) is not None or _is_device(out)
    check_room(row, is_file, len(numbers))
    report = Report()
    texts = _texts(reader, numbers, row, report, progress, annotate)
    if out == STDOUT:
        _to_stdout(texts, row, report)
    else:
        _to_disk(texts, row, report, out, is_file)
    return report


def _numbers(reader: Reader, ids: Sequence[str] | None) -> list[int]:
    if ids is None:
        found = reader.table("SELECT game_no FROM games ORDER BY game_no")
    else:
        found = reader.table(
            "SELECT game_no FROM games WHERE id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY game_no",
            {"ids": list(ids)},
        )
    numbers: list[int] = found["game_no"].to_pylist()
    return numbers


def _is_device(out: Path) -> bool:
    return out.exists() and not out.is_file() and not out.is_dir()


def _texts(
    reader: Reader,
    numbers: Sequence[int],
    row: Format,
    report: Report,
    progress: Callable[[int], None],
    verdicts: bool,
) -> Iterator[tuple[str, str]]:
    """(identity, text) of every game that the format can hold."""
    assert row.write is not None
    for start in range(0, len(numbers), CHUNK):
        chunk = numbers[start : start + CHUNK]
        records = list(rebuild(reader, chunk, row.names_colours))
        edits = edits_of(reader, [identity for identity, _ in records])
        for identity, record in records:
            if identity in edits:
                fields = dict.fromkeys(edit.field for edit in edits[identity])
                record.headers[EDITED] = ", ".join(fields)
            judged = verdicts and _annotate(reader, identity, record)
            try:
                text = row.write(record)
            except CannotWrite as error:
                report.refused.append((identity, error.message))
                continue
            report.games += 1
            report.edited += identity in edits
            report.annotated += judged
            yield identity, text
        progress(start + len(chunk))


def _annotate(reader: Reader, identity: str, record: GameRecord) -> bool:
    from pipeline.annotations import annotate  # compiles kernels: most exports do without

    number = reader.table("SELECT game_no FROM games WHERE id = ?", [identity])["game_no"].to_pylist()
    return annotate(reader, number[0], record)


def _to_stdout(texts: Iterator[tuple[str, str]], row: Format, report: Report) -> None:
    import sys

    for block in row.pack(text for _, text in texts):
        sys.stdout.buffer.write(block)
    sys.stdout.flush()
    report.files = 1


def _to_disk(texts: Iterator[tuple[str, str]], row: Format, report: Report, out: Path, is_file: bool) -> None:
    if is_file and _is_device(out):
        with out.open("wb") as device:
            device.writelines(row.pack(text for _, text in texts))
        report.files = 1
        return
    with appearing(out, is_file) as hidden:
        if is_file:
            with hidden.open("wb") as file:
                file.writelines(row.pack(text for _, text in texts))
            report.files = 1
            return
        for identity, text in texts:
            (hidden / f"{identity}{row.suffixes[0]}").write_bytes(b"".join(row.pack([text])))
            report.files += 1


def rebuild(
    reader: Asks, numbers: Sequence[int], name_colours: bool = False
) -> Iterator[tuple[str, GameRecord]]:
    """(identity, record) of games by their numbers, ascending: as first seen, with the edits of the game.

    With `name_colours` moves and passes of colours that the record leaves open have those that the replay found.
    """
    wanted = {"numbers": list(numbers)}
    games = reader.table(FIRST_SIGHTINGS, wanted).to_pylist()
    moves = _moves(reader, [row["game_no"] for row in games if row["whole"] is None])
    records = [_record(row, moves.get(row["game_no"], [])) for row in games]
    edits = edits_of(reader, [row["id"] for row in games])
    for row, record in zip(games, records, strict=True):
        apply(record, edits.get(row["id"], ()))
    if name_colours:
        _name_colours(records)
    for row, record in zip(games, records, strict=True):
        yield row["id"], record


def _moves(reader: Asks, numbers: list[int]) -> dict[int, list[tuple[int, str]]]:
    out: dict[int, list[tuple[int, str]]] = {}
    if numbers:
        rows = reader.table(MOVES, {"numbers": numbers, "first": min(numbers), "last": max(numbers)})
        for number, colour, move in zip(*(rows[c].to_pylist() for c in rows.column_names), strict=True):
            out.setdefault(number, []).append((colour, move))
    return out


def _record(row: dict[str, Any], moves: list[tuple[int, str]]) -> GameRecord:
    rules = json.loads(row["rules"] or "{}")
    if row["whole"] is not None:
        record = jsonl.record_of(row["whole"])
        record.format, record.rules = row["format"], rules
        return record
    return GameRecord(
        row["variant"],
        row["format"],
        events=[move_from_text(row["variant"], colour - 1, text) for colour, text in moves],
        players=row["players"] or [],
        headers=json.loads(row["headers"] or "{}"),
        rules=rules,
    )


def _is_open(event: Event) -> bool:
    return not isinstance(event, Out) and event.colour == ANY_COLOUR


def _name_colours(records: list[GameRecord]) -> None:
    """Give moves and passes without a colour that of the replay; behind its end the order of play goes on."""
    from pipeline.judged import RuleChoice, group_records  # compiles kernels: most records do without

    unnamed = [record for record in records if any(map(_is_open, record.events))]
    groups, _ = group_records(unnamed, RuleChoice()) if unnamed else ([], [])
    for group in groups:
        for game, record in enumerate(group.records):
            record.events = _named_events(group, game)


def _named_events(group: Group, game: int) -> list[Event]:
    from pipeline.judged import found_colour, resolved_colours, stop_of

    stop = stop_of(group, game)
    reached = len(group.records[game].events) if stop is None else stop.event
    colours = iter(resolved_colours(group, game, stop))
    events: list[Event] = []
    for at, event in enumerate(group.records[game].events):
        if isinstance(event, Move):
            events.append(event._replace(colour=next(colours)))
        elif isinstance(event, Pass) and event.colour == ANY_COLOUR and at < reached:
            events.append(Pass(found_colour(group, game, at)))
        else:
            events.append(event)
    return events
