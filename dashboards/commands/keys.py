"""`cornerwise keys`: who may use the service."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.service.keys import Key, Keys

app = typer.Typer(
    help="Keys of the service: who may read, who may write.",
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

LONGEST_NAME = 100


def _keys(library: Path) -> Keys:
    from pipeline.service.keys import Keys
    from pipeline.store.layout import Layout

    return Keys(Layout.of(library).service)


@app.command("add", short_help="Make a key, which is shown once.")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom it is for.")],
    write: Annotated[bool, typer.Option("--write", help="It may import and start analyses, too.")] = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    as_json: options.Json = False,
) -> None:
    """Make a key and print it; the service keeps only its digest."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise UsageFailure(f"NAME: 1 to {LONGEST_NAME} characters")
    key, text = _keys(library).add(name.strip(), "write" if write else "read")
    if as_json:
        terminal.emit({**_row(key), "key": text})
        return
    terminal.out(text)
    terminal.say(f"key {key.id} may {key.scope}; it is not shown again")


@app.command("list", short_help="List keys, without their secrets.")
def list_keys(library: options.Library = options.DEFAULT_LIBRARY, as_json: options.Json = False) -> None:
    """List keys: what they may do, when they were made and revoked."""
    rows = [_row(key) for key in _keys(library).listed()]
    if as_json:
        terminal.emit({"keys": rows})
        return
    if not rows:
        terminal.say("no keys")
        return
    terminal.table(tuple(rows[0]), [tuple(row.values()) for row in rows])


@app.command("revoke", short_help="Let a key open nothing any more.")
def revoke(
    identity: Annotated[str, typer.Argument(metavar="ID", help="The key, as `keys list` has it.")],
    library: options.Library = options.DEFAULT_LIBRARY,
    as_json: options.Json = False,
) -> None:
    """Revoke a key, at once."""
    key = _keys(library).revoke(identity)
    if as_json:
        terminal.emit(_row(key))
    else:
        terminal.say(f"key {key.id} is revoked")


def _row(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "scope": key.scope,
        "created": _day(key.created),
        "revoked": None if key.revoked is None else _day(key.revoked),
    }


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
