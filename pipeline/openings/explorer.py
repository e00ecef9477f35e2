"""The opening explorer: which moves were played from a position, and how they did.

Two counts stand beside each move and mean different things: `games`, how often it was played from here, and `reached`,
how many games have the position it leads to, whatever the order of moves. `games` over all moves and the games that
end here make up the games at the position.

Positions are exact (`design`: cells by colour, colour to move, who is out, single cell last). The view `merged` counts
the images of the position under the exact symmetries of the start rule as the position itself, and maps moves back into
the frame that was asked for; games under another start rule are left out of it, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.position_keys import Key
from engine.rulesets import parse_rules
from engine.variants import variant
from pipeline.errors import LibraryError
from pipeline.game_selection import Selection, ids_of, left_out
from pipeline.openings.answers import Answers
from pipeline.openings.moves import Frames, Places, Tally, collect, ordered, row_of
from pipeline.openings.names import name_after, names_at
from pipeline.openings.positions import Spot, images
from pipeline.openings.questions import SAMPLES
from pipeline.queries import Row
from pipeline.store import Reader


@dataclass(frozen=True)
class Explored:
    """What the library knows of a position.

    `games` have it; of these `ended` have no move from it, by why: finished, unfinished, illegal. `moves` are rows, see
    `moves.row_of`; `total_moves` how many there are before `limit` and `min_games`. `symmetries` is the
    number of images that were counted as the position, 1 in the exact view; `other_start_rule` games are left out of
    the merged view, `left_out` flawed games of every view. `names` are those of `names.names_at`.
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


@dataclass(frozen=True)
class _View:
    """How positions are looked at: see the arguments of `explore`; `rule` is the start rule of the merged view."""

    wanted: Selection
    rule: str | None
    scoring: str
    min_games: int
    limit: int | None


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
    wanted = Selection(spot.variant) if wanted is None else wanted.with_variant(spot.variant)
    rule = start or parse_rules(spot.variant, dict(wanted.rules or {})).start
    parse_rules(spot.variant, {"start": rule})
    scale = scoring or variant(spot.variant).scoring
    view = _View(wanted, rule if merged else None, scale, min_games, limit)
    (found,) = _explored(reader, [spot], view, ratings)
    return found


def explore_all(
    reader: Reader,
    spots: Sequence[Spot],
    wanted: Selection,
    *,
    min_games: int = 1,
    limit: int | None = None,
    ratings: Mapping[str, float] | None = None,
) -> list[Explored]:
    """What `explore` finds for each of some positions of one variant, with as many pieces on the board: much faster.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
        LibraryError: the library has no index of openings yet.
    """
    if not spots:
        return []
    name = spots[0].variant
    view = _View(wanted.with_variant(name), None, variant(name).scoring, min_games, limit)
    return _explored(reader, spots, view, ratings)


def _explored(
    reader: Reader, spots: Sequence[Spot], view: _View, ratings: Mapping[str, float] | None
) -> list[Explored]:
    check_index(reader)
    frames = [Frames(spot, images(spot, view.rule)) for spot in spots]
    answers = Answers(reader, Places(frames), view.wanted, view.rule, ratings)
    rows: dict[Key, list[Row]] = {}
    for row in answers.played(view.scoring):
        rows.setdefault((row["from_hi"], row["from_lo"]), []).append(row)
    mine = [[row for key in one.by_key for row in rows.get(key, ())] for one in frames]
    tallies = [collect(one, found) for one, found in zip(frames, mine, strict=True)]
    shown = [[t for t in ordered(some) if t.games >= view.min_games][: view.limit] for some in tallies]
    reached = iter(answers.reached([tally for some in shown for tally in some]))
    moves = _moves(reader, spots, shown, reached)
    other = answers.other_start_rule() if view.rule is not None else 0
    flawed = left_out(reader, view.wanted)
    return [
        Explored(
            spot=one.spot,
            merged=view.rule is not None,
            scoring=view.scoring,
            games=sum(row["games"] for row in found),
            ended=_ended(found),
            moves=its_moves,
            total_moves=len(its_tallies),
            symmetries=len(one.by_key),
            other_start_rule=other,
            left_out=flawed,
            names=names_at(one.spot),
        )
        for one, found, its_tallies, its_moves in zip(frames, mine, tallies, moves, strict=True)
    ]


def _ended(rows: list[Row]) -> dict[str, int]:
    """How many games end at a position, by why."""
    ended: dict[str, int] = {}
    for row in rows:
        if row["colour"] is None:
            ended[row["ending"]] = ended.get(row["ending"], 0) + row["games"]
    return ended


def _moves(
    reader: Reader, spots: Sequence[Spot], shown: list[list[Tally]], reached: Iterator[int]
) -> list[list[Row]]:
    """The moves of each position as rows."""
    ids = ids_of(reader, [n for tallies in shown for tally in tallies for n in tally.samples[:SAMPLES]])
    out = []
    for spot, tallies in zip(spots, shown, strict=True):
        rows = []
        for tally in tallies:
            samples = [ids[number] for number in tally.samples[:SAMPLES]]
            row = row_of(spot.variant, tally, next(reached), samples)
            rows.append({**row, "opening": name_after(spot, row["colour"] - 1, row["piece"])})
        out.append(rows)
    return out


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
