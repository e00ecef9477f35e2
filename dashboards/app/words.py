"""All that the pages say, by dotted keys, from `texts/LANGUAGE/PAGE.toml`: the name of the file begins a key."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from dashboards.app.settings import settings
from engine.variants import variant
from pipeline.errors import PipelineError
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.reports.texts import Texts, texts


@cache
def catalogue(language: str) -> Texts:
    """The catalogue of a language, all its files together.

    Raises:
        PipelineError: there is none of it; the message names those there are.
    """
    root = files("dashboards.app").joinpath("texts")
    known = sorted(path.name for path in root.iterdir() if path.is_dir())
    if language not in known:
        raise PipelineError(f"no dashboard in the language {language!r}: choose one of {', '.join(known)}")
    pages = [path for path in root.joinpath(language).iterdir() if path.name.endswith(".toml")]
    parts = {
        path.name.removesuffix(".toml"): tomllib.loads(path.read_text(encoding="utf-8")) for path in pages
    }
    return Texts(language, parts.pop("common") | parts)


def say(key: str, **values: object) -> str:
    """The text of a key in the language of the settings, with values in their places."""
    return words()(key, **values)


def words() -> Texts:
    """The catalogue in use: also counts, shares and numbers as its language writes them."""
    return _words(os.environ.get("CORNERWISE_LANGUAGE"))


@lru_cache(maxsize=4)
def _words(language: str | None) -> Texts:
    """The catalogue of the settings: asked hundreds of times a click, so they are looked at once a language."""
    return catalogue(settings().language)


def colour(variant_id: str, number: int) -> str:
    """A colour (0..) of a variant in words: `blue`, `first (violet)`."""
    name = variant(variant_id).colours[number]
    ink = PALETTES[DEFAULT].ink(name).name
    said = words().named("colours", name)
    return said if ink == name else say("colour_called", name=said, ink=words().named("colours", ink))


_MARKS = re.compile(r"[\\`*_{}\[\]()#+\-.!|<>~:$^=&]")

_FOUND = re.compile(r":(?=[A-Za-z/+])|(?<=www)(?=\.)|@(?=\w)", re.IGNORECASE)
"""Where addresses, emoji and icons are found in a text even if its marks are escaped."""

_JOINER = "\u2060"
"""A character that is not seen."""


def plain_markdown(text: str) -> str:
    r"""A text that says the same where Markdown is read, in one line; of addresses no links are made.

    >>> plain_markdown("*a* [b](c)")
    '\\*a\\* \\[b\\]\\(c\\)'
    """
    apart = _FOUND.sub(lambda found: found[0] + _JOINER, " ".join(text.split()))
    return _MARKS.sub(r"\\\g<0>", apart)


def report_words() -> Texts:
    """The catalogue of the reports, for what pages and reports say alike: flags, results, passes, measures."""
    return texts(settings().language)


def small(text: str) -> str:
    """A text of ours in small letters, in the colour of the others, as Markdown."""
    return f":small[{text}]"
