"""Questions about judged games: one game move by move, the costliest moves, accuracy of players, games and phases.

Totals leave out games that are illegal, irregular, unfinished or played with another set of pieces. A decision is a
placement that was not forced, of a seat with a result; `move_quality.md` has the formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine.areas import PHASES
from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.abbreviations import short_ids
from pipeline.analysis.tasks import Chosen, chosen_tests
from pipeline.game_selection import FLAWED
from pipeline.intervals import wilson
from pipeline.move_quality import ERRORS, LABELS
from pipeline.queries import Row
from pipeline.store import Reader
from pipeline.store.reader import file_pattern

MADE_BY = ("budget", "simulations", "seed", "engine", "version")


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """A judged game: what made the judgement, a row for every move, totals of every seat.

    `older`: engine or formulas have changed since.
    """

    made_by: Row
    older: bool
    moves: list[Row]
    seats: list[Row]
    start: list[float | None]


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of judged games; `made_by` counts them by what judged them, `left_out` flawed games are in none."""

    variants: list[Row]
    players: list[Row]
    phases: list[Row]
    made_by: list[Row]
    left_out: int


_SUMS = {
    "a": "accuracy",
    "l": "loss_share",
    "p": "loss_points",
}
"""What is averaged over decisions, by its short name."""


def _clusters(by_phase: bool) -> str:
    """Sums of the decisions of every game and seat."""
    decided = "FILTER (accuracy IS NOT NULL)"
    sums = ", ".join(
        f"sum({column}) {decided} AS {short}, sum({column} * {column}) {decided} AS {short}{short}"
        for short, column in _SUMS.items()
    )
    counts = ", ".join(f"count(*) FILTER (label = '{name}') AS n_{name}" for name in LABELS)
    return f"""
        SELECT game_no, seat, {"phase, " if by_phase else ""}count(*) {decided} AS n, {sums}, {counts},
               sum(accuracy_error * accuracy_error) {decided} AS e,
               sum(loss_share_error * loss_share_error) {decided} AS f,
               sum(loss_points_error * loss_points_error) {decided} AS h,
               count(*) FILTER (proven) AS n_proven
        FROM analysed_plies_raw WHERE seat IS NOT NULL GROUP BY ALL
    """


_TOGETHER = ", ".join(
    [
        "count(*) FILTER (n > 0) AS clusters, sum(n)::BIGINT AS n, sum(n * n)::DOUBLE AS nn, sum(e) AS e, sum(f) AS f",
        "sum(h) AS h, sum(n_proven)::BIGINT AS n_proven",
        *(
            f"sum({s}) AS {s}, sum({s}{s}) AS {s}{s}, sum({s} * {s}) AS {s}_squares, sum({s} * n) AS {s}_n"
            for s in _SUMS
        ),
        *(f"sum(n_{name})::BIGINT AS n_{name}" for name in LABELS),
    ]
)

CHANGES = """
SELECT p.game_no, k.seat,
       coalesce(sum(CASE WHEN p.seat = k.seat THEN best_{of}[k.seat] - after_{of}[k.seat] END), 0) AS losses,
       coalesce(sum(CASE WHEN p.seat = k.seat THEN best_{of}[k.seat] - before_{of}[k.seat] END), 0) AS reevaluation,
       coalesce(sum(CASE WHEN p.seat IS DISTINCT FROM k.seat THEN after_{of}[k.seat] - before_{of}[k.seat] END), 0)
           AS gifts,
       count(*) FILTER (p.seat = k.seat) AS own_plies
FROM analysed_plies_raw p CROSS JOIN (SELECT unnest([1, 2, 3, 4])::UTINYINT AS seat) k
WHERE k.seat <= len(before_points) {where} GROUP BY p.game_no, k.seat
"""
"""Of every game and seat: own losses, re-evaluation at own plies, gifts at the others', in `of` shares or points."""


