"""Measures of a player beside what is usual: against sums made by hand, out of the stored features."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from pipeline.errors import NoFeatures
from pipeline.features.compute import compute_features
from pipeline.players.measures import COMPARED, PlayerMeasures, player_measures
from pipeline.store import Reader, open_reader
from tests.pipeline.measured import generated, imported

NAME = "Ada"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve games of two, with the player in four of them, on either seat."""
    place = tmp_path_factory.mktemp("measures")
    games = [
        {**game, "players": [NAME, "Ben"] if at < 2 else ["Ben", NAME] if at < 4 else ["Cleo", "Dan"]}
        for at, game in enumerate(generated("duo", 12))
    ]
    library = imported(place, place / "L", games)
    compute_features(library, jobs=1)
    return library


@pytest.fixture(scope="module")
def found(folder: Path) -> PlayerMeasures:
    with open_reader(folder) as reader:
        return player_measures(reader, NAME, "duo")


def test_every_measure_of_every_phase_is_there(found: PlayerMeasures) -> None:
    assert (found.games, found.missing) == (4, 0)
    assert {row["measure"] for row in found.of()} == set(COMPARED)
    assert {row["phase"] for row in found.rows} == {None, "opening", "middle", "end"}
    strengths = [row["strength"] for row in found.of()]
    assert strengths == sorted(strengths, reverse=True)
    assert all(row["low"] <= row["strength"] <= row["high"] for row in found.of())


def _rows(reader: Reader, question: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = reader.table(question).to_pylist()
    return rows


def test_own_measures_are_those_by_hand(folder: Path, found: PlayerMeasures) -> None:
    with open_reader(folder) as reader:
        rows = _rows(
            reader, "SELECT game_no, ply, colour, player, locked_cells AS x FROM features WHERE ply > 0"
        )
    here = defaultdict(list)
    for row in rows:
        here[row["ply"], row["colour"]].append(row["x"])
    mine: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for row in rows:
        usual = here[row["ply"], row["colour"]]
        if row["player"] == NAME and len(usual) >= 5 and pstdev(usual) > 0:
            mine[row["game_no"]].append((row["x"], fmean(usual), pstdev(usual)))
    by_game = [tuple(map(fmean, zip(*values, strict=True))) for values in mine.values()]
    by_hand = fmean((x - usual) / spread for x, usual, spread in by_game)
    told = next(row for row in found.of() if row["measure"] == "locked_cells")
    assert told["strength"] == pytest.approx(-by_hand)  # less is better
    assert told["value"] == pytest.approx(fmean(x for x, _, _ in by_game))
    assert told["usual"] == pytest.approx(fmean(usual for _, usual, _ in by_game))


def test_what_the_moves_took_is_that_of_the_players_moves(folder: Path, found: PlayerMeasures) -> None:
    with open_reader(folder) as reader:
        taken = _rows(
            reader,
            "SELECT f.game_no, f.ply, any_value(p.mover) AS mover, sum(block_mobility) AS x FROM features f "
            "JOIN position_features p USING (game_no, ply) WHERE f.ply > 0 GROUP BY ALL",
        )
        seats = _rows(reader, f"SELECT game_no, seat AS colour FROM seats WHERE player = '{NAME}'")
    mine = {(row["game_no"], row["colour"]) for row in seats}
    plies: dict[int, list[float]] = defaultdict(list)
    counted = defaultdict(int)
    for row in taken:
        counted[row["ply"]] += 1
    spread = {ply: pstdev([row["x"] for row in taken if row["ply"] == ply]) for ply in counted}
    for row in taken:
        if (row["game_no"], row["mover"]) in mine and counted[row["ply"]] >= 5 and spread[row["ply"]] > 0:
            plies[row["game_no"]].append(row["x"])
    told = next(row for row in found.of() if row["measure"] == "block_mobility")
    assert told["value"] == pytest.approx(fmean(fmean(values) for values in plies.values()))


def test_a_game_that_is_not_measured_says_so(tmp_path: Path) -> None:
    library = imported(tmp_path, tmp_path / "L", generated("duo", 1))
    with open_reader(library) as reader, pytest.raises(NoFeatures):
        player_measures(reader, NAME, "duo")


def test_nobody_has_no_measures(folder: Path) -> None:
    with open_reader(folder) as reader:
        assert player_measures(reader, "Eve", "duo") == PlayerMeasures("duo", 0, [], 0)
