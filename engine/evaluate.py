"""Evaluate a position: who will score how much, who wins, what is best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from math import sqrt

import numpy as np

from engine.brains import weights, weights_version
from engine.budgets import simulations
from engine.errors import EngineError
from engine.evaluation import Evaluation, MoveValue, SeatValue
from engine.facts import OUT, PIECES
from engine.geometry import F32, F64
from engine.kernels.network import STAGES
from engine.noise import points_error, share_error
from engine.optimism import NO_OPTIMISM, Optimism, optimism, sobered, sobered_shares
from engine.places import place_chances
from engine.playouts import playouts
from engine.position import Position
from engine.proofs import prove, proven_moves, proven_seats
from engine.search_tables import search_game
from engine.searching import LOOKED_AT, Child, Search, wanted
from engine.temperature import steepness, temperature_of, tempered, tempered_shares
from engine.tree_search import taste_for

SEARCH_VERSION = 4
"""Goes up when the same position, budget and seed may give another answer."""

TERRITORY_PLAYOUTS = 400
"""Playouts behind an expected territory."""

NOISE = 0.2
"""Noise of the priors, in log units: what makes another seed another search."""


def _package() -> str:
    try:
        return version("cornerwise")
    except PackageNotFoundError:
        return "0"


ENGINE_VERSION = f"{_package()}.{SEARCH_VERSION}"
"""Version of the package and of the search."""


def engine_version(variant_id: str) -> str:
    """Names everything that an answer depends on: the package, the search, the weights of the variant."""
    return f"cornerwise {ENGINE_VERSION}, weights {weights_version(variant_id)}"


def evaluate(
    position: Position,
    budget: str | int = "quick",
    seed: int = 1,
    *,
    top: int = 10,
    territory: bool = False,
    allow: Sequence[int] | None = None,
    avoid: Sequence[int] = (),
    proofs: bool = True,
    stop: Callable[[], bool] | None = None,
) -> Evaluation:
    """Evaluate a position.

    Args:
        position: any position of any variant and ruleset.
        budget: `instant` (no search), `quick`, `standard`, `deep` or a number of simulations.
        seed: 0 to 2**64 - 1; the same position, budget and seed give the same answer.
        top: how many moves to tell.
        territory: whether to play the position out for the expected territory.
        allow: the only placements to consider at the root; None: all.
        avoid: placements not to consider at the root.
        proofs: whether to try the exact solver as well.
        stop: asked every few milliseconds; when it says true, the answer is that of the search so far.

    >>> from engine.position import Position
    >>> len(evaluate(Position("duo"), "instant", top=3).moves)
    3

    Raises:
        EngineError: a budget, seed or number of moves that is none, or no legal move left by `allow` and `avoid`.
    """
    target = simulations(position.variant.id, budget)
    if top < 0:
        raise EngineError(f"the number of moves to tell is 0 or more, not {top}")
    looked_at = 0 if target else min(top, LOOKED_AT)
    search, restricted = _begun(position, target, looked_at, seed, allow, avoid)
    finished, simulated = search.run(target, stop), search.visits
    too_well, spread = _optimism(search), _spreads(position, search)
    seats = _seats(position, search, too_well, spread)
    search.look(looked_at)
    moves = _moves(position, search, top, too_well, spread)
    proven = prove(position, target, stop) if proofs and finished and not restricted else None
    if proven is not None:
        seats, moves = proven_seats(proven, position.rules), proven_moves(proven, search.seat, moves)[:top]
    return Evaluation(
        variant=position.variant.id,
        to_move=None if search.over else search.colour,
        seats=seats,
        moves=moves,
        legal_moves=0 if search.over else len(position.legal_placements(search.colour)),
        territory=_territory(position, seed) if territory else None,
        exact=search.over or proven is not None,
        stopped=not finished,
        budget=str(budget),
        simulations=simulated,
        seed=seed,
        engine=engine_version(position.variant.id),
        priors=search.priors(),
    )


def _begun(
    position: Position,
    target: int,
    looked_at: int,
    seed: int,
    allow: Sequence[int] | None,
    avoid: Sequence[int],
) -> tuple[Search, bool]:
    """A search at its root, and whether some of the root's moves are left out."""
    # What is not searched needs no noise: an instant answer is the same for all seeds.
    taste = taste_for(search_game(position.variant.id, position.rules), NOISE if target else 0.0)
    search = Search(position, seed, max(target, looked_at), taste)
    restricted = not search.over and (allow is not None or len(avoid) > 0)
    if restricted:
        search.keep_only(wanted(allow, frozenset(avoid)))
    return search, restricted


