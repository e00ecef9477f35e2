"""Statistics of the library: openings, seats, pieces, heat maps, players, ratings, standings, and reports as files."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from dashboards.api.access import Read, Running
from dashboards.api.answers import answer
from dashboards.api.fields import (
    Cells,
    Colour,
    DateText,
    Flag,
    GameId,
    Limit,
    MinGames,
    Name,
    Offset,
    Question,
    VariantId,
    Whole,
)
from dashboards.api.models import PositionText, Rows
from dashboards.api.problems import ApiError, documented
from dashboards.api.routes.selecting import Contests, Selecting, known_players, only_variant
from engine.variants import variant as known_variant
from pipeline import heat_maps, queries, ratings
from pipeline.asking import colour_number
from pipeline.documents import Document, explored_document, heat_document, standings_document
from pipeline.openings.explorer import explore
from pipeline.openings.positions import Spot, spot_of_game, spot_of_key, spot_of_moves, spot_of_text
from pipeline.openings.shapes import first_shapes
from pipeline.piece_statistics import piece_statistics
from pipeline.players import players as player_statistics
from pipeline.reports.kinds import write_kind
from pipeline.seat_statistics import seat_statistics
from pipeline.store import Reader

router = APIRouter(prefix="/v1", tags=["statistics"], dependencies=[Read])
ANY: dict[int | str, dict[str, Any]] = {200: {"model": dict[str, Any]}}


class OpeningsQuestion(Selecting):
    """A position, by moves, a position text, a key or a game; none: the start."""

    move: list[Cells] = Field(
        default_factory=list, max_length=100, description="moves from the start, in order"
    )
    position: PositionText | None = None
    key: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{32}$")] | None = None
    game: GameId | None = None
    ply: Whole | None = Field(None, ge=0, le=30_000, description="after so many placements of the game")
    merged: Flag = Field(False, description="exact mirror and turned images count as the position itself")
    shape: Flag = Field(False, description="first pieces of every colour by shape, instead of a position")
    min_games: MinGames = 1
    min_rating: float | None = None
    max_rating: float | None = None
    limit: Limit = 12

    def check(self) -> None:
        """See that one position is asked for.

        Raises:
            ApiError: there are several.
        """
        given = [name for name in ("move", "position", "key", "game") if getattr(self, name)]
        if len(given) > 1:
            raise ApiError(422, "invalid", f"query: {' and '.join(given)} exclude each other")
        if self.ply is not None and self.game is None:
            raise ApiError(422, "invalid", "query.ply: is of a game: name one")
        if self.shape and given:
            raise ApiError(422, "invalid", f"query.shape: goes without {given[0]}")

    def spot(self, reader: Reader) -> Spot:
        """The position."""
        rules = self.selection().rules or {}
        if self.game is not None:
            return spot_of_game(reader, self.game, self.ply)
        if self.key is not None:
            return spot_of_key(reader, self.key, self.variant)
        if self.position is not None:
            return spot_of_text(self.position, rules)
        return spot_of_moves(only_variant(reader, self.variant), rules, self.move)


@router.get("/openings", responses={**ANY, **documented(404, 409)})
async def openings(question: Annotated[OpeningsQuestion, Query()], service: Running) -> Response:
    """What was played from a position: how often from here, how many games reach what follows, and how they did."""
    question.check()
    wanted = replace(question.selection(), ratings=(question.min_rating, question.max_rating))

    def about(reader: Reader) -> Document:
        if question.shape:
            return _shapes(reader, question)
        spot = question.spot(reader)
        if wanted.variant not in (None, spot.variant):
            raise ApiError(422, "invalid", f"the position is of {spot.variant}, not of {wanted.variant}")
        rated = wanted.ratings != (None, None)
        found = explore(
            reader,
            spot,
            wanted,
            merged=question.merged,
            scoring=question.scoring,
            min_games=question.min_games,
            limit=question.limit,
            ratings=ratings.ratings_of(reader, spot.variant) if rated else None,
        )
        if not found.games:
            known_players(reader, wanted)
        return explored_document(found)

    return await service.tell("openings", question, about)


def _shapes(reader: Reader, question: OpeningsQuestion) -> Document:
    wanted = replace(question.selection(), variant=only_variant(reader, question.variant))
    rows = [r for r in first_shapes(reader, wanted, question.scoring) if r["games"] >= question.min_games]
    return {"variant": wanted.variant, "view": "shape", "total": len(rows), "shapes": rows[: question.limit]}


@router.get("/seats", responses={**ANY, **documented(404)})
async def seats(question: Annotated[Selecting, Query()], service: Running) -> Response:
    """Results by seat and colour, lengths of games, passes and bonuses, with 95 % intervals."""
    wanted = question.selection()

    def about(reader: Reader) -> Document:
        found = seat_statistics(reader, wanted, question.scoring)
        if not found.lengths:
            known_players(reader, wanted)
        return asdict(found)

    return await service.tell("seats", question, about)


class PiecesQuestion(Selecting):
    """Which games, and whether lists of pieces are told too."""

    lists: Flag = False


@router.get("/pieces", responses={**ANY, **documented(404)})
async def pieces(question: Annotated[PiecesQuestion, Query()], service: Running) -> Response:
    """Which pieces come first, when each is played, and what that goes along with."""
    wanted = question.selection()

    def about(reader: Reader) -> Document:
        mine = replace(wanted, variant=only_variant(reader, question.variant))
        found = piece_statistics(reader, mine, question.scoring, question.lists)
        if not found.games:
            known_players(reader, mine)
        return asdict(found)

    return await service.tell("pieces", question, about)


class HeatQuestion(Question):
    """Which heat map; without a variant that of the one with most games."""

    measure: Literal["occupied", "reach", "contested", "dead", "first_contact"] = "occupied"
    variant: VariantId | None = None
    colour: Colour | None = None
    player: Name | None = Field(None, description="only colours of this player")
    phase: Literal["opening", "middle", "end"] | None = None


@router.get("/heatmaps", responses={**ANY, **documented(404, 409)})
async def heatmaps(question: Annotated[HeatQuestion, Query()], service: Running) -> Response:
    """Where colours are, what they reach, what is contested or dead, when cells are first covered."""

    def about(reader: Reader) -> Document:
        chosen = question.variant or queries.most_played(reader)
        colour = (
            None if question.colour is None else colour_number(known_variant(chosen), question.colour) + 1
        )
        return heat_document(
            heat_maps.heat_map(reader, chosen, question.measure, colour, question.player, question.phase)
        )

    return await service.tell("heatmaps", question, about)


class PlayersQuestion(Contests):
    """A page of players."""

    by: Literal["variant", "seat", "colour"] | None = None
    min_games: MinGames = 1
    limit: Limit = 50
    offset: Offset = 0


@router.get("/players", responses={200: {"model": Rows}, **documented()})
async def players(question: Annotated[PlayersQuestion, Query()], service: Running) -> Response:
    """Results of players, those with most games first."""

    def about(reader: Reader) -> Document:
        page = player_statistics.list_players(
            reader, question.filter(), question.by, question.min_games, question.limit, question.offset
        )
        return {"total": page.total, "rows": page.rows}

    return await service.tell("players", question, about)


class PlayerQuestion(Contests):
    """One player."""

    name: Name


@router.get("/player", responses={**ANY, **documented(404)})
async def player(question: Annotated[PlayerQuestion, Query()], service: Running) -> Response:
    """One player: results by variant, seat, colour and year, and opponents."""

    def about(reader: Reader) -> Document:
        found = player_statistics.player(reader, question.name, question.filter())
        return asdict(found)

    return await service.tell("player", question, about)


class PairQuestion(PlayerQuestion):
    """Two players."""

    against: Name
    limit: Limit = 50


@router.get("/head-to-head", responses={**ANY, **documented(404)})
async def head_to_head(question: Annotated[PairQuestion, Query()], service: Running) -> Response:
    """Two players' games against each other."""

    def about(reader: Reader) -> Document:
        found = player_statistics.head_to_head(
            reader, question.name, question.against, question.filter(), question.limit
        )
        return asdict(found)

    return await service.tell("head-to-head", question, about)


