"""From a position to candidates and their rows."""

from __future__ import annotations

import numpy as np

from engine.facts import OUT, PIECES
from engine.geometry import BLOCK, CELLS_END, CORNERS_END, EDGES_END, SIZE, Geometry
from engine.kernels.compile import inner, part
from engine.kernels.endgame import (
    ACTIVE,
    CELL_WORDS,
    CELLS_AT,
    CELLS_EACH,
    COLOURS,
    DEPTHS,
    END_BIT,
    END_SLOT,
    END_WORD,
    FIRST_BIT,
    FIRST_BLOCKED,
    FIRST_SLOT,
    FIRST_WORD,
    HASH_AT,
    LEGAL_AT,
    LINK_WORDS,
    LINKS_AT,
    LOST,
    OWNER,
    PER_COLOUR,
    PIECES_LEFT,
    PLACED,
    PLACEMENT,
    ROOM,
    ROOT,
    ROW,
    SCRATCH,
    SLOT,
    SLOTS,
    STRIDE,
    UNION_AT,
    WORDS,
    Endgame,
    settle,
)
from engine.kernels.legal import LIST, grow, pieces_left, write_liberties
from engine.kernels.state import Rules, State


@part
def _list_fitting(geometry: Geometry, state: State, end: Endgame, colour: int) -> int:
    """Placements of a colour that fit, touching or not, into `end.fitting`; free cells and liberties are in `work`."""
    words = len(geometry.board_bits)
    second = 8 * (words + BLOCK)
    for w in range(words):
        end.bits[w] = end.bits[words + w] = state.work[second + w]
        state.work[second + w] = state.work[w]
    return grow(geometry.trie, state.work, pieces_left(state, colour), LIST, end.fitting)


@inner
def _touches(geometry: Geometry, end: Endgame, placement: int, at: int) -> bool:
    """Whether a placement covers a cell of the bit string at word `at`."""
    for k in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
        bit = geometry.cell_bit[geometry.touched[k]]
        if (end.bits[at + (bit >> 6)] >> np.uint64(bit & 63)) & np.uint64(1):
            return True
    return False


