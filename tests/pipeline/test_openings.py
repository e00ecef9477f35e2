"""The opening explorer, against its twin, and the reports of other explorers' users."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from engine.boards import cells_by_name
from engine.errors import RuleError
from engine.position_keys import key_of_text
from engine.symmetries import automorphisms
from engine.variants import VARIANTS, variant
from pipeline.errors import LibraryError, NotThere, PipelineError
from pipeline.game_selection import Selection
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.openings.explorer import Explored, explore
from pipeline.openings.positions import (
    Spot,
    spot_of_game,
    spot_of_key,
    spot_of_moves,
    spot_of_text,
    start_spot,
)
from pipeline.store import Reader, open_reader, open_writer
from tests import naive_openings as naive
from tests.places import archives

G1 = "B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[d8,d9];W[g8];B[h9,i9,h10,h11];W[k3,k4]"
G2 = "B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,h11];W[g8];B[d8,d9];W[k4,l4]"
G4 = "B[c8,c9,d9,d10,e10];W[i5,j5,h6,i6,h7];B[f11,g11];W[g8];B[f6,d7,e7,f7];W[k4,l4]"
"""Report O-C1; G3 is a different game with the moves of G1: one more passes a turn, unforced."""


MOST = 25
"""Positions that are compared with the twin at most: each replays all games there."""


def library(folder: Path, *texts: str) -> Reader:
    for number, text in enumerate(texts):
        (folder / f"{number}.blksgf").write_text(text)
    import_paths(folder / "L", [str(folder / f"{n}.blksgf") for n in range(len(texts))], jobs=1)
    return open_reader(folder / "L")


def counts(found: Explored) -> dict[str, tuple[int, int]]:
    return {row["move"]: (row["games"], row["reached"]) for row in found.moves}


ALL = Selection("duo", flawed=True)


@pytest.fixture
def report(tmp_path: Path) -> Reader:
    """The four games of the report; a fifth move tells G3 from G1."""
    games = [f"(;GM[Blokus Duo];{moves})" for moves in (G1, G1 + ";B[n14]", G2, G4)]
    return library(tmp_path, *games)


def moves_of(text: str, plies: int) -> list[str]:
    return [part.split("[")[1].rstrip("]") for part in text.split(";")[:plies]]


def test_played_here_and_reached_are_two_numbers(report: Reader) -> None:
    spot = spot_of_moves("duo", {}, moves_of(G1, 4))
    found = explore(report, spot, ALL)
    assert found.games == 2
    assert counts(found) == {"h9,i9,h10,h11": (2, 3)}
    after = explore(report, spot_of_moves("duo", {}, moves_of(G1, 5)), ALL)
    assert (after.games, counts(after)) == (3, {"k3,k4": (2, 2), "k4,l4": (1, 1)})


def test_merged_images_count_as_one_and_moves_are_mapped_back(report: Reader) -> None:
    raw, merged = (explore(report, start_spot("duo"), ALL, merged=m) for m in (False, True))
    assert sorted(row["games"] for row in raw.moves) == [1, 3]
    assert [row["games"] for row in merged.moves] == [4]
    assert (raw.games, merged.games) == (4, 4)
    found = explore(report, spot_of_moves("duo", {}, moves_of(G1, 5)), ALL, merged=True)
    assert (found.games, found.symmetries) == (4, 2)
    assert counts(found) == {"k3,k4": (3, 3), "k4,l4": (1, 1)}
    from_g4 = explore(report, spot_of_moves("duo", {}, moves_of(G4, 5)), ALL, merged=True)
    assert counts(from_g4) == {"k4,l4": (3, 3), "k3,k4": (1, 1)}


def test_merged_first_moves_of_duo_are_212_at_most(tmp_path: Path) -> None:
    from engine.position import Position
    from notation.blksgf_write import write
    from notation.moves import move_from_cells
    from notation.record import GameRecord

    texts = []
    for _, cells in Position("duo").legal_moves(0):
        texts.append(write(GameRecord("duo", "blksgf", events=[move_from_cells("duo", 0, cells)])))
    reader = library(tmp_path, "".join(texts))
    raw, merged = (explore(reader, start_spot("duo"), ALL, merged=m) for m in (False, True))
    assert (raw.total_moves, merged.total_moves) == (414, 212)
    assert [row["games"] for row in merged.moves].count(1) == 10


@pytest.mark.parametrize("variant_id", ["duo", "junior", "trigon_3", "classic"])
@pytest.mark.parametrize("merged", [False, True])
def test_transpositions_against_the_twin(tmp_path: Path, variant_id: str, merged: bool) -> None:
    symmetries = automorphisms(variant_id, variant(variant_id).start)
    reader = library(
        tmp_path,
        naive.alike(variant_id, 7, 30, 8 if len(variant(variant_id).colours) < 4 else 14, symmetries),
    )
    used = symmetries.tolist() if merged else symmetries.tolist()[:1]
    assert same_as_twin(reader, variant_id, Selection(variant_id, flawed=True), used, merged) > 10


@pytest.mark.parametrize("variant_id", ["duo", "junior", "classic_2", "trigon_3"])
def test_finished_games_against_the_twin(tmp_path: Path, variant_id: str) -> None:
    path = tmp_path / "games.blksgf"
    write_archive(path, variant_id, 20, 3, {})
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    reader = open_reader(tmp_path / "L")
    symmetries = automorphisms(variant_id, variant(variant_id).start).tolist()
    for merged in (False, True):
        used = symmetries if merged else symmetries[:1]
        assert same_as_twin(reader, variant_id, Selection(variant_id), used, merged, every=11) > 10


def same_as_twin(
    reader: Reader,
    variant_id: str,
    wanted: Selection,
    symmetries: list[list[int]],
    merged: bool,
    every: int = 1,
) -> int:
    """Compare every so many positions of the library; returns how many."""
    games = naive.games_of(reader, variant_id)
    seen: set[naive.Where] = set()
    compared = 0
    for game in games:
        for ply, where in enumerate(game.positions):
            if where in seen:
                continue
            seen.add(where)
            if len(seen) % every and ply > 3:
                continue
            compared += 1
            if compared > MOST:
                return MOST
            spot = spot_of_game(reader, game.id, ply)
            found = explore(reader, spot, wanted, merged=merged)
            twin = naive.explored(games, where, symmetries)
            assert (found.games, sum(found.ended.values())) == (twin["games"], twin["ended"])
            by_name = cells_by_name(variant(variant_id).board)
            mine = {
                (row["colour"] - 1, tuple(sorted(by_name[n] for n in row["move"].split(",")))): row
                for row in found.moves
            }
            assert mine.keys() == twin["moves"].keys()
            for move, (n, share) in twin["moves"].items():
                assert mine[move]["games"] == n
                assert mine[move]["share"] == (None if share is None else pytest.approx(share))
                # No rule lets one board have two colours to move here.
                assert mine[move]["reached"] == naive.with_position(games, where, move, symmetries)
    return compared


def reconciles(reader: Reader, wanted: Selection, total: int) -> int:
    """Follow all shared positions from the start down: parents and children add up; returns how many there are."""
    assert wanted.variant is not None
    by_name = cells_by_name(variant(wanted.variant).board)
    keys = {
        (row["id"], row["ply"]): key_of_text(row["key"])
        for row in reader.table(
            "SELECT id, ply, position_key AS key FROM moves JOIN games USING (game_no) WHERE variant = ?",
            [wanted.variant],
        ).to_pylist()
    }
    todo = [(start_spot(wanted.variant), total)]
    seen = {todo[0][0].key}
    while todo:
        spot, expected = todo.pop()
        found = explore(reader, spot, wanted)
        assert found.games == expected
        assert found.games == sum(row["games"] for row in found.moves) + sum(found.ended.values())
        for row in found.moves:
            assert row["reached"] >= row["games"] > 0
            board = spot.board.copy()
            board[[by_name[name] for name in row["move"].split(",")]] = row["colour"] - 1
            key = keys[row["sample_games"][0], spot.depth + 1]
            if row["reached"] > 1 and key not in seen:
                seen.add(key)
                todo.append((Spot(wanted.variant, board, key, spot.depth + 1), row["reached"]))
    return len(seen)


@pytest.mark.archives
def test_parents_and_children_reconcile_on_the_reference_games(tmp_path: Path) -> None:
    import_paths(tmp_path / "L", [str(archives("reference"))], jobs=1)
    reader = open_reader(tmp_path / "L")
    for variant_id in VARIANTS:
        total = reader.table("SELECT count(*) AS n FROM games WHERE variant = ?", [variant_id]).to_pylist()[
            0
        ]["n"]
        assert reconciles(reader, Selection(variant_id, flawed=True), total) == len(
            linked(reader, variant_id)
        )


def linked(reader: Reader, variant_id: str) -> set[str]:
    """Positions of several games that are reached from the start through such positions alone, and the start."""
    rows = reader.table(
        "SELECT game_no, position_key FROM moves JOIN games USING (game_no) WHERE variant = ? ORDER BY game_no, ply",
        [variant_id],
    ).to_pylist()
    counts = Counter(row["position_key"] for row in rows)
    after: dict[str, set[str]] = defaultdict(set)
    for before, key in pairwise_of(rows):
        after[before or "start"].add(key)
    found, todo = {"start"}, ["start"]
    while todo:
        new = {key for key in after[todo.pop()] if counts[key] > 1} - found
        found |= new
        todo += new
    return found


def pairwise_of(rows: list[dict[str, str]]) -> list[tuple[str | None, str]]:
    """Keys of positions that follow one another; None before a game's first."""
    keys = [None, *(row["position_key"] for row in rows)]
    games = [None, *(row["game_no"] for row in rows)]
    return [
        (keys[i] if games[i] == games[i + 1] else None, row["position_key"]) for i, row in enumerate(rows)
    ]


