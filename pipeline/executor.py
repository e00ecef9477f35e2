"""Work units on all cores, results in order; the same answers on any number of workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from pipeline.errors import PipelineError
from pipeline.stopping import check_stop

Task = TypeVar("Task")
Result = TypeVar("Result")

ENDING = 5.0
"""Seconds that workers have for ending when they are told to."""

PATIENCE = 1.0
"""Seconds that the pool's threads have for noticing that its workers are gone."""

LOOK = 0.1
"""Seconds between two looks at whether a stop is asked for, while there is nothing else to do."""


def default_jobs() -> int:
    """Number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_worker() -> None:
    """A worker leaves Ctrl-C to its parent, and does not outlive it even when that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _start_server() -> None:
    """Start the server with Ctrl-C blocked, which it hands on: a signal to the group while it loads is the parent's."""
    resource_tracker.ensure_running()  # which would unblock it again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop_server() -> None:
    """End the server at once: a worker that it still starts would find its parent's locks gone, and complain.

    On the main thread only, where Ctrl-C arrives: pools of other threads share the server.
    """
    server = forkserver._forkserver
    pid = getattr(server, "_forkserver_pid", None)
    if pid is None or threading.current_thread() is not threading.main_thread():
        return
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    server._stop()  # type: ignore[attr-defined]


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes, forked from a clean server that has the program and its kernels loaded."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pipeline.warm"])
    _start_server()
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        _break_off(pool)
        _stop_server()
        raise
    pool.shutdown()


def _break_off(pool: ProcessPoolExecutor) -> None:
    """Terminate the workers, in the middle of what they do, and wait until they and the pool's threads are gone.

    A worker that dies while it sends leaves half a message, and one that dies while it is sent to leaves nobody to
    read: the pool's threads would wait for ever, since this process holds the other ends of its pipes as well. Only
    then are these closed here: threads that do not wait close them by themselves, and twice is once too often.
    """
    workers = list((pool._processes or {}).values())  # `shutdown` forgets all these
    private: Any = pool
    thread, calls, results = private._executor_manager_thread, private._call_queue, private._result_queue
    pool.shutdown(wait=False, cancel_futures=True)
    _end(workers)
    if thread is None:
        return
    thread.join(PATIENCE)
    if thread.is_alive():
        calls._reader.close()
        results._writer.close()
        thread.join(ENDING)


def _end(workers: Sequence[BaseProcess]) -> None:
    """Terminate workers and wait until they are gone: what they write must not come after the tidying up."""
    for stop in (BaseProcess.terminate, BaseProcess.kill):
        running = {worker.sentinel: worker for worker in workers if worker.is_alive()}
        for worker in running.values():
            stop(worker)
        deadline = time.monotonic() + ENDING
        while running and (left := deadline - time.monotonic()) > 0:
            for gone in wait(list(running), left):
                del running[gone]  # type: ignore[arg-type]


def run_in_order(
    work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Generator[Result, None, None]:
    """Yield `work(task)` for every task, in order, on `jobs` processes; one task or one job stays in this process.

    Tasks are taken as workers come free, so an endless iterable needs no more memory than a few of them.

    Raises:
        PipelineError: a worker died, of too little memory for example.
        KeyboardInterrupt: see `pipeline.stopping`.
    """
    feed = iter(tasks)
    first = list(_take(feed, 2))
    if jobs < 2 or len(first) < 2:
        for task in _chain(first, feed):
            check_stop()
            yield work(task)
        return
    with process_pool(jobs) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for task in _chain(first, feed):
                waiting.append(pool.submit(work, task))
                if len(waiting) > 2 * jobs:
                    yield _result(pool, waiting.popleft())
            while waiting:
                yield _result(pool, waiting.popleft())
        except BrokenProcessPool as error:
            raise PipelineError("a worker process died: too little memory, or it was killed") from error


def _result(pool: ProcessPoolExecutor, future: Future[Result]) -> Result:
    """Wait for a result, but neither longer than people want, nor for a worker that is gone."""
    deadline = None
    while True:
        check_stop()
        with suppress(TimeoutError):
            return future.result(LOOK)
        if deadline is None and not all(worker.is_alive() for worker in (pool._processes or {}).values()):
            deadline = time.monotonic() + ENDING  # by then the pool has noticed, or waits for half a message
        if deadline is not None and time.monotonic() > deadline:
            raise BrokenProcessPool


def _take(feed: Iterator[Any], number: int) -> Iterator[Any]:
    for _ in range(number):
        try:
            yield next(feed)
        except StopIteration:
            return


def _chain(first: list[Any], rest: Iterator[Any]) -> Iterator[Any]:
    yield from first
    yield from rest
