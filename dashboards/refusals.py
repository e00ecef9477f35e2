"""The one table from errors of the program to HTTP statuses, and to codes for programs."""

from __future__ import annotations

import errno

from engine.errors import EngineError, IllegalMove
from notation.errors import NotationError
from pipeline import errors

TABLE: tuple[tuple[type[BaseException], int, str], ...] = (
    (IllegalMove, 422, "illegal_move"),
    (EngineError, 422, "engine"),
    (NotationError, 422, "notation"),
    (errors.NoSuchColour, 422, "no_such_colour"),
    (errors.NotThere, 404, "not_there"),
    (errors.NoSuchGame, 404, "no_such_game"),
    (errors.NoSuchBatch, 404, "no_such_batch"),
    (errors.NoIdentity, 422, "no_identity"),
    (errors.AmbiguousGame, 409, "ambiguous_game"),
    (errors.NoFeatures, 409, "no_features"),
    (errors.IllegalGame, 422, "illegal_move"),
    (errors.InputTooLarge, 413, "too_large"),
    (errors.RefusedFile, 422, "doctype"),
    (errors.ServiceFailure, 503, "service_state"),
    (errors.LibraryBusy, 409, "library_busy"),
    (errors.NotALibrary, 503, "no_library"),
    (errors.LibraryTooNew, 503, "library_too_new"),
    (errors.LibraryTooOld, 503, "library_too_old"),
    (errors.LibraryError, 503, "library"),
    (errors.PipelineError, 422, "refused"),
    (MemoryError, 503, "too_little_memory"),
)
"""The first row that fits says status and code."""

FAULT = (500, "fault")
"""What nobody foresaw."""

FULL = (507, "disk_full")


def status_and_code(error: BaseException) -> tuple[int, str]:
    """What an error of the program amounts to."""
    if isinstance(error, errors.ServiceFailure) and error.full:
        return FULL
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return next(((status, code) for kind, status, code in TABLE if isinstance(error, kind)), FAULT)