def test_filters(tmp_path: Path) -> None:
    tail = ";B[e10];W[j5]"
    reader = library(
        tmp_path,
        f"(;GM[Blokus Duo]PB[Ada]PW[Ben]DT[2020-05-01]{tail})",
        f"(;GM[Blokus Duo]PB[Ben]PW[Ada]DT[2021]{tail};B[f9])",
        f"(;GM[Blokus Duo]PB[Cleo]PW[Dan]{tail};B[d9])",
    )

    def games(**filters: object) -> int:
        return explore(reader, start_spot("duo"), Selection("duo", flawed=True, **filters)).games  # type: ignore[arg-type]

    assert games() == 3
    assert games(players=("ada",)) == 2
    assert games(players=("Ada",), seat=1) == games(players=("Ada", "Ben"), seat=1) == 1
    assert games(since="2021") == games(until="2020") == 1
    assert games(source="2.blks") == 1
    assert games(rules={}) == 3 and games(rules={"start": "marked"}) == 0
    assert games(players=("Nobody",)) == 0
    with pytest.raises(PipelineError, match="name one"):
        games(seat=1)
    with pytest.raises(PipelineError, match="no ratings"):
        games(ratings=(20.0, None))
    with pytest.raises(RuleError):
        games(rules={"start": "any_where"})
    rated = explore(reader, start_spot("duo"), ALL, ratings={"Ada": 30.0, "Ben": 20.0})
    assert rated.moves[0]["average_rating"] == 25.0
    strong = Selection("duo", flawed=True, ratings=(24.0, 26.0))
    assert explore(reader, start_spot("duo"), strong, ratings={"Ada": 30.0, "Ben": 20.0}).games == 2


