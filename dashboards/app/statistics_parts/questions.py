"""The questions of the page."""

from __future__ import annotations

from dashboards.app.filters import Filters
from pipeline import heat_maps
from pipeline.heat_maps import HeatMap
from pipeline.piece_statistics import PieceStatistics, piece_statistics
from pipeline.seat_statistics import SeatStatistics, seat_statistics
from pipeline.store import Reader


def seats(reader: Reader, filters: Filters) -> SeatStatistics:
    """Results by seat and colour, and lengths.

    Raises:
        PipelineError, EngineError: a filter that means nothing.
    """
    return seat_statistics(reader, filters.selection())


def pieces(reader: Reader, filters: Filters) -> PieceStatistics:
    """When each piece is played, and what that goes along with.

    Raises:
        PipelineError, EngineError: a filter that means nothing.
    """
    return piece_statistics(reader, filters.selection())


def heat(
    reader: Reader, variant_id: str, measure: str, colour: int | None, player: str | None, phase: str | None
) -> HeatMap:
    """A heat map; raises as `pipeline.heat_maps.heat_map`."""
    return heat_maps.heat_map(reader, variant_id, measure, colour, player, phase)
