"""Questions to a library: pages, filters, abbreviations, one game."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UnknownVariant
from engine.position import Position
from pipeline import queries
from pipeline.abbreviations import find_game, short_ids
from pipeline.errors import AmbiguousGame, NoIdentity, NoSuchGame, NotThere, PipelineError
from pipeline.game_board import board_at
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.positions import position_of_record
from pipeline.queries import GameFilter
from pipeline.store import Reader, open_reader, open_writer
from tests import records
from tests.pipeline.factory import Found, add
from tests.pipeline.factory import game_id as made_up_id


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """A library of made-up games, one a row."""
    with open_writer(tmp_path / "made") as writer:
        add(
            writer,
            Found("g1", date="2020-01-02", players=("Ada", "Ben")),
            Found("g2", record=2, date="2019-12-31", players=("Cleo", "ada lovely")),
            Found("g3", record=3, date="2020-06-01", players=("Dan", "Eve"), illegal=True),
        )
        add(
            writer,
            Found("g1", source="b.blksgf", players=("ADA B.", "Ben")),
            Found(None, source="c", record=9),
        )
    return open_reader(tmp_path / "made")


def ids(reader: Reader, wanted: GameFilter, **page: int) -> list[str]:
    return [row["id"] for row in queries.list_games(reader, wanted, **page).rows]


def test_lists_are_by_date_and_in_pages(reader: Reader) -> None:
    expected = [made_up_id(name) for name in ("g2", "g1", "g3")]
    assert ids(reader, GameFilter()) == expected
    assert ids(reader, GameFilter(), limit=1, offset=1) == expected[1:2]
    assert queries.list_games(reader, GameFilter(), limit=0).total == 3
    assert ids(reader, GameFilter(variant="classic")) == []


def test_a_player_is_found_by_any_sighting(reader: Reader) -> None:
    assert ids(reader, GameFilter(player="ADA b")) == [made_up_id("g1")]
    assert ids(reader, GameFilter(player="ada")) == [made_up_id("g2"), made_up_id("g1")]
    assert ids(reader, GameFilter(player="%")) == []


def test_dates(reader: Reader) -> None:
    assert ids(reader, GameFilter(since="2020", until="2020-01")) == [made_up_id("g1")]
    assert ids(reader, GameFilter(until="2019")) == [made_up_id("g2")]
    for text in ("tomorrow", "2020-02-30", "????"):
        with pytest.raises(PipelineError, match="since"):
            ids(reader, GameFilter(since=text))
    with pytest.raises(UnknownVariant):
        ids(reader, GameFilter(variant="go"))


def test_the_quarantine_by_batch(reader: Reader) -> None:
    page = queries.quarantine(reader)
    assert (page.total, [row["batch"] for row in page.rows]) == (2, [2, 1])
    (row,) = queries.quarantine(reader, batch=1).rows
    assert (row["ply"], row["code"], row["short"]) == (4, "occupied", made_up_id("g3")[:7])


def test_info_and_batches(reader: Reader) -> None:
    info = queries.info(reader)
    assert (info["games"], info["sightings"], info["quarantined"], info["batches"]) == (3, 4, 2, 2)
    assert info["quarantine_by_code"] == {"bad_record": 1, "occupied": 1}
    assert [row["batch"] for row in queries.batches(reader)] == [2, 1]
    assert len(queries.batches(reader, 1)) == 1


def test_abbreviations_are_as_long_as_they_must_be(tmp_path: Path) -> None:
    names = ["aaaaaaaab", "aaaaaaaac", "aaaaaab", "bbbbbbb"]
    with open_writer(tmp_path / "L") as writer:
        found = [Found(name, record=i + 1) for i, name in enumerate(names)]
        made = {made_up_id(name): name.ljust(32, "0") for name in names}
        add(writer, *found)
        for old, new in made.items():
            for table in ("games", "sightings"):
                writer._catalogue.connection.execute(f"UPDATE {table} SET id = ? WHERE id = ?", [new, old])
        writer._catalogue.advance(writer._next_unit, writer._catalogue.state().next_file)
        writer.publish()
    with open_reader(tmp_path / "L") as reader:
        full = [name.ljust(32, "0") for name in names]
        shorts = short_ids(reader, full[:3])
        assert shorts == {full[0]: "aaaaaaaab", full[1]: "aaaaaaaac", full[2]: "aaaaaab"}
        for name in names:
            assert find_game(reader, name) == find_game(reader, name.upper()) == name.ljust(32, "0")
        with pytest.raises(AmbiguousGame) as several:
            find_game(reader, "aaaaaaaa")
        assert several.value.candidates == full[:2]
        assert "aaaaaaaab  duo" in str(several.value)
        with pytest.raises(NoSuchGame, match="begin alike") as unknown:
            find_game(reader, "aaaaaacc")
        assert "aaaaaab" in str(unknown.value)
        for text in ("", "xyz!", "a" * 33, "aaa"):
            with pytest.raises(NoIdentity):
                find_game(reader, text)


@pytest.mark.parametrize("text", [records.O_A2_A, records.O_A7, records.O_A4_P, records.O_A8, records.O_B4])
def test_the_stored_board_is_the_engines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.blksgf"
    path.write_text(text)
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        view = queries.game(reader, ids(reader, GameFilter())[0])
    from tests.dashboards.running import record_of

    record = record_of(text)
    for ply in (0, 1, len(view.moves) // 2, len(view.moves)):
        ours, theirs = board_at(view, ply), position_of_record(record, RuleChoice(), ply).position
        assert ours.board.tolist() == theirs.board.tolist()
        assert ours.left == [theirs.pieces_left(c) for c in range(len(theirs.variant.colours))]
        assert isinstance(theirs, Position)
        if ply:
            assert view.moves[ply - 1]["position_key"] == theirs.key
    with pytest.raises(NotThere):
        board_at(view, len(view.moves) + 1)
    facts = {row["colour"] - 1: row["cells_placed"] for row in view.colours}
    assert facts == {c: f.cells_placed for c, f in enumerate(theirs.facts)}