def test_flawed_games_are_left_out_and_counted(tmp_path: Path) -> None:
    illegal = "(;GM[Blokus Duo];B[e10];W[j5];B[e10])"
    reader = library(tmp_path, illegal, "(;GM[Blokus Duo];B[e10,e11];W[j5])", "(;GM[Blokus Duo])")
    found = explore(reader, start_spot("duo"))
    assert (found.games, found.left_out, found.moves) == (0, 3, [])
    every = explore(reader, start_spot("duo"), ALL)
    assert (every.games, every.ended) == (3, {"unfinished": 1})
    assert {row["share_reason"] for row in every.moves} == {"no game with this move has a result"}
    end = explore(reader, spot_of_moves("duo", {}, ["e10", "j5"]), ALL)
    assert (end.games, end.ended) == (1, {"illegal": 1})


def test_one_game_has_no_interval_of_its_score(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    write_archive(path, "duo", 1, 3, {})
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    (row,) = explore(open_reader(tmp_path / "L"), start_spot("duo")).moves
    assert row["results"] == 1 and row["score"] is not None
    assert (row["score_low"], row["score_reason"]) == (None, "one game has no interval")
    assert all(not isinstance(x, float) or math.isfinite(x) for x in row.values())


def test_games_that_begin_from_a_setup(tmp_path: Path) -> None:
    setup = "AB[e10,e11]AW[j5,j6]"
    moves = ";B[f9];W[i7]"
    reader = library(
        tmp_path, f"(;GM[Blokus Duo]{setup}{moves})", "(;GM[Blokus Duo];B[e10,e11];W[j5,j6];B[f9];W[k7])"
    )
    text = "cw1.duo.___4A_4A____9B_9B"
    spot = spot_of_text(text, {})
    found = explore(reader, spot, ALL)
    assert (found.games, counts(found)) == (2, {"f9": (2, 2)})
    assert explore(reader, start_spot("duo"), ALL).games == 1
    game = reader.table("SELECT id FROM games WHERE setup IS NOT NULL").to_pylist()[0]["id"]
    assert spot_of_game(reader, game, 0).key == spot.key
    assert spot_of_game(reader, game, 1).key == spot_of_moves("duo", {}, ["e10,e11", "j5,j6", "f9"]).key


def test_positions_behind_the_index_are_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.blksgf"
    write_archive(path, "duo", 8, 3, {})
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    reader = open_reader(tmp_path / "L")
    game = reader.table("SELECT id, plies FROM games ORDER BY game_no LIMIT 1").to_pylist()[0]
    spots = [spot_of_game(reader, game["id"], ply) for ply in range(1, game["plies"] + 1)]
    before = [explore(reader, spot) for spot in spots]
    assert game["plies"] > 24
    assert before[-1].ended == {"finished": 1}
    monkeypatch.setattr("pipeline.openings.questions.INDEXED_DEPTH", 0)
    after = [explore(reader, spot) for spot in spots]
    assert [x.moves for x in before] == [x.moves for x in after]
    assert [x.ended for x in before] == [x.ended for x in after]


def test_positions_by_key(report: Reader) -> None:
    spot = spot_of_moves("duo", {}, moves_of(G1, 3))
    found = spot_of_key(report, spot.text.upper())
    assert (found.key, found.depth, found.board.tolist()) == (spot.key, 3, spot.board.tolist())
    assert found.rest is not None and found.rest.to_move == 1
    assert spot_of_key(report, start_spot("duo").text, "duo").depth == 0
    for text, message in (("f" * 32, "no game of the library"), ("xyz", "no position key")):
        with pytest.raises(NotThere, match=message):
            spot_of_key(report, text)


def test_moves_that_cannot_be(report: Reader) -> None:
    with pytest.raises(NotThere, match=r"move 2, e10: .*taken|move 2, e10"):
        spot_of_moves("duo", {}, ["e10", "e10"])
    with pytest.raises(NotThere, match="move 1, zz9"):
        spot_of_moves("duo", {}, ["zz9"])


def test_other_start_rules_are_not_merged(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    reader = library(tmp_path, "(;GM[Blokus Duo];B[e10])")
    from pipeline.judged import RuleChoice
    from pipeline.unit import Reading

    (tmp_path / "m.blksgf").write_text("(;GM[Blokus Duo];B[j5];W[e10])")
    import_paths(
        tmp_path / "L", [str(tmp_path / "m.blksgf")], Reading(rules=RuleChoice({"start": "marked"})), jobs=1
    )
    assert explore(reader, start_spot("duo"), ALL).games == 2
    merged = explore(reader, start_spot("duo"), ALL, merged=True)
    assert (merged.games, merged.other_start_rule) == (1, 1)
    marked = explore(reader, start_spot("duo"), ALL, merged=True, start="marked")
    assert (marked.games, marked.other_start_rule) == (1, 1)
    assert [row["move"] for row in marked.moves] == ["j5"]


def test_a_library_without_index_says_so(tmp_path: Path) -> None:
    reader = library(tmp_path, "(;GM[Blokus Duo];B[e10])")
    with open_writer(tmp_path / "L") as writer:
        catalogue = writer._catalogue
        catalogue.connection.execute("DELETE FROM partitions WHERE kind IN ('openings', 'orders')")
        state = catalogue.state()
        catalogue.advance(state.next_unit, state.next_file)
        from pipeline.store import publish

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(publish, "update_indexes", lambda catalogue: None)
            writer.publish()
    with pytest.raises(LibraryError, match="no index of openings"):
        explore(reader, start_spot("duo"), ALL)
    open_writer(tmp_path / "L").close()
    assert explore(reader, start_spot("duo"), ALL).games == 1


def test_spots_of_different_variants_do_not_mix(tmp_path: Path) -> None:
    reader = library(tmp_path, "(;GM[Blokus];1[a20])", "(;GM[Blokus Two-Player];1[a20])")
    for name in ("classic", "classic_2"):
        found = explore(reader, start_spot(name), Selection(name, flawed=True))
        assert (found.games, counts(found)) == (1, {"a20": (1, 1)})
    assert isinstance(found.spot, Spot)
