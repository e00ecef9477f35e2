"""The catalogue of all that reports say, one file a language, and how the language writes numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

from pipeline.errors import PipelineError

DEFAULT_LANGUAGE = "en"

LONGEST = 200
"""Characters of a value that a page shows: hostile records have names of megabytes."""


class Texts:
    """Texts of a language by their dotted keys: ``texts("game.title", id="88c2a9b")``."""

    def __init__(self, language: str, catalogue: Mapping[str, Any]) -> None:
        self.language = language
        self._entries = dict(_flat(catalogue))

    @property
    def keys(self) -> frozenset[str]:
        """All keys."""
        return frozenset(self._entries)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key, with values in their places.

        Raises:
            KeyError: the catalogue has no such text.
        """
        text = self._entries[key]
        return text.format(**values) if values else text

    def counted(self, key: str, count: int) -> str:
        """A count with its noun, of `key.one` or `key.many`."""
        return self(f"{key}.one" if count == 1 else f"{key}.many", n=self.whole(count))

    def named(self, group: str, name: str) -> str:
        """The text of `group.name`, or the name itself where the catalogue does not have it."""
        return self._entries.get(f"{group}.{name}", name)

    def whole(self, value: float) -> str:
        """A count, thousands apart."""
        return f"{value:,.0f}".replace(",", self("numbers.thousands")).replace("-", "−")

    def decimal(self, value: float, places: int = 1) -> str:
        """A number with decimals."""
        text = f"{value:,.{places}f}".replace(",", "\0").replace(".", self("numbers.decimal"))
        return text.replace("\0", self("numbers.thousands")).replace("-", "−")

    def share(self, value: float, places: int = 0) -> str:
        """A part of one in percent."""
        return self("numbers.percent", n=self.decimal(value * 100, places))

    def shown(self, value: Any, kind: str) -> str:
        """A value of a column of this kind, see `document.Column`; nothing known is a dash, never "NaN"."""
        if value is None or value == "" or value == [] or (isinstance(value, float) and not isfinite(value)):
            return self("none")
        if kind == "whole":
            return self.whole(value)
        if kind == "decimal":
            return self.decimal(value)
        if kind == "fine":
            return self.decimal(value, 2)
        if kind == "share":
            return self.share(value)
        if kind == "flag":
            return self("yes") if value else self("no")
        between = " " if kind == "code" else self("list_comma")
        text = between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _flat(part: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in part.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, str(value)


@cache
def texts(language: str = DEFAULT_LANGUAGE) -> Texts:
    """The catalogue of a language.

    Raises:
        PipelineError: there is none of it; the message names those there are.
    """
    found = {
        path.name.removeprefix("texts_").removesuffix(".toml"): path
        for path in files("pipeline.reports").iterdir()
        if path.name.startswith("texts_") and path.name.endswith(".toml")
    }
    if language not in found:
        raise PipelineError(
            f"no reports in the language {language!r}: choose one of {', '.join(sorted(found))}"
        )
    return Texts(language, tomllib.loads(found[language].read_text(encoding="utf-8")))
