"""`cornerwise quality`: what is odd about the data."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options

SHOWN = 60
"""Characters of an example that is no game and no record, but words."""


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    code: Annotated[
        str | None, typer.Option("--code", metavar="CODE", help="List the cases of this code, a row each.")
    ] = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """Count duplicates, missing dates and players, mismatches and the like; --code lists the cases of one kind."""
    from pipeline import quality

    with options.open_library(library) as reader:
        if code is None:
            rows = quality.quality(reader)
            if as_json:
                terminal.emit({"quality": rows})
            else:
                _print_summary(rows)
            return
        page = quality.cases(reader, code, limit or None, offset)
    if as_json:
        about = {"code": code, "meaning": quality.meaning(code), "total": page.total}
        terminal.emit({**about, "offset": offset, "limit": limit or None, "cases": page.rows})
        return
    terminal.say(f"{code}: {quality.meaning(code)}")
    columns = ("id", "source", "game", "detail")
    shown = [(row["short"], row["source"], row["record"], row["detail"]) for row in page.rows]
    used = [at for at, name in enumerate(columns) if name == "detail" or any(row[at] for row in shown)]
    terminal.table(
        [columns[at] for at in used],
        [[row[at] for at in used] for row in shown],
        ("game",),
        ("source", "detail"),
    )
    left = page.total - offset - len(shown)
    if left > 0:
        terminal.say(f"{terminal.number(left)} more; --offset {offset + len(shown)} shows the next ones")
    elif not shown:
        terminal.say("no cases" if not offset else "no more cases")


def _print_summary(rows: list[dict[str, Any]]) -> None:
    if not rows:
        terminal.say("nothing to report")
        return
    terminal.table(
        ("code", "count", "meaning", "examples"),
        [
            (row["code"], terminal.number(row["count"]), row["meaning"], _examples(row["examples"]))
            for row in rows
        ],
        ("count",),
        ("meaning", "examples"),
    )
    terminal.say("--code CODE lists the cases of one kind")


def _examples(cases: list[dict[str, Any]]) -> str:
    """Games by their identities; elsewhere the record, or what it is about."""
    if all(case["short"] for case in cases):
        return " ".join(dict.fromkeys(case["short"] for case in cases))
    case = cases[0]
    if case["source"] is not None:
        return f"{case['source']}, game {case['record']}"
    return terminal.shortened(case["detail"] or "", SHOWN)
