"""Taking a batch back."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import BatchUndone, NoSuchBatch
from pipeline.store import check_library, open_reader, open_writer
from tests.pipeline.factory import Found, add, digest, files, game_id, unit


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    with open_reader(folder) as reader:
        assert check_library(reader) == []
        return [tuple(row.values()) for row in reader.table(question).to_pylist()]


def test_undo_takes_games_moves_and_problems_away(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"), Found("b", record=2, illegal=True), Found(None, record=3))
        add(writer, Found("c", source="other"))
        result = writer.undo(1)
    assert (result.games_removed, result.games_kept, result.sightings_removed) == (2, 0, 2)
    assert result.quarantine_removed == 2
    assert rows(tmp_path, "SELECT id FROM games") == [(game_id("c"),)]
    assert rows(tmp_path, "SELECT count(*), (SELECT count(*) FROM quarantine) FROM moves") == [(3, 0)]
    assert rows(tmp_path, "SELECT batch, undone IS NOT NULL FROM batches ORDER BY batch") == [
        (1, True),
        (2, False),
    ]


def test_a_game_that_another_batch_has_seen_stays_with_the_next_sighting(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a", illegal=True), Found("b", record=2))
        copy = Found("a", source="copy", date="2021-03-04", players=("Cid", "Dora"), illegal=True)
        add(writer, copy)
        add(writer, Found("a", source="third", date="2022-01-01", illegal=True))
        result = writer.undo(1)
    assert (result.games_removed, result.games_kept) == (1, 1)
    assert rows(tmp_path, "SELECT date, event, players, sightings FROM games_view") == [
        ("2021-03-04", "Cup of 2021", ["Cid", "Dora"], 2)
    ]
    assert rows(tmp_path, "SELECT source, batch FROM quarantine") == [("copy", 2)]
    assert rows(tmp_path, "SELECT count(*) FROM moves") == [(3,)]


def test_undoing_a_later_sighting_changes_nothing_about_the_game(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        add(writer, Found("a", source="copy", date="2021-03-04"))
        result = writer.undo(2)
    assert (result.games_removed, result.games_kept, result.sightings_removed) == (0, 1, 1)
    assert rows(tmp_path, "SELECT date, sightings FROM games_view") == [("2020-01-02", 1)]


def test_games_whose_next_sighting_states_other_rules_are_named(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        add(
            writer,
            Found("a", source="copy", rules='{"start": "marked"}'),
            Found("b", source="copy", record=2),
        )
        assert writer.undo(1).other_rules == [game_id("a")]


def test_an_undone_import_can_be_done_again(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"), Found(None, record=2))
        writer.undo(1)
        assert add(writer, Found("a"), Found(None, record=2)) == 2
    assert rows(tmp_path, "SELECT count(*), (SELECT count(*) FROM quarantine) FROM games") == [(1, 1)]


def test_an_unknown_batch_lists_the_last_ones(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        with pytest.raises(NoSuchBatch, match="there is no batch 1; the library has none yet"):
            writer.undo(1)
        for number in range(7):
            add(writer, Found(str(number), source=str(number)))
        with pytest.raises(
            NoSuchBatch, match=r"there is no batch 9; the last are 7 \(.*, 1 games\), 6 .*3 \("
        ):
            writer.undo(9)


def test_undoing_twice_says_so(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        writer.undo(1)
        with pytest.raises(BatchUndone, match="batch 1 was taken back before, on 20"):
            writer.undo(1)


def test_the_same_bytes_in_another_batch_hold_games_and_problems(tmp_path: Path) -> None:
    found = (Found("a"), Found("b", record=2, illegal=True), Found(None, record=3))
    with open_writer(tmp_path) as writer:
        add(writer, *found, Found("mine", source="mine", record=1))
        add(writer, *found, *found)  # twice in one import is one repeat
        add(writer, *found)
        assert rows(tmp_path, "FROM repeats ORDER BY ALL") == [(2, found[0].digest), (3, found[0].digest)]
        first = writer.undo(1)
        assert (first.games_removed, first.games_kept, first.sightings_removed) == (1, 2, 1)
        assert first.quarantine_removed == 0
        assert rows(tmp_path, "SELECT DISTINCT batch FROM sightings") == [(2,)]
        assert rows(tmp_path, "SELECT batch, count(*) FROM quarantine GROUP BY 1") == [(2, 2)]
        assert writer.undo(3).games_removed == 0
        last = writer.undo(2)
    assert (last.games_removed, last.games_kept, last.quarantine_removed) == (2, 0, 2)
    assert rows(tmp_path, "SELECT count(*) FROM moves") == [(0,)]


def test_bytes_that_no_batch_in_force_repeats_hold_nothing(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        add(writer, Found("a"))
        writer.undo(2)
        assert writer.undo(1).games_removed == 1
    assert rows(tmp_path, "FROM repeats") == []


def test_bytes_of_a_stream_that_were_there_hold_games_too(tmp_path: Path) -> None:
    source = Found("a")
    with open_writer(tmp_path) as writer:
        add(writer, source)
        with writer.batch("test") as batch:
            batch.add_unit(unit(writer, [Found("a", source="stream")]))
            batch.resolve_digest(digest("stream"), source.digest)
        assert writer.undo(1).games_kept == 1
    assert rows(tmp_path, "SELECT batch FROM sightings") == [(2,)]


def test_undo_of_an_empty_batch_rewrites_no_partition(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        add(writer, Found("a"))
        writer.undo(2)
    assert files(tmp_path / "moves") == ["000000001.parquet"]
