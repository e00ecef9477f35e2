"""Which position the page is about: by moves from the start, from a position text, or from a game at a ply."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dashboards.app import links
from dashboards.app.filters import rules_of
from pipeline.errors import NotThere
from pipeline.game_selection import rulesets
from pipeline.openings.positions import Spot, spot_of_game, spot_of_text, spot_under_any
from pipeline.store import Reader

PARAMETERS = ("moves", "position", "game", "ply", "cells")
"""Parameters of the address that say which position, and what is being chosen in it."""

MOST = 200
"""Moves that an address may have: no game has as many."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position: `moves` (cells joined by commas) from the start of a variant, a position text, or a game."""

    variant: str
    moves: tuple[str, ...] = ()
    position: str = ""
    game: str = ""
    ply: int | None = None

    def after(self, move: str) -> Place:
        """The position after one more move."""
        return replace(self, moves=(*self.moves, move))

    def at(self, ply: int, own: int) -> Place:
        """The position after `ply` moves of which the first `own` are a game's."""
        if ply < own:
            return replace(self, moves=(), ply=ply)
        return replace(self, moves=self.moves[: ply - own])

    def keep(self) -> None:
        """Write it into the address."""
        links.keep(**dict.fromkeys(PARAMETERS))
        links.keep(
            variant=None if self.game or self.position else self.variant,
            moves=moves_text(self.moves),
            position=self.position,
            game=self.game,
            ply=None if self.ply is None else str(self.ply),
        )


def of_address(variant_id: str) -> Place:
    """The position of the address.

    Raises:
        NotThere: it names too many moves.
    """
    moves = moves_of(links.parameter("moves"))
    ply = links.number("ply", -1)
    game, position = links.parameter("game"), links.parameter("position")
    if game:
        return Place(variant_id, moves, game=game, ply=None if ply < 0 else ply)
    return Place(variant_id, moves, position=position)


def moves_text(moves: tuple[str, ...]) -> str:
    """Moves as addresses have them: ``e10-e11.j5``."""
    return ".".join(move.replace(",", "-") for move in moves)


def moves_of(text: str) -> tuple[str, ...]:
    """The inverse; ``;`` between moves and ``,`` between cells are read, too.

    Raises:
        NotThere: these are too many.
    """
    parts = [part.strip() for part in text.replace(";", ".").split(".") if part.strip()]
    if len(parts) > MOST:
        raise NotThere(f"a line of {len(parts)} moves is longer than any game")
    return tuple(part.replace("-", ",") for part in parts)


def located(reader: Reader, place: Place, rules: str) -> Spot:
    """The position; moves are those of the rules in the address, or of any that the library has.

    Raises:
        NotThere, NoSuchGame, AmbiguousGame, NotationError, EngineError: there is no such position.
    """
    if place.game:
        return spot_of_game(reader, place.game, place.ply, place.moves)
    settings = rules_of(rules)
    if place.position:
        return spot_of_text(place.position, settings or {}, place.moves)
    known = (
        [settings]
        if settings is not None
        else [{}, *(row["rules"] for row in rulesets(reader, place.variant))]
    )
    return spot_under_any(place.variant, known, place.moves)


def own_moves(place: Place, spot: Spot) -> int:
    """How many moves of the position are a game's that the address names."""
    return len(spot.pieces) - len(place.moves) if place.game else 0
