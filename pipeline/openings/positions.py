"""The positions that openings are asked for: by moves, by a position text, by a key, or of a game at a ply."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.boards import cells, cells_by_name
from engine.errors import EngineError
from engine.geometry import I8, I16, geometry, placements_by_cells
from engine.pieces import PIECE_SETS
from engine.position_keys import (
    Key,
    Rest,
    board_key,
    combined,
    decoded_rest,
    key_of_text,
    key_text,
    start_key,
)
from engine.symmetries import automorphisms
from engine.variants import VARIANTS, variant
from notation.moves import move_from_names
from notation.position_text import PositionText, format_position, parse_position
from pipeline.abbreviations import find_game
from pipeline.errors import NotThere
from pipeline.queries import GameView, game
from pipeline.store import Reader
from pipeline.tables import INDEXED_DEPTH

if TYPE_CHECKING:
    from engine.position import Position


@dataclass(frozen=True)
class Spot:
    """A position with its exact key.

    `board` is ``(C,)``, the colour (0..) on each cell, -1 where it is empty; `depth` the number of pieces on it; `last`
    the cells of the last move, where it is known; `pieces` are (colour, piece), in the order of play if `in_order`.
    """

    variant: str
    board: npt.NDArray[np.int8]
    key: Key
    depth: int
    last: tuple[int, ...] = ()
    pieces: tuple[tuple[int, str], ...] = ()
    in_order: bool = True

    @property
    def rest(self) -> Rest | None:
        """Who is to move, who has left."""
        return decoded_rest(self.variant, combined(self.key, board_key(self.variant, self.board)))

    @property
    def text(self) -> str:
        """The key as text."""
        return key_text(self.key)


@dataclass(frozen=True)
class Image:
    """A position turned by a symmetry: where each cell went, and the key there."""

    permutation: I16
    key: Key


def images(spot: Spot, start: str | None) -> list[Image]:
    """The images of a position under the exact symmetries of a start rule, itself first; some may be alike.

    Without a start rule it is alone.
    """
    identity = np.arange(len(spot.board), dtype=np.int16)
    symmetries = [identity] if start is None else list(automorphisms(spot.variant, start))
    rest = combined(spot.key, board_key(spot.variant, spot.board))
    return [
        Image(permutation, combined(rest, board_key(spot.variant, spot.board, permutation)))
        for permutation in symmetries
    ]


def start_spot(variant_id: str) -> Spot:
    """The empty board."""
    return Spot(variant_id, empty_board(variant_id), start_key(variant_id), 0)


def empty_board(variant_id: str) -> I8:
    """A board without pieces."""
    return np.full(len(cells(variant(variant_id).board)), -1, np.int8)


def spot_of_moves(variant_id: str, settings: Mapping[str, str], moves: Sequence[str]) -> Spot:
    """The position after some moves from the start, cells joined by commas; colours follow in turn.

    Raises:
        NotThere: a move that is illegal, or no move; the message says which and why.
        UnknownVariant, RuleError: as they say.
    """
    if not moves:
        return start_spot(variant_id)
    from engine.position import Position
    from engine.rulesets import parse_rules

    position = Position(variant_id, parse_rules(variant_id, dict(settings)))
    last, pieces = _played(position, moves)
    return Spot(variant_id, position.board, key_of_text(position.key), len(moves), last, pieces)


def spot_under_any(variant_id: str, rulesets: Sequence[Mapping[str, str]], moves: Sequence[str]) -> Spot:
    """The same under the first of some rulesets that lets the moves be played.

    Raises:
        NotThere: none does; the message is that of the first ruleset.
        UnknownVariant, RuleError: as they say.
    """
    refused = None
    for settings in rulesets:
        try:
            return spot_of_moves(variant_id, settings, moves)
        except NotThere as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _played(position: Position, moves: Sequence[str]) -> tuple[tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Play moves; returns the cells of the last one, and (colour, piece) of each.

    Raises:
        NotThere: a move that is illegal, or no move.
    """
    by_name = cells_by_name(position.variant.board)
    last: tuple[int, ...] = ()
    pieces = []
    for number, text in enumerate(moves, 1):
        names = [name for name in text.lower().replace("+", ",").split(",") if name]
        colour = position.to_move
        if colour is None:
            raise NotThere(f"move {number}, {text[:60]}: the game is over before it")
        # Cells off the board have no number: -1 stands for them.
        last = tuple(by_name.get(name, -1) for name in names)
        try:
            position.play(colour, last)
        except EngineError as error:
            raise NotThere(f"move {number}, {text[:60]}: {error}") from error
        pieces.append((colour, piece_name(position.variant.id, last)))
    return last, tuple(pieces)


def piece_name(variant_id: str, cells: Sequence[int]) -> str:
    """The name of the piece that covers these cells, a placement's."""
    placement = placements_by_cells(variant_id)[tuple(sorted(cells))]
    names = PIECE_SETS[variant(variant_id).pieces].names
    return names[int(geometry(variant_id).placement_piece[placement])]


