"""Errors of the pipeline.

PipelineError
  +- NotThere                a game has fewer plies, or an input fewer games, than the number asked for
  |    +- NoSuchPlayer       nobody is called so; names some that are called nearly so
  |    +- NoSuchEvent        no game is of such an event; names some
  |    +- NoSuchJob          the service has no such job
  |    +- NoSuchKey          the service has no such key
  |    +- NoSuchColour       the variant has no such colour; names those it has
  +- IllegalGame             moves that somebody asks about are illegal; says which one, and why
  +- InputTooLarge           an input unpacks to more than was allowed
  +- RefusedFile             a file that is not taken, whatever is in it
  +- ServiceFailure          what the service keeps beside the library cannot be read or written
  +- BadEdit                 a correction of a field that there is not, or to a value that makes no sense
  +- BadAliases              a list of players' names that makes no sense; names the line
  +- BadPoints               a table of points or an order of tie-breaks that makes no sense
  +- BadCode                 no code of data quality
  +- BadReport               a report in a form or with a table that there is not
  +- NoFeatures              what is asked needs features, and the library has none of such games
  +- LibraryError            the library cannot do it; the message says what stays and what to do
       +- LibraryBusy        another process writes the library; says who
       +- NotALibrary        the folder is missing, or is something else
       +- LibraryTooNew      made by a later version of the program
       +- LibraryTooOld      made by an earlier version and not yet brought up to date by a writer
       +- NoSuchBatch        no import batch of that number; names the last ones
       +- BatchUndone        the batch was taken back before
       +- NoSuchGame         no game has an identity that begins so; names some that begin alike
       +- NoIdentity         the text cannot be the beginning of an identity
       +- AmbiguousGame      several games have; names them
       +- QueryRefused       more than a question: it would write, or look outside the library
       +- QueryFailed        the database cannot answer it: a syntax error, an unknown column, too much memory
"""

from __future__ import annotations


class PipelineError(Exception):
    """Anything the pipeline refuses or cannot do; the message is meant for people."""


class NotThere(PipelineError):
    """A game has fewer plies, or an input fewer games, than the number asked for."""


class NoSuchPlayer(NotThere):
    """Nobody is called so."""


class NoSuchEvent(NotThere):
    """No game is of an event with such a name."""


class NoSuchJob(NotThere):
    """The service has no such job."""


class NoSuchKey(NotThere):
    """The service has no such key."""


class NoSuchColour(NotThere):
    """The variant has no such colour."""


class IllegalGame(PipelineError):
    """Moves that somebody asks about are illegal at `ply` (0: the setup), for `reason` of `engine.verdicts`."""

    def __init__(self, message: str, ply: int, reason: str) -> None:
        super().__init__(message)
        self.ply = ply
        self.reason = reason


class ServiceFailure(PipelineError):
    """What the service keeps beside the library cannot be read or written; `full`: the disk is."""

    def __init__(self, message: str, full: bool = False) -> None:
        super().__init__(message)
        self.full = full


class InputTooLarge(PipelineError):
    """An input unpacks to more bytes, or has more members, than was allowed."""


class RefusedFile(PipelineError):
    """A file that is not taken, such as XML with a document type."""


def no_such_ply(ply: int, plies: int, stop_ply: int | None) -> NotThere:
    """That a game of so many plies has no position at `ply`; its replay stopped at `stop_ply`, if it did."""
    noun = "ply" if plies == 1 else "plies"
    stops = "" if stop_ply is None else f", it stops at ply {stop_ply}"
    legal = "" if stop_ply is None else "legal "
    return NotThere(f"the game has {plies} {legal}{noun}{stops}: there is no position at ply {ply}")


class BadEdit(PipelineError):
    """A correction of a field that there is not, or to a value that makes no sense."""


class BadAliases(PipelineError):
    """A list of players' names that makes no sense; the message names the line."""


class BadPoints(PipelineError):
    """A table of points, or an order of tie-breaks, that makes no sense."""


class BadCode(PipelineError):
    """There is no such code of data quality."""


class BadReport(PipelineError):
    """A report in a form, or with a table, that there is not; the message names those there are."""


class NoFeatures(PipelineError):
    """What is asked needs features, and the library has none of such games."""


class LibraryError(PipelineError):
    """The library cannot do it."""


class LibraryBusy(LibraryError):
    """Another process writes the library; `holder` describes it."""

    def __init__(self, message: str, holder: str) -> None:
        super().__init__(message)
        self.holder = holder


class NotALibrary(LibraryError):
    """The folder is missing, or is something else."""


class LibraryTooNew(LibraryError):
    """The library was made by a later version of the program."""


class LibraryTooOld(LibraryError):
    """The library was made by an earlier version and no writer has brought it up to date yet."""


class NoSuchBatch(LibraryError):
    """There is no import batch of that number."""


class BatchUndone(LibraryError):
    """The batch was taken back before."""


class NoSuchGame(LibraryError):
    """No game has an identity that begins so."""


class NoIdentity(LibraryError):
    """The text cannot be the beginning of an identity."""


class AmbiguousGame(LibraryError):
    """Several games have an identity that begins so; `candidates` are some of them."""

    def __init__(self, message: str, candidates: list[str]) -> None:
        super().__init__(message)
        self.candidates = candidates


class QueryRefused(LibraryError):
    """The statement is more than a question about the library."""


class QueryFailed(LibraryError):
    """The database cannot answer the question; the message is the database's."""
