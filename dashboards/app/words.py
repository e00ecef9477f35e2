"""All that the pages say, by dotted keys, from `texts/LANGUAGE/PAGE.toml`: the name of the file begins a key."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from dashboards.app.settings import AppSettings
from pipeline.errors import PipelineError
from pipeline.reports.texts import Texts


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
    return catalogue(AppSettings().language)
