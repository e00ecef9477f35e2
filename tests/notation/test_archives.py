"""Real records: the reference games, the twogtp games, the four-character code."""

from __future__ import annotations

import pytest

from notation.formats import FORMATS
from notation.identity import game_id
from notation.record import GameRecord, Move
from notation.sniff import sniff
from tests.notation.reading import read_all
from tests.places import archives

pytestmark = pytest.mark.archives


def ids(record: GameRecord) -> str:
    placements = [event for event in record.events if isinstance(event, Move)]
    return game_id(record.variant, record.setup, placements, [move.colour for move in placements])


def records(path) -> list[GameRecord]:
    data = path.read_bytes()
    form = sniff(data, path.name)
    assert not isinstance(form, Exception), form
    return read_all(data, form.name)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("classic", 160),
        ("classic_2", 120),
        ("classic_3", 50),
        ("duo", 400),
        ("junior", 60),
        ("trigon", 30),
        ("trigon_2", 30),
        ("trigon_3", 20),
    ],
)
def test_reference_games_come_back_from_every_format(name, count):
    found = records(archives("reference", f"{name}.blksgf"))
    assert [record.variant for record in found] == [name] * count
    scores = archives("reference", f"{name}.scores.tsv").read_text().splitlines()
    assert [len(record.events) for record in found] == [int(line.split("\t")[3]) for line in scores]
    for form in ("blksgf", "jsonl", *(["fourcode"] if name == "duo" else [])):
        for record in found:
            assert record.problems in ([], [p for p in record.problems if p.code == "several_trees"])
            (again,) = read_all(FORMATS[form].write(record), form)
            assert ids(again) == ids(record)
            if form != "fourcode":
                assert (again.headers, again.players, again.events) == (
                    record.headers,
                    record.players,
                    record.events,
                )


def test_twogtp_games():
    found = [record for path in sorted(archives("twogtp_duo").glob("*.blksgf")) for record in records(path)]
    assert len(found) == 70
    assert all(record.headers == {"game_number": "0"} and not record.problems for record in found)


def test_four_character_files():
    paths = sorted(archives("fourcode_duo").glob("game_logs*/*.txt"))
    found = [record for path in paths for record in records(path)]
    assert len(found) == 1_000
    assert len({ids(record) for record in found}) == 991
    assert all(move.placement >= 0 for record in found for move in record.events)
    for record in found[::20]:
        (again,) = read_all(FORMATS["fourcode"].write(record), "fourcode")
        assert again.events == record.events


def test_what_lies_beside_the_games_holds_none():
    results = sorted(archives("fourcode_duo", "win_logs").glob("*.txt"))[:20]
    tables = [
        archives("README.md"),
        *archives("reference").glob("*.tsv"),
    ]
    for path in [*results, *tables]:
        assert getattr(sniff(path.read_bytes(), path.name), "code", "") == "not_a_record", path
