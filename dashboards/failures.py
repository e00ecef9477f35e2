"""The one place that turns failures into a readable line on standard error and an exit code."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from contextlib import suppress

from dashboards.terminal import clean
from engine.errors import EngineError, RuleError, UnknownVariant

DONE, FAILED, USAGE, BAD_INPUT = 0, 1, 2, 3
"""Exit codes."""

DEBUG = "CORNERWISE_DEBUG"
"""Environment variable that shows tracebacks of failures nobody foresaw."""


class UsageFailure(Exception):
    """A command was asked for something that makes no sense; the message says what to do."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with a sentence on what is left behind."""


def tolerant_streams() -> None:
    """Let a closed stream be an empty one, and a terminal that lacks a character show an escape."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def report(error: BaseException) -> int:
    """Say what went wrong; returns the exit code."""
    code, line = _described(error)
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        _let_go_of_stdout()
    if line:
        shown = "\n".join(clean(part) for part in line.split("\n"))  # names of files may steer a terminal
        with suppress(OSError):
            print(f"cornerwise: {shown}", file=sys.stderr)
    return code


def _described(error: BaseException) -> tuple[int, str]:
    """(exit code, line) of a failure; an empty line is nothing to say."""
    from typer import Exit
    from typer.exceptions import TyperException

    if isinstance(error, Exit):
        return error.exit_code, ""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else FAILED, ""
    if isinstance(error, TyperException):
        show = getattr(error, "show", None)
        if show is None:
            return error.exit_code, str(error)
        show(sys.stderr)
        return error.exit_code, ""
    if isinstance(error, KeyboardInterrupt):
        return FAILED, str(error) or "stopped"
    if isinstance(error, UsageFailure | RuleError | UnknownVariant):
        return USAGE, str(error)
    return _of_our_own(error) or _of_the_system(error)


def _of_our_own(error: BaseException) -> tuple[int, str] | None:
    from notation.errors import NotationError
    from pipeline.errors import (
        BadAliases,
        BadCode,
        BadEdit,
        BadPoints,
        BadReport,
        LibraryBusy,
        NoIdentity,
        NotALibrary,
        NotThere,
        PipelineError,
    )

    if isinstance(error, NotationError | BadAliases):
        return BAD_INPUT, str(error)
    if isinstance(error, NotThere | NoIdentity | BadEdit | BadCode | BadPoints | BadReport):
        return USAGE, str(error)
    if isinstance(error, LibraryBusy):
        return FAILED, f"{error}; try again later, or wait longer with --wait SECONDS"
    if isinstance(error, NotALibrary):
        return FAILED, f"{error}; --library DIR names another folder, `cornerwise import` makes a library"
    if isinstance(error, PipelineError | EngineError):
        return FAILED, str(error)
    return None


def _of_the_system(error: BaseException) -> tuple[int, str]:
    if isinstance(error, BrokenPipeError):
        return DONE, ""  # the reader has seen enough
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return FAILED, f"the disk is full{_named(error)}: free some space and try again"
        return FAILED, f"{error.strerror or error}{_named(error)}"
    if isinstance(error, MemoryError):
        return FAILED, "too little memory: try a smaller input, or fewer --jobs"
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    kind = type(error).__name__
    return FAILED, f"a fault in the program itself ({kind}: {error}); {DEBUG}=1 shows where"


def _named(error: OSError) -> str:
    return f" ({error.filename})" if error.filename else ""


def _let_go_of_stdout() -> None:
    """Keep the interpreter from writing the rest to a pipe that nobody reads when it ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
