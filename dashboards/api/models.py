"""Bodies of requests about positions, and the answers to them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dashboards.api.fields import (
    Answer,
    Cells,
    Colour,
    MoveText,
    Name,
    Rules,
    Strict,
    Text,
    VariantId,
    example,
)
from pipeline.asking import Asked
from pipeline.evaluations import Wish

PositionText = Annotated[str, Field(min_length=5, max_length=8192)]
PieceName = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,3}$")]
Budget = Literal["instant", "quick", "standard", "deep"] | Annotated[int, Field(ge=1, le=10**8)]


class PositionBody(Strict):
    """A position: a position text, or moves from the start of a variant."""

    variant: VariantId | None = None
    rules: Rules = Field(default_factory=dict, description="settings that differ from the variant's default")
    moves: list[MoveText] = Field(
        default_factory=list,
        max_length=1000,
        description="cells with commas between them, or pass; `colour:` before where it is not the one on turn",
    )
    position: PositionText | None = None

    @model_validator(mode="after")
    def _is_one(self) -> PositionBody:
        if (self.variant is None) == (self.position is None):
            raise ValueError("give either a variant, with moves, or a position")
        if self.position is not None and self.moves:
            raise ValueError("a position stands alone: leave the moves out")
        return self

    def asked(self) -> Asked:
        """What is asked about."""
        return Asked(self.variant, tuple(self.moves), self.position, self.rules)


class Ply(PositionBody):
    """A position, or the one so many placements into the moves."""

    ply: int | None = Field(None, ge=0, le=1000)


class LegalBody(Ply):
    """Which moves are legal."""

    model_config = example(
        variant="duo", moves=["e10,e11,f11,f12,g12", "h7,i6,i7,j5,j6"], probes=["g13", "a1"]
    )
    colour: Colour | None = Field(None, description="default: every colour")
    probes: list[Cells] = Field(
        default_factory=list, max_length=1000, description="are these legal, and why not"
    )


class ScoreBody(Ply):
    """What the points are."""

    model_config = example(variant="classic", moves=["a20"])


class MarksBody(Strict):
    """What is marked on a picture."""

    last: list[Cells] = Field(default_factory=list, max_length=4)
    suggested: Cells | None = None


class RenderBody(Ply):
    """A picture of a position."""

    model_config = example(variant="trigon", moves=["r15,s15"], title="First move")
    title: Text | None = None
    marks: MarksBody = Field(default_factory=MarksBody)
    palette: Name | None = None
    distinction: Literal["patterns", "letters"] = "patterns"
    small: bool = False


class RootMoves(Strict):
    """Some moves of the position: by their cells, or all of some pieces."""

    moves: list[Cells] = Field(default_factory=list, max_length=1000)
    pieces: list[PieceName] = Field(default_factory=list, max_length=30)


class How(Strict):
    """How positions are evaluated, and what of it is told."""

    budget: Budget = Field("quick", description="a word, or a number of simulations")
    seed: int = Field(1, ge=0, le=2**31 - 1)
    top: int = Field(10, ge=1, le=1000, description="best moves that are told")
    include: list[Literal["territory", "policy", "variation", "features"]] = Field(
        default_factory=list, max_length=4
    )
    allow: RootMoves | None = Field(None, description="only these moves, at the position itself")
    avoid: RootMoves | None = Field(None, description="not these moves")

    def wish(self) -> Wish:
        """The same for the pipeline."""
        allow, avoid = self.allow or RootMoves(), self.avoid or RootMoves()
        return Wish(
            self.budget,
            self.seed,
            self.top,
            tuple(dict.fromkeys(self.include)),
            tuple(allow.moves),
            tuple(allow.pieces),
            tuple(avoid.moves),
            tuple(avoid.pieces),
        )


class EvaluateBody(PositionBody, How):
    """Evaluate a position, or several of one game."""

    model_config = example(
        variant="duo",
        moves=["e10,e11,f11,f12,g12", "h7,i6,i7,j5,j6"],
        budget="instant",
        plies=[1, 2],
        top=3,
        include=["variation"],
    )
    plies: list[Annotated[int, Field(ge=0, le=1000)]] | None = Field(
        None, min_length=1, max_length=200, description="default: the last position"
    )
    seconds: float | None = Field(
        None, gt=0, le=3600, description="time limit of each, at most the service's"
    )

    @model_validator(mode="after")
    def _has_plies(self) -> EvaluateBody:
        if self.position is not None and self.plies is not None:
            raise ValueError("a position has no plies")
        return self


class PlacedMove(Answer):
    """A placement."""

    piece: str
    move: str


class PositionHead(Answer):
    """Whose move it is where."""

    variant: str
    ply: int | None
    to_move: str | None
    over: bool
    position: str | None
    position_key: str


class Probe(Answer):
    """A move and whether it is legal."""

    move: str
    colour: str
    legal: bool
    reason: str | None
    message: str


class LegalAnswer(PositionHead):
    """Legal moves by colour; `counts` in the order of play."""

    note: str | None
    colours: list[str]
    counts: list[int]
    moves: dict[str, list[PlacedMove]]
    probes: list[Probe]


class ColourScore(Answer):
    """A colour's points by every scoring table."""

    colour: str
    cells_placed: int
    all_placed: bool
    single_last: bool
    points: dict[str, int]
    pieces_left: dict[str, int]
    can_move: bool


class SeatScore(Answer):
    """A seat's points; place and share once the game is over."""

    seat: int
    colours: list[str]
    points: int
    place: int | None
    share: float | None


class ScoreAnswer(PositionHead):
    """Points; interim ones while the game goes on."""

    scoring: str
    colours: list[ColourScore]
    seats: list[SeatScore]


class SeatEvaluation(Answer):
    """What a position is worth to a seat: expected points, and share of the result with its standard error."""

    seat: int
    score: float
    score_error: float
    spread: float
    share: float | None
    share_error: float
    places: list[float] | None


class Step(PlacedMove):
    """A move of a variation."""

    colour: str


class MoveEvaluation(PlacedMove):
    """What a move is worth to the seat that makes it; `bound` is the share less two standard errors."""

    colour: str
    share: float
    share_error: float
    bound: float
    score: float
    visits: int
    prior: float
    variation: list[Step] | None = None


class Territory(Answer):
    """For every cell the chance of each colour, and of nobody, to end up there."""

    colours: list[str]
    cells: dict[str, list[float]]


class Evaluation(PositionHead):
    """The evaluation of one position."""

    rules: dict[str, str]
    legal_moves: int
    exact: bool
    stopped: bool
    cached: bool
    engine: str
    budget: str
    simulations: int
    seed: int
    seats: list[SeatEvaluation]
    moves: list[MoveEvaluation]
    policy: dict[str, float] | None = None
    territory: Territory | None = None
    features: dict[str, Any] | None = None


class EvaluateAnswer(Answer):
    """An evaluation for every ply that was asked for, in that order."""

    evaluations: list[Evaluation]


class Rows(Answer):
    """Rows of a table, and how many it has in all."""

    total: int
    rows: list[dict[str, Any]]


class GameRows(Rows):
    """A page of games; `next` is the cursor of the following one."""

    next: str | None
