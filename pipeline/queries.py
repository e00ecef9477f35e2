"""What the faces of the program ask a library: its contents, lists of games, one game, the quarantine.

Answers are plain rows (dictionaries) with colours and seats from 1, as in the tables. Everything here runs on the
newest snapshot and compiles no kernel.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from typing import Any

from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS, variant
from notation.dates import PartialDate, parse_date
from notation.trees import SEVERAL_TREES
from pipeline.abbreviations import short_ids
from pipeline.errors import PipelineError
from pipeline.store import Reader

Row = dict[str, Any]

FEW = 1_000
"""Games that are named one by one in a question at most."""


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games a list shows; None: all.

    `player` is a part of a name, in any case. `since` and `until` are dates, whole or partial (2020, 2020-12): a game
    matches when all that its date can mean lies inside them, so a game of 2020 matches since=2020, not since=2020-06.
    """

    variant: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a list, and how many it has in all."""

    total: int
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything the library knows of one game.

    `game` is its row, see `sql/schema_1.sql` for the columns; `whole` the record of the first sighting in our JSON form
    where moves and headers alone do not rebuild it.
    """

    game: Row
    seats: list[Row]
    colours: list[Row]
    moves: list[Row]
    passes: list[Row]
    scores: dict[str, Row]
    sightings: list[Row]
    edits: list[Row]
    quarantine: list[Row]
    whole: str | None


def info(reader: Reader) -> Row:
    """What the library holds, by variant, format and termination; quarantine, sightings, batches, versions."""
    counts = _one(
        reader,
        """
        SELECT (SELECT count(*) FROM games) AS games,
               (SELECT coalesce(sum(plies), 0)::BIGINT FROM games) AS plies,
               (SELECT count(*) FROM sightings) AS sightings,
               (SELECT count(*) FROM results) AS results,
               (SELECT count(*) FROM positions) AS positions,
               (SELECT count(*) FROM piece_lists) AS piece_lists,
               (SELECT count(*) FROM quarantine) AS quarantined,
               (SELECT count(*) FROM batches WHERE undone IS NULL) AS batches,
               (SELECT count(DISTINCT person) FROM seats) AS players,
               (SELECT max(version) FROM library_version) AS schema_version,
               (SELECT arg_max(program, version) FROM library_version) AS program
        """,
    )
    return {
        "library": str(reader.layout.root),
        "snapshot": reader.snapshot,
        **counts,
        "by_variant": _counted(reader, "variant"),
        "by_format": _counted(reader, "format"),
        "by_termination": _counted(reader, "termination"),
        "flags": _one(
            reader,
            """
            SELECT count(*) FILTER (illegal) AS illegal, count(*) FILTER (irregular) AS irregular,
                   count(*) FILTER (unfinished) AS unfinished, count(*) FILTER (empty) AS empty,
                   count(*) FILTER (mismatch) AS mismatch,
                   count(*) FILTER (foreign_pieces) AS foreign_pieces
            FROM games
            """,
        ),
        "quarantine_by_code": {
            row["code"]: row["n"]
            for row in _rows(
                reader, "SELECT code, count(*) AS n FROM quarantine GROUP BY 1 ORDER BY n DESC, 1"
            )
        },
    }


def _counted(reader: Reader, column: str) -> dict[str, int]:
    rows = _rows(
        reader, f"SELECT {column} AS name, count(*) AS n FROM games GROUP BY 1 ORDER BY n DESC, name"
    )
    return {row["name"] or "unknown": row["n"] for row in rows}


def most_played(reader: Reader) -> str:
    """The variant with most games; of an empty library the first of all."""
    rows = _rows(reader, "SELECT variant FROM games GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1")
    return str(rows[0]["variant"]) if rows else next(iter(VARIANTS))


def batches(reader: Reader, limit: int = 10) -> list[Row]:
    """The last import batches, newest first."""
    return _rows(
        reader,
        "SELECT batch, finished, command, games, stored, duplicates, refused, illegal, plies, results, positions, "
        "piece_lists, known_fragments, undone "
        "FROM batches ORDER BY batch DESC LIMIT ?",
        [limit],
    )


