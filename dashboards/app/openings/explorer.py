"""What was played from the position: the questions of the page."""

from __future__ import annotations

from dashboards.app import rated
from dashboards.app.filters import Filters
from dashboards.app.openings.place import Place, located
from pipeline.abbreviations import short_ids
from pipeline.openings.explorer import Explored, explore
from pipeline.openings.shapes import first_shapes
from pipeline.queries import Row
from pipeline.store import Reader

SAMPLES = 2
"""Sample games of a move that are shown."""


def explored(reader: Reader, place: Place, filters: Filters, merged: bool, with_ratings: bool) -> Explored:
    """What the library knows of the position; `with_ratings` where those are there already.

    Raises:
        NotThere, PipelineError, EngineError: there is no such position; a filter that means nothing.
    """
    spot = located(reader, place, filters.rules)
    people = rated.ratings(spot.variant) if with_ratings else None
    return explore(
        reader,
        spot,
        filters.selection(),
        merged=merged,
        min_games=filters.min_games,
        ratings=people,
    )


def shapes(reader: Reader, filters: Filters) -> list[Row]:
    """First pieces by shape, of every colour.

    Raises:
        PipelineError, EngineError: a filter that means nothing.
    """
    return [row for row in first_shapes(reader, filters.selection()) if row["games"] >= filters.min_games]


def samples(reader: Reader, identities: tuple[str, ...]) -> dict[str, str]:
    """Short identities of games."""
    return short_ids(reader, identities)
