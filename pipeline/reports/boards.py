"""Boards of a stored game as figures, with what they show in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.boards import cell_names, cells, cells_by_name
from engine.variants import variant
from pipeline.board_svg import Marks, board_svg
from pipeline.game_board import BoardAt
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.pieces_svg import pieces_svg
from pipeline.queries import Row
from pipeline.reports.document import Figure
from pipeline.reports.texts import Texts


def colour_name(t: Texts, variant_id: str, colour: int) -> str:
    """A colour (0..) in words: `blue`, `first (violet)`."""
    name = variant(variant_id).colours[colour]
    ink = PALETTES[DEFAULT].ink(name).name
    said = t.named("colours", name)
    return said if ink == name else t("colour_called", name=said, ink=t.named("colours", ink))


def counts(t: Texts, at: BoardAt) -> list[str]:
    """For every colour its name and cells placed."""
    return [
        t("legend", colour=colour_name(t, at.variant, colour), n=int((at.board == colour).sum()))
        for colour in range(len(variant(at.variant).colours))
    ]


def large_board(t: Texts, at: BoardAt, moves: Sequence[Row], uid: str) -> Figure:
    """The board with coordinates, a legend and the number of the ply on every piece."""
    svg = board_svg(
        at.variant,
        at.board,
        title=t("boards.title", ply=at.ply),
        description=_description(t, at),
        uid=uid,
        marks=Marks(last=at.last, labels=ply_labels(at.variant, moves[: at.ply])),
        legend=counts(t, at),
    )
    return Figure(svg, t("boards.numbers") if at.ply else t("boards.start"))


def small_board(t: Texts, at: BoardAt, uid: str, caption: str) -> Figure:
    """The board without coordinates, the last move marked."""
    svg = board_svg(
        at.variant,
        at.board,
        title=t("boards.title", ply=at.ply),
        description=_description(t, at),
        uid=uid,
        marks=Marks(last=at.last),
        small=True,
    )
    return Figure(svg, caption)


def left_strip(t: Texts, at: BoardAt, colour: int, uid: str) -> Figure:
    """The pieces that a colour has left, as shapes under its name."""
    return strip(t, at.variant, colour, at.left[colour], uid)


def strip(t: Texts, variant_id: str, colour: int, left: Mapping[str, int], uid: str) -> Figure:
    """Pieces of a colour, by name with their number, as shapes under its name."""
    from engine.pieces import PIECE_SETS

    shapes = PIECE_SETS[variant(variant_id).pieces].shapes
    name = colour_name(t, variant_id, colour)
    if not left:
        title = t("left.nothing", colour=name)
        return Figure("", title)
    number, size = sum(left.values()), sum(len(shapes[piece]) * n for piece, n in left.items())
    title = t("left.some", colour=name, pieces=t.counted("pieces", number), cells=t.counted("cells", size))
    listed = " ".join(piece if n == 1 else f"{piece}×{n}" for piece, n in left.items())
    return Figure(pieces_svg(variant_id, colour, left, title=title, description=listed, uid=uid), title)


def ply_labels(variant_id: str, moves: Sequence[Row]) -> dict[int, str]:
    """The number of each ply on the cell of its piece that is nearest to the piece's middle."""
    row = variant(variant_id)
    places, by_name = cells(row.board), cells_by_name(row.board)
    labels = {}
    for move in moves:
        covered = [by_name[name] for name in move["move"].split(",")]
        x = sum(places[cell][0] for cell in covered) / len(covered)
        y = sum(places[cell][1] for cell in covered) / len(covered)
        middle = min(covered, key=lambda cell: (places[cell][0] - x) ** 2 + (places[cell][1] - y) ** 2)
        labels[middle] = str(move["ply"])
    return labels


def _description(t: Texts, at: BoardAt) -> str:
    """The position in words: cells of every colour, and the last move."""
    said = t("list_comma").join(counts(t, at))
    if not at.last:
        return said
    names = cell_names(variant(at.variant).board)
    colour = colour_name(t, at.variant, int(at.board[at.last[0]]))
    return t(
        "boards.last", counts=said, colour=colour, cells=" ".join(names[cell] for cell in sorted(at.last))
    )
