"""All words of reports stand in the catalogue: templates and modules have none, and no text of it is spare."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.verdicts import PASS_KINDS
from pipeline import reports
from pipeline.errors import PipelineError
from pipeline.reports.document import Column
from pipeline.reports.texts import texts

FOLDER = Path(reports.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
SHOWN = ("Remark", "Figure", "Section", "Report", "Bar", "Axes", "Series")
"""What takes words that readers see."""

BY_NAME = (
    "columns",
    "tables",
    "facts",
    "flags",
    "filters",
    "colours",
    "terminations",
    "passes",
    "results",
    "heat",
    "measures",
    "phases",
)
"""Groups of texts that are found by the name of something."""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_no_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r'(?:title|alt|aria-label|placeholder)="[^"{]*[a-z]', text)
    bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", text, flags=re.S)
    assert re.sub(r"<[^>]*>", "", bare).split() == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_have_no_words(path: Path) -> None:
    for call in (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in SHOWN:
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            said = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            assert not [word for word in said if " " in word]


def _asked() -> set[str]:
    """Keys that the modules and templates ask for."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (*MODULES, *TEMPLATES))
    return set(re.findall(r"""\b(?:t|self)\(\s*["']([\w.]*\w)["']""", sources))


def _counted() -> set[str]:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    return {f"{key}.{n}" for key in re.findall(r'\bcounted\("([\w.]+)"', sources) for n in ("one", "many")}


def test_every_text_that_is_asked_for_is_there() -> None:
    assert _asked() | _counted() <= texts().keys
    columns = set()
    for path in MODULES:
        module = __import__(f"pipeline.reports.{path.stem}", fromlist=["*"])
        for value in vars(module).values():
            if isinstance(value, tuple):
                columns |= {column.name for column in value if isinstance(column, Column) and column.page}
    assert {f"columns.{name}" for name in columns} <= texts().keys
    assert {f"passes.{kind}" for kind in PASS_KINDS} <= texts().keys


def test_no_text_is_spare() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    named = {key for key in texts().keys if key.split(".")[0] in BY_NAME}
    quoted = {key for key in texts().keys if f'"{key}"' in sources}
    assert texts().keys - named - quoted - _asked() - _counted() == set()


def test_numbers_as_the_language_writes_them() -> None:
    t = texts()
    assert (t.whole(12345), t.decimal(-1234.56), t.share(0.528)) == ("12,345", "−1,234.6", "53\u00a0%")
    assert (t.counted("games", 1), t.counted("games", 2000)) == ("1 game", "2,000 games")
    for kind in ("whole", "decimal", "share", "text", "list"):
        assert t.shown(None, kind) == t.shown(float("nan"), kind) == "–"
    assert len(t.shown("x" * 10**6, "text")) < 300


def test_a_language_that_there_is_not() -> None:
    with pytest.raises(PipelineError, match="choose one of en"):
        texts("xx")
