"""What a player's moves lose, as judged: by phase, by label, by piece, beside everybody's.

Games that are illegal, irregular, unfinished or played with another set of pieces are left out; a decision is a
placement that was not forced, see `move_quality.md`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.analysis.queries import of_player, totals
from pipeline.analysis.tasks import Chosen
from pipeline.game_selection import FLAWED
from pipeline.move_quality import LABELS
from pipeline.store import Reader

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerQuality:
    """How a player's moves of one variant were judged.

    `total` and `phases` are rows of `analysis.queries.of_player`, with `all_accuracy` of everybody. `labels` and
    `pieces` are rows by `key`: `decisions`, `loss` (mean, in share) with `loss_error`, `loss_points`, the sums `lost`
    and `lost_points`, and `all_loss`, everybody's mean. Pieces come with the greatest sum first. `older` games of the
    variant, whoever played, were judged by another engine than this one.
    """

    variant: str
    total: Row
    phases: list[Row]
    labels: list[Row]
    pieces: list[Row]
    older: int


def player_quality(reader: Reader, person: str) -> list[PlayerQuality]:
    """The judged moves of a player, named as the aliases have it: one for every variant, most decisions first."""
    of_variants: dict[str, list[Row]] = {}
    for row in of_player(reader, person):
        of_variants.setdefault(row["variant"], []).append(row)
    found = [_of_variant(reader, person, name, rows) for name, rows in of_variants.items()]
    return sorted(found, key=lambda quality: -quality.total["decisions"])


def _of_variant(reader: Reader, person: str, name: str, rows: list[Row]) -> PlayerQuality:
    everybody = totals(reader, Chosen(variant=name))
    usual = {row["phase"]: row["accuracy"] for row in everybody.phases} | {
        None: everybody.variants[0]["accuracy"]
    }
    shown = [row | {"all_accuracy": usual[row["phase"]]} for row in rows]
    own, theirs = _moves(reader, name, person), _moves(reader, name)
    labels = _compared(own, theirs, lambda row: str(row["label"]))
    return PlayerQuality(
        name,
        next(row for row in shown if row["phase"] is None),
        [row for row in shown if row["phase"] is not None],
        sorted(labels, key=lambda row: LABELS.index(row["key"])),
        sorted(_compared(own, theirs, _piece), key=lambda row: -row["lost"]),
        sum(row["games"] for row in everybody.made_by if row["older"]),
    )


def _moves(reader: Reader, variant_id: str, person: str | None = None) -> list[Row]:
    """Sums of the losses of the decisions by label and placement."""
    rows: list[Row] = reader.table(
        f"""
        SELECT $variant AS variant, p.label::VARCHAR AS label, p.played, count(*) AS n,
               sum(loss_share) AS lost, sum(loss_share * loss_share) AS squares, sum(loss_points) AS lost_points
        FROM analysed_plies_raw p JOIN games g USING (game_no)
        JOIN seats s ON s.game_no = p.game_no AND s.seat = p.seat
        WHERE g.variant = $variant AND p.accuracy IS NOT NULL AND NOT ({FLAWED})
              AND coalesce(trim(s.person) = $person, $person IS NULL)
        GROUP BY ALL
        """,
        {"variant": variant_id, "person": person},
    ).to_pylist()
    return rows


def _piece(row: Row) -> str:
    pieces = PIECE_SETS[variant(row["variant"]).pieces].names
    return pieces[int(geometry(row["variant"]).placement_piece[row["played"]])]


def _compared(own: list[Row], everybody: list[Row], key: Callable[[Row], str]) -> list[Row]:
    """Figures of every group of the player's moves, with the mean of the same group of everybody's."""
    theirs = _grouped(everybody, key)
    return [
        {"key": name, **_figures(sums), "all_loss": theirs[name]["lost"] / theirs[name]["n"]}
        for name, sums in _grouped(own, key).items()
    ]


def _grouped(rows: list[Row], key: Callable[[Row], str]) -> dict[str, Row]:
    out: dict[str, Row] = {}
    for row in rows:
        sums = out.setdefault(key(row), dict.fromkeys(("n", "lost", "squares", "lost_points"), 0))
        for name in sums:
            sums[name] += row[name]
    return out


def _figures(sums: Row) -> Row:
    n, mean = sums["n"], sums["lost"] / sums["n"]
    spread = max(sums["squares"] - n * mean * mean, 0.0)
    return {
        "decisions": n,
        "loss": mean,
        "loss_error": sqrt(spread / (n - 1) / n) if n > 1 else None,
        "loss_points": sums["lost_points"] / n,
        "lost": sums["lost"],
        "lost_points": sums["lost_points"],
    }
