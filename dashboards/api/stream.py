"""A conversation in JSON Lines: queries and actions in, answers out as they are ready, as analysis engines do it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from dashboards.api.problems import problem_of
from dashboards.api.state import Service
from dashboards.terminal import jsonable
from pipeline.evaluations import Subject
from pipeline.service.analysis_job import plies_of, subject_of, wish_of
from pipeline.store.catalogue import program_version

Line = dict[str, Any]

PENDING = 10_000
"""Positions that wait for their evaluation; more are not read before some are answered."""

LONGEST = 1024 * 1024
"""Bytes of a line."""


@dataclass(order=True, slots=True)
class _Waiting:
    """A position that waits: urgent ones first, then in the order in which they came."""

    urgency: int
    number: int
    query: Line = field(compare=False)
    subject: Subject = field(compare=False)
    ply: int | None = field(compare=False)


class Conversation:
    """One client's queries and their answers."""

    def __init__(self, service: Service, request: Request, model: type[BaseModel]) -> None:
        self._service, self._request, self._model = service, request, model
        self._out: asyncio.Queue[Line | None] = asyncio.Queue(1000)
        self._waiting: asyncio.PriorityQueue[_Waiting] = asyncio.PriorityQueue(PENDING)
        self._numbers = 0
        self._open: dict[str, int] = {}
        """Queries by the number of their positions without an answer."""
        self._unwanted: set[str] = set()

    async def answers(self) -> AsyncIterator[bytes]:
        """All answers as lines, until the client has said and heard everything, or is gone."""
        workers = [asyncio.create_task(self._work()) for _ in range(self._service.settings.evaluators)]
        talk = asyncio.create_task(self._listen())
        try:
            while (line := await self._out.get()) is not None:
                yield json.dumps(jsonable(line), allow_nan=False).encode() + b"\n"
        finally:
            for task in (talk, *workers):
                task.cancel()
            await asyncio.gather(talk, *workers, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            async for text in self._lines():
                await self._take(text)
            await self._waiting.join()
        except ClientDisconnect:
            pass
        await self._out.put(None)

    async def _lines(self) -> AsyncIterator[bytes | None]:
        """Lines of the body; None for one that is too long."""
        rest = b""
        skipping = False
        async for block in self._request.stream():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                if skipping:
                    skipping = False
                elif len(line) > LONGEST:
                    yield None
                elif line.strip():
                    yield line
            if len(rest) > LONGEST:
                if not skipping:
                    yield None
                rest, skipping = b"", True
        if rest.strip() and not skipping:
            yield rest

    async def _take(self, text: bytes | None) -> None:
        """Understand one line."""
        try:
            line = json.loads(text) if text is not None else None
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict):
            await self._refuse(None, "no_json", "the line is no JSON object, or too long")
        elif "action" in line:
            await self._act(line)
        else:
            await self._queue(line)

    async def _refuse(self, identity: Any, code: str, message: str) -> None:
        error = {"code": code, "message": message[:1000]}
        await self._out.put({"id": identity, "status": "error", "error": error})

    async def _act(self, line: Line) -> None:
        action, identity = line["action"], line.get("id")
        reply: Line = {"id": identity, "action": action}
        if action == "query_version":
            reply["version"] = program_version()
        elif action == "terminate_all":
            self._unwanted |= self._open.keys()
        elif action == "terminate" and isinstance(line.get("terminate"), str):
            reply["terminate"] = line["terminate"]
            if line["terminate"] in self._open:
                self._unwanted.add(line["terminate"])
        else:
            await self._refuse(
                identity, "no_action", "actions are terminate, terminate_all and query_version"
            )
            return
        await self._out.put(reply)

    async def _queue(self, line: Line) -> None:
        identity = line.get("id") if isinstance(line.get("id"), str) else None
        try:
            query = self._model.model_validate(line).model_dump()
            budget = query["budget"]
            if isinstance(budget, int) and budget > self._service.settings.simulations:
                raise ValueError(f"budget: at most {self._service.settings.simulations} simulations")
            if query["id"] in self._open:
                raise ValueError("id: a query of that id is not answered yet")
            subject = await self._service.compute(lambda: subject_of(query, self._service.reader))
            plies = await self._service.compute(lambda: plies_of(query, subject))
        except ValidationError as error:
            found = "; ".join(
                f"{'.'.join(map(str, row['loc']))}: {row['msg']}"
                for row in error.errors(include_input=False)[:5]
            )
            await self._refuse(identity, "invalid", found)
            return
        except ValueError as error:
            code = problem_of(error).code
            await self._refuse(identity, "invalid" if code == "fault" else code, str(error))
            return
        except Exception as error:
            await self._refuse(identity, problem_of(error).code, problem_of(error).detail)
            return
        self._open[query["id"]] = len(plies)
        for ply in plies:
            self._numbers += 1
            await self._waiting.put(_Waiting(-query["priority"], self._numbers, query, subject, ply))

    async def _work(self) -> None:
        while True:
            item = await self._waiting.get()
            found = await self._answer(item)
            identity = item.query["id"]
            self._open[identity] -= 1
            if not self._open[identity]:
                del self._open[identity]
                self._unwanted.discard(identity)
            await self._out.put(found)
            self._waiting.task_done()

    async def _answer(self, item: _Waiting) -> Line:
        identity = item.query["id"]
        label: Line = {"id": identity, "ply": item.subject.label(item.ply)}

        def unwanted() -> bool:
            return identity in self._unwanted

        if unwanted():
            return {**label, "status": "cancelled"}
        try:
            found = await self._service.evaluate(
                item.subject, item.ply, wish_of(item.query), unwanted=unwanted
            )
        except Exception as error:
            problem = problem_of(error)
            said = {"code": problem.code, "message": problem.detail, **problem.more}
            return {**label, "status": "error", "error": said}
        if unwanted():
            return {**label, "status": "cancelled"}
        status = "stopped" if found["stopped"] else "done"
        return {**label, "status": status, "evaluation": found}
