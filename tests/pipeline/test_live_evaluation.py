import pytest

from engine.errors import EngineError, IllegalMove
from pipeline import live_evaluation
from pipeline.evaluations import Wish, evaluated_at
from pipeline.lines import Line, line_events, stand
from pipeline.live_evaluation import LiveEvaluation, Question
from pipeline.positions import Reached


def position() -> Reached:
    return stand(Line("duo", events=line_events("duo", "d9-e9-e10.j5"))).reached


def questions(*budgets: str | int) -> list[Question]:
    return [(position(), Wish(budget, top=2)) for budget in budgets]


def test_answers_are_those_of_the_same_questions_without_a_thread():
    live = LiveEvaluation(questions("instant", 300))
    assert live.wait(60)
    assert live.done and not live.stopped and live.error is None
    assert live.progress == 1.0
    assert live.answers == [evaluated_at(position(), wish) for _, wish in questions("instant", 300)]


def test_what_is_answered_stays_when_the_next_is_broken_off():
    live = LiveEvaluation(questions("instant", 200_000))
    live.stop()
    assert live.wait(60)
    assert live.stopped
    assert len(live.answers) <= 1
    assert live.progress < 1


def test_a_search_that_nobody_looks_at_ends(monkeypatch):
    monkeypatch.setattr(live_evaluation, "FORGOTTEN", -1.0)
    live = LiveEvaluation(questions(200_000))
    assert live.wait(60)
    assert live.stopped and live.answers == []


def test_searches_wait_for_their_turn_and_can_be_stopped_there(monkeypatch):
    taken = live_evaluation._turns
    held = 0
    while taken.acquire(blocking=False):
        held += 1
    try:
        live = LiveEvaluation(questions("instant"))
        assert not live.wait(0.01) and live.waiting
        live.stop()
        assert live.wait(60) and live.answers == []
    finally:
        taken.release(held)


def test_what_is_refused_is_told_and_not_raised_in_the_thread():
    live = LiveEvaluation([(position(), Wish("instant", allow=("a1",)))])
    assert live.wait(60)
    assert isinstance(live.error, IllegalMove)
    with pytest.raises(EngineError):
        LiveEvaluation(questions("endless"))
