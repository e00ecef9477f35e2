"""`cornerwise sql`: a question to the library, read-only."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.store import Answer


def run(
    question: Annotated[
        str, typer.Argument(metavar="SELECT", help="One SELECT; - reads it from standard input.")
    ],
    library: options.Library = options.DEFAULT_LIBRARY,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: options.Json = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            min=0,
            max=options.MOST_ROWS,
            help="Rows at most; 0: all. Default: 1000 in a table, else all.",
        ),
    ] = None,
) -> None:
    """Ask the newest snapshot: games_view, games, seats, colours, moves, passes, scores, seat_scores, sightings, ..."""
    if as_csv and as_json:
        raise UsageFailure("--csv and --json: choose one")
    if question == "-":
        question = sys.stdin.read()
    if not question.strip():
        raise UsageFailure("a question is asked in SQL: SELECT count(*) FROM games")
    most = (None if as_csv or as_json else 1000) if limit is None else limit or None
    with options.open_library(library) as reader:
        answer = reader.ask(question, most)
    columns = _names(answer)
    rows = _rows(answer)
    if as_json:
        objects = [dict(zip(columns, row, strict=True)) for row in rows]
        terminal.emit({"columns": columns, "rows": objects, "complete": answer.complete})
        return
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(value) for value in row] for row in rows)
    else:
        numeric = [c for at, c in enumerate(columns) if rows and all(_is_number(row[at]) for row in rows)]
        terminal.table(columns, [[_cell(value) for value in row] for row in rows], numeric)
    if not answer.complete:
        terminal.say(f"only the first {terminal.plural(len(rows), 'row')}: --limit N shows more")


def _names(answer: Answer) -> list[str]:
    """Column names, made different from one another."""
    names: list[str] = []
    for name in answer.table.column_names:
        number, fresh = 1, name
        while fresh in names:
            number += 1
            fresh = f"{name}_{number}"
        names.append(fresh)
    return names


def _rows(answer: Answer) -> list[list[Any]]:
    columns = [column.to_pylist() for column in answer.table.columns]
    return [[terminal.jsonable(value) for value in row] for row in zip(*columns, strict=True)]


def _cell(value: Any) -> Any:
    """Text of a value in a table: lists and the like as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
