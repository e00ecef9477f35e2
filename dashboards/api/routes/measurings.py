"""Measurings: the measures of all games of the library, as a job."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from dashboards.api.access import Running, Write
from dashboards.api.answers import answer
from dashboards.api.problems import documented
from dashboards.api.routes.jobs import JobAnswer
from pipeline.service.jobs import Job, job_document
from pipeline.store import Reader

router = APIRouter(prefix="/v1", tags=["jobs"])


@router.post(
    "/measurings",
    status_code=202,
    responses={202: {"model": JobAnswer}, **documented(507)},
    dependencies=[Write],
)
async def measure(request: Request, service: Running) -> JSONResponse:
    """Measure every game that has no measures yet, as a job: mobility, corner liberties, reach and the like.

    `done` of `total` are games; finished ones stay when the job is cancelled.
    """

    def work(_: Reader) -> Job:
        return service.jobs.add("measure", {"processes": service.settings.judging_processes})

    found = await service.ask(work)
    request.app.state.workers.wake()
    return answer(job_document(found), 202, {"Location": f"/v1/jobs/{found.id}"})
