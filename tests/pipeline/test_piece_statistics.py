"""Pieces, seats and shapes against sums over the stored rows."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from engine.symmetries import own_symmetries
from engine.variants import variant
from pipeline.errors import PipelineError
from pipeline.game_selection import Selection
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.openings.explorer import explore
from pipeline.openings.names import names_at
from pipeline.openings.positions import spot_of_moves
from pipeline.openings.shapes import first_shapes
from pipeline.piece_statistics import piece_statistics, spearman
from pipeline.seat_statistics import baseline, seat_statistics
from pipeline.store import Reader, open_reader

VARIANTS = ("duo", "junior", "classic_3")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder = tmp_path_factory.mktemp("pieces")
    for name in VARIANTS:
        write_archive(folder / f"{name}.blksgf", name, 25, 4, {})
    (folder / "bad.blksgf").write_text("(;GM[Blokus Duo];B[e10];W[j5];B[e10])(;GM[Blokus Duo])")
    import_paths(folder / "L", [str(p) for p in folder.glob("*.blksgf")], jobs=1)
    return open_reader(folder / "L")


def finite(value: object) -> None:
    """JSON takes it, and there is no NaN in it."""
    json.dumps(value, allow_nan=False)


def shares(reader: Reader, variant_id: str) -> dict[tuple[int, int], float]:
    """Share by game and colour; a shared colour has none."""
    rows = reader.table(
        "SELECT c.game_no, c.colour, s.share FROM colours c JOIN games g USING (game_no) "
        "JOIN seats s ON s.game_no = c.game_no AND s.seat = c.seat WHERE g.variant = ? AND NOT g.illegal",
        [variant_id],
    ).to_pylist()
    return {(row["game_no"], row["colour"]): row["share"] for row in rows if row["share"] is not None}


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_first_pieces_and_rounds(reader: Reader, variant_id: str) -> None:
    found = piece_statistics(reader, Selection(variant_id))
    finite(found.first)
    finite(found.pieces)
    moves = reader.table(
        "SELECT m.game_no, m.colour, m.piece::VARCHAR AS piece, m.round FROM moves m JOIN games g USING (game_no) "
        "WHERE g.variant = ? AND NOT g.illegal ORDER BY m.game_no, m.ply",
        [variant_id],
    ).to_pylist()
    share = shares(reader, variant_id)
    first: dict[tuple[int, int], str] = {}
    rounds: dict[str, list[int]] = defaultdict(list)
    for move in moves:
        first.setdefault((move["game_no"], move["colour"]), move["piece"])
        rounds[move["piece"]].append(move["round"])
    assert (found.games, found.colours) == (25, len(first))
    assert found.left_out == (2 if variant_id == "duo" else 0)
    twin: dict[tuple[int, str], list[float | None]] = defaultdict(list)
    for key, piece in first.items():
        twin[key[1], piece].append(share.get(key))
    assert {(row["colour"], row["piece"]): row["games"] for row in found.first} == {
        key: len(values) for key, values in twin.items()
    }
    for row in found.first:
        known = [x for x in twin[row["colour"], row["piece"]] if x is not None]
        assert row["results"] == len(known)
        assert row["share"] == (pytest.approx(np.mean(known)) if known else None)
    for row in found.pieces:
        here = rounds[row["piece"]]
        assert row["placed"] == len(here) == sum(found.order[row["piece"]])
        assert row["round"] == pytest.approx(np.mean(here))
        assert row["round_quartiles"][1] == sorted(here)[math.ceil(len(here) / 2) - 1]
        copies = 2 if variant_id == "junior" else 1
        assert row["placed"] + row["left"] == copies * found.colours


def test_correlations_are_spearmans(reader: Reader) -> None:
    found = {row["piece"]: row for row in piece_statistics(reader, Selection("duo")).pieces}
    share = shares(reader, "duo")
    moves = reader.table(
        "SELECT game_no, colour, round FROM moves WHERE piece::VARCHAR = 'F' ORDER BY game_no, colour"
    ).to_pylist()
    pairs = [
        (m["round"], share[m["game_no"], m["colour"]]) for m in moves if (m["game_no"], m["colour"]) in share
    ]
    x, y = (np.array([sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values])
            for values in zip(*pairs, strict=True))  # fmt: skip
    row = found["F"]
    assert row["share_n"] == len(pairs)
    assert row["share_correlation"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert row["share_correlation_low"] < row["share_correlation"] < row["share_correlation_high"]


def test_correlations_that_mean_nothing_have_a_reason() -> None:
    assert spearman(np.array([[1, 1]]), 2)["correlation_reason"] == "fewer than four games"
    assert spearman(np.array([[5, 5]]), 10)["correlation_reason"] == "all values are alike"
    assert spearman(np.array([[5, 0], [0, 5]]), 10)["correlation"] == pytest.approx(1)
    assert spearman(np.zeros((0, 0), np.int64), 0)["correlation"] is None


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_seats_and_lengths(reader: Reader, variant_id: str) -> None:
    found = seat_statistics(reader, Selection(variant_id))
    finite([found.seats, found.colours, found.lengths])
    facts = reader.table(
        "SELECT s.seat, avg(s.share) AS share, avg(p.points) AS score, count(*) AS n, "
        "count(*) FILTER (g.outcome = 'win' AND list_contains(g.winners, s.seat)) AS wins "
        "FROM seats s JOIN games g USING (game_no) JOIN seat_scores p USING (game_no, seat) "
        "WHERE g.variant = $v AND NOT g.illegal AND NOT g.empty AND p.scoring = $scoring GROUP BY 1 ORDER BY 1",
        {"v": variant_id, "scoring": variant(variant_id).scoring},
    ).to_pylist()
    assert [(row["seat"], row["games"], row["wins"]) for row in found.seats] == [
        (fact["seat"], fact["n"], fact["wins"]) for fact in facts
    ]
    for row, fact in zip(found.seats, facts, strict=True):
        assert row["share"] == pytest.approx(fact["share"]) and row["score"] == pytest.approx(fact["score"])
        assert row["wins"] + row["draws"] + row["losses"] == row["games"]
    assert sum(row["share"] for row in found.seats) == pytest.approx(len(found.seats) / 2)
    (length,) = found.lengths
    assert length["games"] == 25 and length["turns"] == pytest.approx(length["plies"] + length["passes"])
    assert found.colours[-1]["share"] is None or variant_id != "classic_3"
    assert len(found.colours) == len(variant(variant_id).colours)


def test_the_baseline_is_what_a_constant_guess_achieves(reader: Reader) -> None:
    found = baseline(reader, "duo")
    winners = reader.table(
        "SELECT winners FROM games WHERE variant = 'duo' AND NOT illegal AND NOT empty"
    ).to_pylist()
    right = [
        sum((seat in row["winners"]) / len(row["winners"]) for row in winners) / len(winners)
        for seat in (1, 2)
    ]
    assert found.accuracy == pytest.approx(max(right))
    assert found.guess == 1 + right.index(max(right))
    assert found.low is not None and found.high is not None and found.low < found.accuracy < found.high
    nothing = baseline(reader, "trigon")
    assert (nothing.games, nothing.accuracy, nothing.reason) == (0, None, "no game has a result")
    assert baseline(reader, "duo", {"start": "marked"}).games == 0


def test_shapes_of_first_pieces(reader: Reader) -> None:
    rows = first_shapes(reader, Selection("classic_3"))
    firsts = reader.table(
        "SELECT m.colour, m.move::VARCHAR AS move FROM moves m JOIN games g USING (game_no) "
        "WHERE g.variant = 'classic_3' AND m.ply <= 4"
    ).to_pylist()
    from engine.boards import cells_by_name

    by_name = cells_by_name("square20")
    twin: dict[tuple[int, tuple[int, ...]], int] = defaultdict(int)
    for first in firsts:
        images = own_symmetries("classic_3", "assigned", first["colour"] - 1).tolist()
        cells = [by_name[n] for n in first["move"].split(",")]
        twin[first["colour"], min(tuple(sorted(image[c] for c in cells)) for image in images)] += 1
    mine = {
        (row["colour"], tuple(sorted(by_name[n] for n in row["move"].split(",")))): row["games"]
        for row in rows
    }
    assert mine == twin
    finite(rows)


def test_nothing_matches(reader: Reader) -> None:
    nobody = Selection("duo", players=("Nobody",))
    found = piece_statistics(reader, nobody)
    assert (found.games, found.first) == (0, [])
    assert {row["round_reason"] for row in found.pieces} == {"never placed"}
    finite(found.pieces)
    seats = seat_statistics(reader, nobody)
    assert (seats.seats, seats.colours, seats.lengths) == ([], [], [])
    with pytest.raises(PipelineError, match="unknown scoring"):
        piece_statistics(reader, Selection("duo"), "points")


def test_names_of_openings() -> None:
    line = ["f9,e10,f10,g10,f11", "i4,h5,i5,j5,i6", "h7,g8,h8,h9,i9", "f5,e6,f6,g6,e7"]
    names = {(row["name"], row["by"]) for row in names_at(spot_of_moves("duo", {}, line))}
    assert names == {("XF Rubik", "cells"), ("XF", "pieces")}
    assert {row["name"] for row in names_at(spot_of_moves("duo", {}, line[:3]))} == {"XF"}
    assert names_at(spot_of_moves("duo", {}, [])) == []


def test_a_move_that_completes_an_opening_is_named(tmp_path: Path) -> None:
    text = "(;GM[Blokus Duo];B[f9,e10,f10,g10,f11];W[i4,h5,i5,j5,i6];B[h7,g8,h8,h9,i9])"
    (tmp_path / "a.blksgf").write_text(text)
    import_paths(tmp_path / "L", [str(tmp_path / "a.blksgf")], jobs=1)
    spot = spot_of_moves("duo", {}, ["f9,e10,f10,g10,f11", "i4,h5,i5,j5,i6"])
    (row,) = explore(open_reader(tmp_path / "L"), spot, Selection("duo", flawed=True)).moves
    assert (row["piece"], row["opening"]) == ("F", "XF")
