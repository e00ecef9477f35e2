"""Answers about the library that are remembered: the same until there is a newer snapshot, and not too many of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from dashboards.api.remembered import Remembered
from pipeline.documents import Document
from pipeline.errors import PipelineError
from pipeline.ingest import import_paths
from pipeline.store import Reader, open_reader
from tests.dashboards.api.serving import REPOSITORY, serving

GAMES = REPOSITORY / "data" / "games"


class Asked(BaseModel):
    limit: int


class Book:
    """Counts how often it is really asked."""

    def __init__(self) -> None:
        self.asked = 0

    def about(self, reader: Reader) -> Document:
        self.asked += 1
        return {"n": self.asked}


def test_the_same_question_is_answered_once(archive: Path) -> None:
    book, remembered = Book(), Remembered(1000)
    with open_reader(archive) as reader:
        bodies = [remembered.body(reader, "games", Asked(limit=k), book.about) for k in (1, 1, 2, 1)]
    assert bodies == [b'{"n":1}', b'{"n":1}', b'{"n":2}', b'{"n":1}']


def test_alike_parameters_of_other_questions_are_other_questions(archive: Path) -> None:
    book, remembered = Book(), Remembered(1000)
    with open_reader(archive) as reader:
        bodies = [remembered.body(reader, name, Asked(limit=1), book.about) for name in ("games", "players")]
    assert bodies == [b'{"n":1}', b'{"n":2}']


@pytest.mark.parametrize(("most", "again"), [(0, 4), (7, 4), (14, 3), (1000, 3)])
def test_only_so_many_bytes_are_kept(archive: Path, most: int, again: int) -> None:
    book, remembered = Book(), Remembered(most)
    with open_reader(archive) as reader:
        for limit in (1, 2, 1):
            remembered.body(reader, "games", Asked(limit=limit), book.about)
        assert remembered.body(reader, "games", Asked(limit=3), book.about) == b'{"n":%d}' % again


def test_what_fails_is_tried_again(archive: Path) -> None:
    book, remembered = Book(), Remembered(1000)

    def fails(reader: Reader) -> Document:
        raise PipelineError("not yet")

    with open_reader(archive) as reader:
        with pytest.raises(PipelineError):
            remembered.body(reader, "games", Asked(limit=1), fails)
        assert remembered.body(reader, "games", Asked(limit=1), book.about) == b'{"n":1}'


def test_an_import_is_seen_at_once(tmp_path: Path) -> None:
    library = tmp_path / "library"
    import_paths(library, [str(GAMES / "duo.blksgf")], jobs=1)
    with serving(library) as client:
        before = client.ask("games")["total"]
        assert client.ask("games")["total"] == before
        assert {row["variant"] for row in client.ask("seats")["seats"]} == {"duo"}
        import_paths(library, [str(GAMES / "classic_2.blksgf")], jobs=1)
        assert client.ask("games")["total"] > before
        assert {row["variant"] for row in client.ask("seats")["seats"]} == {"duo", "classic_2"}