def spot_of_text(text: str, settings: Mapping[str, str], moves: Sequence[str] = ()) -> Spot:
    """The position of a position text, or that after some moves from there.

    Raises:
        BadPosition, RuleError: it is none, or the rules do not fit.
        NotThere: a move that is illegal, or no move.
    """
    from pipeline.positions import position_of_text

    reached = position_of_text(text, dict(settings))
    position = reached.position
    name = position.variant.id
    last, played = _played(position, moves)
    pieces = (*((piece.colour, piece_name(name, piece.cells)) for piece in reached.pieces), *played)
    key = key_of_text(position.key)
    return Spot(name, position.board, key, len(pieces), last, pieces, in_order=False)


def spot_of_game(reader: Reader, identity: str, ply: int | None = None, moves: Sequence[str] = ()) -> Spot:
    """The position of a game after `ply` placements, by default at its end; or that after some moves from there.

    Raises:
        NotThere: the game has not so many; a move that is illegal, or no move.
        NoSuchGame, NoIdentity, AmbiguousGame: as they say.
    """
    view = game(reader, find_game(reader, identity))
    spot = _spot_at(view, ply)
    if not moves:
        return spot
    text = _text_at(view, spot)
    after = spot_of_text(text, json.loads(view.game["rules"] or "{}"), moves)
    return replace(after, pieces=(*spot.pieces, *after.pieces[spot.depth :]), in_order=spot.in_order)


def _spot_at(view: GameView, ply: int | None) -> Spot:
    from pipeline.game_board import board_at

    at = board_at(view, ply)
    setup = view.game["setup"]
    if setup is None:
        set_up = 0
        key = start_key(at.variant)
    else:
        set_up = len(parse_position(setup).pieces)
        key = (0, 0) if at.ply else setup_key(setup, view.game["rules"])
    if at.ply:
        key = key_of_text(view.moves[at.ply - 1]["position_key"])
    pieces = tuple((move["colour"] - 1, move["piece"]) for move in view.moves[: at.ply])
    return Spot(at.variant, at.board, key, at.ply + set_up, at.last, pieces, setup is None)


def _text_at(view: GameView, spot: Spot) -> str:
    """The position text of a game's position.

    Raises:
        BadPosition: the position is none that a text holds.
    """
    setup, rest = view.game["setup"], spot.rest
    set_up = parse_position(setup).pieces if setup is not None else ()
    placed = view.moves[: spot.depth - len(set_up)]
    pieces = [move_from_names(spot.variant, row["colour"] - 1, row["move"].split(",")) for row in placed]
    assert rest is not None, "stored keys are those of positions"
    return format_position(
        PositionText(spot.variant, (*set_up, *pieces), rest.to_move, rest.out, rest.single_last)
    )


def setup_key(setup: str, rules: str | None) -> Key:
    """The key of the start of a game that begins from a setup."""
    from pipeline.positions import position_of_text

    return key_of_text(position_of_text(setup, json.loads(rules or "{}")).position.key)


def spot_of_key(reader: Reader, text: str, variant_id: str | None = None) -> Spot:
    """The position with a key, of the first game of the library that has it.

    Variants on the same board share keys; `variant_id` says which one is meant.

    Raises:
        NotThere: no game has it, or the text is no key.
    """
    try:
        key = key_of_text(text.strip().lower())
    except ValueError as error:
        raise NotThere(str(error)) from error
    for name in VARIANTS if variant_id is None else (variant_id,):
        if key == start_key(name):
            return start_spot(name)
    row = _first_with(reader, key, variant_id)
    if row is None:
        which = "" if variant_id is None else f" {variant_id}"
        raise NotThere(f"no{which} game of the library has a position with the key {key_text(key)}")
    return spot_of_game(reader, *row)


def _first_with(reader: Reader, key: Key, variant_id: str | None) -> tuple[str, int] | None:
    test = "" if variant_id is None else "AND g.variant = $variant"
    values = {} if variant_id is None else {"variant": variant_id}
    where = f"m.key_hi = {key[0]} AND m.key_lo = {key[1]}"
    for numbers in (
        f"SELECT game_no FROM openings_raw m WHERE depth <= {INDEXED_DEPTH} AND {where}",
        f"SELECT game_no FROM moves_raw m WHERE {where}",
    ):
        question = f"SELECT min(g.game_no) AS n FROM games g WHERE g.game_no IN ({numbers}) {test}"
        number = reader.table(question, values).to_pylist()[0]["n"]
        if number is not None:
            (row,) = reader.table(
                "SELECT g.id, m.ply FROM moves_raw m JOIN games g USING (game_no) "
                f"WHERE m.game_no = {number} AND {where}"
            ).to_pylist()
            return row["id"], row["ply"]
    return None
