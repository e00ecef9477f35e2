"""What somebody asks for while long work runs."""

from __future__ import annotations

import pytest

from pipeline import stopping
from pipeline.stopping import check_stop, now_and_then, stop_asked, stopping_when


def test_a_yes_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is broken off because of it must not pass for a whole one."""
    monkeypatch.setattr(stopping, "LOOK", 0.0)
    answers = iter([False, True])
    ask = now_and_then(lambda: next(answers))
    with stopping_when(ask):
        assert not stop_asked()
        assert stop_asked()
        monkeypatch.setattr(stopping, "LOOK", 1000.0)
        assert stop_asked()
        with pytest.raises(KeyboardInterrupt):
            check_stop()
    check_stop()


def test_looks_are_rare() -> None:
    asked = []
    ask = now_and_then(lambda: bool(asked.append(None)))
    assert not any(ask() for _ in range(100))
    assert len(asked) <= 1
