"""The files of this repository are no game records, whatever examples they hold; those that are stand elsewhere."""

from __future__ import annotations

import pytest

from notation.errors import NotARecord
from notation.sniff import sniff
from notation.stream import HEAD
from tests.places import REPOSITORY

FOLDERS = (".ci", "engine", "notation", "pipeline", "dashboards", "tests", "data/oracle")


@pytest.mark.parametrize("folder", [".", *FOLDERS])
def test_no_file_of_the_repository_is_taken_for_a_game(folder):
    place = REPOSITORY / folder
    files = [path for path in (place.glob("*") if folder == "." else place.rglob("*")) if path.is_file()]
    files = [path for path in files if "__pycache__" not in path.parts and not path.name.startswith(".")]
    assert files
    taken = []
    for path in files:
        with path.open("rb") as file:
            found = sniff(file.read(HEAD), path.name)
        if not isinstance(found, NotARecord):
            taken.append((str(path.relative_to(REPOSITORY)), found))
    assert not taken
