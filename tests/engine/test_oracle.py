"""Every position of the gold games: legal moves of every colour, points, colour to move, final result."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from engine.boards import cell_names, cells_by_name
from engine.geometry import geometry, placement_cells
from engine.position import Position
from engine.replay import Script, replay_scripts
from engine.rulesets import default_rules, parse_rules
from engine.scoring import ColourFacts, cells_of_set, points, results
from engine.variants import VARIANTS, variant
from tests.oracle import gold, oracle_games


@cache
def _sorted_texts(variant_id: str) -> tuple[np.ndarray, list[str]]:
    """(rank of every placement among the texts in byte order, texts by rank)."""
    tables, names = geometry(variant_id), cell_names(variant(variant_id).board)
    texts = [
        ",".join(names[c] for c in placement_cells(tables, p)) for p in range(len(tables.placement_piece))
    ]
    order = np.array(sorted(range(len(texts)), key=texts.__getitem__))
    rank = np.empty(len(texts), np.int64)
    rank[order] = np.arange(len(texts))
    return rank, [texts[i] for i in order]


def _sha16(variant_id: str, placements: np.ndarray) -> str:
    rank, texts = _sorted_texts(variant_id)
    listed = "\n".join(texts[i] for i in np.sort(rank[placements]).tolist())
    return sha256(listed.encode()).hexdigest()[:16]


def _scale(variant_id: str) -> str:
    """The scoring of the reference engine: no bonus in Junior."""
    return "plain" if variant_id == "junior" else "online"


def _check_position(position: Position, game: dict, ply: int) -> None:
    at = f"{game['id']} ply {ply}"
    variant_id = game["variant"]
    for colour in range(len(position.variant.colours)):
        placements = position.legal_placements(colour)
        assert len(placements) == position.mobility(colour) == game["legal"][ply][colour], at
        assert _sha16(variant_id, placements) == game["sha16"][ply][colour], at
        on_scale = points(_scale(variant_id), variant_id, position.facts[colour])
        assert on_scale == game["points"][ply][colour], at
    mover = game["to_play"][ply]
    assert position.to_move == (None if mover is None else mover - 1), at
    assert position.is_over == (mover is None), at


def _move(variant_id: str, text: str) -> tuple[int, ...]:
    by_name = cells_by_name(variant(variant_id).board)
    return tuple(by_name[name] for name in text.split(","))


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_legal_moves_points_and_colour_to_move_at_every_ply(variant_id: str) -> None:
    games = oracle_games(variant_id)
    assert len(games) >= 10
    for game in games:
        position = Position(variant_id)
        _check_position(position, game, 0)
        for ply, (colour, piece, text) in enumerate(game["moves"], 1):
            hand = position.pieces_left(colour - 1)
            position.play(colour - 1, _move(variant_id, text))
            assert hand[piece] == position.pieces_left(colour - 1).get(piece, 0) + 1
            _check_position(position, game, ply)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_replay_of_all_games_in_one_batch(variant_id: str) -> None:
    games, rules = oracle_games(variant_id), default_rules(variant_id)
    probe = Position(variant_id)
    scripts = [
        Script(
            [(colour - 1, probe.placement_code(_move(variant_id, text))) for colour, _, text in game["moves"]]
        )
        for game in games
    ]
    replay = replay_scripts(variant_id, rules, scripts)
    assert not replay.verdicts.events[:, 0].any()
    for index, game in enumerate(games):
        assert replay.verdicts.games[index].tolist() == [-1, 1, 1], game["id"]
        rows = replay.verdicts.facts[index]
        facts = [ColourFacts(int(f[0]), bool(f[2]), bool(f[3])) for f in rows]
        assert rows[:, 5].all(), "no colour can move at the end"
        assert [points(_scale(variant_id), variant_id, f) for f in facts] == game["final"]["points"]
        bonus = [points(_scale(variant_id), variant_id, f) - f.cells_placed for f in facts]
        assert bonus == game["final"]["bonus"]
        assert all((f.cells_placed == cells_of_set(variant_id)) == f.all_placed for f in facts)
        found = results(variant_id, rules, facts)
        for seat, owned in enumerate(rules.seats):
            assert {game["final"]["place"][c] for c in owned} == {found[seat].place}, game["id"]
            tied = sum(other.place == found[seat].place for other in found) > 1
            assert {game["final"]["shared"][c] for c in owned} == {tied}, game["id"]


def _margin(score: str) -> int:
    """Margin of the first player of two as the reference program prints it."""
    if score == "0":
        return 0
    return int(score[2:]) * (1 if score[0] == "B" else -1)


@pytest.mark.parametrize("variant_id", ["duo", "junior", "classic_2", "trigon_2"])
def test_margin_of_two_players(variant_id: str) -> None:
    for game in oracle_games(variant_id):
        position = Position(variant_id)
        for colour, _, text in game["moves"]:
            position.play(colour - 1, _move(variant_id, text))
        first, second = results(
            variant_id, parse_rules(variant_id, {"scoring": _scale(variant_id)}), position.facts
        )
        assert first.total - second.total == _margin(game["final"]["score"])


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_first_moves(variant_id: str) -> None:
    known = {"classic": 58, "duo": 414, "junior": 189, "trigon": 2478}[variant_id.split("_")[0]]
    position = Position(variant_id)
    counts = [position.mobility(c) for c in range(len(position.variant.colours))]
    assert counts == [known] * len(counts) == gold("legal_counts")["first_moves"][variant_id]


def test_first_moves_of_duo_on_any_marked_cell() -> None:
    # No piece covers both marked cells, so they are twice the 414 moves of one: 828.
    position = Position("duo", parse_rules("duo", {"start": "marked"}))
    assert position.mobility(0) == position.mobility(1) == 828
