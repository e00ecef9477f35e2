"""Where in a game a visitor is, and what they look at: all of it in the address."""

from __future__ import annotations

from collections.abc import Callable

from dashboards.app import links
from dashboards.app.drawing import Event
from dashboards.app.game.loaded import Loaded

KEYS = ("ArrowLeft", "ArrowRight", "Home", "End")
"""Keys that step through the game wherever the visitor is on the page."""


def ply_of(game: Loaded) -> int:
    """The ply of the address, by default the last; one that the game does not have is the nearest it has."""
    return min(max(links.number("ply", game.plies), 0), game.plies)


def go_to(game: Loaded, ply: int) -> None:
    """Write a ply into the address."""
    ply = min(max(ply, 0), game.plies)
    links.keep(ply=None if ply == game.plies else ply)


def pick_of(ply: int) -> str:
    """What a click on a ply sends."""
    return f"ply:{ply}"


def stepping(game: Loaded) -> Callable[[Event], None]:
    """What a key or a click on a ply does."""

    def then(event: Event) -> None:
        here = ply_of(game)
        moves = {"ArrowLeft": here - 1, "ArrowRight": here + 1, "Home": 0, "End": game.plies}
        if event.key in moves:
            go_to(game, moves[event.key])
        elif event.pick and event.pick.startswith("ply:"):
            go_to(game, int(event.pick.removeprefix("ply:")))

    return then


def chosen(name: str, among: tuple[str, ...]) -> str:
    """A choice of the address; the first where it names none of those there are."""
    found = links.parameter(name)
    return found if found in among else among[0]


def choose(name: str, among: tuple[str, ...], value: str | None) -> None:
    """Write a choice into the address; the first needs no words there."""
    links.keep(**{name: None if value in (None, among[0]) else value})
