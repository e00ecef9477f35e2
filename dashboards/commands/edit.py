"""`cornerwise edit`: headers and results corrected; the record as read stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.edit_fields import Change, Edit
    from pipeline.editing import Edited


def run(
    identity: Annotated[
        str, typer.Argument(metavar="ID", help="Identity of the game; its beginning is enough.")
    ],
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="date, event, event_round, place, player1 to player4, result (1+7, 2+R, draw, ?), termination, or any "
            "header of the record. Repeatable.",
        ),
    ] = None,
    unsets: Annotated[
        list[str] | None, typer.Option("--unset", metavar="FIELD", help="Take a field away. Repeatable.")
    ] = None,
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="Why, for others.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last edit of the game back.")] = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    wait: options.Wait = 60.0,
    as_json: options.Json = False,
) -> None:
    """Correct headers and the declared result of a game; without options, list what was corrected.

    What the file says is kept with its sightings. Edits stay when the game is imported again or a batch is undone.
    """
    changes = _changes(sets, unsets)
    if undo and (changes or note is not None):
        raise UsageFailure("--undo takes the last edit back: it goes with no other change and no note")
    if note is not None and not changes:
        raise UsageFailure(
            "--note says why something is changed: --set FIELD=VALUE or --unset FIELD is missing"
        )
    if not changes and not undo:
        _list(library, identity, as_json)
        return
    done = _edit(library, identity, changes, note, wait)
    if as_json:
        terminal.emit({**asdict(done), "undone": undo})
    else:
        _print(done, undo)


def _changes(sets: Sequence[str] | None, unsets: Sequence[str] | None) -> list[Change]:
    from pipeline.edit_fields import Change

    changes = []
    for text in sets or ():
        field, equals, value = text.partition("=")
        if not equals or not field.strip():
            raise UsageFailure(f"--set {text}: write it as FIELD=VALUE, date=2020-12-30 for example")
        changes.append(Change(field, value))
    return changes + [Change(field, None) for field in unsets or ()]


def _edit(library: Path, text: str, changes: list[Change], note: str | None, wait: float) -> Edited:
    from pipeline.compiling import announce_compiling
    from pipeline.editing import check_edit, edit_game, undo_edit
    from pipeline.store import open_writer

    with options.open_library(library) as reader:  # what makes no sense waits for nobody
        identity = check_edit(reader, text, changes)
    announce_compiling(terminal.say)
    command = f"edit {identity}"
    with open_writer(library, wait, command=command, create=False, waiting=options.waiting(wait)) as writer:
        return edit_game(writer, identity, changes, note) if changes else undo_edit(writer, identity)


def _list(library: Path, text: str, as_json: bool) -> None:
    from pipeline.abbreviations import find_game
    from pipeline.editing import edits_of_game

    with options.open_library(library) as reader:
        identity = find_game(reader, text)
        edits = edits_of_game(reader, identity)
    if as_json:
        terminal.emit({"id": identity, "edits": [asdict(edit) for edit in edits]})
    elif not edits:
        terminal.say(f"game {identity} has no edits")
    else:
        rows = [
            (e.edit, f"{e.made:%Y-%m-%d %H:%M}", e.field, _value(e.old), _value(e.value), e.note)
            for e in edits
        ]
        terminal.table(
            ("edit", "made (UTC)", "field", "before", "after", "note"),
            rows,
            ("edit",),
            ("field", "before", "after", "note"),
        )


def _print(done: Edited, undone: bool) -> None:
    if not done.changes:
        terminal.say("nothing to change: the game says so already")
        return
    what = f"edit {done.edit} is taken back" if undone else f"edit {done.edit}"
    terminal.out(f"{what}: game {done.id}")
    for edit in done.changes:
        terminal.out(f"  {edit_words(edit, undone)}")
    follows = {
        name: (before, done.after[name])
        for name, before in done.before.items()
        if before != done.after[name] and name not in ("date", "event", "event_round", "players")
    }
    for name, (before, after) in follows.items():
        terminal.out(f"  so {name}: {_value(before)} -> {_value(after)}")


def edit_words(edit: Edit, undone: bool = False) -> str:
    """What an edit makes of a field, or made of it."""
    before, after = (edit.value, edit.old) if undone else (edit.old, edit.value)
    return terminal.clean(f"{edit.field}: {_value(before)} -> {_value(after)}")


def _value(value: Any) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "+".join(map(str, value))
    return terminal.clean(value)
