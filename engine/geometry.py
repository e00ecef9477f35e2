"""Read-only tables of a variant's board and pieces, built once; all that kernels know of a variant.

Boards are also bit strings: cell (column x, row y) is bit ``y * (width + 1) + x``, in ``uint64`` words, lowest bit
first. The spare column keeps a shape that runs over the border from wrapping around: it would have to cover it.
"""

from __future__ import annotations

from functools import cache, partial
from hashlib import blake2b
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine import boards, pieces
from engine.lattices import Lattice
from engine.tries import grow
from engine.variants import variant

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U64 = npt.NDArray[np.uint64]

BLOCK = 4
"""Words in a vector step of the kernels; bit strings are padded to whole blocks."""


PARENT, OFFSET, PIECE, NEEDED_BY, DIRECTION = range(5)
"""Columns of `Trie.nodes`."""


class Trie(NamedTuple):
    """The shapes that grow into each other (`engine.tries`), for the legal-move kernel. T nodes, W words.

    Columns of `nodes`: PARENT node (-1: a single cell); OFFSET in bytes, inside eight copies of a bit string shifted by
    0 to 7 bits and W + BLOCK words long each, of the extra cell seen from the anchor; PIECE of this shape (-1: it only
    leads to others); NEEDED_BY, bit set of the pieces at or below it; DIRECTION of its anchor, a row of `masks`.
    """

    nodes: I32  # (T, 5)
    masks: U64  # (3, W) cells that point up, that point down, all
    placement_at: U16  # (T, 64 (W + 1)) placement of the shape with its anchor at a bit


CELLS_END, EDGES_END, CORNERS_END = 1, 2, 3
"""Columns of `Geometry.span` behind the start."""

SIZE, COPIES = 0, 1
"""Columns of `Geometry.pieces`."""


class Geometry(NamedTuple):
    """Tables of one board with one piece set. C cells, N pieces, P placements, W words.

    Few arrays on purpose: every one of them costs compile time and is passed along at every call of a kernel.
    """

    board_bits: U64  # (W,) bits of all cells
    cell_bit: I16  # (C,) bit of a cell
    pieces: I8  # (N, 2) SIZE in cells, COPIES each colour has
    placement_piece: I8  # (P,)
    span: I32  # (P, 4) start in `touched`, CELLS_END, EDGES_END, CORNERS_END
    touched: I16  # for each placement: covered cells, cells side by side with it, cells at its corners only
    keys: U64  # (colours, C + 3, 2) 128-bit keys: cells, then to move, out, single cell last
    trie: Trie


def _bits(indexes: npt.NDArray[Any], words: int) -> U64:
    flags = np.zeros(words * 64, np.uint8)
    flags[indexes] = 1
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def _keys(geometry_id: str, colours: int, cells: int) -> U64:
    """128-bit keys from a hash of their meaning: the same on every machine and in every version."""
    out = np.zeros((colours, cells + 3, 2), np.uint64)
    # The colours' count does not enter: equal positions of variants on one board share their keys.
    name = geometry_id.rsplit("/", 1)[0]
    for colour in range(colours):
        for i in range(cells + 3):
            digest = blake2b(f"cornerwise/1/{name}/{colour}/{i}".encode(), digest_size=16).digest()
            out[colour, i] = np.frombuffer(digest, ">u8")
    return out


@cache
def geometry(variant_id: str) -> Geometry:
    """Return the tables of a variant; variants with the same board, pieces and colours share one object.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    return _geometry(variant(variant_id).geometry_id)


@cache
def _geometry(geometry_id: str) -> Geometry:
    board_id, set_id, colours = geometry_id.split("/")
    board, piece_set = boards.BOARDS[board_id], pieces.PIECE_SETS[set_id]
    cells = boards.cells(board_id)
    stride = board.width + 1
    words = -(-stride * board.height // 64)
    words = -(-words // BLOCK) * BLOCK
    xy = np.array(cells, np.int16)
    cell_bit = (xy[:, 1].astype(np.int32) * stride + xy[:, 0]).astype(np.int16)
    fields: dict[str, Any] = {
        "board_bits": _bits(cell_bit, words),
        "cell_bit": cell_bit,
        "pieces": np.array([(len(s), piece_set.copies) for s in piece_set.shapes.values()], np.int8),
        "keys": _keys(geometry_id, int(colours), len(cells)),
    }
    orientation, tables = _placement_tables(board, piece_set)
    fields |= tables
    fields["trie"] = _trie(board, piece_set, fields, orientation)
    built = Geometry(**fields)
    for table in (*built[:-1], *built.trie):
        table.flags.writeable = False
    return built


def _shapes(piece_set: pieces.PieceSet) -> list[tuple[int, pieces.Orientation]]:
    """(piece, orientation) of all orientations, in order."""
    images = pieces.orientations(piece_set.id)
    return [(i, o) for i, name in enumerate(piece_set.names) for o in images[name]]


class Surroundings(NamedTuple):
    """Offsets from an orientation's anchor, each in cell order: its cells, cells beside them, cells at corners only."""

    cells: pieces.Offsets
    sides: pieces.Offsets
    corners: pieces.Offsets


