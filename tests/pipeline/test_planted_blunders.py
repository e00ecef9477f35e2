"""A blunder among good moves is found, and the moves around it are not blamed."""

from __future__ import annotations

import pytest

from engine import evaluate
from engine.boards import cell_names
from engine.position import Position
from engine.variants import variant
from pipeline.analysis import unit as analysis_unit
from pipeline.analysis.comments import explain, live_corners
from pipeline.analysis.replay import PlayedMove, StoredGame, replayed

PLANTED_BUDGET = 400
"""Simulations of every search."""

PLANTED = (
    ("duo", 1, 6),
    ("duo", 2, 6),
    ("junior", 1, 10),
    ("junior", 2, 10),
    ("classic", 1, 12),
    ("classic_2", 1, 12),
    ("classic_3", 1, 12),
    ("trigon", 1, 18),
    ("trigon_2", 1, 12),
    ("trigon_3", 1, 12),
)
"""Ten games: variant, seed, and the place of the blunder among the moves."""


def _planted(variant_id: str, seed: int, planted_at: int) -> StoredGame:
    """The engine's own moves, one that closes its own corners, and the best reply."""
    position = Position(variant_id)
    moves = []
    for ply in range(planted_at + 2):
        colour = position.to_move
        assert colour is not None
        if ply == planted_at:
            legal = position.legal_placements(colour).tolist()
            placement = min(legal, key=lambda move: (_corners_after(position, colour, move), move))
        else:
            # The move that the analysis would choose itself, but for the seed.
            placement = evaluate.evaluate(position, PLANTED_BUDGET, seed + 100, top=1).moves[0].placement
        seats = position.rules.seats
        seat = next((seat for seat, owned in enumerate(seats) if colour in owned), ply // 4 % len(seats))
        moves.append(PlayedMove(colour, placement, seat))
        position._play(colour, placement)
    return StoredGame(seed, variant_id, "{}", None, tuple(moves), (), (), None, "")


def _corners_after(position: Position, colour: int, placement: int) -> int:
    after = position.copy()
    after._play(colour, placement)
    return len(live_corners(after, [colour]))


@pytest.mark.parametrize(("variant_id", "seed", "planted_at"), PLANTED)
def test_a_planted_blunder_is_found_and_its_neighbours_are_not_blamed(
    variant_id: str, seed: int, planted_at: int
) -> None:
    terms = analysis_unit.Terms(PLANTED_BUDGET, {variant_id: PLANTED_BUDGET}, seed)
    game = _planted(variant_id, seed, planted_at)
    rows = analysis_unit.judge_game(terms, game).plies.to_pylist()
    assert rows[planted_at]["label"] == "blunder"
    assert rows[planted_at - 1]["label"] not in ("mistake", "blunder")
    assert rows[planted_at + 1]["label"] not in ("mistake", "blunder")
    comment = explain(replayed(game).stations[planted_at].position, rows[planted_at])
    assert comment.text.startswith("Blunder: ")
    assert comment.given_away
    assert set(comment.given_away) <= set(cell_names(variant(variant_id).board))
