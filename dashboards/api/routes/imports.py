"""Uploads: files that are imported as a job, or only checked."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from dashboards.api.access import Read, Running, Write
from dashboards.api.answers import answer
from dashboards.api.fields import Answer, Flag, FormatName, JobId, Question, RuleText, VariantId, settings_of
from dashboards.api.models import Rows
from dashboards.api.problems import ApiError, documented
from dashboards.api.routes.games import PageQuestion
from dashboards.api.routes.jobs import JobAnswer
from dashboards.api.uploads import BODY, received
from pipeline.batch_outcomes import batch_of_job, outcomes
from pipeline.check import check_paths
from pipeline.documents import Document
from pipeline.judged import RuleChoice
from pipeline.portions import Allowed, Inventory
from pipeline.rule_checks import check_rules
from pipeline.service.import_job import import_spec
from pipeline.service.jobs import job_document
from pipeline.sources import printable
from pipeline.store import Reader
from pipeline.unit import Reading

router = APIRouter(prefix="/v1", tags=["imports"])


class ReadingQuestion(Question):
    """How records are read and judged."""

    format: FormatName | None = Field(None, description="default: recognised")
    variant: VariantId | None = Field(None, description="where records do not say it; others are refused")
    rule: list[RuleText] = Field(
        default_factory=list, max_length=7, description="`KEY=VALUE`, where records state none"
    )
    force_rules: Flag = Field(False, description="the rules overrule what records state")
    strict: Flag = Field(False, description="unforced passes are illegal")

    def reading(self) -> Reading:
        """The same for the pipeline.

        Raises:
            ApiError, RuleError: the rules make no sense.
        """
        rules = settings_of(self.rule)
        check_rules(rules, self.variant)
        return Reading(self.format, self.variant, RuleChoice(rules, self.force_rules, self.strict))


@router.post(
    "/imports",
    status_code=202,
    responses={202: {"model": JobAnswer}, **documented(415, 507)},
    openapi_extra=BODY,
    dependencies=[Write],
)
async def upload(
    question: Annotated[ReadingQuestion, Query()], request: Request, service: Running
) -> JSONResponse:
    """Take files in any format, or archives of such, and import them as one job: all of them or nothing.

    `GET /v1/jobs/{id}` says how far it is, `GET /v1/imports/{id}/games` what became of every game.
    """
    reading, settings = question.reading(), service.settings
    job = service.jobs.new_id()
    async with received(request, service, service.jobs.uploads(job)) as names:
        spec = import_spec(
            names, reading, Allowed(settings.expanded_bytes, settings.members), settings.import_processes
        )
        found = await service.keep(lambda: service.jobs.add("import", spec, job=job))
    request.app.state.workers.wake()
    return answer(job_document(found), 202, {"Location": f"/v1/jobs/{found.id}"})


@router.get(
    "/imports/{identity}/games", responses={200: {"model": Rows}, **documented(404, 409)}, dependencies=[Read]
)
async def imported(
    identity: JobId, question: Annotated[PageQuestion, Query()], service: Running
) -> JSONResponse:
    """What became of every record of an import: stored, duplicate or refused, with flags, problem and warnings."""
    job = await service.keep(lambda: service.jobs.get(identity))
    if job.kind != "import":
        raise ApiError(404, "not_there", "this job is no import")
    if job.state != "done":
        raise ApiError(409, "not_done", f"the job is {job.state}: nothing of it is in the library")

    def about(reader: Reader) -> Document:
        batch = batch_of_job(reader, identity)
        if batch is None:
            raise ApiError(404, "not_there", "the import was taken back")
        page = outcomes(reader, batch["batch"], question.limit, question.offset)
        return {"total": page.total, "rows": page.rows}

    return answer(await service.ask(about))


class CheckAnswer(Answer):
    """Verdicts on records, and the files without any."""

    verdicts: list[dict[str, Any]]
    other_files: list[dict[str, str]]
    unreadable_files: list[dict[str, str]]
    wrong: bool


@router.post(
    "/check",
    responses={200: {"model": CheckAnswer}, **documented(415, 507)},
    openapi_extra=BODY,
    dependencies=[Read],
)
async def check(
    question: Annotated[ReadingQuestion, Query()], request: Request, service: Running
) -> JSONResponse:
    """Say of every record what an import would: ok, unfinished, irregular, illegal, refused; nothing is stored."""
    reading = question.reading()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cornerwise-check-")))
        async with received(request, service, folder) as names:
            found = await service.compute(lambda: _checked(names, folder, reading, service))
    return answer(found)


def _checked(names: list[str], folder: Path, reading: Reading, service: Running) -> Document:
    settings = service.settings
    allowed = Allowed(min(settings.expanded_bytes, 8 * settings.check_bytes), settings.members)
    inventory = Inventory(allowed=allowed)
    found = list(check_paths([str(folder / name) for name in names], reading, inventory))
    before = printable(f"{folder}/")

    def plain(text: str | None) -> str:
        return (text or "").removeprefix(before)

    return {
        "verdicts": [
            {**asdict(v), "source": plain(v.source), "message": v.message and v.message.replace(before, "")}
            for v in found
        ],
        "other_files": [{"file": plain(file), "reason": why} for file, why in inventory.other_files],
        "unreadable_files": [{"file": plain(file), "reason": why} for file, why in inventory.unreadable],
        "wrong": any(v.is_wrong for v in found) or bool(inventory.unreadable) or not found,
    }