@part
def _mark_reachable(geometry: Geometry, end: Endgame, count: int) -> int:
    """Turn the listed placements that may come to touch the colour's pieces into their complements; their number."""
    marked, again = 0, True
    while again:
        again = False
        for i in range(count):
            placement = end.fitting[i]
            if placement >= 0 and _touches(geometry, end, placement, 0):
                for k in range(geometry.span[placement, EDGES_END], geometry.span[placement, CORNERS_END]):
                    bit = geometry.cell_bit[geometry.touched[k]]
                    end.bits[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
                end.fitting[i] = ~placement
                marked += 1
                again = True
    return marked


@part
def _add(geometry: Geometry, state: State, end: Endgame, colour: int, count: int, cells: int) -> int:
    """Make candidates of the marked placements of a colour, the biggest first; returns the number of known cells."""
    words = len(geometry.board_bits)
    info = end.info
    bit, slot = info[WORDS] * 64, info[SLOTS]
    for piece in range(len(geometry.pieces) - 1, -1, -1):
        if state.left[colour, piece] == 0:
            continue
        first = bit
        for i in range(count):
            placement = ~np.int64(end.fitting[i])
            if placement < 0 or geometry.placement_piece[placement] != piece:
                continue
            end.candidates[bit, PLACEMENT], end.candidates[bit, SLOT] = placement, slot
            end.moves[bit] = 1 if _touches(geometry, end, placement, words) else 0
            bit += 1
            for k in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
                if end.moves[len(end.candidates) + geometry.touched[k]] < 0:
                    end.moves[len(end.candidates) + geometry.touched[k]] = cells
                    cells += 1
        if bit > first:
            end.slots[slot, OWNER], end.slots[slot, CELLS_EACH] = colour, geometry.pieces[piece, SIZE]
            end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT] = first, bit
            end.sheet[0, info[COLOURS] * PER_COLOUR + slot] = state.left[colour, piece]
            slot += 1
        else:
            end.colours[colour, LOST] += state.left[colour, piece]
    info[LINK_WORDS] = max(info[LINK_WORDS], (bit + 63) // 64 - info[WORDS])
    info[WORDS], info[SLOTS] = (bit + 63) // 64, slot
    return cells


@part
def _collect(geometry: Geometry, rules: Rules, state: State, end: Endgame) -> int:
    """List the candidates of all colours; returns the number of cells they cover, -1: too many of them."""
    info, cells = end.info, np.int64(0)
    info[WORDS] = info[SLOTS] = info[LINK_WORDS] = 0
    for cell in range(len(geometry.cell_bit)):
        end.moves[len(end.candidates) + cell] = -1
    grouped = False
    for size in range(1, rules.start_groups.shape[2]):
        grouped = grouped or rules.start_groups[0, 0, size] >= 0
    for colour in range(len(state.facts)):
        of = end.colours[colour]
        of[FIRST_WORD], of[FIRST_SLOT], of[LOST] = info[WORDS], info[SLOTS], 0
        # Whoever has left has no turn, but under `first_blocked` the game ends when it could not move any more.
        counts = info[FIRST_BLOCKED] or not state.facts[colour, OUT]
        if counts and pieces_left(state, colour) and write_liberties(geometry, rules, state, colour):
            count = _list_fitting(geometry, state, end, colour)
            marked = _mark_reachable(geometry, end, count)
            # A starting corner of two cells is lost with either of them: more than a row of candidates can say.
            unclear = grouped and marked > 0 and state.facts[colour, PIECES] == 0
            if unclear or info[WORDS] * 64 + marked > len(end.candidates):
                return -1
            cells = _add(geometry, state, end, colour, count, cells)
        else:
            of[LOST] = 1
        of[END_WORD], of[END_SLOT] = info[WORDS], info[SLOTS]
        of[ACTIVE] = 0 if state.facts[colour, OUT] else 1
        left = 0
        for piece in range(state.left.shape[1]):
            left += state.left[colour, piece]
        own = colour * PER_COLOUR
        end.sheet[0, own + PIECES_LEFT], end.sheet[0, own + PLACED] = left, state.facts[colour, PIECES]
    return cells


@part
def _lay_out(end: Endgame, cells: int) -> bool:
    """Decide where everything lies; false when there is no room."""
    info = end.info
    words, width = info[WORDS], (cells + 63) // 64
    info[CELL_WORDS] = width
    info[LINKS_AT] = words
    info[CELLS_AT] = words + info[LINK_WORDS]
    info[ROW] = info[CELLS_AT] + width
    info[LEGAL_AT] = words
    info[UNION_AT] = 2 * words
    info[HASH_AT] = info[UNION_AT] + info[COLOURS] * width
    info[STRIDE] = info[HASH_AT] + 2 * info[COLOURS]
    info[ROOM] = min(DEPTHS, (len(end.bits) - 2 * words) // info[STRIDE])
    info[SCRATCH] = info[ROOM] * info[STRIDE]
    return info[ROOM] > 1 and words * 64 * info[ROW] + cells * words <= len(end.rows)


@inner
def _gather(geometry: Geometry, end: Endgame, to: int, begin: int, stop: int, first: int, last: int) -> None:
    """Add the candidates, in words `first` to `last`, that cover one of some touched cells, to the words from `to`."""
    words = end.info[WORDS]
    covers = words * 64 * end.info[ROW]
    for k in range(begin, stop):
        index = end.moves[len(end.candidates) + geometry.touched[k]]
        if index >= 0:
            for w in range(first, last):
                end.rows[to + w] |= end.rows[covers + index * words + w]


@part
def _write_covers(geometry: Geometry, end: Endgame, cells: int) -> None:
    """Which candidates cover a cell, behind the rows."""
    words = end.info[WORDS]
    covers = words * 64 * end.info[ROW]
    for i in range(covers, covers + cells * words):
        end.rows[i] = 0
    for slot in range(end.info[SLOTS]):
        for p in range(end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT]):
            placement = end.candidates[p, PLACEMENT]
            for k in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
                word = covers + end.moves[len(end.candidates) + geometry.touched[k]] * words + (p >> 6)
                end.rows[word] |= np.uint64(1) << np.uint64(p & 63)


@part
def _write_row(geometry: Geometry, end: Endgame, p: int, colour: int) -> None:
    """What a candidate strikes out, links to and covers."""
    info, rows, span = end.info, end.rows, geometry.span
    row = p * info[ROW]
    placement = end.candidates[p, PLACEMENT]
    first, last = end.colours[colour, FIRST_WORD], end.colours[colour, END_WORD]
    for i in range(row, row + info[ROW]):
        rows[i] = 0
    _gather(geometry, end, row, span[placement, 0], span[placement, CELLS_END], 0, info[WORDS])
    _gather(geometry, end, row, span[placement, CELLS_END], span[placement, EDGES_END], first, last)
    links = row + info[LINKS_AT] - first
    _gather(geometry, end, links, span[placement, EDGES_END], span[placement, CORNERS_END], first, last)
    for w in range(first, last):
        rows[links + w] &= ~rows[row + w]
    for k in range(span[placement, 0], span[placement, CELLS_END]):
        index = end.moves[len(end.candidates) + geometry.touched[k]]
        rows[row + info[CELLS_AT] + (index >> 6)] |= np.uint64(1) << np.uint64(index & 63)


@part
def prepare(geometry: Geometry, rules: Rules, state: State, end: Endgame) -> bool:
    """Write the candidates of a position, and the position as that of depth 0; false when they are too many."""
    end.info[COLOURS] = len(state.facts)
    cells = _collect(geometry, rules, state, end)
    if cells < 0 or not _lay_out(end, cells):
        return False
    info = end.info
    _write_covers(geometry, end, cells)
    for i in range(info[STRIDE]):
        end.bits[i] = 0
    for slot in range(info[SLOTS]):
        for p in range(end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT]):
            _write_row(geometry, end, p, end.slots[slot, OWNER])
            end.bits[p >> 6] |= np.uint64(1) << np.uint64(p & 63)
            if end.moves[p]:
                end.bits[info[LEGAL_AT] + (p >> 6)] |= np.uint64(1) << np.uint64(p & 63)
    for colour in range(info[COLOURS]):
        settle(end, ROOT, colour)
    return True
