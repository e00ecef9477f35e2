"""What commands print: one JSON document, or text and tables for people; messages and progress on standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

WIDE = 1000
"""Columns of an output that is no terminal: nothing is cut off or folded there."""

LONGEST = 1000
"""Characters of a text that are shown: hostile records have names of megabytes. JSON has them whole."""

LONGEST_NAME = 60
"""Characters of a player's name that are shown."""

FLEXIBLE = 10
"""Characters that a column which may be folded or clipped keeps; with less, rows are shown as paragraphs."""


def emit(document: Any) -> None:
    """Print one JSON document: valid JSON whatever the values, so no NaN."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(jsonable(document), ensure_ascii=plain, allow_nan=False, indent=2)
    # A lone surrogate, of a file name that is no UTF-8, becomes the JSON escape that it has.
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def jsonable(value: Any) -> Any:
    """The value in terms of JSON; numbers that are none are null, bytes hexadecimal, times ISO."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item) for item in value]
    if isinstance(value, Decimal):
        if not value.is_finite():
            return None
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, timedelta | UUID):
        return str(value)
    return jsonable(value.item()) if hasattr(value, "item") else str(value)


def clean(value: Any) -> str:
    """Text of a value for a terminal: control characters, which could steer it, are shown and not sent."""
    text = shortened("" if value is None else str(value), LONGEST)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _shown(c) for c in text)


def shortened(text: str, most: int) -> str:
    """A text with its end cut off where it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[:most]}... ({number(len(text))} characters)"


def _shown(char: str) -> str:
    if char in "\n\t":
        return " "
    return char.encode("unicode_escape").decode("ascii")


def out(text: str = "") -> None:
    """Print a line for people."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """Print a line on standard error."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


def console(stderr: bool = False, width: int = WIDE) -> Console:
    """A rich console that interprets nothing in the text it is given; `width` is for an output that is no terminal."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        file=stream, width=None if stream.isatty() else width, markup=False, highlight=False, emoji=False
    )


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    right: Sequence[str] = (),
    folded: Sequence[str] | None = None,
    clipped: Sequence[str] = (),
) -> None:
    """Print rows under their headings.

    The columns named in `right` are aligned to the right; where a terminal is narrow, those in `folded` take several
    lines (None: whichever), and those in `clipped` lose their ends. Where it is too narrow even so, every row becomes
    a paragraph of named values: no column is left out.
    """
    cells = [[clean(value) for value in row] for row in rows]
    heads = [clean(column) for column in columns]
    if sys.stdout.isatty():
        flexible = heads if folded is None else folded
        _rich_table(heads, cells, right, flexible, clipped)
    else:
        _plain_table(heads, cells, right)


def _rich_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[str],
    folded: Sequence[str],
    clipped: Sequence[str],
) -> None:
    from rich.table import Table
    from rich.text import Text

    screen = console()
    widths = dict(zip(heads, _widths(heads, rows), strict=True))
    flexible = {*folded, *clipped}
    if (
        sum(min(n, FLEXIBLE) if h in flexible else n for h, n in widths.items()) + 2 * len(heads) - 2
        > screen.width
    ):
        _paragraphs(screen, heads, rows)
        return
    rest = screen.width - sum(n for head, n in widths.items() if head not in clipped) - 2 * len(heads)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for head, width in widths.items():
        shown.add_column(
            Text(head),
            justify="right" if head in right else "left",
            overflow="ellipsis" if head in clipped else "fold",
            no_wrap=head not in folded,
            min_width=None if head in flexible else width,
            max_width=min(width, max(len(head), rest // len(clipped))) if head in clipped else None,
        )
    for row in rows:
        shown.add_row(*map(Text, row))
    screen.print(shown)


def _paragraphs(screen: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Every row as some lines of named values; what is empty is left out."""
    from rich.cells import cell_len
    from rich.text import Text

    room = max(1, screen.width - 2)
    for row in rows:
        lines = [""]
        for head, cell in zip(heads, row, strict=True):
            if not cell:
                continue
            named = f"{head}: {cell}" if head else cell
            if lines[-1] and cell_len(lines[-1]) + 2 + cell_len(named) > room:
                lines.append("")
            lines[-1] += f"  {named}" if lines[-1] else named
        folded = [part.plain.rstrip() for line in lines for part in Text(line).wrap(screen, room)]
        out("\n  ".join(folded))


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Characters of the widest cell of every column."""
    from rich.cells import cell_len

    return [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]


def _plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    """Columns as wide as their widest cell, nothing folded: rich takes milliseconds a row for the same."""
    from rich.cells import cell_len

    widths = _widths(heads, rows)
    for row in (heads, *rows):
        padded = []
        for head, cell, width in zip(heads, row, widths, strict=True):
            blanks = " " * (width - cell_len(cell))
            padded.append(blanks + cell if head in right else cell + blanks)
        out("  ".join(padded).rstrip())


@contextmanager
def progress(*columns: str) -> Iterator[Progress | None]:
    """A progress line on standard error with a spinner and these text columns; None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        SpinnerColumn(),
        *(TextColumn(column, markup=False) for column in columns),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    with bar:
        yield bar


@contextmanager
def counted(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A progress line that is told how many are done; tells nobody where nobody would see it."""
    with progress("{task.description}") as bar:
        task = None if bar is None else bar.add_task(what)
        of_all = "" if total is None else f" of {number(total)}"

        def tell(done: int) -> None:
            if bar is not None and task is not None:
                bar.update(task, description=f"{number(done)}{of_all} {what}")

        yield tell


def number(value: int) -> str:
    """A count with thousands apart."""
    return f"{value:,}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"
