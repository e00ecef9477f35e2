"""Errors of the engine.

EngineError
  +- UnknownVariant    no such variant id
  +- RuleError         a rule that does not exist or does not fit the variant
  |    +- BadPuzzle    a puzzle that there is not, or a board or pieces that do not fit it
  +- IllegalMove       a placement that the rules refuse; carries one Reason
"""

from __future__ import annotations


class EngineError(ValueError):
    """Anything the engine refuses."""


class UnknownVariant(EngineError):
    """The variant id is none of the known ones."""

    def __init__(self, variant_id: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown variant {variant_id!r}: choose one of {', '.join(known)}")
        self.variant_id = variant_id


class RuleError(EngineError):
    """A rule setting that does not exist or does not fit the variant."""


class BadPuzzle(RuleError):
    """A puzzle that there is not, or a board or pieces that do not fit it."""


class IllegalMove(EngineError):
    """A placement the rules refuse; `reason` is one of `engine.verdicts.Reason`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
