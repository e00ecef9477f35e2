"""The opening explorer: which moves were played from a position, and how they did.

Two counts stand beside each move and mean different things: `games`, how often it was played from here, and `reached`,
how many games have the position it leads to, whatever the order of moves. `games` over all moves and the games that
end here make up the games at the position.

Positions are exact (`design`: cells by colour, colour to move, who is out, single cell last). The view `merged` counts
the images of the position under the exact symmetries of the start rule as the position itself, and maps moves back into
the frame that was asked for; games under another start rule are left out of it, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.rulesets import parse_rules
from engine.variants import variant
from pipeline.errors import LibraryError
from pipeline.game_selection import Selection, ids_of, left_out
from pipeline.opening_moves import Frames, collect, ordered, row_of
from pipeline.opening_names import name_after, names_at
from pipeline.opening_positions import Spot, images
from pipeline.opening_questions import SAMPLES, Question
from pipeline.queries import Row
from pipeline.store import Reader


@dataclass(frozen=True)
class Explored:
    """What the library knows of a position.

    `games` have it; of these `ended` have no move from it, by why: finished, unfinished, illegal. `moves` are rows, see
    `opening_moves.row_of`; `total_moves` how many there are before `limit` and `min_games`. `symmetries` is the
    number of images that were counted as the position, 1 in the exact view; `other_start_rule` games are left out of
    the merged view, `left_out` flawed games of every view. `names` are those of `opening_names.names_at`.
    """

    spot: Spot
    merged: bool
    scoring: str
    games: int
    ended: dict[str, int]
    moves: list[Row]
    total_moves: int
    symmetries: int = 1
    other_start_rule: int = 0
    left_out: int = 0
    names: list[Row] = field(default_factory=list)


def explore(
    reader: Reader,
    spot: Spot,
    wanted: Selection | None = None,
    *,
    merged: bool = False,
    start: str | None = None,
    scoring: str | None = None,
    min_games: int = 1,
    limit: int | None = None,
    ratings: Mapping[str, float] | None = None,
) -> Explored:
    """Moves that games of the library played from a position, most played first.

    `start` is the start rule whose symmetries the merged view takes, by default the variant's; `scoring` the table of
    the scores, by default the variant's. `ratings` are those of persons (`pipeline.ratings`), for the mean rating.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
        LibraryError: the library has no index of openings yet.
    """
    check_index(reader)
    row = variant(spot.variant)
    wanted = Selection(spot.variant) if wanted is None else wanted.with_variant(spot.variant)
    rule = start or parse_rules(spot.variant, dict(wanted.rules or {})).start
    parse_rules(spot.variant, {"start": rule})
    frames = Frames(spot, images(spot, rule if merged else None))
    scale = scoring or row.scoring
    question = Question(reader, frames, wanted, rule if merged else None, ratings)
    found, ended = question.played(scale)
    tallies = collect(frames, found)
    kept = [t for t in ordered(tallies) if t.games >= min_games]
    shown = kept if limit is None else kept[:limit]
    reached = question.reached(shown)
    ids = ids_of(reader, [number for tally in shown for number in tally.samples[:SAMPLES]])
    return Explored(
        spot=spot,
        merged=merged,
        scoring=scale,
        games=sum(tally.games for tally in tallies) + sum(ended.values()),
        ended=ended,
        moves=[
            _named(spot, row_of(spot.variant, tally, n, [ids[g] for g in tally.samples[:SAMPLES]]))
            for tally, n in zip(shown, reached, strict=True)
        ],
        total_moves=len(tallies),
        symmetries=len(frames.by_key),
        other_start_rule=question.other_start_rule() if merged else 0,
        left_out=left_out(reader, wanted),
        names=names_at(spot),
    )


def _named(spot: Spot, row: Row) -> Row:
    return {**row, "opening": name_after(spot, row["colour"] - 1, row["piece"])}


def check_index(reader: Reader) -> None:
    """See that the index of openings covers the library.

    Raises:
        LibraryError: it does not: no program that makes one has written this library yet.
    """
    rows = reader.table(
        "SELECT coalesce(max(last_game) FILTER (kind = 'moves'), -1) "
        "<= coalesce(max(last_game) FILTER (kind = 'openings'), -1) AS whole FROM partitions"
    ).to_pylist()
    if not rows[0]["whole"]:
        raise LibraryError(
            f"{reader.layout.root} has no index of openings yet: the next import brings it up to date"
        )