def _seats(position: Position, search: Search, too_well: Optimism, spread: F64) -> tuple[SeatValue, ...]:
    rules, variant_id, visits = position.rules, position.variant.id, search.visits
    raw = [float(share) for share in search.shares()]
    shares, warmth = raw, temperature_of(search)
    if not search.over:
        shares = sobered_shares(tempered_shares(raw, warmth), search.unit, too_well.share, search.gone)
    chances = _exact_places(shares) if search.over else place_chances(shares)
    points = search.points()
    mover = None if search.over else search.seat
    out = []
    for seat, colours in enumerate(rules.seats):
        unit = int(search.game.unit_of_seat[seat])
        error = 0.0 if search.over else points_error(variant_id, visits) * sqrt(len(colours))
        width = _together(spread, colours)
        less = too_well.spread * width if seat == mover else 0.0
        out.append(
            SeatValue(
                score=sum(float(points[colour]) for colour in colours) - less,
                score_error=error,
                spread=width,
                share=None if unit < 0 else shares[unit],
                share_error=0.0
                if search.over or unit < 0
                else _share_error(search, raw[unit], visits, warmth),
                places=None if unit < 0 else chances[unit],
            )
        )
    return tuple(out)


def _optimism(search: Search) -> Optimism:
    """What the search thinks too well of its mover: nothing without a search, nor of a neutral one."""
    if search.over or search.game.unit_of_seat[search.seat] < 0:
        return NO_OPTIMISM
    return optimism(search.variant_id, search.visits)


def _share_error(search: Search, share: float, visits: int, warmth: float) -> float:
    """Standard error of a share that so many simulations of a search found, told with a temperature."""
    return share_error(search.variant_id, share, visits) * steepness(share, warmth)


def _exact_places(shares: list[float]) -> list[tuple[float, ...]]:
    """Places of a finished game, from its shares; units that tie share the better place."""
    out = []
    for share in shares:
        better = sum(other > share + 1e-9 for other in shares)
        out.append(tuple(float(place == better) for place in range(len(shares))))
    return out


def _spreads(position: Position, search: Search) -> F64:
    """Standard deviation of each colour's final points: 0 for those that cannot move any more."""
    found = weights(position.variant.id).spread
    facts = search.state.facts
    # Asked anew: the position need not know yet who is blocked.
    done = [search.over or facts[c, OUT] > 0 or position.mobility(c) == 0 for c in range(len(facts))]
    stage = np.minimum(facts[:, PIECES] // 2, STAGES - 1)
    out: F64 = np.where(done, 0.0, found[stage])
    return out


def _together(spread: F64, colours: Sequence[int]) -> float:
    return sqrt(sum(float(spread[colour]) ** 2 for colour in colours))


def _moves(
    position: Position, search: Search, top: int, too_well: Optimism, spread: F64
) -> tuple[MoveValue, ...]:
    children = search.children()
    if search.visits == len(children):  # each was looked at once: what counts is how it looked
        children.sort(key=lambda child: (-child.share, child.placement))
    less = too_well.spread * _together(spread, position.rules.seats[search.seat])
    warmth = temperature_of(search)
    return tuple(_move(position, search, child, too_well, less, warmth) for child in children[:top])


def _move(
    position: Position, search: Search, child: Child, too_well: Optimism, less: float, warmth: float
) -> MoveValue:
    owned = position.rules.seats[search.seat]
    share = sobered(tempered(child.share, warmth), too_well.share)
    error = _share_error(search, child.share, child.visits, warmth)
    return MoveValue(
        placement=child.placement,
        score=sum(float(child.points[colour]) for colour in owned) - less,
        share=share,
        share_error=error,
        bound=max(0.0, share - 2 * error),
        visits=child.visits,
        prior=child.prior,
        variation=((search.colour, child.placement), *search.variation(child.node)),
    )


def _territory(position: Position, seed: int) -> F32:
    found = playouts(position, TERRITORY_PLAYOUTS, seed)
    out: F32 = (found.territory / found.games).astype(np.float32)
    return out
