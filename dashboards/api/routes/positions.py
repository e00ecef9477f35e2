"""Positions: legal moves, points, pictures, and what the engine thinks of them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from dashboards.api import models
from dashboards.api.access import Read, Running
from dashboards.api.answers import answer
from dashboards.api.problems import ApiError, documented
from dashboards.api.state import Service
from engine.variants import variant
from pipeline.asking import colour_number, probe, reach
from pipeline.documents import Document, legal_document, score_document
from pipeline.evaluations import Subject, Wish

router = APIRouter(prefix="/v1", tags=["positions"], dependencies=[Read])


@router.post("/legal", responses={200: {"model": models.LegalAnswer}, **documented(404)})
async def legal(body: models.LegalBody, service: Running) -> JSONResponse:
    """Legal moves of a position, of colours on turn or not, and whether some moves are."""

    def work() -> Document:
        reached = reach(body.asked(), body.ply)
        row = reached.position.variant
        asked = None if body.colour is None else colour_number(row, body.colour)
        mover = reached.to_move if asked is None else asked
        if body.probes and mover is None:
            raise ApiError(422, "game_over", "no colour is to move here: name one with `colour`")
        probes = [probe(reached, mover or 0, cells) for cells in body.probes]
        return {**legal_document(reached, asked), "probes": probes}

    return answer(await service.compute(work))


@router.post("/score", responses={200: {"model": models.ScoreAnswer}, **documented(404)})
async def score(body: models.ScoreBody, service: Running) -> JSONResponse:
    """Points of a position by every scoring table, and places once the game is over."""
    return answer(await service.compute(lambda: score_document(reach(body.asked(), body.ply))))


_SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}, "description": "The picture"}
}


@router.post("/render", response_class=Response, responses={**_SVG, **documented(404)})
async def render(body: models.RenderBody, service: Running) -> Response:
    """A picture of a position (SVG)."""
    drawn = await service.compute(lambda: _drawn(body))
    return Response(drawn.encode("utf-8", "replace"), media_type="image/svg+xml")


def _drawn(body: models.RenderBody) -> str:
    from notation.moves import move_from_names
    from pipeline.board_svg import Marks, board_svg
    from pipeline.palettes import DEFAULT, PALETTES

    reached = reach(body.asked(), body.ply)
    row = reached.position.variant
    palette = body.palette or DEFAULT
    if palette not in PALETTES:
        raise ApiError(422, "invalid", f"palette: choose one of {', '.join(PALETTES)}")

    def cells(text: str) -> tuple[int, ...]:
        move = move_from_names(row.id, 0, text.split(","))
        if not move.cells:
            raise ApiError(422, "invalid", f"marks: {text} is not on the board")
        return move.cells

    last = tuple(cell for text in body.marks.last for cell in cells(text))
    if not body.marks.last and reached.ply and reached.pieces:
        last = reached.pieces[-1].cells
    suggested = () if body.marks.suggested is None else cells(body.marks.suggested)
    whose = "the game is over" if reached.to_move is None else f"{row.colours[reached.to_move]} to move"
    return board_svg(
        row.id,
        reached.position.board,
        title=body.title or f"{variant(row.id).name}: {whose}",
        description=whose,
        marks=Marks(last=last, suggested=suggested),
        distinction=body.distinction,
        palette=palette,
        small=body.small,
    )


@router.post(
    "/evaluate",
    responses={200: {"model": models.EvaluateAnswer}, **documented(404)},
)
async def evaluate(body: models.EvaluateBody, service: Running) -> JSONResponse:
    """What positions are worth to every seat, and the best moves; from memory where they were asked for before.

    The same budget and seed give the same answer. A time limit ends the search early: `stopped` is then true.
    """
    check_budget(service, body.budget)
    plies: list[int | None] = list(dict.fromkeys(body.plies)) if body.plies else [None]

    def asked() -> tuple[Subject, Wish]:
        subject = Subject.of(body.asked())
        if len(plies) > 1:
            # All of them, before any is searched.
            for ply in plies:
                subject.reach(ply)
        return subject, body.wish()

    subject, wish = await service.compute(asked)
    # One after the other: others wait too.
    found = [await service.evaluate(subject, ply, wish, body.seconds) for ply in plies]
    return answer({"evaluations": found})


def check_budget(service: Service, budget: str | int) -> None:
    """Refuse more simulations than one evaluation may take.

    Raises:
        ApiError: they are.
    """
    most = service.settings.simulations
    if isinstance(budget, int) and budget > most:
        raise ApiError(422, "budget", f"body.budget: at most {most} simulations")
