"""Questions about features, against the same figures made with plain Python."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import NoFeatures, NoSuchGame, PipelineError
from pipeline.features import queries as queries
from pipeline.features.compute import compute_features
from pipeline.store import Reader, measure_sums, open_reader
from tests.pipeline.measured import generated, imported, odd_games


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("queries")
    made = imported(folder, folder / "L", [*generated("duo", 25), *generated("classic_3", 6), *odd_games()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure_sums, "PORTION_GAMES", 10)
        patch.setattr("pipeline.features.compute.TASK_PLIES", 500)
        compute_features(made, jobs=1)
    return made


def rows(
    reader: Reader, variant: str, measure: str, ply: int, colour: int
) -> list[tuple[float, float | None]]:
    """(value, share of the seat) in the games that count, one by one."""
    found = reader.table(
        f"SELECT f.{measure} AS x, s.share AS y FROM features f JOIN games g USING (game_no) "
        "LEFT JOIN seats s ON s.game_no = f.game_no AND s.seat = f.seat "
        "WHERE f.variant = ? AND f.ply = ? AND f.colour = ? AND NOT g.illegal AND NOT g.irregular "
        "AND NOT g.unfinished AND NOT g.empty",
        [variant, ply, colour],
    ).to_pylist()
    return [(row["x"], row["y"]) for row in found]


def the(found: queries.Statistics, ply: int | None, colour: int | None) -> dict[str, Any]:
    (row,) = [row for row in found.rows if (row["ply"], row["colour"]) == (ply, colour)]
    return row


@pytest.mark.parametrize(("variant", "colour"), [("duo", 1), ("duo", 2), ("classic_3", 4)])
def test_means_by_ply(library: Path, variant: str, colour: int) -> None:
    with open_reader(library) as reader:
        found = queries.means_by_ply(reader, variant, "mobility", colour)
        assert found.missing == 0
        for ply in (0, 5, 17):
            values = [x for x, _ in rows(reader, variant, "mobility", ply, colour)]
            row = the(found, ply, colour)
            assert row["games"] == len(values) > 5
            assert row["mean"] == pytest.approx(statistics.fmean(values))
            assert row["deviation"] == pytest.approx(statistics.stdev(values), abs=1e-6)
            assert row["low"] <= row["mean"] <= row["high"]
        assert queries.means_by_ply(reader, variant, "mobility").rows[0]["colour"] == 1


def test_means_of_positions_and_of_the_first_contact_with_the_centre(library: Path) -> None:
    with open_reader(library) as reader:
        dead = the(queries.means_by_ply(reader, "duo", "dead"), 20, None)
        ones = reader.table(
            "SELECT p.dead FROM position_features p JOIN games g USING (game_no) WHERE p.variant = 'duo' AND ply = 20 "
            "AND NOT illegal AND NOT irregular AND NOT unfinished AND NOT empty"
        )["dead"].to_pylist()
        assert (dead["games"], dead["mean"]) == (len(ones), pytest.approx(statistics.fmean(ones)))
        centre = queries.means_by_ply(reader, "duo", "centre_contact").rows
        assert [(row["ply"], row["colour"]) for row in centre] == [(None, 1), (None, 2)]
        four = queries.means_by_ply(reader, "duo", "four_inside_five").rows
        assert min(row["ply"] for row in four) == 1
        with pytest.raises(NoFeatures):
            queries.means_by_ply(reader, "trigon", "four_inside_five")
        with pytest.raises(PipelineError, match="as a whole"):
            queries.means_by_ply(reader, "duo", "dead", 1)


def test_correlation_with_the_result(library: Path) -> None:
    with open_reader(library) as reader:
        found = queries.correlations(reader, "duo", "reach", 1)
        for ply in (8, 20):
            pairs = [(x, y) for x, y in rows(reader, "duo", "reach", ply, 1) if y is not None]
            xs, ys = zip(*pairs, strict=True)
            row = the(found, ply, 1)
            assert row["games"] == len(pairs)
            assert row["correlation"] == pytest.approx(statistics.correlation(xs, ys))
            assert row["low"] < row["correlation"] < row["high"]
        start = the(found, 0, 1)
        assert start["reason"] is None or start["correlation"] is None
        for row in found.rows:
            assert (row["correlation"] is None) == (row["reason"] is not None)
            assert row["correlation"] is None or math.isfinite(row["correlation"])
        with pytest.raises(PipelineError, match="choose one of"):
            queries.correlations(reader, "duo", "dead")
        # The shared colour is nobody's: it has no result to go with.
        assert {row["colour"] for row in queries.correlations(reader, "classic_3", "reach").rows} == {1, 2, 3}


def test_a_measure_along_a_game(library: Path, tmp_path: Path) -> None:
    with open_reader(library) as reader:
        game = reader.table("SELECT id, plies FROM games WHERE variant = 'duo' AND plies > 9").to_pylist()[0]
        found = queries.series(reader, game["id"][:10], "mobility")
        assert (found.id, found.variant, list(found.values)) == (game["id"], "duo", ["first", "second"])
        assert {len(values) for values in found.values.values()} == {game["plies"] + 1}
        assert queries.series(reader, game["id"], "occupied").values["position"][0] == 0
        with pytest.raises(NoSuchGame):
            queries.series(reader, "0" * 32, "mobility")
        with pytest.raises(PipelineError, match="no measure 'luck'"):
            queries.series(reader, game["id"], "luck")
    imported(tmp_path, tmp_path / "L", generated("duo", 1))
    with open_reader(tmp_path / "L") as reader:
        (row,) = reader.table("SELECT id FROM games").to_pylist()
        with pytest.raises(NoFeatures, match="cornerwise features"):
            queries.series(reader, row["id"], "mobility")
        with pytest.raises(NoFeatures, match="cornerwise features"):
            queries.means_by_ply(reader, "duo", "mobility")
