"""A blunder among good moves is found, and the moves around it are not blamed."""

from __future__ import annotations

import pytest

from engine import evaluate
from engine.boards import cell_names
from engine.position import Position
from engine.variants import variant
from pipeline import analysis_unit
from pipeline.analysis_replay import PlayedMove, StoredGame, replayed
from pipeline.move_comments import explain, live_corners

PLANTED_BUDGET, PLANTED_AT = 400, 6
"""Simulations of every search, and the place of the blunder among the moves."""


def _planted(seed: int) -> StoredGame:
    """The engine's own moves, one that closes its own corners, and the best reply."""
    position = Position("duo")
    moves = []
    for ply in range(PLANTED_AT + 2):
        colour = position.to_move
        assert colour is not None
        if ply == PLANTED_AT:
            legal = position.legal_placements(colour).tolist()
            placement = min(legal, key=lambda move: (_corners_after(position, colour, move), move))
        else:
            # The move that the analysis would choose itself, but for the seed.
            placement = evaluate.evaluate(position, PLANTED_BUDGET, seed + 100, top=1).moves[0].placement
        moves.append(PlayedMove(colour, placement, colour))
        position._play(colour, placement)
    return StoredGame(seed, "duo", "{}", None, tuple(moves), (), (), None, "")


def _corners_after(position: Position, colour: int, placement: int) -> int:
    after = position.copy()
    after._play(colour, placement)
    return len(live_corners(after, [colour]))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_planted_blunder_is_found_and_its_neighbours_are_not_blamed(seed: int) -> None:
    terms = analysis_unit.Terms(PLANTED_BUDGET, {"duo": PLANTED_BUDGET}, seed)
    rows = analysis_unit.judge_game(terms, _planted(seed)).plies.to_pylist()
    assert rows[PLANTED_AT]["label"] == "blunder"
    assert rows[PLANTED_AT - 1]["label"] not in ("mistake", "blunder")
    assert rows[PLANTED_AT + 1]["label"] not in ("mistake", "blunder")
    comment = explain(replayed(_planted(seed)).stations[PLANTED_AT].position, rows[PLANTED_AT])
    assert comment.text.startswith("Blunder: ")
    assert comment.given_away
    assert set(comment.given_away) <= set(cell_names(variant("duo").board))
