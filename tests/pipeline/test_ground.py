"""Reach and corner liberties cell by cell agree with the measures, and the advice is counted by hand."""

import pytest

from pipeline import queries
from pipeline.advice import followed
from pipeline.game_board import board_at
from pipeline.ground import ground
from pipeline.ingest import import_paths
from pipeline.store import Reader, open_reader
from tests.places import REPOSITORY

GAMES = ("duo", "classic_3", "trigon_2", "junior")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    library = tmp_path_factory.mktemp("ground") / "library"
    names = [str(REPOSITORY / "data" / "games" / f"{name}.blksgf") for name in GAMES]
    import_paths(library, [*names, str(REPOSITORY / "data" / "faulty")], jobs=1)
    return open_reader(library)


def of(reader: Reader, test: str) -> str:
    rows = reader.table(f"SELECT id FROM games WHERE {test} ORDER BY game_no LIMIT 1")
    return str(rows["id"].to_pylist()[0])


@pytest.mark.parametrize("variant", GAMES)
def test_cells_are_as_many_as_the_measures_say(variant: str, reader: Reader) -> None:
    identity = of(reader, f"variant = '{variant}' AND NOT illegal")
    view, found = queries.game(reader, identity), ground(reader, identity)
    measures = found.measures
    assert found.plies == len(view.moves)
    for ply in range(0, found.plies + 1, 3):
        board = board_at(view, ply).board
        assert len(found.contested(ply)) == measures.contested[ply]
        assert len(found.dead(ply, board)) == measures.dead[ply]
        for colour in range(measures.mobility.shape[1]):
            live, closed = found.liberties(ply, colour, board)
            assert len(found.reach(ply, colour)) == measures.reach[ply, colour]
            assert len(found.exclusive(ply, colour)) == measures.exclusive[ply, colour]
            assert len(live) == measures.live_corner_liberties[ply, colour]
            assert len(live) + len(closed) == measures.corner_liberties[ply, colour]


def test_of_an_illegal_game_the_legal_part_is_measured(reader: Reader) -> None:
    identity = of(reader, "illegal AND plies > 5")
    assert ground(reader, identity).plies == len(queries.game(reader, identity).moves)


def test_the_advice_is_what_the_moves_say(reader: Reader) -> None:
    identity = of(reader, "variant = 'duo' AND NOT unfinished AND NOT illegal")
    view = queries.game(reader, identity)
    first, second = followed(view, ground(reader, identity))
    own = [move for move in view.moves if move["colour"] == 1]
    assert first.own_moves == len(own)
    assert first.early_cells == sum(move["move"].count(",") + 1 for move in own[:8])
    assert first.early_most == 40
    singles = [at for at, move in enumerate(own, 1) if move["piece"] == "1"]
    assert first.single_move == (singles[0] if singles else None)
    assert 0 <= (first.sides or 0) <= first.sectors == 4
    assert second.protected >= second.protected_left
    assert first.disputed_early is not None and 0 <= first.disputed_early <= 1
