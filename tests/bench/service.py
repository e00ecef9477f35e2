"""A load run of the service: `python -m tests.bench.service LIBRARY [SECONDS]`, not part of the gate.

Prints how fast `/healthz` answers while ten evaluations are under way, what a steady rate of cached evaluations and
openings costs, and how the memory grows over ten thousand requests.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from tests.dashboards.api.serving import Process

RATE = 200
"""Requests a second of the steady part."""

MIDDLE = ["e10,e11,f11,f12,g12", "h7,i6,i7,j5,j6", "h9,i9,h10,h11", "g8"]
QUESTIONS = ("/v1/openings?variant=classic&limit=12", "/v1/games?limit=20", "/healthz")
"""Of the bench library, which has games of Classic only."""

Ask = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


def evaluation(budget: str, seed: int) -> dict[str, object]:
    """A Duo middle game."""
    return {"variant": "duo", "moves": MIDDLE, "budget": budget, "seed": seed}


def memory(process: Process) -> float:
    """Resident memory in MiB."""
    status = Path(f"/proc/{process.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def shares(times: list[float]) -> str:
    """Median, 95th percentile and maximum in milliseconds."""
    ordered = sorted(times)
    at = [ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95, 1.0)]
    return "median {:.1f}, p95 {:.1f}, max {:.1f} ms".format(*(1000 * value for value in at))


async def searches(http: httpx.AsyncClient) -> None:
    """What a search takes, and a health check beside ten of them."""
    for budget in ("instant", "quick"):
        times = []
        for seed in range(5):
            began = time.perf_counter()
            (await http.post("/v1/evaluate", json=evaluation(budget, 1000 + seed))).raise_for_status()
            times.append(time.perf_counter() - began)
        print(f"{budget} evaluation, Duo middle game: {shares(times)}")
    beside: list[float] = []
    running = True

    async def keep_busy(number: int) -> None:
        seed = 10_000 * (number + 1)
        while running:
            seed += 1
            await http.post("/v1/evaluate", json=evaluation("instant", seed))

    busy = [asyncio.create_task(keep_busy(number)) for number in range(10)]
    for _ in range(200):
        began = time.perf_counter()
        (await http.get("/healthz")).raise_for_status()
        beside.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)
    running = False
    await asyncio.gather(*busy)
    print(f"/healthz beside ten instant evaluations: {shares(beside)}")


async def steady(http: httpx.AsyncClient, seconds: float) -> None:
    """A steady rate of cached evaluations and questions."""
    times: list[float] = []
    statuses: Counter[int | str] = Counter()

    async def one(number: int) -> None:
        began = time.perf_counter()
        try:
            if number % 2:
                found = await http.post("/v1/evaluate", json=evaluation("instant", number % 50))
            else:
                found = await http.get(QUESTIONS[number // 2 % len(QUESTIONS)])
        except httpx.TransportError as error:
            statuses[type(error).__name__] += 1
            return
        times.append(time.perf_counter() - began)
        statuses[found.status_code] += 1

    began, tasks = time.perf_counter(), set()
    for number in range(int(RATE * seconds)):
        task = asyncio.create_task(one(number))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(max(0.0, began + (number + 1) / RATE - time.perf_counter()))
    await asyncio.gather(*tasks)
    took = time.perf_counter() - began
    print(
        f"{len(times)} requests in {took:.1f} s, {len(times) / took:.0f} a second: {shares(times)}, {dict(statuses)}"
    )


async def main(library: Path, seconds: float) -> None:
    """Run it all and print."""
    service = Process(library)
    try:
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(base_url=service.client.base_url, limits=limits, timeout=120) as http:
            while True:
                try:
                    if (await http.get("/readyz")).is_success:
                        break
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.2)
            await searches(http)
            await steady(http, min(10.0, seconds))
            before = memory(service)
            await steady(http, seconds)
            print(f"memory: {before:.0f} MiB before, {memory(service):.0f} MiB after")
    finally:
        service.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60.0))