class MatrixQuestion(Contests):
    """Players with most games."""

    min_games: MinGames = 1
    limit: Annotated[Whole, Field(ge=1, le=50)] = 20


@router.get("/player-matrix", responses={**ANY, **documented()})
async def player_matrix(question: Annotated[MatrixQuestion, Query()], service: Running) -> Response:
    """Everybody against everybody, of the players with most games."""

    def about(reader: Reader) -> Document:
        names, rows = player_statistics.matrix(reader, question.filter(), question.min_games, question.limit)
        return {"players": names, "pairs": rows}

    return await service.tell("player-matrix", question, about)


Family = Annotated[str, Field(json_schema_extra={"enum": list(ratings.FAMILIES)})]


class RatingsQuestion(Question):
    """A page of ratings."""

    family: Family | None = None
    at: DateText | None = Field(None, description="as they were on this day")
    min_games: MinGames = 1
    odd: Flag = False
    limit: Limit = 50
    offset: Offset = 0


@router.get("/ratings", responses={200: {"model": Rows}, **documented()})
async def player_ratings(question: Annotated[RatingsQuestion, Query()], service: Running) -> Response:
    """How strong players are, by family of variants; points are an approximation of the competition room's."""

    def about(reader: Reader) -> Document:
        page = ratings.ratings(
            reader,
            question.family,
            question.at,
            question.min_games,
            question.limit,
            question.offset,
            question.odd,
        )
        return {"total": page.total, "rows": page.rows}

    return await service.tell("ratings", question, about)


