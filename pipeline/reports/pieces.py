"""First pieces and when each piece is played, for the report of openings."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.charts import Axes, Bar, interval_chart
from pipeline.game_selection import Selection
from pipeline.piece_statistics import PieceStatistics, piece_statistics
from pipeline.reports.document import Block, Column, Figure, Figures, Remark, Table
from pipeline.reports.texts import Texts
from pipeline.store import Reader

PIECES = (
    Column("piece"), Column("round", "decimal"), Column("round_quartiles", "list"), Column("placed", "whole"),
    Column("left_rate", "share", interval=True), Column("share_correlation", "fine", interval=True),
    Column("score_correlation", "fine", interval=True),
)  # fmt: skip
FIRST_PIECES = (
    Column("colour"), Column("piece"), Column("games", "whole"), Column("rate", "share", interval=True),
    Column("share", "share", interval=True), Column("score", "decimal", interval=True),
)  # fmt: skip

MOST_FIRST = 20
"""First pieces that a page lists."""


def piece_blocks(reader: Reader, wanted: Selection, t: Texts) -> Iterator[Block]:
    """Chart and tables of the pieces of the selection's variant.

    Raises:
        LibraryError: the library has no index of openings yet.
    """
    found = piece_statistics(reader, wanted)
    if all(row["round"] is None for row in found.pieces):
        yield Remark(t("openings.no_pieces"))
        return
    yield Figures([rounds_chart(found, t)])
    pieces = [
        {**row, "left_rate_low": row["left_low"], "left_rate_high": row["left_high"]} for row in found.pieces
    ]
    yield Table("pieces", PIECES, pieces, note=t("openings.pieces_note"))
    first = [{**row, "colour": t.named("colours", row["colour_name"])} for row in found.first]
    yield Table("first_pieces", FIRST_PIECES, first, MOST_FIRST, t("openings.first_pieces_note"))


def rounds_chart(found: PieceStatistics, t: Texts) -> Figure:
    """When each piece is played: median round with the middle half, and how often it is placed at all."""
    bars = []
    for row in found.pieces:
        if row["round"] is not None:
            low, middle, high = row["round_quartiles"]
            bars.append(Bar(row["piece"], middle, low, high, remark=t.share(1 - row["left_rate"])))
    title, axes = t("openings.rounds_chart"), Axes(t("axes.round"), reach=(1.0,), whole=True)
    return Figure(interval_chart(bars, title=title, uid="rounds", axes=axes), title)
