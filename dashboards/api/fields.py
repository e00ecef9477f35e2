"""Kinds of values in requests: strict, so that nothing is read as what it is not."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from engine.rulesets import RULE_KEYS
from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS, variant
from notation.dates import parse_date
from notation.formats import FORMATS

CELL = r"[A-Za-z]{1,2}[0-9]{1,2}"
MOVE = rf"^([A-Za-z0-9]{{1,10}}:)?(pass|{CELL}(,{CELL}){{0,5}})$"

MOST = 2**53
"""The greatest number: those beyond are not the same in every language."""


class Strict(BaseModel):
    """A body: no unknown fields, no numbers as text or yes as 1, no number that is none."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def example(**body: Any) -> ConfigDict:
    """The configuration of a body that comes with an example, which a test sends."""
    return ConfigDict(json_schema_extra={"examples": [body]})


class Question(BaseModel):
    """Parameters of a question in an address, which are all text; no unknown ones."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Answer(BaseModel):
    """A part of an answer."""


def _digits(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(r"-?[0-9]{1,16}", value):
        raise ValueError("should be a whole number")
    return value


def _yes_no(value: Any) -> Any:
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("should be true or false")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("should not be blank")
    if any(char < " " for char in value):
        raise ValueError("should have no control characters")
    return value


def _known(names: Any, what: str) -> Any:
    def check(value: str) -> str:
        if value not in names:
            raise ValueError(f"unknown {what}: choose one of {', '.join(names)}")
        return value

    return AfterValidator(check)


def _enum(names: Any) -> Any:
    return Field(json_schema_extra={"enum": list(names)})


def _move(value: str) -> str:
    cells = value.rpartition(":")[2].lower().split(",")
    if len(set(cells)) != len(cells):
        raise ValueError("a cell is named twice")
    return value


def _date(value: str) -> str:
    found = parse_date(value)
    if found.year is None or found.problem is not None:
        raise ValueError("should be a date: 2020-12-30, 2020-12 or 2020")
    return value


def _colour(value: str) -> str:
    names = {name for row in VARIANTS.values() for name in row.colours}
    if value not in names | {"1", "2", "3", "4"}:
        raise ValueError(f"should be one of {', '.join(sorted(names))}, or a number from 1 to 4")
    return value


def _known_variant(value: str) -> str:
    return variant(value).id


Text = Annotated[str, StringConstraints(min_length=1, max_length=500), AfterValidator(_not_blank)]
Whole = Annotated[int, BeforeValidator(_digits)]
Flag = Annotated[bool, BeforeValidator(_yes_no)]
Limit = Annotated[int, BeforeValidator(_digits), Field(ge=1, le=1000)]
Offset = Annotated[int, BeforeValidator(_digits), Field(ge=0, le=MOST)]
MinGames = Annotated[int, BeforeValidator(_digits), Field(ge=1, le=MOST)]

VariantId = Annotated[str, AfterValidator(_known_variant), _enum(VARIANTS)]
FormatName = Annotated[str, _known(FORMATS, "format"), _enum(FORMATS)]
WRITTEN = tuple(row.name for row in FORMATS.values() if row.write is not None)
WrittenFormat = Annotated[str, _known(WRITTEN, "format that is written"), _enum(WRITTEN)]
ScoringName = Annotated[str, _known(tuple(SCORINGS), "scoring"), _enum(SCORINGS)]
RuleKey = Annotated[str, _known(RULE_KEYS, "rule"), _enum(RULE_KEYS)]
Rules = dict[RuleKey, Text]
MoveText = Annotated[str, StringConstraints(pattern=MOVE, max_length=60), AfterValidator(_move)]
Cells = Annotated[
    str, StringConstraints(pattern=rf"^{CELL}(,{CELL}){{0,5}}$", max_length=40), AfterValidator(_move)
]
Colour = Annotated[str, StringConstraints(min_length=1, max_length=10), AfterValidator(_colour)]
DateText = Annotated[str, StringConstraints(min_length=4, max_length=10), AfterValidator(_date)]
GameId = Annotated[str, StringConstraints(pattern=r"^[0-9A-Fa-f]{4,32}$")]
JobId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{24}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300), AfterValidator(_not_blank)]
RuleText = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,10}=[a-z0-9_:+]{1,60}$")]


def settings_of(rules: list[str]) -> dict[str, str]:
    """Settings of rules as `KEY=VALUE` texts.

    Raises:
        ApiError: a key comes twice.
    """
    from dashboards.api.problems import ApiError

    pairs = [rule.partition("=")[::2] for rule in rules]
    if len({key for key, _ in pairs}) != len(pairs):
        raise ApiError(422, "invalid", "rule: a key comes twice")
    return dict(pairs)