def _figures(row: Row) -> Row:
    """Means with standard errors, rates and counts, out of sums."""
    n = row["n"] or 0
    wrong = sum(row[f"n_{name}"] or 0 for name in ERRORS)
    span = wilson(wrong / n, n) if n else None
    out: Row = {"decisions": n}
    for short, name, noise in (
        ("a", "accuracy", "e"),
        ("l", "mean_loss", "f"),
        ("p", "mean_loss_points", "h"),
    ):
        out[name], out[f"{name}_error"] = _mean(row, short, noise)
    return out | {
        "error_rate": wrong / n if n else None,
        "error_rate_low": span and span.low,
        "error_rate_high": span and span.high,
        "best_rate": (row["n_best"] or 0) / n if n else None,
        "labels": {name: row[f"n_{name}"] or 0 for name in LABELS},
        "proven": row["n_proven"] or 0,
        "reason": None if n else "no move was a decision",
    }


def _mean(row: Row, short: str, noise: str) -> tuple[float | None, float | None]:
    """Mean over decisions and its standard error: from move to move, or from game to game where that is larger."""
    n, clusters = row["n"] or 0, row["clusters"]
    if not n:
        return None, None
    mean = row[short] / n
    if n == 1:
        return mean, sqrt(row[noise] or 0.0)
    error = sqrt(max(row[f"{short}{short}"] - n * mean * mean, 0.0) / (n - 1) / n)
    if clusters > 1:
        squares = row[f"{short}_squares"] - 2 * mean * row[f"{short}_n"] + mean * mean * row["nn"]
        error = max(error, sqrt(max(squares, 0.0) * clusters / (clusters - 1)) / n)
    return mean, error


def game_analysis(reader: Reader, game_no: int) -> GameAnalysis | None:
    """The judgement of a game; None when it has none."""
    found = _of_game(reader, "analysed_games", game_no)
    if not found:
        return None
    about = found[0]
    variant_id = reader.table("SELECT variant FROM games WHERE game_no = ?", [game_no]).to_pylist()[0][
        "variant"
    ]
    moves = sorted(_of_game(reader, "analysed_plies", game_no), key=lambda row: row["ply"])
    for row in moves:
        row["best_move"], row["best_piece"] = named(variant_id, row["best"])
        row["played_move"], row["played_piece"] = named(variant_id, row["played"])
        for name in (*MADE_BY, "game_no"):
            row.pop(name)
    made_by = {name: about[name] for name in MADE_BY}
    return GameAnalysis(
        made_by,
        is_older(variant_id, made_by),
        moves,
        _seats_of(reader, game_no, about),
        about["start_shares"],
    )


def is_older(variant_id: str, made_by: Row) -> bool:
    """Whether engine or formulas are not those of this program any more."""
    from engine.evaluate import engine_version
    from pipeline.move_quality import VERSION

    return (made_by["engine"], made_by["version"]) != (engine_version(variant_id), VERSION)


def _of_game(reader: Reader, kind: str, game_no: int) -> list[Row]:
    """Rows of a game: only the partitions that may hold it are opened."""
    files = reader.table(
        "SELECT file FROM partitions WHERE kind = ? AND ? BETWEEN first_game AND last_game", [kind, game_no]
    )
    out: list[Row] = []
    for file in files["file"].to_pylist():
        pattern = file_pattern(reader.layout.partition(kind, file))
        out += reader.table(f"FROM read_parquet({pattern}) WHERE game_no = ?", [game_no]).to_pylist()
    return out


def named(variant_id: str, placement: int | None) -> tuple[str | None, str | None]:
    """Cells and piece of a placement, as text."""
    if placement is None:
        return None, None
    row = variant(variant_id)
    names = cell_names(row.board)
    cells = ",".join(names[cell] for cell in placement_cells(geometry(variant_id), placement))
    return cells, PIECE_SETS[row.pieces].names[int(geometry(variant_id).placement_piece[placement])]


