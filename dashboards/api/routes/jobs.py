"""Jobs: imports, analyses, judgings and measurings that survive a restart, their progress, and their results."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import astuple
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field, model_validator
from sse_starlette import EventSourceResponse, ServerSentEvent

from dashboards.api.access import Read, Running, Write
from dashboards.api.answers import answer
from dashboards.api.duplex import Duplex
from dashboards.api.fields import (
    Answer,
    GameId,
    JobId,
    Limit,
    MoveText,
    Question,
    Rules,
    Strict,
    VariantId,
    Whole,
    example,
)
from dashboards.api.models import How, PositionText
from dashboards.api.problems import ApiError, documented
from dashboards.api.routes.positions import check_budget
from dashboards.api.state import Service
from dashboards.api.stream import Conversation
from pipeline.service.analysis_job import units_of
from pipeline.service.jobs import Happened, Job, job_document

router = APIRouter(prefix="/v1", tags=["jobs"])

LOOK = 0.2
"""Seconds between two looks for new events."""

QueryId = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\x21-\x7e]+$")]


class JobAnswer(Answer):
    """A job as it stands."""

    id: str
    kind: Literal["import", "analysis", "judge", "measure"]
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    priority: int
    done: int
    total: int | None
    message: str | None
    code: str | None
    outcome: dict[str, Any] | None
    created: str
    started: str | None
    finished: str | None
    attempts: int


class JobRows(Answer):
    """A page of jobs, newest first; `next` is `before` of the following page."""

    rows: list[JobAnswer]
    next: int | None


class JobsQuestion(Question):
    """Which jobs."""

    kind: Literal["import", "analysis", "judge", "measure"] | None = None
    state: Literal["queued", "running", "done", "failed", "cancelled"] | None = None
    before: Whole | None = Field(None, ge=1, le=2**53)
    limit: Limit = 50


@router.get("/jobs", responses={200: {"model": JobRows}, **documented()}, dependencies=[Read])
async def jobs(question: Annotated[JobsQuestion, Query()], service: Running) -> JSONResponse:
    """Jobs, newest first."""
    found = await service.keep(
        lambda: service.jobs.listed(question.kind, question.state, question.before, question.limit)
    )
    more = found[-1].number if len(found) == question.limit and found[-1].number > 1 else None
    return answer({"rows": [job_document(job) for job in found], "next": more})


@router.get("/jobs/{identity}", responses={200: {"model": JobAnswer}, **documented(404)}, dependencies=[Read])
async def job(identity: JobId, service: Running) -> JSONResponse:
    """One job."""
    return answer(job_document(await service.keep(lambda: service.jobs.get(identity))))


class CancelBody(Strict):
    """What is cancelled: some queries of an analysis, or the whole job."""

    model_config = example(queries=["q1"])
    queries: list[QueryId] | None = Field(None, min_length=1, max_length=1000)


@router.post(
    "/jobs/{identity}/cancel",
    responses={200: {"model": JobAnswer}, **documented(404, 409)},
    dependencies=[Write],
)
async def cancel(identity: JobId, body: CancelBody, service: Running) -> JSONResponse:
    """Cancel a job, or some queries of an analysis; each of their positions gets the final answer `cancelled`."""

    def work() -> Job:
        found = service.jobs.get(identity)
        if found.is_final:
            raise ApiError(409, "finished", f"the job is {found.state} already")
        if body.queries is None:
            return service.jobs.cancel(identity)
        known = {query["id"] for query in found.spec.get("queries", ())}
        if unknown := [query for query in body.queries if query not in known]:
            raise ApiError(404, "not_there", f"the job has no query {unknown[0]}")
        service.jobs.cancel_queries(identity, body.queries)
        return service.jobs.get(identity)

    return answer(job_document(await service.keep(work)))


_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "Events"}
}


@router.get(
    "/jobs/{identity}/events",
    response_class=EventSourceResponse,
    responses={**_EVENTS, **documented(404)},
    dependencies=[Read],
)
async def events(
    identity: JobId,
    service: Running,
    last_event_id: Annotated[str | None, Header(pattern=r"^[0-9]{1,15}$")] = None,
) -> EventSourceResponse:
    """What happens to a job, as server-sent events until it ends.

    Events have numbers: with `Last-Event-ID` they go on behind the one that was seen last.
    """
    await service.keep(lambda: service.jobs.get(identity))
    return EventSourceResponse(_happenings(service, identity, int(last_event_id or 0)))


def _news(service: Service, identity: str, after: int) -> tuple[list[Happened], Job]:
    job = service.jobs.get(
        identity
    )  # before the events: the last one of a job that has ended is then among them
    return service.jobs.events(identity, after), job


async def _happenings(service: Service, identity: str, after: int) -> AsyncIterator[ServerSentEvent]:
    while not service.closing.is_set():
        found, job = await service.keep(partial(_news, service, identity, after))
        for event in found:
            after = event.seq
            yield ServerSentEvent(json.dumps(event.data), event=event.type, id=str(event.seq))
        if not found and job.is_final:
            return
        if not found:
            await asyncio.sleep(LOOK)


class AnalysisQuery(How):
    """Positions to evaluate: of a game of the library, of moves, or a position text."""

    id: QueryId
    game: GameId | None = None
    variant: VariantId | None = None
    rules: Rules = Field(default_factory=dict)
    moves: list[MoveText] = Field(default_factory=list, max_length=1000)
    position: PositionText | None = None
    plies: list[Annotated[int, Field(ge=0, le=1000)]] | Literal["all"] | None = Field(
        None, description="default: the last position"
    )
    priority: int = Field(0, ge=-100, le=100)

    @model_validator(mode="after")
    def _is_one(self) -> AnalysisQuery:
        given = [name for name in ("game", "variant", "position") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of a game, a variant with moves, or a position")
        if self.variant is None and (self.moves or (self.game is not None and self.rules)):
            raise ValueError("moves and rules belong to a variant")
        if self.position is not None and isinstance(self.plies, list):
            raise ValueError("a position has no plies")
        return self


class AnalysisBody(Strict):
    """Queries to answer as one job."""

    model_config = example(
        queries=[{"id": "q1", "variant": "duo", "moves": ["e10"], "plies": "all", "budget": "instant"}]
    )
    queries: list[AnalysisQuery] = Field(min_length=1, max_length=100_000)
    priority: int = Field(0, ge=-100, le=100)


@router.post(
    "/analyses",
    status_code=202,
    responses={202: {"model": JobAnswer}, **documented(404, 409, 507)},
    dependencies=[Write],
)
async def analyse(body: AnalysisBody, request: Request, service: Running) -> JSONResponse:
    """Evaluate many positions as a job: every query and ply gets exactly one final answer, labelled with both."""
    settings = service.settings
    if len(body.queries) > settings.queries:
        raise ApiError(413, "too_large", f"body.queries: at most {settings.queries}")
    ids = [query.id for query in body.queries]
    if len(set(ids)) != len(ids):
        raise ApiError(422, "invalid", "body.queries: an id comes twice")
    for query in body.queries:
        check_budget(service, query.budget)
    queries = [query.model_dump() for query in body.queries]

    def work() -> Job:
        units = [astuple(unit) for unit in units_of(queries, service.reader)]
        if len(units) > settings.positions:
            raise ApiError(413, "too_large", f"{len(units)} positions: at most {settings.positions}")
        spec = {"queries": queries, "units": units}
        return service.jobs.add("analysis", spec, body.priority, len(units))

    found = await service.compute(work)
    request.app.state.workers.wake()
    return answer(job_document(found), 202, {"Location": f"/v1/jobs/{found.id}"})


class ResultsQuestion(Question):
    """A page of final answers."""

    after: Annotated[Whole, Field(ge=-1, le=2**53)] = -1
    limit: Limit = 100


class ResultRows(Answer):
    """Final answers in the order of queries and plies; `next` is `after` of the following page."""

    rows: list[dict[str, Any]]
    next: int | None


@router.get(
    "/analyses/{identity}/results",
    responses={200: {"model": ResultRows}, **documented(404)},
    dependencies=[Read],
)
async def results(
    identity: JobId, question: Annotated[ResultsQuestion, Query()], service: Running
) -> JSONResponse:
    """Final answers of an analysis that are there so far."""

    def work() -> list[tuple[int, dict[str, Any]]]:
        if service.jobs.get(identity).kind != "analysis":
            raise ApiError(404, "not_there", "this job is no analysis")
        return service.jobs.results(identity, question.after, question.limit + 1)

    found = await service.keep(work)
    shown = found[: question.limit]
    following = shown[-1][0] if len(found) > question.limit else None
    return answer({"rows": [{"unit": unit, **row} for unit, row in shown], "next": following})


_LINES = {"schema": {"type": "string"}}


@router.post(
    "/analyses/stream",
    status_code=200,
    response_class=Duplex,
    responses={200: {"content": {"application/x-ndjson": _LINES}, "description": "Answers"}, **documented()},
    openapi_extra={"requestBody": {"required": True, "content": {"application/x-ndjson": _LINES}}},
    dependencies=[Read],
)
async def stream(request: Request, service: Running) -> Duplex:
    """Answer queries while they come in: JSON Lines in, JSON Lines out, in the order in which answers are ready.

    A line is a query as in an analysis, or `{"action": "terminate", "terminate": ID}` (its positions get the answer
    `cancelled`), `terminate_all`, or `query_version`. A line that is none of these is answered by an error.
    """
    return Duplex(Conversation(service, request, AnalysisQuery).answers(), "application/x-ndjson")
