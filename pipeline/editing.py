"""Making and taking back corrections of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from notation.record import GameRecord
from pipeline.abbreviations import find_game
from pipeline.edit_fields import Asks, Change, Edit, checked, edits_of, field_of, value_of
from pipeline.errors import BadEdit
from pipeline.export import rebuild
from pipeline.store import Reader, Writer, open_reader
from pipeline.store.catalogue import Catalogue, one_row, run_over, timestamp

_SHOWN = """
SELECT v.date, v.event, v.event_round, v.players, v.outcome, v.winners, v.termination,
       list_contains(v.flags, 'mismatch') AS mismatch, list_contains(v.flags, 'unfinished') AS unfinished
FROM games_view v WHERE v.id = ?
"""


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit did to a game: its number (0: nothing was left to do), and the game's row before and after."""

    id: str
    edit: int
    changes: list[Edit]
    before: dict[str, Any]
    after: dict[str, Any]


def edits_of_game(reader: Reader, identity: str) -> list[Edit]:
    """The corrections of a game, in the order in which they apply."""
    return edits_of(reader, [identity]).get(identity, [])


def check_edit(reader: Reader, text: str, changes: Sequence[Change]) -> str:
    """Identity of the game that begins so, which can be edited so.

    Raises:
        BadEdit: a field that there is not, or a value that makes no sense.
        NoIdentity, NoSuchGame, AmbiguousGame: see `abbreviations.find_game`.
    """
    identity = find_game(reader, text)
    _checked(_record(reader, identity), changes)
    return identity


def edit_game(writer: Writer, identity: str, changes: Sequence[Change], note: str | None = None) -> Edited:
    """Correct a game; changes that say what it says already are left out.

    Raises:
        BadEdit: see `check_edit`.
        LibraryError: the disk refuses; the message says whether the edit is stored.
    """
    with open_reader(writer.folder) as reader:  # what it shows is the present state: nobody else writes
        record = _record(reader, identity)
        before = _row(reader, identity)
        asked = _checked(record, changes)
    news = [(change, old) for change in asked if (old := value_of(record, change.field)) != change.value]
    if not news:
        return Edited(identity, 0, [], before, before)

    def store(catalogue: Catalogue) -> list[Edit]:
        number = int(one_row(catalogue.connection, "SELECT coalesce(max(edit), 0) + 1 FROM edits")[0])
        made = timestamp(catalogue.clock())
        edits = [Edit(number, identity, c.field, old, c.value, made, note) for c, old in news]
        table = pa.Table.from_pylist([asdict(edit) for edit in edits], _EDITS)
        run_over(catalogue.connection, "INSERT INTO edits BY NAME SELECT * FROM these_rows", table)
        _rejudge(catalogue, identity)
        return edits

    edits = writer.change(store, "edit the game", "the edit is stored")
    return Edited(identity, edits[0].edit, edits, before, _after(writer, identity))


def undo_edit(writer: Writer, identity: str) -> Edited:
    """Take the last edit of a game back, with all that one command changed.

    Raises:
        BadEdit: the game has none.
        LibraryError: the disk refuses; the message says whether the edit is taken back.
    """
    with open_reader(writer.folder) as reader:
        before = _row(reader, identity)
        edits = edits_of_game(reader, identity)
    if not edits:
        raise BadEdit(f"game {identity} has no edits")
    number = edits[-1].edit

    def take_back(catalogue: Catalogue) -> None:
        catalogue.connection.execute("DELETE FROM edits WHERE edit = ? AND id = ?", [number, identity])
        _rejudge(catalogue, identity)

    writer.change(take_back, f"take edit {number} back", f"edit {number} is taken back")
    gone = [edit for edit in edits if edit.edit == number]
    return Edited(identity, number, gone, before, _after(writer, identity))


_EDITS = pa.schema(
    [
        ("edit", pa.int32()),
        ("id", pa.string()),
        ("field", pa.string()),
        ("old", pa.string()),
        ("value", pa.string()),
        ("made", pa.timestamp("us")),
        ("note", pa.string()),
    ]
)


def _rejudge(catalogue: Catalogue, identity: str) -> None:
    from pipeline.edits import rejudge  # compiles kernels: a wrong field is refused before that

    rejudge(catalogue, [identity])


def _record(library: Asks, identity: str) -> GameRecord:
    number = library.table("SELECT game_no FROM games WHERE id = ?", [identity])["game_no"].to_pylist()
    ((_, record),) = rebuild(library, number)
    return record


def _row(reader: Reader, identity: str) -> dict[str, Any]:
    row: dict[str, Any] = reader.table(_SHOWN, [identity]).to_pylist()[0]
    return row


def _after(writer: Writer, identity: str) -> dict[str, Any]:
    with open_reader(writer.folder) as reader:
        return _row(reader, identity)


def _checked(record: GameRecord, changes: Sequence[Change]) -> list[Change]:
    """The changes as they are stored."""
    fields = [field_of(record, change.field.strip()) for change in changes]
    for field in fields:
        if fields.count(field) > 1:
            raise BadEdit(f"{field} is given twice")
    return [checked(record, change) for change in changes]
