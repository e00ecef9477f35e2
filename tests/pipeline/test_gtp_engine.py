"""Programs that speak, misbehave and end; each fault is one clear sentence."""

from __future__ import annotations

import sys

import pytest

from pipeline.match.gtp_engine import EngineFault, EngineProcess

LONG = 20.0


def engine(body: str) -> EngineProcess:
    """A program that does this for every line it reads."""
    script = f"import sys, os, time\nfor line in sys.stdin:\n    {body}\n    sys.stdout.flush()\n"
    started = EngineProcess([sys.executable, "-S", "-c", script])
    started.start()
    return started


def test_answers_of_one_line_and_of_many() -> None:
    asked = engine("print('\\r\\n=12 a\\r\\nb\\r\\n\\r' if 'x' in line else '? no such thing\\n')")
    assert asked.ask("x", LONG) == "a\nb"
    with pytest.raises(EngineFault, match=r"refused 'y': no such thing"):
        asked.ask("y", LONG)
    assert asked.ask("x", LONG) == "a\nb", "a refusal is no end"
    asked.close()
    assert not asked.running
    assert asked.cpu > 0, "what an ended program used stays known"


@pytest.mark.parametrize(
    ("body", "seconds", "message", "cause"),
    [
        ("print('hello\\n')", LONG, "answered nonsense to 'name': 'hello'", "violation"),
        ("time.sleep(60)", 0.1, "did not answer 'name' within 0.1 s", "time"),
        ("print('= half')", 0.5, "did not answer 'name' within 0.5 s", "time"),
        ("os._exit(3)", LONG, "ended with exit code 3 at 'name'", "violation"),
        ("os.kill(os.getpid(), 9)", LONG, "ended with signal SIGKILL at 'name'", "violation"),
        ("os.close(1); time.sleep(0)", LONG, "at 'name'", "violation"),
        ("print('=' + 'x' * 1_100_000)", LONG, "more than 1,000,000 bytes", "violation"),
    ],
)
def test_misbehaviour(body: str, seconds: float, message: str, cause: str) -> None:
    asked = engine(body)
    with pytest.raises(EngineFault) as caught:
        asked.ask("name", seconds)
    assert message in str(caught.value)
    assert caught.value.cause == cause
    asked.close(0.0)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(
        EngineFault, match=r"cannot be started \(/nowhere/engine: No such file or directory\)"
    ):
        EngineProcess(["/nowhere/engine"]).start()
    with pytest.raises(EngineFault, match="is not running"):
        EngineProcess(["/nowhere/engine"]).ask("name", LONG)


def test_cpu_time_counts_children_that_work() -> None:
    busy = "import time; end = time.process_time() + 0.2\nwhile time.process_time() < end: pass"
    asked = engine(f"os.system({sys.executable!r} + ' -S -c ' + chr(34) + {busy!r} + chr(34)); print('=\\n')")
    before = asked.cpu
    asked.ask("name", LONG)
    assert asked.cpu - before > 0.15
    asked.close()
    assert asked.cpu > 0.15