def _seats_of(reader: Reader, game_no: int, about: Row) -> list[Row]:
    """Totals of every seat of a game, with the balance from its first value to its result."""
    figures = {row["seat"]: row for row in by_games(reader, [game_no])}
    changes = {
        of: {
            row["seat"]: row
            for row in reader.table(
                CHANGES.format(of=of, where="AND game_no = $game"), {"game": game_no}
            ).to_pylist()
        }
        for of in ("shares", "points")
    }
    seats = reader.table(
        "SELECT seat, person AS player FROM seats WHERE game_no = ? ORDER BY seat", [game_no]
    ).to_pylist()
    out = []
    for seat in seats:
        number = seat["seat"]
        row = {**seat, **(figures.get(number) or _figures(_nothing()))}
        for of in ("shares", "points"):
            row[f"balance_{of}"] = balance(about, changes[of].get(number), number, of)
        out.append({key: value for key, value in row.items() if key != "game_no"})
    return out


def _nothing() -> Row:
    return {"n": 0, "clusters": 0, "n_proven": 0, **{f"n_{name}": 0 for name in LABELS}}


def balance(about: Row, changes: Row | None, seat: int, of: str) -> Row:
    """How a seat got from the value of the first position to its result, or the value of the last one.

    `start - losses + gifts + reevaluation + events = result`; `events` is what came of no placement.
    """
    start = (about[f"start_{of}"] or [])[seat - 1 :][:1]
    final = (about[of] or about[f"final_{of}"] or [])[seat - 1 :][:1]
    if not start or start[0] is None or not final or final[0] is None:
        return dict.fromkeys(("start", "losses", "gifts", "reevaluation", "events", "result"))
    known = changes or {"losses": 0.0, "gifts": 0.0, "reevaluation": 0.0}
    moved = known["gifts"] + known["reevaluation"] - known["losses"]
    events = final[0] - start[0] - moved
    return {
        "start": start[0],
        "losses": known["losses"],
        "gifts": known["gifts"],
        "reevaluation": known["reevaluation"],
        "events": 0.0 if abs(events) < 1e-9 else events,
        "result": final[0],
    }


def by_games(reader: Reader, numbers: Sequence[int]) -> list[Row]:
    """Figures of every seat of some games."""
    rows = reader.table(
        f"WITH clusters AS ({_clusters(False)}) SELECT game_no, seat, {_TOGETHER} FROM clusters "
        "WHERE game_no IN (SELECT unnest($numbers::BIGINT[])) GROUP BY ALL ORDER BY ALL",
        {"numbers": list(numbers)},
    ).to_pylist()
    return [{"game_no": row["game_no"], "seat": row["seat"], **_figures(row)} for row in rows]


def chosen_games(reader: Reader, chosen: Chosen) -> list[Row]:
    """Figures of every seat of the chosen games that are judged, flawed ones too, with their players."""
    tests, values = chosen_tests(chosen)
    found = reader.table(
        f"SELECT g.game_no, g.id, s.seat, s.person AS player, ({FLAWED}) AS flawed "
        "FROM games g JOIN analysed_games_raw a USING (game_no) JOIN seats s USING (game_no) "
        f"WHERE {tests} ORDER BY g.game_no, s.seat",
        values,
    ).to_pylist()
    figures = {
        (row["game_no"], row["seat"]): row
        for row in by_games(reader, sorted({row["game_no"] for row in found}))
    }
    shorts = short_ids(reader, [row["id"] for row in found])
    out = []
    for row in found:
        number = row.pop("game_no")
        known = figures.get((number, row["seat"])) or _figures(_nothing())
        known = {key: value for key, value in known.items() if key not in ("game_no", "seat")}
        out.append({"short": shorts[row["id"]], **row, **known})
    return out


