"""All players of a library beside one another: results, rating and accuracy, as far as they compare."""

from __future__ import annotations

from typing import Any

from engine.variants import VARIANTS
from pipeline.analysis.queries import totals
from pipeline.analysis.tasks import Chosen
from pipeline.contests import ContestFilter
from pipeline.players.players import list_players
from pipeline.ratings import FAMILIES, ratings
from pipeline.store import Reader

Row = dict[str, Any]

RATING = ("mu", "low", "high", "ordinal", "elo", "points")
ACCURACY = ("accuracy", "accuracy_error", "decisions")

ORDERS = ("games", "share", "rating", "score", "accuracy", "player")
"""What a list of players can be in the order of."""

_BY = {"share": "share", "rating": "ordinal", "score": "mean_score", "accuracy": "accuracy"}


def listed_players(reader: Reader, variant_id: str | None = None) -> list[Row]:
    """A row of `players.list_players` for every player, with the figures of `RATING` and `ACCURACY`.

    `rated_games` and `team_rating` (mu of the family of teams) beside them. All are null without a variant, for
    those of different variants do not compare, and where a player has none.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    rows = list_players(reader, ContestFilter(variant_id)).rows
    rated = _rated(reader, variant_id)
    in_teams = _rated(reader, f"{variant_id}_teams")
    judged = {
        row["player"]: row
        for row in (totals(reader, Chosen(variant=variant_id)).players if variant_id else ())
        if row["player"] is not None
    }
    out = []
    for row in rows:
        name = row["player"]
        mine, team, play = rated.get(name), in_teams.get(name), judged.get(name)
        out.append(
            {
                **row,
                **{key: mine and mine[key] for key in RATING},
                "rated_games": mine and mine["games"],
                "team_rating": team and team["mu"],
                **{key: play and play[key] for key in ACCURACY},
            }
        )
    return out


def _rated(reader: Reader, family_id: str | None) -> dict[str, Row]:
    if family_id not in FAMILIES:
        return {}
    return {row["player"]: row for row in ratings(reader, family_id).rows}


def in_order(rows: list[Row], order: str, search: str = "") -> list[Row]:
    """Rows whose name has `search` in it, in any case: the greatest first, names from A to Z; unknown values last.

    Ratings are in the order of the conservative estimate.
    """
    wanted = search.strip().casefold()
    kept = [row for row in rows if wanted in row["player"].casefold()]
    if order == "player":
        return sorted(kept, key=lambda row: row["player"].casefold())
    key = _BY.get(order, "games")
    return sorted(kept, key=lambda row: (row[key] is None, -(row[key] or 0), -row["games"]))


def played_variants(rows: list[Row]) -> list[str]:
    """Variants that some of these players have played, in the order of the rules."""
    found = {name for row in rows for name in row["variants"] if name}
    return [name for name in VARIANTS if name in found]
