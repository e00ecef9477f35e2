"""The replay kernel against its slow twin: legal games, faulty records, hostile input, every rule."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels.replay import EVENT_END, EVENT_START
from engine.replay import Replay, replay_scripts
from engine.rulesets import Ruleset, parse_rules
from engine.variants import VARIANTS
from engine.verdicts import PASS_KINDS, REASONS
from tests.engine.hostile import Case, gold_game, hostile_case, random_game, spoilt
from tests.naive import Game
from tests.naive_replay import Twin

STARTS = {
    "square20": ("assigned", "any_corner", "any_border"),
    "square14": ("assigned", "marked", "any_corner", "any_border"),
    "hexagon9": ("marked", "any_corner", "any_border"),
    "hexagon8": ("marked", "any_corner", "any_border"),
}


def _settings(variant_id: str) -> Iterator[dict[str, str]]:
    """Every start, end and pass rule of a variant at least once, with every other."""
    ends = ["all_blocked", "rounds:3", "rounds:9", "rounds:16", "max_rounds:9"]
    if len(VARIANTS[variant_id].seats) == 2:
        ends.append("first_blocked")
    for start in STARTS[VARIANTS[variant_id].board]:
        for end in ends:
            for passing in ("forced", "voluntary"):
                yield {"start": start, "end": end, "pass": passing}


ALL = [(variant_id, chosen) for variant_id in VARIANTS for chosen in _settings(variant_id)]


def _twin(case: Case, strict: bool) -> tuple[Game, Twin]:
    game = Game(case.variant_id, case.rules, nominal=case.first_colour)
    game.set_up(case.setup)
    twin = Twin(game, strict)
    twin.replay(case.events)
    return game, twin


def _facts(game: Game) -> list[list[int]]:
    """Cells, pieces, everything placed, single cell last, out, blocked: by colour."""
    rows = []
    for c in game.colours:
        everything = not +game.hands[c]
        pieces = sum((game.full - game.hands[c]).values())
        flags = (everything, c in game.single_last, c in game.out, not game.can_move(c))
        rows.append([len(game.own(c)), pieces, *(int(flag) for flag in flags)])
    return rows


def compare(cases: list[Case], strict: bool = False) -> None:
    """Replay the cases (one variant, one ruleset) in one batch and one by one with the twin."""
    replay = replay_scripts(cases[0].variant_id, cases[0].rules, [c.script() for c in cases], strict)
    meaning: dict[str, Any] = {}
    for index, case in enumerate(cases):
        game, twin = _twin(case, strict)
        said = twin.said
        at = slice(*replay.batch.games[index, EVENT_START : EVENT_END + 1].tolist())
        rows = replay.verdicts.events[at].tolist()
        assert [(REASONS[r[0]], r[1], r[2]) for r in rows] == said.events
        stop, over, fits = replay.verdicts.games[index].tolist()
        assert fits == game.fits
        assert (None if stop < 0 else stop - at.start) == said.stop
        if game.fits:
            assert over == game.may_end()
            assert replay.verdicts.facts[index].tolist() == _facts(game)
        assert _passes(replay, index) == said.passes
        keys = [f"{high:016x}{low:016x}" for high, low in replay.verdicts.keys[at].tolist()]
        for key, identity in zip(keys, said.identities, strict=True):
            if identity is not None:
                assert meaning.setdefault(key, identity) == identity
    assert len(set(meaning.values())) == len(meaning), "equal positions, different keys"


def _passes(replay: Replay, index: int) -> list[tuple[int, int, int, str, bool]]:
    rows = [row for row in replay.verdicts.passes.tolist() if row[0] == index]
    return [
        (turn, after, colour, PASS_KINDS[kind], bool(recorded))
        for _, turn, after, colour, kind, recorded in rows
    ]


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_random_legal_games(variant_id: str) -> None:
    rules, rng = parse_rules(variant_id, {}), random.Random(variant_id)
    cases = [Case(variant_id, rules, random_game(variant_id, rules, rng, 100)) for _ in range(2)]
    compare(cases)


@pytest.mark.parametrize(("variant_id", "chosen"), ALL, ids=[f"{v}-{'-'.join(c.values())}" for v, c in ALL])
def test_faulty_records_under_every_rule(variant_id: str, chosen: dict[str, str]) -> None:
    rules, rng = parse_rules(variant_id, chosen), random.Random(f"{variant_id}{chosen}")
    compare([hostile_case(variant_id, rules, rng)], strict=rng.random() < 0.3)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_ends_of_whole_games(variant_id: str) -> None:
    """Games to the end, or only their end on a board set up: passes, blocked colours, everything placed early."""
    rng = random.Random(variant_id)
    ends = ["all_blocked", *(f"rounds:{n}" for n in range(8, 25, 4)), "max_rounds:8", "max_rounds:25"]
    if len(VARIANTS[variant_id].seats) == 2:
        ends.append("first_blocked")
    for end in ends:
        rules = parse_rules(variant_id, {"end": end, "pass": rng.choice(["forced", "voluntary"])})
        events = gold_game(variant_id, rng, finished=end != "all_blocked")
        whole, spare = Case(variant_id, rules, events), list(events)
        compare([whole, spoilt(variant_id, rules, rng, spare, faults=2)], strict=rng.random() < 0.3)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Case, bool]:
    """A hostile case under any rules, and whether to be strict."""
    variant_id, chosen = draw(st.sampled_from(ALL))
    rules: Ruleset = parse_rules(variant_id, chosen)
    seed, plies = draw(st.integers(0, 2**32)), draw(st.integers(1, 60))
    return hostile_case(variant_id, rules, random.Random(seed), plies, faults=6), draw(st.booleans())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cases())
def test_hostile_records(drawn: tuple[Case, bool]) -> None:
    case, strict = drawn
    compare([case], strict)