def list_games(reader: Reader, wanted: GameFilter, limit: int | None = None, offset: int = 0) -> Page:
    """Games by date, those without one last; what is unknown of a date sorts behind what is known.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    where, parameters = conditions(wanted)
    total = _one(reader, f"SELECT count(*) AS n FROM games g {where}", parameters)["n"]
    chosen = _rows(
        reader,
        f"SELECT game_no FROM games g {where} "
        f"ORDER BY year NULLS LAST, month NULLS LAST, day NULLS LAST, game_no {_limited(limit, offset)}",
        parameters,
    )
    rows = _seen(reader, [row["game_no"] for row in chosen])
    shorts = short_ids(reader, [row["id"] for row in rows])
    return Page(total, [{"id": row["id"], "short": shorts[row["id"]], **row} for row in rows])


def _seen(reader: Reader, numbers: list[int]) -> list[Row]:
    """Games by their numbers, in that order, as `games_view` shows them."""
    if not numbers:
        return []
    # As a list in the question, few numbers let the database leave out nearly everything else at once.
    few = len(numbers) <= FEW
    test = f"game_no IN ({', '.join(map(str, numbers))})" if few else "true"
    return _rows(
        reader,
        "WITH chosen AS (SELECT unnest($1::BIGINT[]) AS game_no, generate_subscripts($1::BIGINT[], 1) AS place) "
        f"SELECT v.* EXCLUDE (game_no) FROM (FROM games_view WHERE {test}) v JOIN chosen USING (game_no) "
        "ORDER BY chosen.place",
        [numbers],
    )


def conditions(wanted: GameFilter) -> tuple[str, list[Any]]:
    """A filter as a WHERE on `games g`, empty where all match, and its parameters.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    tests: list[str] = []
    parameters: list[Any] = []
    if wanted.variant is not None:
        tests.append("g.variant = ?")
        parameters.append(variant(wanted.variant).id)
    if wanted.player is not None:
        # As records spell it, as an edit corrects it, as an alias names the person.
        tests.append(
            "g.game_no IN (SELECT game_no FROM (SELECT game_no, unnest(players) AS name FROM sightings UNION ALL "
            "SELECT game_no, unnest([player, person]) FROM seats) WHERE contains(lower(name), lower(?)))"
        )
        parameters.append(wanted.player)
    if wanted.since is not None:
        tests.append(
            "g.year::INTEGER * 10000 + coalesce(g.month::INTEGER, 1) * 100 + coalesce(g.day, 1) >= ?"
        )
        parameters.append(day_number(wanted.since, "since", 1, 1))
    if wanted.until is not None:
        # The 31st stands for the last day of every month: only the order matters.
        tests.append(
            "g.year::INTEGER * 10000 + coalesce(g.month::INTEGER, 12) * 100 + coalesce(g.day, 31) <= ?"
        )
        parameters.append(day_number(wanted.until, "until", 12, 31))
    return ("WHERE " + " AND ".join(tests) if tests else ""), parameters


def day_number(text: str, what: str, month: int, day: int) -> int:
    """A date of a filter as the number 20201231; `month` and `day` stand for what it leaves open.

    Raises:
        PipelineError: it is no date; the message says what it is good for.
    """
    found: PartialDate = parse_date(text)
    if found.year is None:
        raise PipelineError(f"{what}: {found.problem or 'no year'}; write 2020, 2020-12 or 2020-12-30")
    last = calendar.monthrange(found.year, found.month)[1] if found.month else 31
    of_day = found.day or (1 if day == 1 else 31)
    # A game known to its month ends "on the 31st": the last day of a month must reach it.
    if day == 31 and of_day == last:
        of_day = 31
    return found.year * 10000 + (found.month or month) * 100 + of_day


_ABOUT_ONE = {
    "seats": "SELECT * EXCLUDE (game_no) FROM seats WHERE game_no = $game ORDER BY seat",
    "colours": """
        SELECT c.colour, n.colour_name AS name, c.* EXCLUDE (game_no, colour)
        FROM colours c JOIN games g USING (game_no)
        LEFT JOIN colour_names n ON n.variant = g.variant AND n.colour = c.colour
        WHERE c.game_no = $game ORDER BY c.colour
        """,
    "moves": """
        SELECT ply, turn, round, colour, piece::VARCHAR AS piece, move::VARCHAR AS move, position_key
        FROM moves WHERE game_no = $game ORDER BY ply
        """,
    "passes": """
        SELECT turn, round, after_ply, colour, kind::VARCHAR AS kind, recorded
        FROM passes WHERE game_no = $game ORDER BY turn
        """,
    "sightings": """
        SELECT source, record, line, format, players, headers, declared, declared_winner, mismatch, rules_differ,
               warnings, batch, whole
        FROM sightings WHERE game_no = $game ORDER BY seen_no
        """,
    "edits": """
        SELECT e.edit, e.field, e.old, e.value, e.made, e.note
        FROM edits e JOIN games g USING (id) WHERE g.game_no = $game ORDER BY e.edit, e.field
        """,
    "quarantine": """
        SELECT DISTINCT ON (code, message) source, record, line, ply, code, message
        FROM quarantine WHERE game_no = $game ORDER BY code, message, batch
        """,
}


