"""Reports as files: HTML whole; JSON all tables; CSV and Parquet one of them."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import BadReport
from pipeline.reports.document import Column, Report, Table
from pipeline.reports.render import html
from pipeline.reports.texts import Texts, texts

_TYPES = {
    "whole": pa.int64(),
    "decimal": pa.float64(),
    "fine": pa.float64(),
    "share": pa.float64(),
    "flag": pa.bool_(),
}


def write_report(
    report: Report, path: Path, table: str | None = None, words: Texts | None = None
) -> str | None:
    """Write a report in the form that the file's suffix says; returns the table that a CSV or Parquet file holds.

    The file appears whole or not at all.

    Raises:
        BadReport: no form has this suffix, or the report has no such table; the message names those there are.
    """
    write = form(path)
    chosen = _chosen(report, table, path) if write in (_csv, _parquet) else None
    if table is not None and chosen is None:
        raise BadReport(f"{path}: an HTML or JSON file holds all tables; --table is for .csv and .parquet")
    content = write(report, chosen, words or texts())
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return chosen.name if chosen else None


def form(path: Path) -> Callable[[Report, Table | None, Texts], bytes]:
    """What writes files of this suffix.

    Raises:
        BadReport: nothing does, or there is no such folder.
    """
    if not path.parent.is_dir():
        raise BadReport(f"{path}: there is no folder {path.parent}")
    write = _FORMS.get(path.suffix.lower())
    if write is None or path.is_dir():
        raise BadReport(f"{path}: name a file that ends in {', '.join(_FORMS)}")
    return write


def _chosen(report: Report, name: str | None, path: Path) -> Table:
    tables = report.tables
    if not tables:
        raise BadReport(f"{path}: this report has no table, because there is nothing to list")
    wanted = name or (report.main if report.main in tables else next(iter(tables)))
    if wanted not in tables:
        raise BadReport(f"this report has no table {wanted!r}: choose one of {', '.join(tables)}")
    return tables[wanted]


def _columns(table: Table) -> list[Column]:
    """Columns with the ends of intervals as columns of their own."""
    out = []
    for column in (column for column in table.columns if column.file):
        out.append(column)
        if column.interval:
            out += [Column(f"{column.name}_low", column.kind), Column(f"{column.name}_high", column.kind)]
    return out


def _html(report: Report, table: Table | None, words: Texts) -> bytes:
    return html(report, words).encode("utf-8")


def _json(report: Report, table: Table | None, words: Texts) -> bytes:
    document = {
        "report": report.kind,
        **report.about,
        "facts": report.facts,
        "tables": {
            name: [{c.name: row.get(c.name) for c in _columns(part)} for row in part.rows]
            for name, part in report.tables.items()
        },
    }
    return (json.dumps(_finite(document), ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode(
        "utf-8", "backslashreplace"
    )


def _csv(report: Report, table: Table | None, words: Texts) -> bytes:
    assert table is not None
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = _columns(table)
    writer.writerow([column.name for column in columns])
    for row in table.rows:
        writer.writerow([_text(_finite(row.get(column.name))) for column in columns])
    return out.getvalue().encode("utf-8", "backslashreplace")


def _parquet(report: Report, table: Table | None, words: Texts) -> bytes:
    assert table is not None
    columns = _columns(table)
    schema = pa.schema([(column.name, _TYPES.get(column.kind, pa.string())) for column in columns])
    data = {column.name: _values(table.rows, column) for column in columns}
    sink = io.BytesIO()
    pq.write_table(pa.table(data, schema=schema), sink)
    return sink.getvalue()


def _values(rows: Sequence[dict[str, Any]], column: Column) -> list[Any]:
    values = [_finite(row.get(column.name)) for row in rows]
    if column.kind in _TYPES:
        return values
    return [None if v is None else str(_text(v)).encode("utf-8", "replace").decode() for v in values]


def _text(value: Any) -> Any:
    """A value of a table in one field: words of a list with blanks between them."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _finite(value: Any) -> Any:
    """A value without what is no number."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


_FORMS: dict[str, Callable[[Report, Table | None, Texts], bytes]] = {
    ".html": _html,
    ".json": _json,
    ".csv": _csv,
    ".parquet": _parquet,
}
