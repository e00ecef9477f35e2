"""Rule settings: parsing, writing back, refusing with words that help."""

from __future__ import annotations

from itertools import product

import pytest

from engine.boards import BOARDS, cell_names, column_name
from engine.errors import EngineError, RuleError
from engine.rulesets import default_rules, parse_rules, rule_settings
from engine.variants import VARIANTS


def test_defaults_of_the_rule_page() -> None:
    assert {v: default_rules(v).start for v in VARIANTS} == {
        "classic": "assigned",
        "classic_2": "assigned",
        "classic_3": "assigned",
        "duo": "assigned",
        "junior": "assigned",
        "trigon": "marked",
        "trigon_2": "marked",
        "trigon_3": "marked",
    }
    assert {default_rules(v).end for v in VARIANTS} == {"all_blocked"}
    assert {default_rules(v).passing for v in VARIANTS} == {"forced"}
    assert {v for v in VARIANTS if default_rules(v).scoring != "board"} == {"junior"}
    assert default_rules("classic_2").seats == default_rules("trigon_2").seats == ((0, 2), (1, 3))
    assert (default_rules("classic_3").seats, default_rules("classic_3").shared) == (((0,), (1,), (2,)), 3)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_an_empty_setting_is_the_default_and_back(variant_id: str) -> None:
    assert parse_rules(variant_id, {}) == default_rules(variant_id)
    assert rule_settings(variant_id, default_rules(variant_id)) == {}


def _valid() -> list[tuple[str, dict[str, str]]]:
    own = {
        "classic": [{"teams": "yes"}, {"neutral": "green"}, {"start": "any_border"}],
        "classic_3": [
            {"three": "shared_fourth:yellow"},
            {"three": "two_colours:3:blue+green"},
            {"three": "two_colours:1:yellow+red", "neutral": "green"},
        ],
        "duo": [{"start": "marked", "end": "first_blocked"}, {"start": "any_corner"}],
        "junior": [{"start": "marked"}],
        "trigon": [{"teams": "yes", "start": "any_corner"}, {"neutral": "blue"}],
        "trigon_2": [{"end": "first_blocked"}],
        "trigon_3": [{"neutral": "red"}],
        "classic_2": [{"end": "first_blocked"}],
    }
    common = [{"end": "rounds:25"}, {"end": "max_rounds:25"}, {"pass": "voluntary"}, {"scoring": "net"}]
    return [(v, a | b) for v, rows in own.items() for a, b in product([{}, *rows], [{}, *common])]


@pytest.mark.parametrize(("variant_id", "chosen"), _valid())
def test_settings_survive_a_round_trip(variant_id: str, chosen: dict[str, str]) -> None:
    rules = parse_rules(variant_id, chosen)
    again = rule_settings(variant_id, rules)
    assert again == chosen
    assert parse_rules(variant_id, again) == rules


@pytest.mark.parametrize(
    ("variant_id", "chosen", "same"),
    [
        ("classic", {"teams": "no", "start": "assigned", "end": "all_blocked", "scoring": "board"}, {}),
        ("classic_3", {"three": "shared_fourth:green"}, {}),
        ("classic_3", {"three": "shared_fourth"}, {}),
        ("classic_3", {"three": "two_colours:2:green+yellow"}, {"three": "two_colours:2:yellow+green"}),
        ("classic_3", {"neutral": "green"}, {}),
        ("duo", {"end": "rounds:007"}, {"end": "rounds:7"}),
        ("junior", {"scoring": "plain", "pass": "forced"}, {}),
    ],
)
def test_other_words_for_the_same_rules(
    variant_id: str, chosen: dict[str, str], same: dict[str, str]
) -> None:
    assert rule_settings(variant_id, parse_rules(variant_id, chosen)) == same


@pytest.mark.parametrize(
    ("variant_id", "chosen", "message"),
    [
        ("duo", {"speed": "fast"}, "unknown rule 'speed': choose one of start, end, pass, scoring"),
        ("duo", {"start": "middle"}, "unknown start rule 'middle': choose one of assigned, marked"),
        ("duo", {"start": ""}, "unknown start rule ''"),
        ("classic", {"start": "marked"}, "'marked' does not fit classic"),
        ("trigon", {"start": "assigned"}, "'assigned' does not fit trigon"),
        ("duo", {"pass": "free"}, "unknown pass rule 'free': choose one of forced, voluntary"),
        ("duo", {"scoring": "golf"}, "unknown scoring rule 'golf': choose one of board, online"),
        ("classic", {"end": "first_blocked"}, "'first_blocked' is for two seats, classic has 4"),
        ("duo", {"end": "soon"}, "unknown end rule 'soon': choose one of all_blocked"),
        ("duo", {"end": "rounds"}, "unknown end rule 'rounds'"),
        ("duo", {"end": "rounds:0"}, "unknown end rule 'rounds:0'.*N from 1"),
        ("duo", {"end": "rounds:-3"}, "unknown end rule 'rounds:-3'"),
        ("duo", {"end": "max_rounds:0"}, "unknown end rule 'max_rounds:0'"),
        ("duo", {"end": "rounds:1.5"}, "unknown end rule"),
        ("duo", {"end": "rounds:\u0663"}, "unknown end rule"),
        ("duo", {"end": "rounds:100000"}, "unknown end rule"),
        ("duo", {"end": "rounds:00000000199999999999999999999"}, "unknown end rule"),
        ("classic", {"teams": "maybe"}, "teams is yes or no, not 'maybe'"),
        ("classic_2", {"teams": "yes"}, "teams need four seats, classic_2 has 2"),
        (
            "classic",
            {"three": "shared_fourth"},
            "'three' is for three players with four colours, not for classic",
        ),
        ("trigon_3", {"three": "shared_fourth"}, "'three' is for three players with four colours"),
        (
            "classic_3",
            {"three": "shared_fourth:orange"},
            "classic_3 has no colour 'orange': choose one of blue",
        ),
        ("classic_3", {"three": "two_colours"}, "unknown setting three='two_colours'"),
        ("classic_3", {"three": "two_colours:4:blue+red"}, "two_colours:SEAT:COLOUR"),
        ("classic_3", {"three": "two_colours:1:blue+blue"}, "two_colours:SEAT:COLOUR"),
        ("classic_3", {"three": "two_colours:1:blue+pink"}, "no colour 'pink'"),
        ("duo", {"neutral": "blue"}, "duo has no colour 'blue': choose one of first, second"),
        ("duo", {"neutral": "first"}, "three or more seats"),
        ("classic", {"neutral": "red", "teams": "yes"}, "without teams"),
        ("classic_2", {"neutral": "red"}, "shares its seat with another colour"),
    ],
)
def test_refusals_name_what_is_wrong_and_what_fits(
    variant_id: str, chosen: dict[str, str], message: str
) -> None:
    with pytest.raises(RuleError, match=message):
        parse_rules(variant_id, chosen)


def test_rules_of_an_unknown_variant() -> None:
    with pytest.raises(EngineError, match="unknown variant 'go'"):
        parse_rules("go", {"end": "all_blocked"})


def test_names_of_columns_and_cells() -> None:
    assert [column_name(n) for n in (0, 8, 25, 26, 34, 51, 52, 701, 702)] == [
        *("a", "i", "z", "aa", "ai", "az", "ba", "zz", "aaa")
    ]
    for board in BOARDS:
        names = cell_names(board)
        assert len(set(names)) == len(names)
    assert {b: len(cell_names(b)) for b in BOARDS} == {
        "square20": 400,
        "square14": 196,
        "hexagon9": 486,
        "hexagon8": 384,
    }
