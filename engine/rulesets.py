"""Rulesets: seats, start, end, pass and scoring rules on top of a variant, as named settings.

`parse_rules` turns `{"start": "any_corner", "end": "rounds:25"}` into a `Ruleset`; `rule_settings` is its inverse
and gives only what differs from the variant's default. Setting names and values are those of the rule page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache

from engine import boards
from engine.errors import RuleError
from engine.scoring_tables import SCORINGS
from engine.variants import Variant, variant

START_RULES = ("assigned", "marked", "any_corner", "any_border")
PASS_RULES = ("forced", "voluntary")
_COUNTED = ("rounds", "max_rounds")
RULE_KEYS = ("start", "end", "pass", "scoring", "teams", "three", "neutral")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything of a game's rules that the board and the pieces do not fix.

    `seats` lists the colours (0..) of each seat; `shared` is a colour that the seats play in turn and that counts for
    nobody; `neutral` seats have no place; `teams` groups seats whose totals add up (empty: every seat for itself).
    `rounds` is the limit of the end rules `rounds:N` and `max_rounds:N`, 0 for the others. Both end a game after N
    rounds; after the round in which a colour placed everything `rounds` ends it, and under `max_rounds` it may end.
    """

    seats: tuple[tuple[int, ...], ...]
    shared: int | None = None
    neutral: tuple[int, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()
    start: str = "assigned"
    end: str = "all_blocked"
    rounds: int = 0
    passing: str = "forced"
    scoring: str = "board"


_ASSIGNED = {
    "square20": ("a20", "t20", "t1", "a1"),
    "square14": ("e10", "j5"),
}
_MARKED = {
    "square14": ("e10", "j5"),
    "hexagon9": ("r15", "r4", "j12", "j7", "z12", "z7"),
    "hexagon8": ("p14", "p3", "h11", "h6", "x11", "x6"),
}


@cache
def start_groups(variant_id: str, start: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every colour its starting cells in groups: a group is free while none of its cells is covered.

    Raises:
        RuleError: the board has no such starting cells.
    """
    row = variant(variant_id)
    colours = len(row.colours)
    by_name = boards.cells_by_name(row.board)
    if start == "assigned" and row.board in _ASSIGNED:
        return tuple(((by_name[name],),) for name in _ASSIGNED[row.board][:colours])
    if start == "marked" and row.board in _MARKED:
        return (tuple((by_name[name],) for name in _MARKED[row.board]),) * colours
    if start == "any_corner":
        return (boards.corner_groups(row.board),) * colours
    if start == "any_border":
        return (tuple((c,) for c in boards.border_cells(row.board)),) * colours
    raise RuleError(
        f"start rule {start!r} does not fit {variant_id}: choose one of {', '.join(_fitting(row))}"
    )


def start_rules_that_allow(
    variant_id: str, colour: int, cells: Sequence[int], covered: Set[int]
) -> list[str]:
    """Start rules under which a colour's first piece may lie on `cells` of a board whose `covered` cells are taken."""
    out = []
    for rule in _fitting(variant(variant_id)):
        groups = start_groups(variant_id, rule)[colour]
        if any(covered.isdisjoint(group) and not set(group).isdisjoint(cells) for group in groups):
            out.append(rule)
    return out


def _fitting(row: Variant) -> list[str]:
    missing = {"assigned": row.board not in _ASSIGNED, "marked": row.board not in _MARKED}
    return [rule for rule in START_RULES if not missing.get(rule)]


@cache
def default_rules(variant_id: str) -> Ruleset:
    """The ruleset a record of this variant has when it states nothing."""
    row = variant(variant_id)
    return Ruleset(seats=row.seats, shared=row.shared, start=row.start, scoring=row.scoring)


def parse_rules(variant_id: str, settings: Mapping[str, str]) -> Ruleset:
    """Apply named settings to the default rules of a variant.

    Raises:
        RuleError: an unknown key or value, or one that does not fit the variant; the message says which.
    """
    row = variant(variant_id)
    rules = default_rules(variant_id)
    for key in settings:
        if key not in RULE_KEYS:
            raise RuleError(f"unknown rule {key!r}: choose one of {', '.join(RULE_KEYS)}")
    if "three" in settings:
        rules = _three(row, rules, settings["three"])
    if "teams" in settings:
        rules = _teams(row, rules, settings["teams"])
    if "neutral" in settings:
        rules = _neutral(row, rules, settings["neutral"])
    if "start" in settings:
        rules = replace(rules, start=_one_of("start", settings["start"], START_RULES))
    start_groups(variant_id, rules.start)
    if "end" in settings:
        rules = _end(row, rules, settings["end"])
    if "pass" in settings:
        rules = replace(rules, passing=_one_of("pass", settings["pass"], PASS_RULES))
    if "scoring" in settings:
        rules = replace(rules, scoring=_one_of("scoring", settings["scoring"], tuple(SCORINGS)))
    return rules


def rule_settings(variant_id: str, rules: Ruleset) -> dict[str, str]:
    """Settings that give `rules` when applied to the variant's default; empty for the default itself."""
    row = variant(variant_id)
    default = default_rules(variant_id)
    out: dict[str, str] = {}
    for key, ours, theirs in (
        ("start", rules.start, default.start),
        ("pass", rules.passing, default.passing),
        ("scoring", rules.scoring, default.scoring),
    ):
        if ours != theirs:
            out[key] = ours
    if rules.end != default.end:
        out["end"] = f"{rules.end}:{rules.rounds}" if rules.end in _COUNTED else rules.end
    if rules.teams:
        out["teams"] = "yes"
    if (rules.seats, rules.shared) != (default.seats, default.shared):
        out["three"] = _three_setting(row, rules)
    if rules.neutral:
        out["neutral"] = row.colours[rules.seats[rules.neutral[0]][0]]
    return out


def _one_of(key: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise RuleError(f"unknown {key} rule {value!r}: choose one of {', '.join(known)}")
    return value


def _colour(row: Variant, name: str) -> int:
    if name not in row.colours:
        raise RuleError(f"{row.id} has no colour {name!r}: choose one of {', '.join(row.colours)}")
    return row.colours.index(name)


def _end(row: Variant, rules: Ruleset, value: str) -> Ruleset:
    if value == "all_blocked":
        return replace(rules, end=value, rounds=0)
    if value == "first_blocked":
        if len(rules.seats) != 2:
            raise RuleError(f"end rule 'first_blocked' is for two seats, {row.id} has {len(rules.seats)}")
        return replace(rules, end=value, rounds=0)
    kind, _, number = value.partition(":")
    if kind in _COUNTED and number.isascii() and number.isdigit() and 0 < len(number.lstrip("0")) <= 5:
        return replace(rules, end=kind, rounds=int(number))
    raise RuleError(
        f"unknown end rule {value!r}: choose one of all_blocked, first_blocked, rounds:N, max_rounds:N (N from 1)"
    )


def _teams(row: Variant, rules: Ruleset, value: str) -> Ruleset:
    if value == "no":
        return replace(rules, teams=())
    if value != "yes":
        raise RuleError(f"teams is yes or no, not {value!r}")
    if len(rules.seats) != 4:
        raise RuleError(f"teams need four seats, {row.id} has {len(rules.seats)}")
    return replace(rules, teams=((0, 2), (1, 3)))


def _neutral(row: Variant, rules: Ruleset, value: str) -> Ruleset:
    colour = _colour(row, value)
    if colour == rules.shared:
        return rules
    seat = next(i for i, owned in enumerate(rules.seats) if colour in owned)
    if len(rules.seats[seat]) > 1:
        raise RuleError(f"{value} shares its seat with another colour, it cannot be neutral")
    if rules.teams or len(rules.seats) < 3:
        raise RuleError("a neutral colour needs three or more seats without teams")
    return replace(rules, neutral=(seat,))


def _three(row: Variant, rules: Ruleset, value: str) -> Ruleset:
    if len(rules.seats) != 3 or len(row.colours) != 4:
        raise RuleError(f"the rule 'three' is for three players with four colours, not for {row.id}")
    kind, _, rest = value.partition(":")
    if kind == "shared_fourth":
        shared = _colour(row, rest) if rest else 3
        return replace(rules, seats=tuple((c,) for c in range(4) if c != shared), shared=shared)
    seat_text, _, pair = rest.partition(":")
    names = pair.split("+")
    if kind != "two_colours" or seat_text not in ("1", "2", "3") or len(names) != 2 or names[0] == names[1]:
        raise RuleError(
            f"unknown setting three={value!r}: shared_fourth:COLOUR or two_colours:SEAT:COLOUR+COLOUR"
        )
    both = tuple(sorted(_colour(row, name) for name in names))
    single = iter((c,) for c in range(4) if c not in both)
    seats = tuple(both if str(i + 1) == seat_text else next(single) for i in range(3))
    return replace(rules, seats=seats, shared=None)


def _three_setting(row: Variant, rules: Ruleset) -> str:
    if rules.shared is not None:
        return f"shared_fourth:{row.colours[rules.shared]}"
    seat, both = next((i, owned) for i, owned in enumerate(rules.seats) if len(owned) == 2)
    return f"two_colours:{seat + 1}:{'+'.join(row.colours[c] for c in both)}"
