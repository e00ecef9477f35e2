"""`cornerwise formats`: what can be read and written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options

if TYPE_CHECKING:
    from notation.formats import Format

ROOMY = 130
"""Columns of a terminal in which the list is a table."""


def run(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Show the page of this format.")] = None,
    as_json: options.Json = False,
) -> None:
    """List the formats that are read and written, or show the page of one."""
    from notation.format_list import page
    from notation.formats import FORMATS

    options.known_format(name)
    if name is not None:
        text = page(name)
        if as_json:
            terminal.emit({**_facts(FORMATS[name]), "page": text})
        else:
            _print_page(text)
        return
    if as_json:
        terminal.emit({"formats": [_facts(row) for row in FORMATS.values()]})
        return
    if sys.stdout.isatty() and terminal.console().width < ROOMY:
        for row in FORMATS.values():
            _print_entry(row)
    else:
        rows = [
            (row.name, row.title, " ".join(row.suffixes), "yes" if row.write else "", row.carries)
            for row in FORMATS.values()
        ]
        terminal.table(
            ("format", "title", "files", "written", "carries"), rows, (), ("title", "files", "carries")
        )
    terminal.say("all are read; cornerwise formats NAME shows the page of one")


def _print_entry(row: Format) -> None:
    """A format as some lines of a narrow terminal."""
    import textwrap

    said = f"{row.title}; {' '.join(row.suffixes)}; {'read and written' if row.write else 'read'}"
    width = max(20, terminal.console().width - 1)
    terminal.out(row.name)
    for text in (said, row.carries):
        terminal.out(textwrap.fill(text, width, initial_indent="  ", subsequent_indent="    "))


def _facts(row: Format) -> dict[str, Any]:
    return {
        "name": row.name,
        "title": row.title,
        "files": list(row.suffixes),
        "read": True,
        "written": row.write is not None,
        "one_game_a_file": row.one_game_a_file,
        "carries": row.carries,
    }


def _print_page(text: str) -> None:
    if not sys.stdout.isatty():
        terminal.out(text.rstrip("\n"))
        return
    from rich.markdown import Markdown

    terminal.console().print(Markdown(text, hyperlinks=False))
