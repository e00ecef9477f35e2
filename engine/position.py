"""A position that plays moves by the rules, lists legal moves and says why a move is illegal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import EngineError, IllegalMove
from engine.facts import ALL_PLACED, CELLS, FACTS, SINGLE_LAST
from engine.geometry import I8, I32, I64, geometry, placement_cells, placements_by_cells
from engine.kernel_rules import kernel_rules
from engine.kernels import stepping
from engine.kernels.legal import SPARE
from engine.kernels.replay import (
    CODE_NOT_A_PIECE,
    CODE_OFF_BOARD,
    CODE_OUT,
    CODE_PASS,
    ENDED,
    LIMIT,
    NOMINAL,
    P_COLOUR,
    P_KIND,
    ROWS,
    TURN,
    Batch,
    Verdicts,
)
from engine.kernels.state import State, new_state
from engine.kernels.turns import NOBODY
from engine.pieces import PIECE_SETS
from engine.rulesets import Ruleset, default_rules
from engine.scoring import ColourFacts
from engine.variants import variant
from engine.verdicts import PASS_KINDS, REASONS, WORDS


class Position:
    """A position of a variant under a ruleset, mutable.

    Colours are 0.. in order of play; moves are cells (numbers of `engine.boards`) or placements (numbers of
    `engine.geometry`).

    >>> p = Position("duo")
    >>> len(p.legal_placements(0))
    414
    """

    def __init__(
        self,
        variant_id: str,
        rules: Ruleset | None = None,
        setup: Sequence[tuple[int, int]] = (),
        first_colour: int = 0,
        single_last: Sequence[int] = (),
    ) -> None:
        """Start from the empty board or from `setup`, pairs of colour and placement.

        `single_last` names colours that have placed everything, their single cell last (a position read from text).

        Raises:
            EngineError: unknown variant, a colour or placement it does not have, or pieces of the setup that
                overlap or are used twice.
        """
        self.variant = variant(variant_id)
        self.rules = rules or default_rules(variant_id)
        self._geometry = geometry(variant_id)
        self._rules = kernel_rules(variant_id, self.rules)
        colours = len(self.variant.colours)
        self._check_colours(first_colour, *single_last, *(colour for colour, _ in setup))
        if any(not 0 <= placement < len(self._geometry.placement_piece) for _, placement in setup):
            raise EngineError(f"bad_setup: {WORDS['bad_setup']}")
        self._state = new_state(self._geometry, colours)
        self._batch = Batch(
            np.array([[0, 1, 0, len(setup), first_colour]], np.int32),
            np.zeros((1, 2), np.int32),
            np.array(setup, np.int32).reshape(-1, 2),
        )
        self._out = _one_game(colours)
        if not stepping.start(self._geometry, self._rules, self._state, self._batch, self._out):
            raise EngineError(f"bad_setup: {WORDS['bad_setup']}")
        for colour in single_last:
            self._state.facts[colour, SINGLE_LAST] = self._state.facts[colour, ALL_PLACED]

    def copy(self) -> Position:
        """An independent copy."""
        twin = object.__new__(Position)
        twin.variant, twin.rules = self.variant, self.rules
        twin._geometry, twin._rules = self._geometry, self._rules
        twin._state = State._make(a.copy() for a in self._state)
        twin._batch = Batch._make(a.copy() for a in self._batch)
        twin._out = Verdicts._make(a.copy() for a in self._out)
        return twin

    def for_kernels(self) -> tuple[State, I64]:
        """The position and its clock (`engine.kernels.moving`) for kernels that play on from it: copies."""
        at = self._out.cursor
        clock = np.array([at[NOMINAL], at[TURN], at[LIMIT], at[ENDED]], np.int64)
        return State._make(a.copy() for a in self._state), clock

    def _check_colours(self, *colours: int) -> None:
        # The kernels trust their input: a wrong colour would read beyond the arrays, or wait for its turn for ever.
        for colour in colours:
            if not 0 <= colour < len(self.variant.colours):
                last = len(self.variant.colours) - 1
                raise EngineError(f"{self.variant.id} has colours 0 to {last}, not {colour}")

    @property
    def to_move(self) -> int | None:
        """The colour to move: the next that can; None when no colour can."""
        colour = int(stepping.mover(self._geometry, self._rules, self._state, self._out))
        return None if colour == NOBODY else colour

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its end rule."""
        return bool(stepping.over(self._geometry, self._rules, self._state, self._out))

    @property
    def key(self) -> str:
        """128-bit key of the exact position, 32 hexadecimal digits."""
        stepping.mover(self._geometry, self._rules, self._state, self._out)
        high, low = (int(x) for x in self._out.keys[0])
        return f"{high:016x}{low:016x}"

    @property
    def board(self) -> I8:
        """Colour on each cell, -1 for empty: ``(C,) int8``, a copy."""
        return self._state.board.copy()

    @property
    def facts(self) -> list[ColourFacts]:
        """Cells placed, everything placed, single cell last, by colour."""
        return [
            ColourFacts(int(f[CELLS]), bool(f[ALL_PLACED]), bool(f[SINGLE_LAST])) for f in self._state.facts
        ]

    def pieces_left(self, colour: int) -> dict[str, int]:
        """Names of the pieces a colour still has, with the number of copies."""
        self._check_colours(colour)
        names = PIECE_SETS[self.variant.pieces].names
        return {name: int(n) for name, n in zip(names, self._state.left[colour], strict=True) if n}

    def legal_placements(self, colour: int) -> I32:
        """Legal placements of a colour, on turn or not, ascending: ``(n,) int32``."""
        return self._listed(colour).copy()

    def mobility(self, colour: int) -> int:
        """Number of legal placements of a colour, on turn or not."""
        return len(self._listed(colour))

    def _listed(self, colour: int) -> I32:
        self._check_colours(colour)
        room = np.empty(len(self._geometry.placement_piece) + SPARE, np.int32)
        n = stepping.legal_list(self._geometry, self._rules, self._state, colour, room)
        return room[:n]

    def legal_moves(self, colour: int) -> list[tuple[str, tuple[int, ...]]]:
        """(piece name, cells) of all legal placements of a colour, on turn or not."""
        names = PIECE_SETS[self.variant.pieces].names
        return [
            (names[self._geometry.placement_piece[p]], placement_cells(self._geometry, p))
            for p in self.legal_placements(colour).tolist()
        ]

    def placement_code(self, cells: Sequence[int]) -> int:
        """Placement of these cells in any order, or the code of `not_a_piece` or `off_board`."""
        if any(not 0 <= c < len(self._geometry.cell_bit) for c in cells):
            return CODE_OFF_BOARD
        return placements_by_cells(self.variant.id).get(tuple(sorted(cells)), CODE_NOT_A_PIECE)

    def why_illegal(self, colour: int, cells: Sequence[int]) -> str | None:
        """The reason of `engine.verdicts.REASONS` for which a move of a colour is illegal, None if it is legal.

        Any colour may be asked for; the colours before it are taken to let their turns go by.
        """
        self._check_colours(colour)
        code = self.placement_code(cells)
        found = int(stepping.probe(self._geometry, self._rules, self._state, self._out, code, colour))
        return REASONS[found] if found else None

    def play(self, colour: int, cells: Sequence[int]) -> list[tuple[int, str]]:
        """Play a move; returns the turns that went by before it as (colour, kind of pass).

        Raises:
            IllegalMove: with the reason; the position is as before.
        """
        return self._play(colour, self.placement_code(cells))

    def pass_turn(self, colour: int) -> list[tuple[int, str]]:
        """Let the turn of a colour go by; returns (colour, kind) of it and of the turns before it.

        Raises:
            EngineError: the variant has no such colour.
        """
        return self._play(colour, CODE_PASS)

    def leave(self, seat: int) -> None:
        """Take a seat out of the game with its own colours; a shared colour goes on.

        Raises:
            EngineError: the variant has no such seat.
        """
        if not 0 <= seat < len(self.rules.seats):
            raise EngineError(f"{self.variant.id} has seats 0 to {len(self.rules.seats) - 1}, not {seat}")
        for colour in self.rules.seats[seat]:
            self._play(colour, CODE_OUT)

    def _play(self, colour: int, code: int) -> list[tuple[int, str]]:
        self._check_colours(colour)
        self._batch.events[0] = colour, code
        found = int(stepping.step(self._geometry, self._rules, self._state, self._batch, self._out))
        if found:
            name = self.variant.colours[colour]
            raise IllegalMove(REASONS[found], f"{name} cannot play there: {WORDS[REASONS[found]]}")
        rows = self._out.passes[: int(self._out.cursor[ROWS])]
        return [(int(row[P_COLOUR]), PASS_KINDS[int(row[P_KIND])]) for row in rows]


def _one_game(colours: int) -> Verdicts:
    return Verdicts(
        events=np.zeros((1, 3), np.int32),
        keys=np.zeros((1, 2), np.uint64),
        games=np.zeros((1, 3), np.int32),
        first_keys=np.zeros((1, 2), np.uint64),
        facts=np.zeros((1, colours, FACTS), np.int32),
        passes=np.zeros((colours + 1, 6), np.int32),
        cursor=np.zeros(8, np.int64),
    )
