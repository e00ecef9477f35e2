"""What a batch adds to a library, and what it leaves alone."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import LibraryError
from pipeline.store import Batch, Counts, Writer, check_library, open_reader, open_writer, write_unit
from pipeline.store.layout import Layout
from tests.pipeline.factory import Found, add, digest, files, game_id, tables, unit


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    with open_reader(folder) as reader:
        assert check_library(reader) == []
        return [tuple(row.values()) for row in reader.table(question).to_pylist()]


def test_a_batch_holds_everything_of_its_records(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, writer.batch("import", {"paths": ["x"]}) as batch:
        batch.add_unit(unit(writer, [Found("a", plies=4), Found("b", record=2, illegal=True)]))
        batch.add_unit(unit(writer, [Found(None, record=3), Found("empty", record=4, plies=0, passes=0)]))
        batch.details["seconds"] = 1.5
    assert batch.counts == Counts(
        games=4, stored=3, refused=1, illegal=1, empty=1, quarantined=2, sightings=3, plies=7
    )
    assert rows(tmp_path, "SELECT id, plies FROM games ORDER BY game_no") == [
        (game_id("a"), 4),
        (game_id("b"), 3),
        (game_id("empty"), 0),
    ]
    assert rows(
        tmp_path, "SELECT move FROM moves JOIN games USING (game_no) WHERE plies = 4 ORDER BY ply"
    ) == [
        ("a1",),
        ("a2",),
        ("a3",),
        ("a4",),
    ]
    assert rows(tmp_path, "SELECT record, game_no IS NULL, code FROM quarantine ORDER BY record") == [
        (2, False, "occupied"),
        (3, True, "bad_record"),
    ]
    assert rows(
        tmp_path, "SELECT batch, command, options->>'$.paths[0]', details->>'seconds' FROM batches"
    ) == [(1, "import", "x", "1.5")]


def test_the_same_bytes_again_add_nothing(tmp_path: Path) -> None:
    found = [Found("a"), Found("b", record=2, illegal=True), Found(None, record=3)]
    with open_writer(tmp_path) as writer:
        add(writer, *found)
        with writer.batch() as batch:
            batch.add_unit(unit(writer, found))
        assert files(writer.folder / "moves") == ["000000001.parquet"]
    assert batch.counts == Counts(games=3, duplicates=2, refused=1, quarantined=1)
    assert rows(tmp_path, "SELECT (SELECT count(*) FROM sightings), (SELECT count(*) FROM quarantine)") == [
        (2, 2)
    ]


def test_other_bytes_with_the_same_game_add_a_sighting(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        with writer.batch() as batch:
            batch.add_unit(
                unit(writer, [Found("a", source="copy", players=("Cid", "Dora")), Found("b", record=9)])
            )
    assert batch.counts == Counts(games=2, stored=1, duplicates=1, sightings=2, plies=3)
    seen = rows(tmp_path, "SELECT game_no, batch, players FROM sightings WHERE source = 'copy'")
    assert seen == rows(
        tmp_path, f"SELECT game_no, 2, ['Cid', 'Dora'] FROM games WHERE id = '{game_id('a')}'"
    )
    assert rows(tmp_path, "SELECT count(*), count(DISTINCT game_no) FROM moves") == [(6, 2)]


def test_a_sighting_by_other_rules_is_flagged_and_not_obeyed(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        marked = '{"start": "marked"}'
        add(writer, Found("a"), Found("b", record=2, rules=marked), Found("b", record=3, rules=marked))
        add(writer, Found("a", source="copy", rules=marked), Found("b", source="copy", record=2))
    question = "SELECT source, record FROM sightings WHERE rules_differ ORDER BY ALL"
    assert rows(tmp_path, question) == [("copy", 1), ("copy", 2)]
    assert rows(tmp_path, "SELECT rules FROM games ORDER BY game_no") == [(None,), (marked,)]


def test_duplicates_inside_one_unit_and_between_units_of_a_batch(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, writer.batch() as batch:
        batch.add_unit(unit(writer, [Found("a"), Found("a", record=2), Found("a")]))
        batch.add_unit(
            unit(writer, [Found("a"), Found("a", source="copy"), Found("b", source="copy", record=2)])
        )
    assert (batch.counts.stored, batch.counts.duplicates, batch.counts.sightings) == (2, 4, 4)
    assert rows(tmp_path, "SELECT count(*) FROM moves") == [(6,)]


def test_a_duplicate_of_an_illegal_game_is_no_second_problem(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a", illegal=True))
        with writer.batch() as batch:
            batch.add_unit(unit(writer, [Found("a", source="copy", illegal=True)]))
    assert (batch.counts.illegal, batch.counts.quarantined, batch.counts.duplicates) == (0, 0, 1)
    assert rows(tmp_path, "SELECT source FROM quarantine") == [("a.blksgf",)]


def test_a_record_refused_before_can_be_stored_with_better_options(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found(None))
        with writer.batch() as batch:
            batch.add_unit(unit(writer, [Found("a", illegal=True)]))
    assert (batch.counts.stored, batch.counts.illegal) == (1, 1)
    assert rows(tmp_path, "SELECT code FROM quarantine ORDER BY batch") == [("bad_record",), ("occupied",)]


def test_known_ids_include_those_of_the_open_batch(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        with writer.batch() as batch:
            batch.add_unit(unit(writer, [Found("b", record=2)]))
            known = writer.known([game_id("a"), game_id("b"), game_id("c")])
    assert set(known) == {game_id("a"), game_id("b")}


def test_unit_numbers_are_never_given_twice(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        first = writer.next_unit()
        add(writer, Found("a"))
        writer.undo(1)
    with open_writer(tmp_path) as writer:
        assert writer.next_unit() == first + 2
        add(writer, Found("a"))
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(1,)]


def test_an_error_in_the_block_leaves_nothing_of_the_batch(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        with pytest.raises(KeyboardInterrupt), writer.batch() as batch:
            batch.add_unit(unit(writer, [Found("b", record=2)]))
            raise KeyboardInterrupt
        assert files(writer.folder / "moves") == ["000000001.parquet"]
        assert add(writer, Found("c", record=3)) == 2
    assert rows(tmp_path, "SELECT id FROM games ORDER BY game_no") == [(game_id("a"),), (game_id("c"),)]


def test_a_writer_closed_with_an_open_batch_drops_it(tmp_path: Path) -> None:
    writer = open_writer(tmp_path)
    block = writer.batch()
    block.__enter__().add_unit(unit(writer, [Found("a")]))
    writer.close()
    assert rows(tmp_path, "SELECT count(*) FROM games") == [(0,)]
    assert files(tmp_path / "moves") == []


def test_two_batches_at_once_and_publishing_in_the_middle_are_refused(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, writer.batch():
        with pytest.raises(LibraryError, match="batch 1 is still open"), writer.batch():
            pass
        with pytest.raises(LibraryError, match="batch 1 is still open"):
            writer.publish()
        with pytest.raises(LibraryError, match="batch 1 is still open"):
            writer.undo(1)


def test_numbers_of_another_unit_are_refused(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        with pytest.raises(LibraryError, match="are not of unit 7"), writer.batch() as batch:
            batch.add_unit(write_unit(writer.folder, 7, tables(8, [Found("a")])))
        assert files(writer.folder / "moves") == []


def test_a_large_batch_becomes_partitions_in_order_of_games(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, writer.batch() as batch:
        for number in range(3):
            found = [Found(f"{number} {n}", source=f"s{number}", record=n + 1) for n in range(20)]
            batch.add_unit(unit(writer, found))
    partitions = rows(tmp_path, "SELECT rows, first_game, last_game FROM partitions WHERE kind = 'moves'")
    assert [n for n, *_ in partitions] == [60, 60, 60]
    assert all(one[2] < two[1] for one, two in pairwise(partitions))


def test_partitions_of_workers_wait_under_temporary_names(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        made = unit(writer, [Found("a")])
        assert all(name.endswith(".tmp") for name in files(tmp_path / "moves"))
        with writer.batch() as batch:
            batch.add_unit(made)
    assert files(Layout.of(tmp_path).partitions("passes")) == ["000000002.parquet"]


def test_the_digest_and_record_decide_even_if_the_reading_changed(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        add(writer, Found("a read as another variant"))
    assert rows(tmp_path, "SELECT id, digest FROM sightings") == [(game_id("a"), digest("a.blksgf"))]


def streamed(writer: Writer, *found: Found) -> Batch:
    """Import the records with a stand-in for the digest of their source, which is resolved at the end."""
    with writer.batch() as batch:
        batch.add_unit(unit(writer, [replace(one, source="stand-in") for one in found]))
        batch.resolve_digest(digest("stand-in"), found[0].digest)
    return batch


def test_a_digest_may_come_at_the_end(tmp_path: Path) -> None:
    found = Found("a"), Found("b", record=2, illegal=True), Found(None, record=3)
    with open_writer(tmp_path) as writer:
        first = streamed(writer, *found)
        with writer.batch() as second:
            second.add_unit(unit(writer, found))
        third = streamed(writer, *found, Found("c", record=4))
    assert first.counts == Counts(
        games=3, stored=2, refused=1, illegal=1, quarantined=2, sightings=2, plies=6
    )
    assert second.counts == Counts(games=3, duplicates=2, refused=1, quarantined=1)
    assert third.counts == Counts(
        games=4, stored=1, duplicates=2, refused=1, quarantined=1, sightings=1, plies=3
    )
    assert rows(tmp_path, "SELECT DISTINCT digest FROM sightings") == [(digest("a.blksgf"),)]
    assert rows(tmp_path, "SELECT digest, count(*) FROM quarantine GROUP BY 1") == [(digest("a.blksgf"), 2)]


def test_known_bytes_read_otherwise_add_nothing_even_if_that_shows_at_the_end(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"), Found("b", record=2))
        other = (
            Found("a otherwise", illegal=True, plies=2),
            Found("b otherwise", record=2),
            Found("c", record=3),
        )
        batch = streamed(writer, *other)
    assert batch.counts == Counts(games=3, stored=1, duplicates=2, sightings=1, plies=3)
    assert rows(tmp_path, "SELECT id FROM games ORDER BY game_no") == [(game_id(name),) for name in "abc"]
    assert rows(tmp_path, "SELECT count(*), (SELECT count(*) FROM quarantine) FROM moves") == [(9, 0)]


def test_one_source_streamed_twice_in_a_batch_is_seen_once(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, writer.batch() as batch:
        for stand_in in ("one", "two"):
            batch.add_unit(unit(writer, [Found("a", source=stand_in), Found("b", source=stand_in, record=2)]))
        for stand_in in ("one", "two"):
            batch.resolve_digest(digest(stand_in), digest("true"))
    assert batch.counts == Counts(games=4, stored=2, duplicates=2, sightings=2, plies=6)
    assert rows(tmp_path, "SELECT count(*) FROM sightings") == [(2,)]
