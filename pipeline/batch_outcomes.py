"""What an import batch did: its counts, and what became of every record it brought."""

from __future__ import annotations

import json
from typing import Any

from pipeline.queries import Page, Row
from pipeline.store import Reader

_COUNTS = (
    "games, stored, duplicates, refused, illegal, irregular, unfinished, empty, quarantined, sightings, plies, "
    "results, positions, piece_lists, known_fragments"
)


def batch_of_job(reader: Reader, job: str) -> Row | None:
    """The batch that was made for a job of the service, with its counts; None where there is none."""
    rows = reader.table(
        f"SELECT batch, {_COUNTS}, details FROM batches WHERE options ->> 'job' = ? AND undone IS NULL", [job]
    ).to_pylist()
    if not rows:
        return None
    row: dict[str, Any] = rows[0]
    details = json.loads(row.pop("details") or "{}")
    return {**row, "files": details.get("files", 0), **_files(details)}


def _files(details: dict[str, Any]) -> Row:
    return {
        name: [{"file": file, "reason": reason} for file, reason in details.get(name, ())]
        for name in ("other_files", "unreadable_files")
    }


def games_of_batch(reader: Reader, batch: int) -> list[str]:
    """Identities of the games that a batch brought or saw again."""
    question = (
        "SELECT DISTINCT g.id FROM sightings s JOIN games g USING (game_no) WHERE s.batch = ? ORDER BY g.id"
    )
    found: list[str] = reader.table(question, [batch])["id"].to_pylist()
    return found


def outcomes(reader: Reader, batch: int, limit: int, offset: int = 0, wrong: bool = False) -> Page:
    """A row for every record of a batch: stored, duplicate or refused, its game, flags, problem and warnings.

    With `wrong` only what was refused, and games whose replay stops.

    Records of a file whose very bytes an earlier batch brought are that batch's: they are in the counts alone.
    """
    about = """
        WITH first AS (SELECT game_no, min(seen_no) AS seen_no FROM sightings GROUP BY game_no),
        seen AS (
            SELECT s.source, s.record, s.line, CASE WHEN f.seen_no = s.seen_no THEN 'stored' ELSE 'duplicate' END
                   AS outcome, s.game_no, s.warnings, NULL::VARCHAR AS code, NULL::VARCHAR AS message
            FROM sightings s JOIN first f USING (game_no) WHERE s.batch = $batch
        ), refused AS (
            SELECT source, record, line, 'refused' AS outcome, NULL::BIGINT AS game_no, []::VARCHAR[] AS warnings,
                   code, message
            FROM quarantine WHERE batch = $batch AND id IS NULL
        ), every AS (FROM seen UNION ALL BY NAME FROM refused)
    """
    if wrong:
        stopped = "game_no IN (SELECT game_no FROM quarantine)"
        about += f", chosen AS (FROM every WHERE outcome = 'refused' OR {stopped})"
    every = "chosen" if wrong else "every"
    total = reader.table(f"{about} SELECT count(*) AS n FROM {every}", {"batch": batch}).to_pylist()[0]["n"]
    rows = reader.table(
        f"""
        {about}, page AS (SELECT * FROM {every} ORDER BY source, record LIMIT {int(limit)} OFFSET {int(offset)}),
        stops AS (SELECT game_no, any_value(code) AS code, any_value(message) AS message, min(ply) AS ply
                  FROM quarantine WHERE game_no IN (SELECT game_no FROM page) GROUP BY game_no)
        SELECT p.source, p.record, p.line, p.outcome, v.id, v.variant, v.flags, v.plies, p.warnings,
               coalesce(p.code, q.code) AS code, coalesce(p.message, q.message) AS message, q.ply
        FROM page p LEFT JOIN games_view v USING (game_no) LEFT JOIN stops q USING (game_no)
        ORDER BY p.source, p.record
        """,
        {"batch": batch},
    ).to_pylist()
    return Page(total, rows)
