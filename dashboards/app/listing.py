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
    at: Callable[[Mapping[str, Any]], str] | None = None,
    now: str = "",
    tall: str = "",
    then: Callable[[Event], None] | None = None,
) -> Event:
    """Show rows; `pick` says what a click on a row sends, `link` its address for a new tab, `here` marks a row.

    The row for which `at` gives `now` is marked without a new table. `tall` is a height from which on the rows scroll
    under their heads. `then`: see `drawing.drawn`.
    """
    made = markup(columns, rows, caption=caption, pick=pick, link=link, here=here, at=at, tall=tall)
    return drawn(made, key=key, now=now, then=then)


def markup(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    *,
    caption: str = "",
    pick: Callable[[Mapping[str, Any]], str] | None = None,
    link: Callable[[Mapping[str, Any]], str] | None = None,
    here: Callable[[Mapping[str, Any]], bool] | None = None,
    at: Callable[[Mapping[str, Any]], str] | None = None,
    tall: str = "",
    shows: Callable[[Mapping[str, Any]], Sequence[int]] | None = None,
) -> str:
    """The HTML of `table`; `shows` are the cells of a board beside it that are marked while a row is pointed at."""
    head = "".join(
        f'<th scope="col"{_side(column)}{_title(column.about)}>{escaped(column.heading)}</th>'
        for column in columns
    )
    body = "".join(
        f"<tr{_here(here, row)}{_at(at, row)}{_shows(shows, row)}>{_cells(columns, row, pick, link)}</tr>"
        for row in rows
    )
    above = f"<caption>{escaped(caption)}</caption>" if caption else ""
    look = f'class="cw-scroll cw-tall" style="max-height: {tall}"' if tall else 'class="cw-scroll"'
    name = escaped(caption or columns[0].heading)
    return (
        f'<div {look} tabindex="0" role="region" aria-label="{name}">'
        f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _at(at: Callable[[Mapping[str, Any]], str] | None, row: Mapping[str, Any]) -> str:
    return f' data-now="{escaped(at(row))}"' if at and at(row) else ""


def _cells(
    columns: Sequence[Column],
    row: Mapping[str, Any],
    pick: Callable[[Mapping[str, Any]], str] | None,
    link: Callable[[Mapping[str, Any]], str] | None,
) -> str:
    return "".join(_cell(column, row, number, pick, link) for number, column in enumerate(columns))


def _cell(
    column: Column,
    row: Mapping[str, Any],
    at: int,
    pick: Callable[[Mapping[str, Any]], str] | None,
    link: Callable[[Mapping[str, Any]], str] | None,
) -> str:
    shown = column.markup(row) if column.markup else escaped(words().shown(row.get(column.key), column.kind))
    if at == 0 and pick and (sent := pick(row)):
        target = escaped(link(row)) if link else "#"
        shown = f'<a href="{target}" data-pick="{escaped(sent)}">{shown}</a>'
    return f"<td{_side(column)}>{shown}</td>"


def _side(column: Column) -> str:
    return ' class="cw-right"' if column.kind in ("whole", "decimal", "fine", "share") else ""


def _title(about: str) -> str:
    return f' title="{escaped(about)}"' if about else ""


def _here(here: Callable[[Mapping[str, Any]], bool] | None, row: Mapping[str, Any]) -> str:
    return ' class="cw-here" aria-current="true"' if here and here(row) else ""


def _shows(shows: Callable[[Mapping[str, Any]], Sequence[int]] | None, row: Mapping[str, Any]) -> str:
    return f' data-shows="{" ".join(map(str, shows(row)))}"' if shows else ""
