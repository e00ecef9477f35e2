"""Games of the library: lists, one game, games as files, and what is wrong with the data."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import Field
from starlette.background import BackgroundTask

from dashboards.api.access import Read, Running
from dashboards.api.answers import answer
from dashboards.api.fields import (
    DateText,
    Flag,
    GameId,
    Limit,
    Name,
    Offset,
    Question,
    Strict,
    VariantId,
    Whole,
    WrittenFormat,
    example,
)
from dashboards.api.models import GameRows, Rows
from dashboards.api.problems import ApiError, documented
from pipeline import queries
from pipeline.abbreviations import find_game
from pipeline.documents import Document, game_document
from pipeline.export_files import exported_file
from pipeline.features import queries as feature_queries
from pipeline.fragment_queries import list_fragments
from pipeline.game_board import board_at
from pipeline.game_pages import page_of_games
from pipeline.quality import cases, meaning, quality
from pipeline.store import Reader

router = APIRouter(prefix="/v1", tags=["games"], dependencies=[Read])


class GameFilters(Question):
    """Which games; none: all."""

    variant: VariantId | None = None
    player: Name | None = Field(None, description="in a player's name, in any case")
    since: DateText | None = None
    until: DateText | None = None

    def filter(self) -> queries.GameFilter:
        """The same for the pipeline."""
        return queries.GameFilter(self.variant, self.player, self.since, self.until)


class GamesQuestion(GameFilters):
    """A page of games."""

    limit: Limit = 50
    cursor: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,200}$")] | None = Field(
        None, description="`next` of the page before"
    )


@router.get("/info", responses={200: {"model": dict[str, Any]}, **documented()})
async def info(service: Running) -> JSONResponse:
    """What the library holds, by variant, format and termination, and its last imports."""

    def about(reader: Reader) -> Document:
        found = {key: value for key, value in queries.info(reader).items() if key != "library"}
        return {**found, "last_batches": queries.batches(reader)}

    return answer(await service.ask(about))


@router.get("/games", responses={200: {"model": GameRows}, **documented()})
async def games(question: Annotated[GamesQuestion, Query()], service: Running) -> Response:
    """Games by date, a page at a time."""

    def about(reader: Reader) -> Document:
        found = page_of_games(reader, question.filter(), question.limit, question.cursor)
        return {"total": found.total, "rows": found.rows, "next": found.next}

    return await service.tell("games", question, about)


class GameQuestion(Question):
    """One game, with its board after `ply` placements."""

    ply: Whole | None = Field(None, ge=0, le=30_000)
    features: Flag = Field(
        False, description="with the measures of every ply, where the game has been measured"
    )


@router.get("/games/{identity}", responses={200: {"model": dict[str, Any]}, **documented(404, 409)})
async def game(
    identity: GameId, question: Annotated[GameQuestion, Query()], service: Running
) -> JSONResponse:
    """Everything about one game, named by its identity or the beginning of it."""

    def about(reader: Reader) -> Document:
        found = find_game(reader, identity)
        view = queries.game(reader, found)
        document = game_document(view, board_at(view, question.ply))
        if question.features:
            document["features"] = {
                measure: feature_queries.series(reader, found, measure).values
                for measure in feature_queries.OF_PLIES
            }
        return document

    return answer(await service.ask(about))


_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "description": "The file",
    }
}


class ExportQuestion(Question):
    """The format of an exported game."""

    format: WrittenFormat = "blksgf"


@router.get(
    "/games/{identity}/export", response_class=FileResponse, responses={**_FILE, **documented(404, 409, 507)}
)
async def export_game(
    identity: GameId, question: Annotated[ExportQuestion, Query()], service: Running
) -> FileResponse:
    """One game as a file; 422 where the format cannot hold it."""
    return await _exported(service, question.format, [identity], None)


class ExportBody(Strict):
    """Games as one file: those of some identities, or those that match, by default all."""

    model_config = example(format="jsonl", variant="duo")
    format: WrittenFormat
    ids: list[GameId] | None = Field(None, min_length=1, max_length=10_000)
    variant: VariantId | None = None
    player: Name | None = None
    since: DateText | None = None
    until: DateText | None = None


@router.post("/exports", response_class=FileResponse, responses={**_FILE, **documented(404, 409, 507)})
async def export(body: ExportBody, service: Running) -> FileResponse:
    """Games as one file, an archive where the format has one game a file.

    Games that the format cannot hold are left out: the header `X-Games-Refused` counts them.
    """
    wanted = queries.GameFilter(body.variant, body.player, body.since, body.until)
    if body.ids is not None and wanted != queries.GameFilter():
        raise ApiError(422, "invalid", "body.ids: identities and filters exclude each other")
    return await _exported(service, body.format, body.ids, wanted)


async def _exported(
    service: Running, form: str, ids: list[str] | None, wanted: queries.GameFilter | None
) -> FileResponse:
    folder = Path(tempfile.mkdtemp(prefix="cornerwise-export-"))

    def work(reader: Reader) -> tuple[Path, int, int]:
        chosen = None if ids is None else [find_game(reader, text) for text in ids]
        if chosen is None and wanted is not None and wanted != queries.GameFilter():
            chosen = [row["id"] for row in queries.list_games(reader, wanted).rows]
            if not chosen:
                raise ApiError(404, "not_there", "no game matches")
        path, report = exported_file(reader, chosen, form, folder)
        if not report.games:
            reasons = "; ".join(sorted({reason for _, reason in report.refused})[:3])
            raise ApiError(422, "cannot_write", f"{form} cannot hold it: {reasons}")
        return path, report.games, len(report.refused)

    try:
        path, written, refused = await service.ask(work)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        filename=path.name,
        media_type="application/octet-stream",
        headers={"X-Games-Written": str(written), "X-Games-Refused": str(refused)},
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


class PageQuestion(Question):
    """A page of rows."""

    limit: Limit = 50
    offset: Offset = 0


class QuarantineQuestion(PageQuestion):
    """A page of problems."""

    batch: Whole | None = Field(None, ge=1, le=2**31 - 1)


@router.get("/quarantine", responses={200: {"model": Rows}, **documented()})
async def quarantine(question: Annotated[QuarantineQuestion, Query()], service: Running) -> JSONResponse:
    """What is wrong with records, a row a problem."""
    page = await service.ask(
        lambda reader: queries.quarantine(reader, question.limit, question.offset, question.batch)
    )
    return answer({"total": page.total, "rows": page.rows})


class QualityQuestion(PageQuestion):
    """All codes, or the cases of one."""

    code: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")] | None = None


@router.get("/quality", responses={200: {"model": Rows}, **documented()})
async def data_quality(question: Annotated[QualityQuestion, Query()], service: Running) -> Response:
    """What is odd about the data: counts by code, or the cases of one code."""

    def about(reader: Reader) -> Document:
        if question.code is None:
            rows = quality(reader)
            shown = rows[question.offset : question.offset + question.limit]
            return {"total": len(rows), "rows": shown}
        page = cases(reader, question.code, question.limit, question.offset)
        return {"total": page.total, "rows": page.rows, "meaning": meaning(question.code)}

    return await service.tell("quality", question, about)


class FragmentsQuestion(PageQuestion):
    """A page of what is no game."""

    variant: VariantId | None = None
    player: Name | None = None


async def _fragments(kind: str, question: FragmentsQuestion, service: Running) -> JSONResponse:
    page = await service.ask(
        lambda reader: list_fragments(
            reader, kind, question.variant, question.player, question.limit, question.offset
        )
    )
    return answer({"total": page.total, "rows": page.rows})


@router.get("/results", responses={200: {"model": Rows}, **documented()})
async def results(question: Annotated[FragmentsQuestion, Query()], service: Running) -> JSONResponse:
    """Results of games whose moves are not known."""
    return await _fragments("results", question, service)


@router.get("/positions", responses={200: {"model": Rows}, **documented()})
async def positions(question: Annotated[FragmentsQuestion, Query()], service: Running) -> JSONResponse:
    """Positions without a game, as position texts."""
    return await _fragments("positions", question, service)


@router.get("/piece-lists", responses={200: {"model": Rows}, **documented()})
async def piece_lists(question: Annotated[FragmentsQuestion, Query()], service: Running) -> JSONResponse:
    """Games of which only the pieces are known."""
    return await _fragments("piece_lists", question, service)
