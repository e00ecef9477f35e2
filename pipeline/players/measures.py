"""What a player does well and badly by measure: corners, reach and the rest, beside what is usual in the library.

A value is compared with the mean of the variant's games at the same ply and colour, in standard deviations of these: 0
is usual. A game is one observation, so intervals are between games; only the latest games of the player count, see
`LATEST`. Games that are illegal, irregular, unfinished or played with another set of pieces do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.areas import PHASES, phase_ends
from engine.variants import variant
from pipeline.features.columns import CENTRE_CONTACT
from pipeline.game_selection import FLAWED
from pipeline.heat_maps import need_features
from pipeline.intervals import student
from pipeline.store import Reader

Row = dict[str, Any]

LATEST = 300
"""Games that count at most: what somebody did years ago says little, and the question stays fast."""

FEWEST = 5
"""Games that a ply and colour must have in the library for its mean to be what is usual."""

OWN = (
    "mobility",
    "corner_liberties",
    "live_corner_liberties",
    "reach",
    "exclusive",
    "fitting_pieces",
    "locked_cells",
)
TAKEN = ("block_liberties", "block_mobility")
"""Measures of the player's colours in a position, and what the player's moves took from the others."""

COMPARED = (*OWN, *TAKEN, CENTRE_CONTACT)

LESS_IS_BETTER = ("locked_cells", CENTRE_CONTACT)


@dataclass(frozen=True, slots=True)
class PlayerMeasures:
    """Measures of the latest `games` of a player, of one variant, beside what is usual.

    Rows have `measure`, `phase` (None: the whole game), `games`, `value` and `usual` (means, in the unit of the
    measure), `strength` with `low` and `high`: deviations above what is usual, turned so that more is better. `missing`
    games of the variant have no features.
    """

    variant: str
    games: int
    rows: list[Row]
    missing: int

    def of(self, phase: str | None = None) -> list[Row]:
        """Rows of a phase, the strongest measure first."""
        kept = [row for row in self.rows if row["phase"] == phase and row["strength"] is not None]
        return sorted(kept, key=lambda row: -row["strength"])


def player_measures(reader: Reader, person: str, variant_id: str) -> PlayerMeasures:
    """Compare a player, named as the aliases have it, with the variant's games.

    Raises:
        UnknownVariant: the id is none of the eight.
        NoFeatures: no game of the variant has features yet.
    """
    ends = phase_ends(variant_id)
    missing = need_features(reader, variant_id)
    values: Row = {"person": person, "variant": variant_id}
    games = reader.table(_LATEST, values)["game_no"].to_pylist()
    values |= {"games": games, "first": min(games, default=0), "last": max(games, default=0)}
    rows: list[Row] = []
    if games:
        for question in (_OWN, _TAKEN, _CENTRE):
            for wide in reader.table(question.format(phase=_phase(ends)), values).to_pylist():
                rows += _long(wide)
    return PlayerMeasures(variant(variant_id).id, len(games), rows, missing)


def _phase(ends: tuple[int, int]) -> str:
    return f"CASE WHEN f.ply <= {ends[0]} THEN 1 WHEN f.ply <= {ends[1]} THEN 2 ELSE 3 END"


def _long(found: Row) -> Iterator[Row]:
    """A row for every measure of a row that has them side by side."""
    for name in COMPARED:
        if f"{name}_n" not in found:
            continue
        sign = -1 if name in LESS_IS_BETTER else 1
        n, strength = found[f"{name}_n"], found[f"{name}_z"]
        span = student(strength, found[f"{name}_d"], n)
        ends = sorted(sign * end for end in span) if span else (None, None)
        yield {
            "measure": name,
            "phase": None if found["phase"] is None else PHASES[found["phase"] - 1],
            "games": n,
            "value": found[f"{name}_value"],
            "usual": found[f"{name}_usual"],
            "strength": None if strength is None else sign * strength,
            "low": ends[0],
            "high": ends[1],
        }


_LATEST = f"""
SELECT DISTINCT g.game_no FROM games g JOIN seats s USING (game_no) JOIN feature_games_raw f USING (game_no)
WHERE trim(s.person) = $person AND g.variant = $variant AND NOT ({FLAWED})
ORDER BY g.game_no DESC LIMIT {LATEST}
"""

_MINE = """
mine AS MATERIALIZED (
    SELECT c.game_no, c.colour FROM seats s JOIN colours c USING (game_no, seat)
    WHERE trim(s.person) = $person AND c.game_no IN (SELECT unnest($games::BIGINT[]))
)
"""


def _usual(names: tuple[str, ...], by_colour: bool) -> str:
    """What is usual of some measures, side by side, by ply and colour; else of all colours of a ply added up."""
    sums = f"""
        SELECT measure, ply, colour, sum(n) AS n, sum(x) / sum(n) AS mean,
               greatest(sum(xx) / sum(n) - (sum(x) / sum(n)) ** 2, 0) AS variance
        FROM ply_sums_raw WHERE variant = $variant AND measure IN ({", ".join(f"'{name}'" for name in names)})
        GROUP BY ALL HAVING sum(n) >= {FEWEST}
    """
    columns = ", ".join(
        f"sum(mean) FILTER (measure = '{name}') AS {name}_mean, "
        f"sqrt(sum(variance) FILTER (measure = '{name}')) AS {name}_sd"
        for name in names
    )
    keys = "ply, colour" if by_colour else "ply"
    return f"usual AS (SELECT {keys}, {columns} FROM ({sums}) GROUP BY {keys})"


def _by_game(names: tuple[str, ...]) -> str:
    return ", ".join(
        f"avg(f.{name} - u.{name}_mean) FILTER (u.{name}_sd > 0) / avg(u.{name}_sd) FILTER (u.{name}_sd > 0) "
        f"AS {name}_z, "
        f"avg(f.{name}) FILTER (u.{name}_sd > 0) AS {name}_value, "
        f"avg(u.{name}_mean) FILTER (u.{name}_sd > 0) AS {name}_usual"
        for name in names
    )


def _over_games(names: tuple[str, ...]) -> str:
    return ", ".join(
        f"count({name}_z) AS {name}_n, avg({name}_z) AS {name}_z, stddev_samp({name}_z) AS {name}_d, "
        f"avg({name}_value) AS {name}_value, avg({name}_usual) AS {name}_usual"
        for name in names
    )


_OWN = f"""
WITH {_MINE}, {_usual(OWN, True)},
by_game AS (
    SELECT f.game_no, phase, {_by_game(OWN)}
    FROM (SELECT *, {{phase}} AS phase FROM features_raw f WHERE game_no BETWEEN $first AND $last AND ply > 0) f
    JOIN mine m USING (game_no, colour) JOIN usual u USING (ply, colour)
    GROUP BY GROUPING SETS ((f.game_no), (f.game_no, phase))
)
SELECT phase, {_over_games(OWN)} FROM by_game GROUP BY phase
"""

_TAKEN = f"""
WITH {_MINE}, {_usual(TAKEN, False)},
moves AS (
    SELECT p.game_no, p.ply, {", ".join(f"sum(f.{name}) AS {name}" for name in TAKEN)}
    FROM feature_plies_raw p JOIN mine m ON m.game_no = p.game_no AND m.colour = p.mover
    JOIN features_raw f ON f.game_no = p.game_no AND f.ply = p.ply
    WHERE p.game_no BETWEEN $first AND $last AND f.game_no BETWEEN $first AND $last
    GROUP BY ALL
),
by_game AS (
    SELECT f.game_no, phase, {_by_game(TAKEN)}
    FROM (SELECT *, {{phase}} AS phase FROM moves f) f JOIN usual u USING (ply)
    GROUP BY GROUPING SETS ((f.game_no), (f.game_no, phase))
)
SELECT phase, {_over_games(TAKEN)} FROM by_game GROUP BY phase
"""

_CENTRE = f"""
WITH {_MINE},
usual AS (
    SELECT colour, sum(x) / sum(n) AS {CENTRE_CONTACT}_mean,
           sqrt(greatest(sum(xx) / sum(n) - (sum(x) / sum(n)) ** 2, 0)) AS {CENTRE_CONTACT}_sd
    FROM ply_sums_raw WHERE variant = $variant AND measure = '{CENTRE_CONTACT}'
    GROUP BY colour HAVING sum(n) >= {FEWEST}
),
contacts AS (
    SELECT game_no, unnest(range(1, len(centre_contact) + 1)) AS colour, unnest(centre_contact) AS {CENTRE_CONTACT}
    FROM feature_games_raw WHERE game_no BETWEEN $first AND $last
),
by_game AS (
    SELECT f.game_no, {_by_game((CENTRE_CONTACT,))}
    FROM contacts f JOIN mine m USING (game_no, colour) JOIN usual u USING (colour)
    WHERE f.{CENTRE_CONTACT} IS NOT NULL
    GROUP BY f.game_no
)
SELECT NULL AS phase, {_over_games((CENTRE_CONTACT,))} FROM by_game
"""