class HistoryQuestion(Question):
    """One player's ratings."""

    name: Name
    family: Family | None = None
    odd: Flag = False
    limit: Limit = 100
    offset: Offset = 0


@router.get("/rating-history", responses={200: {"model": Rows}, **documented(404)})
async def rating_history(question: Annotated[HistoryQuestion, Query()], service: Running) -> Response:
    """A player's ratings after every rated game."""

    def about(reader: Reader) -> Document:
        rows = ratings.history(reader, question.name, question.family, question.odd)
        return {"total": len(rows), "rows": rows[question.offset : question.offset + question.limit]}

    return await service.tell("rating-history", question, about)


class StandingsQuestion(Contests):
    """An event, and how its points are made."""

    event: Name
    points: Annotated[str, Field(max_length=200)] | None = None
    tie_breaks: Annotated[str, Field(max_length=100)] | None = None
    bye: Annotated[float, Field(ge=-1000, le=1000)] = 0.0


@router.get("/standings", responses={**ANY, **documented(404)})
async def event_standings(question: Annotated[StandingsQuestion, Query()], service: Running) -> JSONResponse:
    """The table of an event."""
    from fractions import Fraction

    from pipeline import standings

    table, order = standings.points_table(question.points), standings.tie_breaks(question.tie_breaks)
    wanted = replace(question.filter(), event=None)
    found = await service.ask(
        lambda reader: standings.standings(
            reader, question.event, table, order, Fraction(str(question.bye)), wanted
        )
    )
    return answer(standings_document(found))


class ReportQuestion(Question):
    """A report, and the form of its file."""

    form: Literal["html", "json", "csv", "parquet"] = "html"
    table: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,40}$")] | None = None
    game: GameId | None = Field(None, description="of a report on a game")
    name: Name | None = Field(None, description="of a report on a player")
    variant: VariantId | None = None
    since: DateText | None = None
    until: DateText | None = None


_TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {kind.partition(";")[0]: {"schema": {}} for kind in _TYPES.values()},
        "description": "The file",
    }
}


@router.get("/reports/{kind}", response_class=Response, responses={**_REPORT, **documented(404, 409)})
async def report(
    kind: Literal["game", "player", "openings", "library"],
    question: Annotated[ReportQuestion, Query()],
    service: Running,
) -> Response:
    """A report as a file: a page of its own, all its tables as JSON, or one table."""
    if (kind == "game") != (question.game is not None) or (kind == "player") != (question.name is not None):
        raise ApiError(422, "invalid", "query: `game` is of a report on a game, `name` of one on a player")

    def work(reader: Reader) -> bytes:
        with tempfile.TemporaryDirectory(prefix="cornerwise-report-") as folder:
            path = Path(folder) / f"{kind}.{question.form}"
            subject = question.game or question.name
            wanted = queries.GameFilter(question.variant, None, question.since, question.until)
            write_kind(reader, kind, subject, wanted, path, question.table, date.today())
            return path.read_bytes()

    content = await service.ask(work)
    name = f'attachment; filename="{kind}.{question.form}"'
    return Response(content, media_type=_TYPES[question.form], headers={"Content-Disposition": name})
