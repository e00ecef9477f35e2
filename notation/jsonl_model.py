"""The model of our own JSON form: what one line holds. `game.schema.json` is made from it.

Colours are named as in the variant (`blue`, `first`), seats and events are numbered from 1, cells are names
joined by commas (`a1,b1`).
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field

FORMAT = "cornerwise"
VERSION = 1

Colour = Literal["blue", "yellow", "red", "green", "first", "second"]
Cause = Literal["time", "resigned", "abandoned", "violation"]
Unreadable = Literal["off_board", "not_a_piece"]
Number = Annotated[int, Field(ge=1)]
EventNumber = Annotated[int, Field(ge=1, description="number of an event, from 1")]
Seconds = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class MoveLine(_Strict):
    """A placement; without a colour it belongs to the colour on turn."""

    colour: Colour | None = None
    cells: str = Field(description="cell names joined by commas, or the text of a move that cannot be read")
    unreadable: Unreadable | None = Field(None, description="why `cells` are not the cells of this board")


def _true(value: bool) -> bool:
    if not value:
        raise ValueError("a pass is true")
    return value


class PassLine(_Strict):
    """A recorded pass; without a colour it belongs to the colour on turn."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)

    passed: Annotated[bool, AfterValidator(_true)] = Field(alias="pass", json_schema_extra={"const": True})
    colour: Colour | None = None


class OutLine(_Strict):
    """A seat leaves the game."""

    out: Number = Field(description="seat, from 1")
    cause: Cause


EventLine = Annotated[MoveLine | PassLine | OutLine, Field(union_mode="left_to_right")]
"""Most events are moves: the others are tried only where that fails."""


class SetupPiece(_Strict):
    """A piece on the board before the first move."""

    colour: Colour
    cells: str
    unreadable: Unreadable | None = None


class SetupLine(_Strict):
    """The start position."""

    pieces: Annotated[list[SetupPiece], FailFast()] = []
    to_move: Colour | None = None


class DeclaredLine(_Strict):
    """The result as the record states it: `winner` is a seat from 1, 0 a draw."""

    text: str
    winner: int | None = Field(None, ge=0)
    margin: int | None = None
    scores: list[int] = []
    termination: str | None = None


class NoteLine(_Strict):
    """A comment and raw SGF properties at an event; event 0 is the root."""

    event: int = Field(ge=0)
    comment: str = ""
    marks: list[tuple[str, list[str]]] = []


class BranchLine(_Strict):
    """A variation in place of an event, as raw SGF; one more than there are events: after the last."""

    event: EventNumber
    text: str


class ClockLine(_Strict):
    """Seconds left to the mover after an event."""

    event: EventNumber
    seconds: Seconds


def _writable(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        raise ValueError("a value that JSON cannot hold, such as NaN or Infinity") from None
    return value


class EvaluationLine(_Strict):
    """An evaluation that the record brings along, in whatever form."""

    event: EventNumber
    value: Annotated[Any, AfterValidator(_writable)]


def _version(value: int) -> int:
    if value != VERSION:
        raise ValueError(f"version {value} of the form: this program reads version {VERSION}")
    return value


class GameLine(_Strict):
    """One game of Blokus: one line of a file in the form `cornerwise`, version 1."""

    format: Literal["cornerwise"] = Field(description="name of this form")
    version: Annotated[int, AfterValidator(_version)] = Field(json_schema_extra={"const": VERSION})
    variant: Literal["classic", "classic_2", "classic_3", "duo", "junior", "trigon", "trigon_2", "trigon_3"]
    players: list[str | None] = Field([], max_length=4, description="names by seat, null where unknown")
    headers: dict[str, str] = {}
    rules: dict[str, str] = Field({}, description="rule settings that differ from the variant's default")
    setup: SetupLine | None = None
    events: Annotated[list[EventLine], FailFast()] = []
    broken: str = Field("", description="the rest of the record, where it could not be read")
    declared: DeclaredLine | None = None
    termination: Literal["normal", "time", "resigned", "abandoned", "violation", "unfinished"] | None = None
    penalty_applied: bool | None = None
    clocks: Annotated[list[ClockLine], FailFast()] = []
    evaluations: Annotated[list[EvaluationLine], FailFast()] = []
    notes: Annotated[list[NoteLine], FailFast()] = []
    branches: Annotated[list[BranchLine], FailFast()] = []


def schema_text() -> str:
    """Text of `game.schema.json`: the JSON Schema of one line."""
    schema = GameLine.model_json_schema(by_alias=True)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
