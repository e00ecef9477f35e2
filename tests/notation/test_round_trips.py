"""The same game through every format that is written is the same game, in all variants that the format holds."""

from __future__ import annotations

from functools import cache

import pytest

from engine.variants import VARIANTS
from notation.errors import CannotWrite
from notation.formats import FORMATS, Format
from notation.record import GameRecord, Move, Out, Pass
from notation.sniff import sniff
from pipeline.generate import generate_records
from tests.notation.reading import HELD, game, read_all
from tests.notation.test_identity import identity
from tests.places import archives

WRITTEN = [row for row in FORMATS.values() if row.write is not None]
BARE = ("fourcode", "gtp")
"""Formats that hold moves and little else."""

BOTH = pytest.mark.parametrize(
    ("row", "variant"),
    [
        pytest.param(row, variant, id=f"{row.name}-{variant}")
        for row in WRITTEN
        for variant in VARIANTS
        if variant in HELD.get(row.name, VARIANTS)
    ],
)


def through(row: Format, found: list[GameRecord]) -> list[GameRecord]:
    """Games written to a file, or to one each where a file is a game, and read again."""
    assert row.write is not None
    texts = [row.write(record) for record in found]
    again = []
    for part in [[text] for text in texts] if row.one_game_a_file else [texts]:
        data = b"".join(row.pack(part))
        assert sniff(data, "") is row
        again += read_all(data, row.name)
    assert all(isinstance(item, GameRecord) for item in again)
    return [item for item in again if isinstance(item, GameRecord)]


def _same(row: Format, found: list[GameRecord]) -> None:
    again = through(row, found)
    assert [identity(record) for record in again] == [identity(record) for record in found]
    assert [record.variant for record in again] == [record.variant for record in found]
    assert not [record.problems for record in again if {p.code for p in record.problems} - {"several_trees"}]
    if row.name not in BARE:
        for new, old in zip(again, found, strict=True):
            assert (new.events, new.players, new.headers) == (old.events, old.players, old.headers)


@BOTH
def test_random_games(row, variant):
    _same(row, list(generate_records(variant, 5, 11, {})))


@cache
def reference(variant: str) -> list[GameRecord]:
    found = read_all(archives("reference", f"{variant}.blksgf").read_bytes())
    return [record for record in found if isinstance(record, GameRecord)]


@pytest.mark.archives
@BOTH
def test_reference_games(row, variant):
    _same(row, reference(variant))


@BOTH
def test_an_illegal_move_and_a_pass_come_back(row, variant):
    (record,) = generate_records(variant, 1, 3, {})
    first = record.events[0]
    assert isinstance(first, Move)
    record.events = [first, Pass(1), first]
    (again,) = through(row, [record])
    assert [event for event in again.events if isinstance(event, Move)] == [first, first]
    if row.name != "blksgf":  # there the order of colours says it
        assert again.events[1] == Pass(1)
    assert identity(again) == identity(record)


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: row.name)
def test_variants_that_a_format_does_not_hold_are_refused_with_a_reason(row):
    for variant in VARIANTS:
        (record,) = generate_records(variant, 1, 3, {})
        if variant not in HELD.get(row.name, VARIANTS):
            with pytest.raises(CannotWrite) as error:
                row.write(record)
            assert error.value.message


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: row.name)
def test_a_player_who_leaves_is_written_or_the_game_is_refused(row):
    record = game("(;GM[Blokus Duo];B[e10];W[j5];B[f9];CWOUT[2:time])")
    assert Out(1, "time") in record.events
    try:
        (again,) = through(row, [record])
    except CannotWrite as error:
        assert error.message
    else:
        assert [event for event in again.events if isinstance(event, Out)] == [Out(1, "time")]
