"""Tables of how far shares can be believed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from engine.position import Position
from pipeline.calibration import main, own_games, predictions


def test_games_of_its_own_are_whole_and_hang_on_the_seed() -> None:
    games = own_games("junior", games=3, visits=4, seed=5, jobs=1)
    assert len(games) == 3
    for game in games:
        position = Position("junior")
        for move in game:
            assert position.why_illegal(move.colour, move.cells) is None
            position.play(move.colour, move.cells)
        assert position.is_over
    assert own_games("junior", games=3, visits=4, seed=5, jobs=2) == games
    assert own_games("junior", games=3, visits=4, seed=6, jobs=1) != games
    predicted, happened, phases = predictions(games, "junior", 0, 1)
    assert predicted.sum(axis=1) == pytest.approx(np.ones(12))
    assert happened.sum(axis=1) == pytest.approx(np.ones(12))
    assert np.bincount(phases).tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("extra", [[], ["games.blksgf", "--self-play", "10"]])
def test_either_files_or_self_play(
    extra: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["calibration", "--variant", "junior", *extra])
    with pytest.raises(SystemExit):
        main()
    assert "either files of games or --self-play" in capsys.readouterr().err
