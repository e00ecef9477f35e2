"""Judgings: games of the library judged move by move, as a job."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import Field, model_validator

from dashboards.api.access import Running, Write
from dashboards.api.answers import answer
from dashboards.api.fields import MOST, GameId, Strict, VariantId, example
from dashboards.api.models import Budget
from dashboards.api.problems import documented
from dashboards.api.routes.jobs import JobAnswer
from dashboards.api.routes.positions import check_budget
from pipeline.service.jobs import Job, job_document
from pipeline.service.judging_job import Judging
from pipeline.store import Reader

router = APIRouter(prefix="/v1", tags=["jobs"])


class JudgingBody(Strict):
    """Which games, and how: those of some identities, or all of the library, of a variant, the first so many."""

    model_config = example(variant="duo", first=1, budget="instant")
    ids: list[GameId] | None = Field(None, min_length=1, max_length=10_000)
    variant: VariantId | None = None
    first: Annotated[int, Field(ge=1, le=MOST)] | None = Field(None, description="as they were imported")
    budget: Budget = Field("quick", description="of every position: a word, or a number of simulations")
    seed: int = Field(1, ge=0, le=MOST)
    again: bool = Field(
        False, description="also games whose analysis has another budget or seed, or is of an older engine"
    )

    @model_validator(mode="after")
    def _is_one(self) -> JudgingBody:
        if self.ids is not None and (self.variant is not None or self.first is not None):
            raise ValueError("identities stand alone: leave variant and first out")
        return self


@router.post(
    "/judgings",
    status_code=202,
    responses={202: {"model": JobAnswer}, **documented(404, 409, 507)},
    dependencies=[Write],
)
async def judge(body: JudgingBody, request: Request, service: Running) -> JSONResponse:
    """Judge every move of games without an analysis, as a job: what it lost against the best one, with a label.

    `done` of `total` are games; finished ones are stored a few at a time, and stay when the job is cancelled.
    """
    check_budget(service, body.budget)
    ids = None if body.ids is None else tuple(body.ids)
    wanted = Judging(ids, body.variant, body.first, body.budget, body.seed, body.again)

    def work(reader: Reader) -> Job:
        spec = wanted.spec(reader, service.settings.judging_processes)
        return service.jobs.add("judge", spec)

    found = await service.ask(work)
    request.app.state.workers.wake()
    return answer(job_document(found), 202, {"Location": f"/v1/jobs/{found.id}"})
