"""The costliest moves of a library."""

from __future__ import annotations

from dataclasses import dataclass

from engine.variants import variant
from pipeline.abbreviations import short_ids
from pipeline.analysis.queries import MADE_BY, is_older, named
from pipeline.game_selection import FLAWED
from pipeline.queries import Page, Row
from pipeline.store import Reader


@dataclass(frozen=True, slots=True)
class MistakeFilter:
    """Which moves a list of mistakes shows: losses in share of at least `worse_than`; unclear ones where asked for."""

    worse_than: float
    player: str | None = None
    variant: str | None = None
    unclear: bool = False
    flawed: bool = False


def mistakes(reader: Reader, wanted: MistakeFilter, limit: int | None = None, offset: int = 0) -> Page:
    """The costliest moves of a library first."""
    tests = ["p.accuracy IS NOT NULL", "p.loss_share >= $least"]
    values: Row = {"least": wanted.worse_than}
    if not wanted.unclear:
        tests.append("NOT p.unclear")
    if not wanted.flawed:
        tests.append(f"NOT ({FLAWED})")
    if wanted.variant is not None:
        tests.append("g.variant = $variant")
        values["variant"] = variant(wanted.variant).id
    if wanted.player is not None:
        tests.append("(lower(s.person) = lower($player) OR s.player = $player)")
        values["player"] = wanted.player
    source = (
        "analysed_plies_raw p JOIN games g USING (game_no) JOIN seats s ON s.game_no = p.game_no AND s.seat = p.seat "
        f"WHERE {' AND '.join(tests)}"
    )
    total = reader.table(f"SELECT count(*) AS n FROM {source}", values).to_pylist()[0]["n"]
    many = "ALL" if limit is None else str(int(limit))
    rows = reader.table(
        "SELECT g.id, g.variant, p.ply, p.colour, p.seat, s.person AS player, p.played, p.best, p.loss_share, "
        "p.loss_share_error, p.loss_points, p.loss_points_error, p.label, p.proven, p.unclear, "
        f"p.legal_moves, {', '.join('p.' + name for name in MADE_BY)} FROM {source} "
        f"ORDER BY p.loss_share DESC, g.game_no, p.ply LIMIT {many} OFFSET {int(offset)}",
        values,
    ).to_pylist()
    shorts = short_ids(reader, [row["id"] for row in rows])
    return Page(total, [_mistake(row, shorts[row["id"]]) for row in rows])


def _mistake(row: Row, short: str) -> Row:
    name = row["variant"]
    played, best = named(name, row.pop("played")), named(name, row.pop("best"))
    return {
        "short": short,
        **row,
        "colour_name": variant(name).colours[row["colour"] - 1],
        "played_piece": played[1],
        "played_move": played[0],
        "best_piece": best[1],
        "best_move": best[0],
        "older": is_older(name, row),
    }
