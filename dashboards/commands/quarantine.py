"""`cornerwise quarantine`: a row a problem."""

from __future__ import annotations

from dashboards import terminal
from dashboards.commands import options


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List what is wrong: records that cannot be read, and games whose replay stops. Newest batch first."""
    from pipeline import queries

    with options.open_library(library) as reader:
        page = queries.quarantine(reader, limit or None, offset)
    if as_json:
        terminal.emit(
            {"total": page.total, "offset": offset, "limit": limit or None, "quarantine": page.rows}
        )
        return
    columns = ("source", "game", "line", "id", "ply", "code", "message")
    rows = [
        (row["source"], row["record"], row["line"], row["short"], row["ply"], row["code"], row["message"])
        for row in page.rows
    ]
    terminal.table(columns, rows, ("game", "line", "ply"), ("source", "message"))
    left = page.total - offset - len(rows)
    if left > 0:
        terminal.say(f"{terminal.number(left)} more; --offset {offset + len(rows)} shows the next ones")
    elif not rows:
        terminal.say("nothing is in quarantine" if not offset else "no more rows")
