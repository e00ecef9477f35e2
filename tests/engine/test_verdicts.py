"""Words and numbers of verdicts: the names stand apart from the kernels, and must say the same."""

from __future__ import annotations

from types import ModuleType

from engine.kernels import turns, verdicts
from engine.verdicts import PASS_KINDS, REASONS, WORDS


def _numbers(module: ModuleType, names: tuple[str, ...]) -> list[int]:
    return [getattr(module, name.upper()) for name in names]


def test_reasons_are_the_numbers_of_the_kernels() -> None:
    assert _numbers(verdicts, REASONS) == list(range(len(REASONS)))
    assert WORDS.keys() == set(REASONS)


def test_kinds_of_passes_are_the_numbers_of_the_kernels() -> None:
    # `out` is LEFT there: OUT is a column of the facts.
    names = tuple("left" if kind == "out" else kind for kind in PASS_KINDS)
    assert _numbers(turns, names) == list(range(len(PASS_KINDS)))
