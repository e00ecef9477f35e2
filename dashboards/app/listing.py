"""Tables as HTML: read by everybody, on a phone as well, with rows that lead somewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.app.drawing import Event, drawn
from dashboards.app.words import words
from pipeline.svg import words as escaped


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its values, its heading, and what they are.

    `kind` is one of `pipeline.reports.texts.Texts.shown`: text, whole, decimal, fine, share, flag, code. `markup` makes
    the cell itself, of escaped words or SVG, instead.
    """

    key: str
    heading: str
    kind: str = "text"
    about: str = ""
    markup: Callable[[Mapping[str, Any]], str] | None = None


def table(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    caption: str = "",
    pick: Callable[[Mapping[str, Any]], str] | None = None,
    link: Callable[[Mapping[str, Any]], str] | None = None,
    here: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Event:
    """Show rows; `pick` says what a click on a row sends, `link` its address for a new tab, `here` marks a row."""
    head = "".join(
        f'<th scope="col"{_side(column)}{_title(column.about)}>{escaped(column.heading)}</th>'
        for column in columns
    )
    body = "".join(
        f"<tr{_here(here, row)}>{''.join(_cell(column, row, at, pick, link) for at, column in enumerate(columns))}</tr>"
        for row in rows
    )
    above = f"<caption>{escaped(caption)}</caption>" if caption else ""
    return drawn(
        f'<div class="cw-scroll" tabindex="0" role="region" aria-label="{escaped(caption or columns[0].heading)}">'
        f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>",
        key=key,
    )


def _cell(
    column: Column,
    row: Mapping[str, Any],
    at: int,
    pick: Callable[[Mapping[str, Any]], str] | None,
    link: Callable[[Mapping[str, Any]], str] | None,
) -> str:
    shown = column.markup(row) if column.markup else escaped(words().shown(row.get(column.key), column.kind))
    if at == 0 and pick:
        target = escaped(link(row)) if link else "#"
        shown = f'<a href="{target}" data-pick="{escaped(pick(row))}">{shown}</a>'
    return f"<td{_side(column)}>{shown}</td>"


def _side(column: Column) -> str:
    return ' class="cw-right"' if column.kind in ("whole", "decimal", "fine", "share") else ""


def _title(about: str) -> str:
    return f' title="{escaped(about)}"' if about else ""


def _here(here: Callable[[Mapping[str, Any]], bool] | None, row: Mapping[str, Any]) -> str:
    return ' class="cw-here" aria-current="true"' if here and here(row) else ""