def totals(reader: Reader, chosen: Chosen) -> Totals:
    """Totals of judged games: by variant, by player, by phase."""
    tests, values = chosen_tests(chosen)
    games = (
        f"games AS MATERIALIZED (SELECT g.game_no, g.variant FROM games g JOIN analysed_games_raw a USING (game_no) "
        f"WHERE {tests} AND NOT ({FLAWED}))"
    )
    people = "people AS (SELECT game_no, seat, person AS player FROM seats)"

    def grouped(keys: str, by_phase: bool = False) -> list[Row]:
        rows = reader.table(
            f"WITH clusters AS ({_clusters(by_phase)}), {games}, {people} "
            f"SELECT {keys}, count(DISTINCT game_no) AS games, {_TOGETHER} "
            f"FROM clusters JOIN games USING (game_no) JOIN people USING (game_no, seat) "
            f"GROUP BY {keys} ORDER BY {keys}",
            values,
        ).to_pylist()
        named_keys = [key.strip() for key in keys.split(",")]
        return [{key: row[key] for key in (*named_keys, "games")} | _figures(row) for row in rows]

    changes = _changes(reader, games, people, values)
    variants = [row | changes["variant"].get((row["variant"],), {}) for row in grouped("variant")]
    players = [
        row | changes["player"].get((row["variant"], row["player"]), {}) for row in grouped("variant, player")
    ]
    phases = [{**row, "phase": PHASES[row["phase"] - 1]} for row in grouped("variant, phase", True)]
    made_by = reader.table(
        f"WITH {games} SELECT g.variant, {', '.join('a.' + name for name in MADE_BY)}, count(*) AS games "
        "FROM analysed_games_raw a JOIN games g USING (game_no) GROUP BY ALL ORDER BY ALL",
        values,
    ).to_pylist()
    everything = reader.table(
        f"SELECT count(*) AS n FROM games g JOIN analysed_games_raw a USING (game_no) WHERE {tests}", values
    ).to_pylist()[0]["n"]
    counted = sum(row["games"] for row in made_by)
    for row in made_by:
        row["older"] = is_older(row["variant"], row)
    return Totals(variants, players, phases, made_by, everything - counted)


def of_player(reader: Reader, person: str) -> list[Row]:
    """Figures of a player's decisions by variant and phase, those without a phase of the variant as a whole.

    `person` is the name as the aliases have it.
    """
    out: list[Row] = []
    for by_phase in (False, True):
        keys = "variant, phase" if by_phase else "variant"
        rows = reader.table(
            f"WITH clusters AS ({_clusters(by_phase)}) SELECT {keys}, count(DISTINCT game_no) AS games, {_TOGETHER} "
            "FROM clusters JOIN games g USING (game_no) JOIN seats s USING (game_no, seat) "
            f"WHERE trim(s.person) = $person AND NOT ({FLAWED}) GROUP BY {keys} ORDER BY {keys}",
            {"person": person},
        ).to_pylist()
        for row in rows:
            phase = PHASES[row["phase"] - 1] if by_phase else None
            out.append({"variant": row["variant"], "phase": phase, "games": row["games"]} | _figures(row))
    return out


def _changes(reader: Reader, games: str, people: str, values: Row) -> dict[str, dict[tuple[Any, ...], Row]]:
    """Gifts and re-evaluation by variant and by player: means with standard errors from game to game."""
    out = {}
    for name, keys in (("variant", "variant"), ("player", "variant, player")):
        rows = reader.table(
            f"WITH {games}, {people}, changes AS ({CHANGES.format(of='shares', where='')}) "
            f"SELECT {keys}, count(*) AS n, avg(gifts) AS gifts, stddev_samp(gifts) / sqrt(count(*)) AS gifts_error, "
            "sum(reevaluation) AS r, sum(own_plies)::DOUBLE AS m, sum(reevaluation * reevaluation) AS rr, "
            "sum(reevaluation * own_plies) AS rm, sum(own_plies * own_plies)::DOUBLE AS mm "
            f"FROM changes JOIN games USING (game_no) JOIN people USING (game_no, seat) GROUP BY {keys}",
            values,
        ).to_pylist()
        out[name] = {tuple(row[key.strip()] for key in keys.split(",")): _changed(row) for row in rows}
    return out


def _changed(row: Row) -> Row:
    n, plies = row["n"], row["m"] or 0
    mean = row["r"] / plies if plies else None
    error = None
    if mean is not None and n > 1:
        squares = row["rr"] - 2 * mean * row["rm"] + mean * mean * row["mm"]
        error = sqrt(max(squares, 0.0) * n / (n - 1)) / plies
    return {
        "gifts": row["gifts"],
        "gifts_error": row["gifts_error"],
        "reevaluation": mean,
        "reevaluation_error": error,
    }