def game(reader: Reader, identity: str) -> GameView:
    """Everything about the game of a full identity (see `abbreviations.find_game`)."""
    row = _one(
        reader,
        "SELECT v.*, g.rules, g.format, g.recorded_plies, g.turns, g.penalty_applied, g.stop_ply, g.stop_reason, "
        "g.setup FROM games_view v JOIN games g USING (game_no) WHERE g.id = ?",
        [identity],
    )
    number = row["game_no"]
    parts = {name: _rows(reader, question, {"game": number}) for name, question in _ABOUT_ONE.items()}
    wholes = [sighting.pop("whole") for sighting in parts["sightings"]]
    return GameView(game=row, scores=_scores(reader, [number]), whole=wholes[0] if wholes else None, **parts)


def _scores(reader: Reader, number: list[int]) -> dict[str, Row]:
    """Points by scoring table: of every colour, of every seat, and of its team."""
    of_colours = _rows(
        reader,
        "SELECT scoring, list(points ORDER BY colour) AS points FROM scores WHERE game_no = ? GROUP BY scoring",
        number,
    )
    of_seats = _rows(
        reader,
        "SELECT scoring, list(points ORDER BY seat) AS seats, list(team_points ORDER BY seat) AS teams "
        "FROM seat_scores WHERE game_no = ? GROUP BY scoring",
        number,
    )
    colours = {row["scoring"]: row["points"] for row in of_colours}
    seats = {row["scoring"]: row for row in of_seats}
    return {
        name: {"colours": colours[name], "seats": seats[name]["seats"], "teams": seats[name]["teams"]}
        for name in SCORINGS
        if name in colours
    }


def quarantine(reader: Reader, limit: int | None = None, offset: int = 0, batch: int | None = None) -> Page:
    """Problems, a row each, newest batch first; of one batch where it is named."""
    where, parameters = ("", []) if batch is None else ("WHERE batch = ?", [batch])
    total = _one(reader, f"SELECT count(*) AS n FROM quarantine {where}", parameters)["n"]
    rows = _rows(
        reader,
        f"SELECT source, record, line, id, ply, code, message, text, batch FROM quarantine {where} "
        f"ORDER BY batch DESC, source, record {_limited(limit, offset)}",
        parameters,
    )
    shorts = short_ids(reader, [row["id"] for row in rows if row["id"]])
    return Page(total, [{**row, "short": shorts.get(row["id"])} for row in rows])


def warnings(reader: Reader, batch: int, limit: int | None = None, odd_only: bool = False) -> Page:
    """Records of a batch that are odd in some way that changes nothing, each with its warnings.

    With `odd_only` those are left out that only begin a file's second game, as in most archives.
    """
    where = "WHERE batch = ? AND len(warnings) > 0"
    parameters: list[Any] = [batch]
    if odd_only:
        where += " AND warnings <> [?]"
        parameters.append(SEVERAL_TREES)
    total = _one(reader, f"SELECT count(*) AS n FROM sightings {where}", parameters)["n"]
    rows = _rows(
        reader,
        f"SELECT source, record, id, warnings FROM sightings {where} ORDER BY seen_no {_limited(limit, 0)}",
        parameters,
    )
    return Page(total, rows)


def _limited(limit: int | None, offset: int) -> str:
    return f"LIMIT {'ALL' if limit is None else int(limit)} OFFSET {int(offset)}"


def _rows(reader: Reader, question: str, parameters: list[Any] | Row | None = None) -> list[Row]:
    rows: list[Row] = reader.table(question, parameters or []).to_pylist()
    return rows


def _one(reader: Reader, question: str, parameters: list[Any] | None = None) -> Row:
    return _rows(reader, question, parameters)[0]
