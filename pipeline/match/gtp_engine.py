"""A program that speaks the Go Text Protocol, as a process: questions with a time limit, its CPU time, its end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from pipeline.cpu_time import cpu_seconds
from pipeline.stopping import check_stop

ANSWER_LIMIT = 1_000_000
"""Bytes of the longest answer."""

_LOOK = 0.1
"""Seconds between two looks at whether a stop is asked for."""

_ENDING = 2.0
"""Seconds that a program has for ending after `quit`."""

_KILLED, _POLL = 10.0, 0.01
"""Seconds until a killed program is surely gone, and between two looks at it."""


class EngineFault(Exception):
    """An engine did not do what the protocol asks for.

    `cause` is one of `notation.record.CAUSES`: `time` where it did not answer in time, else `violation`.
    """

    def __init__(self, message: str, cause: str = "violation") -> None:
        super().__init__(message)
        self.cause = cause


class EngineProcess:
    """One program; started by `start`, ended by `close`. What it prints besides its answers goes nowhere."""

    def __init__(self, command: Sequence[str], environment: dict[str, str] | None = None) -> None:
        self._command = list(command)
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self._ended = 0.0

    @property
    def running(self) -> bool:
        """Whether there is a process, as far as is known."""
        return self._process is not None

    @property
    def cpu(self) -> float:
        """CPU seconds of all processes that this engine has had so far, their children included."""
        return self._ended + (0.0 if self._process is None else cpu_seconds(self._process.pid))

    def start(self) -> None:
        """Start the program.

        Raises:
            EngineFault: it cannot be started.
        """
        self.close()
        try:
            # A session of its own: Ctrl-C on the terminal is ours, and its children can be ended with it.
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineFault(f"cannot be started ({self._command[0]}: {reason})") from None
        self._read = b""

    def ask(self, line: str, seconds: float) -> str:
        """The text of the answer to a command.

        Raises:
            EngineFault: the program refused the command, did not answer in time, answered nonsense or ended.
            KeyboardInterrupt: a stop was asked for.
        """
        process = self._process
        if process is None:
            raise EngineFault("is not running")
        assert process.stdin is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise self._gone(line) from None
        text = self._answer(line, time.monotonic() + seconds, seconds)
        if text.startswith("="):
            return text[1:].lstrip("0123456789").strip()
        raise EngineFault(f"refused {line[:80]!r}: {text[1:].strip()[:200] or 'no reason'}")

    def _answer(self, line: str, until: float, seconds: float) -> str:
        """Everything up to the next empty line, which begins with = or ?."""
        process = self._process
        assert process is not None and process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            while True:
                text, whole = self._cut()
                if whole:
                    if not text.startswith(("=", "?")):
                        raise EngineFault(f"answered nonsense to {line[:80]!r}: {text[:80]!r}")
                    return text
                if len(self._read) > ANSWER_LIMIT:
                    raise EngineFault(f"answered {line[:80]!r} with more than {ANSWER_LIMIT:,} bytes")
                check_stop()
                left = until - time.monotonic()
                if left <= 0:
                    raise EngineFault(f"did not answer {line[:80]!r} within {seconds:g} s", "time")
                if not waiting.select(min(left, _LOOK)):
                    continue
                block = os.read(process.stdout.fileno(), 65536)
                if not block:
                    raise self._gone(line)
                self._read += block

    def _cut(self) -> tuple[str, bool]:
        """The first whole answer out of what was read, and whether there is one; empty lines before it are dropped."""
        read = self._read.replace(b"\r", b"").lstrip(b"\n")
        end = read.find(b"\n\n")
        if end < 0:
            self._read = read
            return "", False
        self._read = read[end + 2 :]
        return read[:end].decode("utf-8", "replace"), True

    def _gone(self, line: str) -> EngineFault:
        """That the program has closed its output, and how it ended."""
        process = self._process
        assert process is not None
        self._process = None
        self._close_pipes(process)
        code = self._reap(process, _ENDING)
        if code is None:
            self._kill(process)
        how = "closed its output" if code is None else f"ended with {_code_words(code)}"
        return EngineFault(f"{how} at {line[:80]!r}")

    def close(self, patience: float = _ENDING) -> None:
        """End the program: ask it, wait so many seconds, kill it; its CPU time stays known."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            assert process.stdin is not None
            process.stdin.write(b"quit\n")
            process.stdin.flush()
        self._close_pipes(process)
        if self._reap(process, patience) is None:
            self._kill(process)

    def _reap(self, process: subprocess.Popen[bytes], seconds: float) -> int | None:
        """Exit code of the program once it has ended, None where it goes on; takes note of its CPU time."""
        until = time.monotonic() + seconds
        while True:
            seen = cpu_seconds(process.pid)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                self._ended += max(seen, usage.ru_utime + usage.ru_stime)
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode
            if time.monotonic() >= until:
                return None
            time.sleep(_POLL)

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        self._reap(process, _KILLED)

    @staticmethod
    def _close_pipes(process: subprocess.Popen[bytes]) -> None:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _code_words(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
