"""What is odd about the data of a library: codes, counts and examples. The cases are in `sql/quality.sql`."""

from __future__ import annotations

from typing import Any

from pipeline.abbreviations import short_ids
from pipeline.errors import BadCode
from pipeline.queries import Page, Row
from pipeline.store import Reader
from pipeline.store.catalogue import script

EXAMPLES = 3
"""Cases that a summary shows of every code."""

WARNING = "warning:"
"""Before the code of a warning that has no line of its own in `MEANINGS`."""

WORDS = 80
"""Characters of a warning that the summary quotes."""

MEANINGS = {
    "duplicate": "the game was there already: another record of it",
    "prefix": "the game is the beginning of a longer one",
    "mismatch": "the declared result is not the computed one",
    "date_unknown": "the game has no date",
    "date_invalid": "the date is impossible or cannot be read; its text is kept",
    "date_partial": "month or day is unknown",
    "player_missing": "a seat has no name",
    "similar_players": "names that differ in case, blanks or accents only: one person? (cornerwise aliases)",
    "unforced_pass": "a colour did not move though it could",
    "colour_order": "colours do not follow one another in order: one that could move is passed over without a word",
    "illegal": "the replay stops at a move that is against the rules",
    "refused": "the record cannot be read as a game",
    "unfinished": "the record stops before the game does",
    "empty": "a game without a move",
    "foreign_pieces": "played with other pieces than the variant has",
    "rules_differ": "a record states other rules than those the game is judged by",
    "piece_name": "the name of a piece does not fit its cells",
    "encoding": "the encoding of a record is guessed, or bytes are unreadable",
    "unjoined_result": "a result of a numbered game that belongs to no game for sure",
    "edited": "headers or result are corrected by hand; the record as read stays (cornerwise edit ID)",
}
"""Code -> what it means, in the order in which they are listed."""


_SUMMARY = """
SELECT code, count(*) AS count,
       arg_min({'id': id, 'source': source, 'record': record, 'detail': detail},
               row(coalesce(game_no, 0), source, record, detail), ?) AS examples
"""


def meaning(code: str) -> str:
    """What a code means.

    Raises:
        BadCode: there is no such code.
    """
    if code in MEANINGS:
        return MEANINGS[code]
    if code.startswith(WARNING) and code != WARNING:
        return "a warning of the reader"
    raise BadCode(f"there is no code {code[:40]!r}: known are {', '.join(MEANINGS)} and {WARNING}...")


def quality(reader: Reader, examples: int = EXAMPLES) -> list[Row]:
    """A row for every code that occurs: code, meaning, count, and some of its cases, see `cases`."""
    found = reader.table(
        _SUMMARY + f"FROM ({script('quality.sql')}) GROUP BY code", [max(1, examples)]
    ).to_pylist()
    places = {code: place for place, code in enumerate(MEANINGS)}
    found.sort(key=lambda row: (places.get(row["code"], len(places)), -row["count"], row["code"]))
    shorts = short_ids(reader, [case["id"] for row in found for case in row["examples"] if case["id"]])
    return [
        {
            "code": row["code"],
            "meaning": meaning(row["code"]) + _instance(row),
            "count": row["count"],
            "examples": [_case(case, shorts) for case in row["examples"][:examples]],
        }
        for row in found
    ]


def _instance(row: Row) -> str:
    """A warning's own words, where the code is all that is known of it."""
    if row["code"] in MEANINGS:
        return ""
    said: str = row["examples"][0]["detail"]
    return f": {said if len(said) <= WORDS else said[:WORDS] + '...'}"


def cases(reader: Reader, code: str, limit: int | None = None, offset: int = 0) -> Page:
    """The cases of a code: identity of the game and its short form (null: no game), source, record, what it is.

    Raises:
        BadCode: there is no such code.
    """
    meaning(code)
    text = f"FROM ({script('quality.sql')}) WHERE code = ?"
    rows = reader.table(
        f"SELECT id, source, record, detail, count(*) OVER () AS total {text} "
        f"ORDER BY game_no, source, record, detail LIMIT {'ALL' if limit is None else int(limit)} OFFSET {int(offset)}",
        [code],
    ).to_pylist()
    shorts = short_ids(reader, [row["id"] for row in rows if row["id"]])
    totals = [row.pop("total") for row in rows]
    if not rows and offset:
        totals = reader.table(f"SELECT count(*) {text}", [code])[0].to_pylist()
    return Page(totals[0] if totals else 0, [_case(row, shorts) for row in rows])


def _case(row: Row, shorts: dict[str, str]) -> dict[str, Any]:
    return {"id": row["id"], "short": shorts.get(row["id"]), **{k: v for k, v in row.items() if k != "id"}}
