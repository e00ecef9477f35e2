"""What is left of the optimism in judged games, against a slow count over the rows that `show` has."""

from pathlib import Path

import pytest

from engine.optimism import uncertainty
from pipeline.analysis.analyse import analyse
from pipeline.analysis.queries import game_analysis
from pipeline.analysis.tasks import Chosen
from pipeline.ingest import import_paths
from pipeline.optimism import remaining
from pipeline.store import open_reader
from tests.places import REPOSITORY


def test_mean_re_evaluation_and_the_constant_that_would_make_it_nothing(tmp_path: Path) -> None:
    library = tmp_path / "library"
    import_paths(library, [str(REPOSITORY / "data" / "games" / "junior.blksgf")], jobs=1)
    analyse(library, Chosen(limit=2), 30, jobs=1)
    with open_reader(library) as reader:
        found = remaining(reader, "junior")
        assert remaining(reader, "duo") is None
        changes, opens = [], []
        for number in reader.table("SELECT DISTINCT game_no AS n FROM analysed_plies_raw").to_pylist():
            judged = game_analysis(reader, number["n"])
            assert judged is not None
            for row, following in zip(judged.moves, judged.moves[1:], strict=False):
                if row["proven"] or row["forced"] or row["seat"] == following["seat"]:
                    continue
                mover, other = row["seat"] - 1, following["seat"] - 1
                changes.append(row["best_shares"][mover] - row["before_shares"][mover])
                opens.append(
                    uncertainty(row["before_shares"][mover]) + uncertainty(row["best_shares"][other])
                )
    assert found is not None
    assert found.decisions == len(changes) > 20
    assert found.share == pytest.approx(sum(changes) / len(changes))
    assert found.share_constant == pytest.approx(-sum(changes) / sum(opens))
