"""A report as one HTML page: nothing outside it is loaded, no script runs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.reports.document import Column, Facts, Figures, Remark, Report, Row, Table
from pipeline.reports.texts import Texts
from pipeline.svg import plain

if TYPE_CHECKING:
    from jinja2 import Environment

RIGHT = ("whole", "decimal", "fine", "share")
"""Kinds of columns that are aligned to the right."""


def html(report: Report, texts: Texts) -> str:
    """The page of a report."""
    page = _environment().get_template("report.html")
    return page.render(report=report, t=texts, block_name=_block_name, cell=_cell(texts), right=_right)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pipeline.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    from markupsafe import Markup

    # Pictures are escaped where they are made, see `pipeline.svg`.
    environment.filters["picture"] = Markup
    return environment


def _printable(value: Any) -> Any:
    """What a page can hold: no half of a surrogate pair, no control character of a hostile name."""
    return plain(value) if type(value) is str else value


def _block_name(block: object) -> str:
    kinds = {Table: "table", Facts: "facts", Figures: "figures", Remark: "remark"}
    return kinds[type(block)]


def _right(column: Column) -> bool:
    return column.kind in RIGHT


def _cell(texts: Texts) -> Any:
    def shown(row: Row, column: Column) -> str:
        value = texts.shown(row.get(column.name), column.kind)
        low, high = row.get(f"{column.name}_low"), row.get(f"{column.name}_high")
        if not column.interval or low is None or high is None or low != low or high != high:
            return value
        ends = texts("interval", low=_bare(texts, low, column), high=_bare(texts, high, column))
        return f"{value} {ends}"

    return shown


def _bare(texts: Texts, value: float, column: Column) -> str:
    """An end of an interval; the percent sign stands once, behind the value."""
    if column.kind == "share":
        return texts.decimal(value * 100, 0)
    return texts.shown(value, column.kind)
