"""The catalogue of texts holds exactly what the pages say: nothing is missing, and nothing is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.app.words import catalogue
from tests.places import REPOSITORY

PAGES = sorted((REPOSITORY / "dashboards" / "app").rglob("*.py"))
KEY = re.compile(r"[a-z][a-z_0-9]*(\.[a-z_0-9]+)+|brand|none|yes|no|list_comma|colour_called")
GROUPED = ("counted", "named")
OWN = re.compile(r"numbers\..*|none|yes|no|list_comma")
"""What `pipeline.reports.texts.Texts` says by itself."""


def parts(node: ast.JoinedStr) -> str:
    """An f-string as a regular expression, with anything where it has values."""
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values
    )


def asked(path: Path) -> Iterator[tuple[str, str]]:
    """(what, key) of the literal keys in `say(...)`, `words()(...)`, `words().counted(...)` and `.named(...)`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and node.args):
            continue
        key, function = node.args[0], node.func
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            continue
        if getattr(function, "id", "") == "say" or is_words(function):
            yield "exact", key.value
        elif isinstance(function, ast.Attribute) and is_words(function.value) and function.attr in GROUPED:
            yield function.attr, key.value


def is_words(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "words"


def meant(path: Path) -> Iterator[tuple[str, str]]:
    """What is asked, and every other text of the module that may be a key: whole, or made by an f-string."""
    yield from asked(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            if re.match(r"[a-z_]+\\\.[^ ]*$", pattern := parts(node)):
                yield "family", pattern
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
            yield "exact", node.value


@pytest.mark.parametrize(
    "path", PAGES, ids=lambda path: str(path.relative_to(REPOSITORY / "dashboards" / "app"))
)
def test_every_text_is_there(path: Path) -> None:
    keys = catalogue("en").keys
    for what, key in asked(path):
        if what == "counted":
            assert {f"{key}.one", f"{key}.many"} <= keys, key
        elif what == "named":
            assert any(known.startswith(f"{key}.") for known in keys), key
        else:
            assert key in keys


def test_every_text_is_used() -> None:
    """By its key, as a member of a group that is named, or of a family of keys that an f-string makes."""
    found = [one for path in PAGES for one in meant(path)]
    exact = {key for what, key in found if what == "exact"}
    groups = tuple(f"{key}." for what, key in found if what in ("counted", "named"))
    counted = re.compile(r"(.*)\.(one|many)")
    families = re.compile("|".join({pattern for what, pattern in found if what == "family"}))

    def is_used(key: str) -> bool:
        if key in exact or key.startswith(groups) or OWN.fullmatch(key):
            return True
        whole = counted.fullmatch(key)
        base = whole[1] if whole else key
        return base in exact or families.fullmatch(key) is not None or families.fullmatch(base) is not None

    assert sorted(key for key in catalogue("en").keys if not is_used(key)) == []
