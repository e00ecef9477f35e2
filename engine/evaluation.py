"""What an evaluation says: per seat score and share, the best moves, the expected territory."""

from __future__ import annotations

from dataclasses import dataclass

from engine.geometry import F32


@dataclass(frozen=True, slots=True)
class SeatValue:
    """Value of a position for one seat.

    Score and spread are in points of the ruleset's scoring table; shares from 0 to 1, summing to half the number of
    seats (or teams) that have a result: 1 for two. Standard errors are of the search's noise: another seed's answer
    differs by about as much; 0 where the value is exact. `places` are the probabilities of place 1, 2, ...; it and the
    share are None for a neutral seat.
    """

    score: float
    score_error: float
    spread: float
    share: float | None
    share_error: float
    places: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move of the colour to move, valued for its seat. `bound` is the share less two of its standard errors."""

    placement: int
    score: float
    share: float
    share_error: float
    bound: float
    visits: int
    prior: float
    variation: tuple[tuple[int, int], ...]
    """(colour, placement) from this move on, the replies thought best."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An answer about one position, with what made it."""

    variant: str
    to_move: int | None
    """Colour to move, None when the game is over."""
    seats: tuple[SeatValue, ...]
    moves: tuple[MoveValue, ...]
    """Best first; none when the game is over."""
    legal_moves: int
    territory: F32 | None
    """``(C, colours + 1) float32``: chance of each colour to end up on a cell, last that nobody does; rows sum to 1."""
    exact: bool
    """Proven to the end of the game, not estimated."""
    stopped: bool
    """Broken off (time limit, Ctrl-C): the values are those of `simulations` so far."""
    budget: str
    simulations: int
    seed: int
    engine: str
    """Version of engine and weights."""
    priors: tuple[tuple[int, float], ...] = ()
    """(placement, prior) of all moves that were considered, the best prior first; the priors add up to 1."""
