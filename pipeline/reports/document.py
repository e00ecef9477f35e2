"""What a report is made of: sections of facts, tables, pictures and remarks; raw values, no looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Row = dict[str, Any]

Kind = Literal["text", "code", "whole", "decimal", "fine", "share", "list", "flag", "date"]
"""What the values of a column are: `share` a part of one, shown in percent; `list` words or numbers in order;
`date` may be
partial, `fine` a number with two decimals."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. With `interval` the row has NAME_low and NAME_high as well, null where there is none.

    `page` false: in files only, a page has no room for it; `file` false: it serves the eye alone.
    """

    name: str
    kind: Kind = "text"
    interval: bool = False
    page: bool = True
    file: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their columns, with a `note` below.

    `most` rows are shown on a page (0: the table is not there, None: all); files have all of them.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    most: int | None = None
    note: str = ""

    @property
    def shown(self) -> Sequence[Row]:
        """The rows of a page."""
        return self.rows[: self.most]

    @property
    def on_page(self) -> list[Column]:
        """The columns of a page: those that say something in some row."""
        return [
            c
            for c in self.columns
            if c.page and any(row.get(c.name) not in (None, "", []) for row in self.rows)
        ]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names from the catalogue with their values; what is None is left out."""

    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture as SVG with the words below it."""

    svg: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Pictures side by side, as many as there is room for."""

    items: Sequence[Figure]
    look: Literal["large", "boards", "thirds", "charts", "strips"] = "charts"


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence."""

    words: str


Block = Table | Facts | Figures | Remark


@dataclass(frozen=True, slots=True)
class Section:
    """A part with a heading; `name` is its anchor."""

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `main` names the table that a CSV or Parquet file holds unless another is asked for."""

    kind: str
    title: str
    subtitle: str
    about: dict[str, Any]
    sections: Sequence[Section]
    main: str = ""
    footer: Sequence[str] = field(default_factory=tuple)

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        blocks = [block for section in self.sections for block in section.blocks]
        return {block.name: block for block in blocks if isinstance(block, Table)}

    @property
    def facts(self) -> dict[str, Any]:
        """All facts by name."""
        blocks = [block for section in self.sections for block in section.blocks]
        return {name: v for block in blocks if isinstance(block, Facts) for name, v in block.values.items()}
