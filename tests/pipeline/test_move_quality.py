"""Labels and accuracy: thresholds as published, monotone, never perfect with a mistake."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.move_quality import (
    BLUNDER,
    ERRORS,
    LABELS,
    SCALE,
    STEPS,
    accuracy,
    accuracy_error,
    is_unclear,
    label,
    quality_page,
)

LOSSES = st.floats(-1, 1)
NOISE = st.floats(0, 0.5)


def named(loss: float, error: float = 0.0) -> str | None:
    return label(loss, error, forced=False, best=False)


def test_thresholds_are_those_of_the_page() -> None:
    for loss, name in (
        (-0.3, "good"),
        (0.0, "good"),
        (0.0199, "good"),
        (0.02, "fair"),
        (0.05, "inaccuracy"),
        (0.1, "mistake"),
        (0.1499, "mistake"),
        (0.15, "blunder"),
        (1.0, "blunder"),
    ):
        assert named(loss) == name
        assert f"| {name} |" in quality_page()
    assert label(0.5, 0.0, forced=True, best=False) == "forced"
    assert label(0.0, 0.0, forced=False, best=True) == "best"
    assert label(None, 0.0, forced=False, best=False) is None
    assert set(LABELS) == {*STEPS, "forced"}


@given(LOSSES, NOISE)
def test_a_loss_within_the_noise_is_no_mistake(loss: float, error: float) -> None:
    found = named(loss, error)
    assert found in LABELS
    if error > 0 and abs(loss) < 2 * error:
        assert is_unclear(loss, error, forced=False, best=False)
        assert found in ("good", "unclear")
    if found in ERRORS:
        assert accuracy(loss, error) < 100
        assert math.floor(10 * accuracy(loss, error)) < 1000


@given(LOSSES, LOSSES, NOISE)
def test_accuracy_falls_as_the_loss_grows(one: float, other: float, error: float) -> None:
    small, large = sorted((one, other))
    assert 0 <= accuracy(large, error) <= accuracy(small, error) <= 100
    assert 0 <= accuracy_error(large, error) <= 100


def test_examples_of_the_page() -> None:
    for loss, shown in ((0.05, 72), (0.1, 51), (0.2, 26)):
        assert round(accuracy(loss, 0.0)) == shown
        assert f"{shown} at {loss:.2f}" in quality_page()
    assert accuracy(-0.4, 0.0) == accuracy(0.0, 0.0) == 100
    assert accuracy(BLUNDER, 0.3) == 100
    assert accuracy_error(0.0, 0.0) == 0
    assert accuracy_error(0.1, 0.05) == pytest.approx(accuracy(0.1, 0.05) * 0.05 / SCALE)
