"""Work in order on any number of processes."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.executor import run_in_order


def _square(n: int) -> int:
    return n * n


def _die(n: int) -> int:
    if n == 3:
        os._exit(9)
    return n


def test_results_come_in_order_whatever_the_number_of_processes():
    expected = [n * n for n in range(20)]
    assert list(run_in_order(_square, range(20), 1)) == expected
    assert list(run_in_order(_square, range(20), 3)) == expected


def test_an_endless_feed_is_taken_only_as_it_is_needed():
    taken = []

    def feed():
        n = 0
        while True:
            taken.append(n)
            yield n
            n += 1

    results = run_in_order(_square, feed(), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    results.close()
    assert len(taken) < 20


def _pause(n: int) -> int:
    if n:
        signal.pause()
    return os.getpid()


def test_workers_are_gone_when_a_run_is_broken_off():
    results = run_in_order(_pause, range(10), 2)
    worker = next(results)
    results.close()
    with suppress(FileNotFoundError):
        assert Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"


def test_one_task_needs_no_other_process():
    assert list(run_in_order(os.getpgid, [0], 4)) == [os.getpgid(0)]


def test_a_worker_that_dies_is_an_error_and_no_hang():
    with pytest.raises(PipelineError, match="worker process died"):
        list(run_in_order(_die, range(10), 2))
