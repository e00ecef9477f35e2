"""Report O-C2, the side of the statistics: games without moves, and values that are zero."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from pipeline.contests import ContestFilter
from pipeline.game_selection import Selection
from pipeline.ingest import import_paths
from pipeline.openings.explorer import explore
from pipeline.openings.positions import start_spot
from pipeline.piece_statistics import piece_statistics
from pipeline.players.players import head_to_head, list_players
from pipeline.queries import GameFilter, game, list_games
from pipeline.seat_statistics import baseline, seat_statistics
from pipeline.store import Reader, open_reader
from tests import records

EMPTY = "(;GM[Blokus Duo]PB[Ada]PW[Ben])"
ONE_MOVE = "(;GM[Blokus Duo]PB[Ada]PW[Ben];B[e10])"
DECIDED = records.O_A7.replace("CA[UTF-8]", "PB[Ada]PW[Ben]")
"""Ada wins by a point, so that Ben's result is a plain zero."""


def library(folder: Path, *texts: str) -> Reader:
    for number, text in enumerate(texts):
        (folder / f"{number}.blksgf").write_text(text)
    import_paths(folder / "L", [str(folder / f"{number}.blksgf") for number in range(len(texts))], jobs=1)
    return open_reader(folder / "L")


def strict(value: Any) -> None:
    """JSON that any reader takes: no NaN, no infinity."""
    json.dumps(value, allow_nan=False)


def test_games_without_results_leave_no_nan(tmp_path: Path) -> None:
    reader = library(tmp_path, EMPTY, ONE_MOVE)
    seats = seat_statistics(reader, Selection("duo"))
    assert (seats.seats, seats.colours, seats.lengths, seats.left_out) == ([], [], [], 2)
    pieces = piece_statistics(reader, Selection("duo"))
    assert pieces.games == 0 and {row["left_rate"] for row in pieces.pieces} == {None}
    assert all(row["share_correlation"] is None and row["share_correlation_reason"] for row in pieces.pieces)
    guess = baseline(reader, "duo")
    assert guess.accuracy is None and guess.reason
    found = explore(reader, start_spot("duo"), Selection("duo", flawed=True))
    assert (found.games, found.ended) == (2, {"unfinished": 1})
    (row,) = found.moves
    assert (row["games"], row["results"], row["share"], row["score"]) == (1, 0, None, None)
    assert row["share_reason"] and row["score_reason"]
    assert list_players(reader, ContestFilter()).rows == []
    for answer in (asdict(seats), asdict(pieces), asdict(guess), {**vars(found), "spot": None}):
        strict(answer)


def test_an_empty_game_has_all_points_left_and_no_winner(tmp_path: Path) -> None:
    reader = library(tmp_path, EMPTY, ONE_MOVE)
    ids = {row["plies"]: row["id"] for row in list_games(reader, GameFilter()).rows}
    for plies, points in ((0, [-89, -89]), (1, [-88, -89])):
        view = game(reader, ids[plies])
        assert view.scores["board"]["seats"] == points
        assert view.game["outcome"] is None
        assert {(seat["place"], seat["share"]) for seat in view.seats} == {(None, None)}


def test_a_zero_is_a_value_and_counts_in_means(tmp_path: Path) -> None:
    reader = library(tmp_path, EMPTY, DECIDED)
    players = {row["player"]: row for row in list_players(reader, ContestFilter()).rows}
    assert players["Ben"]["share"] == 0.0 and players["Ada"]["share"] == 1.0
    assert players["Ben"]["games"] == 1 and players["Ben"]["share_low"] == pytest.approx(0.0, abs=1e-12)
    shares = [row["share"] for row in seat_statistics(reader, Selection()).seats]
    assert shares == [1.0, 0.0] and sum(shares) / len(shares) == 0.5
    against = head_to_head(reader, "Ben", "Ada", ContestFilter()).total
    assert (against["share"], against["wins"], against["losses"]) == (0.0, 0, 1)
    strict([players, against])
