"""`cornerwise info`: what the library holds."""

from __future__ import annotations

from typing import Any

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.fragments import counted


def run(library: options.Library = options.DEFAULT_LIBRARY, as_json: options.Json = False) -> None:
    """Games by variant, format and termination; what is no game; quarantine; sightings; versions."""
    from pipeline import queries

    with options.open_library(library) as reader:
        found = queries.info(reader)
        last = queries.batches(reader)
    if as_json:
        terminal.emit({**found, "last_batches": last})
        return
    terminal.out(
        f"{terminal.clean(found['library'])}: {terminal.plural(found['games'], 'game')}, "
        f"{terminal.number(found['plies'])} plies, {terminal.plural(found['sightings'], 'sighting')}, "
        f"{terminal.plural(found['players'], 'player')}"
    )
    terminal.out(
        f"schema {found['schema_version']}, snapshot {found['snapshot']}, program {found['program']}, "
        f"{terminal.plural(found['batches'], 'batch', 'batches')} in force"
    )
    if beside := counted(found["results"], found["positions"], found["piece_lists"]):
        terminal.out(f"beside games: {', '.join(beside)}")
    for what, counts in (
        ("variant", found["by_variant"]),
        ("format", found["by_format"]),
        ("termination", found["by_termination"]),
        ("flag", {name: n for name, n in found["flags"].items() if n}),
        (f"quarantine ({terminal.number(found['quarantined'])})", found["quarantine_by_code"]),
    ):
        if counts:
            terminal.out()
            rows = [(name, terminal.number(n)) for name, n in counts.items()]
            terminal.table(
                (what, "rows" if what.startswith("quarantine") else "games"), rows, ("rows", "games")
            )
    if last:
        terminal.out()
        _print_batches(last)


def _print_batches(last: list[dict[str, Any]]) -> None:
    columns = (
        "batch",
        "finished (UTC)",
        "games",
        "stored",
        "duplicates",
        "refused",
        "illegal",
        "no games",
        "",
    )
    rows = [
        (
            row["batch"],
            f"{row['finished']:%Y-%m-%d %H:%M}",
            *(row[name] for name in columns[2:7]),
            sum(row[name] for name in ("results", "positions", "piece_lists")) or "",
            "undone" if row["undone"] else "",
        )
        for row in last
    ]
    terminal.table(columns, rows, columns[2:8] + columns[:1])
