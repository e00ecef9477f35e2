"""Definitions of the measures by name, read from the page `engine/measures.md` that people read, too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Measure:
    """What a measure is; `name` is that of the column (`corner_access` of the columns `corner_access_1`..)."""

    name: str
    unit: str
    definition: str
    source: str


def measures_page() -> str:
    """The page with all definitions, in Markdown."""
    return files("engine").joinpath("measures.md").read_text(encoding="utf-8")


@cache
def definitions() -> dict[str, Measure]:
    """Definitions by name, in the order of the page.

    >>> definitions()["mobility"].unit
    'placements'
    """
    out = {}
    for section in measures_page().split("\n## ")[1:]:
        name, *paragraphs = (" ".join(part.split()) for part in section.split("\n\n") if part.strip())
        unit, *body, source = paragraphs
        out[name] = Measure(
            name, unit.removeprefix("Unit: "), " ".join(body), source.removeprefix("Source: ")
        )
    return out
