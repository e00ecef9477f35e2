"""Libraries for reports, and pages read as a reader's program reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.reports import Report, texts
from pipeline.reports.render import html
from pipeline.unit import Reading

MADE = date(2026, 1, 2)


def library(folder: Path, *records: str, rules: dict[str, str] | None = None) -> Path:
    """A library with these records, a file each, imported together."""
    source = folder / "in"
    source.mkdir()
    for number, text in enumerate(records):
        (source / f"{number}.blksgf").write_text(text, encoding="utf-8")
    where = folder / "L"
    import_paths(where, [str(source)], Reading(rules=RuleChoice(rules or {})), jobs=1)
    return where


_VOID = ("meta", "br", "hr", "img", "link", "input")


@dataclass
class Page(HTMLParser):
    """A page taken apart: every element is closed, ids are unique, nothing is loaded from elsewhere."""

    text: str
    ids: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self.feed(self.text)
        self.close()
        assert self._open == []
        assert len(self.ids) == len(set(self.ids))
        assert all(name in self.ids for name in re.findall(r"url\(#([^)]+)\)", self.text))
        assert "<script" not in self.text.lower() and "javascript:" not in self.text.lower()
        assert not {"None", "nan", "NaN"} & {word.strip() for word in self.words}

    @property
    def said(self) -> str:
        """All words that are seen."""
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open.append(tag)
        for name, value in attrs:
            assert name not in ("src", "srcset", "style", "onload", "onclick")
            assert name != "href" or (value or "").startswith("#")
            if name == "id":
                self.ids.append(value or "")
                if tag == "section":
                    self.sections.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self._open):
            self.words.append(data)


def page(report: Report) -> Page:
    """The page of a report."""
    return Page(html(report, texts()))