def surroundings(lattice: Lattice, shape: pieces.Orientation) -> Surroundings:
    """What an orientation covers and touches, on a board without borders."""
    vertices = partial(lattice.vertices, parity=shape.parity)
    sides: set[tuple[int, int]] = set()
    corners: set[tuple[int, int]] = set()
    for x, y in shape.offsets:
        mine = set(vertices((x, y)))
        for other in product(range(x - 2, x + 3), range(y - 1, y + 2)):
            shared = len(mine.intersection(vertices(other)))
            if other not in shape.offsets and shared:
                (sides if shared == 2 else corners).add(other)
    in_order = [sorted(found, key=lambda c: (c[1], c[0])) for found in (sides, corners - sides)]
    return Surroundings(shape.offsets, *(tuple(found) for found in in_order))


_MARGIN = 8
"""Columns and rows around a board that shapes on it may touch, and more."""


def _placement_tables(board: boards.Board, piece_set: pieces.PieceSet) -> tuple[I16, dict[str, Any]]:
    """(orientation of each placement, tables of `Geometry` by name)."""
    xy = np.array(boards.cells(board.id))
    grid = np.full((board.height + 2 * _MARGIN, board.width + 2 * _MARGIN), -1, np.int16)
    grid[xy[:, 1] + _MARGIN, xy[:, 0] + _MARGIN] = np.arange(len(xy))
    direction = (xy.sum(axis=1) + board.parity) % 2 if board.lattice.triangular else np.zeros(len(xy), int)
    orientation, counts, touched = [], [], []
    for o, (_, shape) in enumerate(_shapes(piece_set)):
        around = surroundings(board.lattice, shape)
        offsets = np.array([*around.cells, *around.sides, *around.corners])
        anchors = xy[direction == shape.parity] + _MARGIN
        found = grid[anchors[:, 1:] + offsets[:, 1], anchors[:, :1] + offsets[:, 0]]
        found = found[(found[:, : len(around.cells)] >= 0).all(axis=1)]
        # Cells ascend, because offsets are in cell order; what lies off the board drops out.
        on_board = found >= 0
        last = np.cumsum([len(part) for part in around]) - 1
        counts.append(np.cumsum(on_board, axis=1, dtype=np.int32)[:, last])
        touched.append(found[on_board])
        orientation.append(np.full(len(found), o, np.int16))
    ends = np.concatenate(counts)
    start = np.concatenate([[0], np.cumsum(ends[:-1, -1])]).reshape(-1, 1)
    of_placement = np.concatenate(orientation)
    return of_placement, {
        "placement_piece": np.array([piece for piece, _ in _shapes(piece_set)], np.int8)[of_placement],
        "span": np.hstack([start, start + ends]).astype(np.int32),
        "touched": np.concatenate(touched),
    }


def _trie(board: boards.Board, piece_set: pieces.PieceSet, fields: dict[str, Any], orientation: I16) -> Trie:
    triangular = board.lattice.triangular
    words = len(fields["board_bits"])
    shapes = _shapes(piece_set)
    nodes = grow([o for _, o in shapes], triangular)
    index_of = {shape: o for o, (_, shape) in enumerate(shapes)}
    table = np.zeros((len(nodes), 5), np.int32)
    placement_at = np.zeros((len(nodes), 64 * (words + 1)), np.uint16)
    # The first cell of a placement in cell order is its anchor.
    anchor_bit = fields["cell_bit"][fields["touched"][fields["span"][:, 0]]]
    stride = board.width + 1
    for t in range(len(nodes) - 1, -1, -1):
        node = nodes[t]
        shift = node.extra[1] * stride + node.extra[0]
        offset = (shift & 7) * (words + BLOCK) * 8 + (shift >> 3)
        piece = -1
        if node.shape in index_of:
            o = index_of[node.shape]
            piece = shapes[o][0]
            table[t, NEEDED_BY] |= 1 << piece
            mine = np.flatnonzero(orientation == o)
            placement_at[t, anchor_bit[mine]] = mine
        table[t, [PARENT, OFFSET, PIECE]] = node.parent, offset, piece
        table[t, DIRECTION] = node.shape.parity if triangular else 2
        if node.parent >= 0:
            table[node.parent, NEEDED_BY] |= table[t, NEEDED_BY]
    xy, bit = np.array(boards.cells(board.id)), fields["cell_bit"]
    down = (xy.sum(axis=1) + board.parity) % 2 == 1
    masks = np.stack([_bits(bit[~down], words), _bits(bit[down], words), _bits(bit, words)])
    return Trie(table, masks, placement_at)


def placement_cells(tables: Geometry, placement: int) -> tuple[int, ...]:
    """Cells of a placement, ascending."""
    start, stop = tables.span[placement, :2]
    return tuple(tables.touched[start:stop].tolist())


@cache
def placements_by_cells(variant_id: str) -> dict[tuple[int, ...], int]:
    """Ascending cells -> placement, for all placements of a variant."""
    tables = geometry(variant_id)
    flat = tables.touched.tolist()
    return {tuple(flat[a:b]): i for i, (a, b) in enumerate(tables.span[:, :2].tolist())}
