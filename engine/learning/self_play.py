"""Games of the engine against itself, with what its search thought at every ply."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.geometry import F32, F64, I32, I64
from engine.kernels.search import Brain
from engine.kernels.self_play import Play, play_on, start_game
from engine.kernels.tree import EDGES, FIRST_EDGE, PLACEMENT, PRIOR, SHARE, VISITS, WORTH, Tree
from engine.kernels.turns import NOBODY
from engine.rulesets import default_rules
from engine.search_tables import search_game
from engine.tree_search import TASTE, grow_root, new_desk, new_tree, plant, search, taste_for, try_moves
from engine.variants import variant

SHARPNESS = 0.04
"""A move that is worth so much less than the best is to have a prior 1/e of the best's."""


class Searched(NamedTuple):
    """Games of self-play. G games, E plies, U units, n colours."""

    play: Play
    share: F32  # (E, U) shares of the units by the search at each ply
    facts: I32  # (G, n, FACTS) at the end


class Recipe(NamedTuple):
    """How games are played."""

    visits: int = 80
    cheap: float = 0.5  # visits of the other plies, as a share of them
    full: float = 0.15  # share of the plies that get all visits: priors are learned from these only
    opening: float = 0.06  # share of the placements of a game that are drawn by their priors, at most
    warm: float = 0.3  # share of the placements that are drawn by their visits
    temperature: float = 0.6  # exponent of visits is its inverse
    noise: float = 0.4


class _Table:
    """Where games are played: the position, the search, and what is written down."""

    def __init__(self, variant_id: str, brain: Brain, recipe: Recipe, seed: int) -> None:
        rules = default_rules(variant_id)
        self.game, self.brain, self.recipe = search_game(variant_id, rules), brain, recipe
        self.desk, self.at_work = new_desk(variant_id, rules), new_desk(variant_id, rules)
        placements = len(self.game.geometry.placement_piece)
        room = (recipe.visits + 2) * TASTE.width + placements
        self.tree = new_tree(variant_id, recipe.visits + placements + 3, room)
        self.taste = taste_for(self.game, recipe.noise)
        self.random = np.random.default_rng(seed)
        self.length = 14 * len(variant(variant_id).colours)
        self.events: list[tuple[int, int]] = []
        self.first_move = [0]
        self.searched: list[I32] = []
        self.shares: list[F64] = []

    def think(self, ply: int, drawn: int) -> int:
        """Search the position, write down what was found, and return the placement to play."""
        recipe, tree = self.recipe, self.tree
        task = (self.game, self.brain, self.taste, tree, self.at_work, self.desk.state, self.desk.clock)
        plant(task, int(self.random.integers(0, 2**63)))
        full = ply >= drawn and self.random.random() < recipe.full
        grow_root(task)
        start, count = int(tree.nodes[0, FIRST_EDGE]), int(tree.nodes[0, EDGES])
        if full:
            try_moves(task, count)
            search(task, recipe.visits + count + 1)
            self.searched.append(_lesson(tree, start, count))
        elif ply >= drawn:
            search(task, max(1, int(recipe.cheap * recipe.visits)) + 1)
        self.first_move.append(self.first_move[-1] + (len(self.searched[-1]) if full else 0))
        self.shares.append(tree.sums[0, SHARE, : len(self.game.units_of)] / tree.visits[0])
        if ply < drawn:
            powers = tree.weights[start : start + count, PRIOR].astype(float) ** 0.8
        else:
            visits = tree.edges[start : start + count, VISITS] - int(full)
            powers = visits.astype(float) ** (1 / recipe.temperature)
        best = int(np.argmax(powers))
        if ply < max(drawn, recipe.warm * self.length):
            best = int(self.random.choice(count, p=powers / powers.sum()))
        return int(tree.edges[start + best, PLACEMENT])


def self_play(variant_id: str, brain: Brain, recipe: Recipe, seed: int, games: int) -> Searched:
    """Play `games` games under the variant's default rules; the same seed gives the same games."""
    table = _Table(variant_id, brain, recipe, seed)
    first: list[int] = [0]
    facts: list[I32] = []
    for _ in range(games):
        start_game(table.game, table.desk)
        drawn = int(table.random.integers(0, max(1, int(recipe.opening * table.length)) + 1))
        colour = 0
        while colour != NOBODY:
            placement = table.think(len(table.events) - first[-1], drawn)
            table.events.append((colour, placement))
            colour = play_on(table.game, table.desk, colour, placement)
        first.append(len(table.events))
        facts.append(table.desk.state.facts.copy())
    play = Play(
        np.array(first, np.int64),
        np.array(table.events, np.int32),
        np.array(table.first_move, np.int64),
        np.concatenate([*table.searched, np.zeros((0, 2), np.int32)]),
    )
    return Searched(play, np.array(table.shares, np.float32), np.array(facts, np.int32))


def _lesson(tree: Tree, start: int, count: int) -> I32:
    """(placement, weight) of the root's moves: what priors are to be, in ten-thousandths, the small ones left out.

    Every move has been valued at least once, and its weight depends on its value alone. Numbers of visits would not do:
    they follow the priors, and learning from them would teach the priors what they say already.
    """
    edges = tree.edges[start : start + count]
    worth = tree.weights[start : start + count, WORTH] / edges[:, VISITS]
    weights = np.exp((worth - worth.max()) / SHARPNESS)
    weights = np.round(10_000 * weights / weights.sum()).astype(np.int32)
    kept = weights > 5
    return np.stack([edges[kept, PLACEMENT], weights[kept]], axis=1).astype(np.int32)


def join(parts: list[Searched]) -> Searched:
    """Several lists of games as one."""

    def offsets(arrays: list[I64]) -> I64:
        out, last = [np.zeros(1, np.int64)], 0
        for array in arrays:
            out.append(array[1:] + last)
            last += int(array[-1])
        return np.concatenate(out)

    play = Play(
        offsets([p.play.first for p in parts]),
        np.concatenate([p.play.events for p in parts]),
        offsets([p.play.first_move for p in parts]),
        np.concatenate([p.play.searched for p in parts]),
    )
    return Searched(play, np.concatenate([p.share for p in parts]), np.concatenate([p.facts for p in parts]))


def save_games(games: Searched, path: Path) -> None:
    """Write games to a file."""
    arrays: dict[str, Any] = {**games.play._asdict(), "share": games.share, "facts": games.facts}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def load_games(path: Path) -> Searched:
    """Read games from a file."""
    with np.load(path) as file:
        play = Play(*(file[name] for name in Play._fields))
        return Searched(play, file["share"], file["facts"])
