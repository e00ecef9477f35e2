"""Heat maps of a variant's games: where colours are, what they reach, what is contested or dead, who is where when.

Games that are illegal, irregular, unfinished or played with another set of pieces do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from engine.areas import PHASES
from engine.variants import variant
from pipeline.errors import NoFeatures, NoSuchPlayer, PipelineError
from pipeline.features.columns import HEAT_MAPS
from pipeline.store import Derived, Reader

MEASURES = ("occupied", "reach", "contested", "dead", "first_contact")
"""What a heat map can show."""

FIRST_CONTACT = MEASURES[-1]

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A value for every cell, in the canonical order of the board.

    Of `first_contact`: mean ply at which the colour covered the cell, NaN where none did. Else the share of the
    positions in which the cell is so for the colour, from 0 to 1; NaN where there is no position. `counts` is by cell
    how often that was, of `of` positions (or of games, for `first_contact`). With `colour` None it is the mean over all
    colours (of the player). `games` counts a colour of a game once; `missing` games of the variant have no features.
    """

    variant: str
    measure: str
    colour: int | None
    player: str | None
    phase: str | None
    values: Values
    counts: Counts
    of: int
    games: int
    missing: int


def heat_map(
    reader: Reader,
    variant_id: str,
    measure: str,
    colour: int | None = None,
    player: str | None = None,
    phase: str | None = None,
) -> HeatMap:
    """The heat map of a measure, of one colour (from 1), of one player's colours, of one phase; None: of all.

    Raises:
        UnknownVariant: the id is none of the eight.
        PipelineError: a measure, colour or phase that there is not.
        NoFeatures: no game of the variant has features yet, or none that counts.
        NoSuchPlayer: nobody of that name has played the variant in a game that counts.
    """
    colours = variant(variant_id).colours
    _check(measure, colour, phase, colours)
    missing = need_features(reader, variant_id)
    rows = _rows(reader, variant_id, colour, player)
    if not rows:
        raise _nothing(variant_id, colour, player)
    blobs = (np.frombuffer(row["maps"], "<u4") for row in rows)
    maps = sum(blob.astype(np.int64) for blob in blobs)
    assert isinstance(maps, np.ndarray)
    by_name = dict(zip(HEAT_MAPS, maps.reshape(len(HEAT_MAPS), -1), strict=True))
    games = sum(row["games"] for row in rows)
    if measure == FIRST_CONTACT:
        counts, of = by_name["contact_times"], games
        values = _divided(by_name["contact_plies"], counts)
    else:
        phases = range(len(PHASES)) if phase is None else [PHASES.index(phase)]
        counts = np.sum([by_name[f"{measure}_{number + 1}"] for number in phases], axis=0)
        of = sum(row["positions"][number] for row in rows for number in phases)
        values = _divided(counts, np.full(len(counts), of))
    return HeatMap(variant_id, measure, colour, player, phase, values, counts, of, games, missing)


def _divided(counts: Counts, of: Counts) -> Values:
    out: Values = np.divide(counts, of, out=np.full(len(counts), np.nan), where=of > 0)
    return out


def _check(measure: str, colour: int | None, phase: str | None, colours: Sequence[str]) -> None:
    if measure not in MEASURES:
        raise PipelineError(f"no heat map of {measure!r}: choose one of {', '.join(MEASURES)}")
    if phase is not None and phase not in PHASES:
        raise PipelineError(f"no phase {phase!r}: choose one of {', '.join(PHASES)}")
    if phase is not None and measure == FIRST_CONTACT:
        raise PipelineError("the first contact with a cell is of a whole game, not of a phase")
    if colour is not None and not 1 <= colour <= len(colours):
        raise PipelineError(f"no colour {colour}: there are 1 to {len(colours)}, {', '.join(colours)}")


_MEASURED = """
CREATE TABLE measured_games AS
SELECT g.variant, count(*) AS games, count(f.game_no) AS measured
FROM library.games g LEFT JOIN feature_games_raw f USING (game_no)
WHERE g.stop_reason IS DISTINCT FROM 'bad_setup' GROUP BY g.variant
"""


def _make(cursor: duckdb.DuckDBPyConnection) -> None:
    cursor.execute(_MEASURED)


MEASURED = Derived("measured_games", _make)
"""A row for every variant: games that can have features, and those that have."""


def need_features(reader: Reader, variant_id: str) -> int:
    """How many games of a variant have no features yet.

    Raises:
        NoFeatures: none has, or there is no game.
    """
    question = "SELECT games, measured FROM measured_games WHERE variant = ?"
    rows = reader.table(question, [variant_id], needs=[MEASURED]).to_pylist()
    if not rows:
        raise NoFeatures(f"the library has no game of {variant_id}")
    (row,) = rows
    if not row["measured"]:
        raise NoFeatures(f"no game of {variant_id} has features yet: `cornerwise features` computes them")
    return int(row["games"] - row["measured"])


def _rows(reader: Reader, variant_id: str, colour: int | None, player: str | None) -> list[dict[str, Any]]:
    """Rows of the sums: of everybody together, or of every name of a player."""
    tests = ["variant = $variant"]
    asked: dict[str, Any] = {"variant": variant_id}
    if colour is not None:
        tests.append("colour = $colour")
        asked["colour"] = colour
    if player is None:
        tests.append("player IS NULL")
    else:
        names = names_of(reader, player)
        # As constants, so that only the rows of these names are read.
        tests.append(f"player IN ({', '.join(f'$name{i}' for i in range(len(names)))})")
        asked |= {f"name{i}": name for i, name in enumerate(names)}
    question = f"SELECT games, positions, maps FROM heat_raw WHERE {' AND '.join(tests)}"
    rows: list[dict[str, Any]] = reader.table(question, asked).to_pylist()
    return rows


def names_of(reader: Reader, player: str) -> list[str]:
    """The names under which a player, by any of these names in any case, sits in games.

    Raises:
        NoSuchPlayer: nobody is called so.
    """
    found = reader.table(
        "SELECT DISTINCT player FROM seats WHERE person IN "
        "(SELECT person FROM seats WHERE lower(person) = lower($player) OR player = $player) ORDER BY player",
        {"player": player},
    )["player"].to_pylist()
    if not found:
        raise NoSuchPlayer(f"no game has a player {player[:100]!r}")
    return [str(name) for name in found]


def _nothing(variant_id: str, colour: int | None, player: str | None) -> PipelineError:
    of_colour = "" if colour is None else f" with colour {colour}"
    if player is None:
        return NoFeatures(f"no game of {variant_id}{of_colour} that has features counts")
    return NoSuchPlayer(f"no game of {variant_id} with features that counts has {player[:100]!r}{of_colour}")
