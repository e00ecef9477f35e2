"""From replayed groups to the rows of the library's tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engine.facts import ALL_PLACED, BLOCKED, CELLS, PIECES, SINGLE_LAST
from engine.variants import variant
from notation import jsonl
from notation.dates import parse_date
from notation.errors import BadPosition
from notation.identity import game_id
from notation.position_text import PositionText, format_position
from notation.record import GameRecord
from pipeline.big_rows import moves_table, passes_table, plies_and_turns, unforced_passes
from pipeline.judged import Group, pass_counts, resolved_colours
from pipeline.messages import stop_message
from pipeline.outcomes import Ending, ending_of, is_mismatch, results_of
from pipeline.tables import CATALOGUE, MOVES, PASSES

PIECE_SET = "piece_set"
"""Header, and code of a problem, of a game that was played with another set of pieces than the variant's."""

_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True)
class Origin:
    """Where a record came from."""

    source: str
    digest: str
    record: int
    line: int


@dataclass(slots=True)
class Rows:
    """Columns of the small tables under construction, and finished parts of the big ones."""

    columns: dict[str, dict[str, list[Any]]] = field(
        default_factory=lambda: {name: {c: [] for c in schema.names} for name, schema in CATALOGUE.items()}
    )
    parts: dict[str, list[pa.Table]] = field(default_factory=lambda: {"moves": [], "passes": []})

    def add(self, table: str, **values: Any) -> None:
        """Append one row to a small table."""
        columns = self.columns[table]
        for name, value in values.items():
            columns[name].append(value)

    def add_problem(
        self,
        origin: Origin,
        code: str,
        message: str,
        text: str = "",
        name: tuple[int, str] | None = None,
        ply: int | None = None,
    ) -> None:
        """Put a record in quarantine: one that is no game, or the game `name` (number, id) that stopped at a ply."""
        number, game = name or (None, None)
        self.add(
            "quarantine",
            source=origin.source,
            digest=origin.digest,
            record=origin.record,
            line=origin.line,
            game_no=number,
            id=game,
            ply=ply,
            code=code,
            message=message,
            text=text,
        )

    def tables(self) -> dict[str, pa.Table]:
        """All tables, the big ones in order of their games."""
        out = {
            name: pa.table(
                {c: _array(values, CATALOGUE[name].field(c).type) for c, values in columns.items()}
            )
            for name, columns in self.columns.items()
        }
        for name, schema in (("moves", MOVES), ("passes", PASSES)):
            parts = self.parts[name]
            whole = pa.concat_tables(parts).unify_dictionaries() if parts else schema.empty_table()
            out[name] = whole if len(parts) < 2 else whole.sort_by("game_no")
        # Groups by variant and rules come one after the other; first sightings are those that came first.
        out["sightings"] = out["sightings"].sort_by("game_no")
        return out


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # half a UTF-16 pair, which JSON can write as an escape, but no table can hold
        return pa.array([_whole_characters(value) for value in values], kind)


def _whole_characters(value: Any) -> Any:
    if isinstance(value, list):
        return [_whole_characters(item) for item in value]
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value


def add_group(rows: Rows, group: Group, numbers: list[int], origins: list[Origin]) -> None:
    """Add the records of a group; `numbers` are their game numbers, ascending."""
    endings = [ending_of(group, game) for game in range(len(group.records))]
    results = results_of(group, endings)
    places, shares, totals = results.places.tolist(), results.shares.tolist(), results.totals.tolist()
    plies, turns = plies_and_turns(group)
    irregular = unforced_passes(group)
    seats = _seat_facts(group)
    for game, (record, number, origin, ending) in enumerate(
        zip(group.records, numbers, origins, endings, strict=True)
    ):
        colours, moves = resolved_colours(group, game, ending.stop), group.moves_of(game)
        name = (number, game_id(record.variant, record.setup, moves, colours))
        mismatch = is_mismatch(group, game, places[game], totals[game])
        _add_game(rows, group, record, name, ending, (plies[game], len(moves), turns[game]), places[game])
        rows.columns["games"]["irregular"].append(game in irregular)
        rows.columns["games"]["mismatch"].append(mismatch)
        rows.columns["games"]["foreign_pieces"].append(has_foreign_pieces(record))
        plain = ending.stop is None and moves is record.events
        _add_sighting(rows, group, record, name, origin, mismatch, plain)
        _add_seats(rows, seats, record, number, ending, places[game], shares[game])
        if ending.stop is not None:
            message = stop_message(group, game, ending.stop, moves, colours)
            rows.add_problem(origin, ending.stop.reason, message, name=name, ply=ending.stop.ply)
    _add_colours(rows, group, numbers, pass_counts(group.replay, len(variant(group.variant).colours)))
    rows.parts["moves"].append(moves_table(group, np.array(numbers)))
    rows.parts["passes"].append(passes_table(group, np.array(numbers)))


def _add_game(
    rows: Rows,
    group: Group,
    record: GameRecord,
    name: tuple[int, str],
    ending: Ending,
    lengths: tuple[int, int, int],
    places: list[int],
) -> None:
    """All columns but those that follow in `add_group`; `lengths` are legal plies, recorded plies, turns."""
    (plies, recorded, turns), stop = lengths, ending.stop
    winners = [seat + 1 for seat, place in enumerate(places) if place == 1]
    team_win = bool(group.rules.teams) and len(winners) == len(group.rules.teams[0])
    c = rows.columns["games"]
    c["game_no"].append(name[0])
    c["id"].append(name[1])
    c["variant"].append(record.variant)
    c["rules"].append(group.rules_text)
    c["scoring"].append(group.rules.scoring)
    c["format"].append(record.format)
    _add_event(rows, record.headers)
    c["plies"].append(plies)
    c["recorded_plies"].append(recorded)
    c["turns"].append(turns)
    c["passes"].append(turns - plies)
    c["termination"].append(ending.termination)
    c["penalty_applied"].append(record.penalty_applied)
    c["outcome"].append(None if not winners else "win" if len(winners) == 1 or team_win else "draw")
    c["winners"].append(winners)
    c["illegal"].append(stop is not None)
    c["unfinished"].append(ending.unfinished)
    c["empty"].append(recorded == 0)
    c["stop_ply"].append(stop.ply if stop else None)
    c["stop_reason"].append(stop.reason if stop else None)
    c["setup"].append(setup_text(record))


def _add_event(rows: Rows, headers: dict[str, str]) -> None:
    """The columns of games that say when and where."""
    date = parse_date(headers.get("date", ""))
    c = rows.columns["games"]
    c["date_text"].append(headers.get("date"))
    c["year"].append(date.year)
    c["month"].append(date.month)
    c["day"].append(date.day)
    c["event"].append(headers.get("event"))
    c["event_round"].append(headers.get("event_round"))


def has_foreign_pieces(record: GameRecord) -> bool:
    """Whether a record says, or its reader has found, that it was played with another set of pieces."""
    return PIECE_SET in record.headers or any(problem.code == PIECE_SET for problem in record.problems)


def setup_text(record: GameRecord) -> str | None:
    """Position text of a record's start; None for the empty board with the first colour to move, or for no position."""
    if not record.setup:
        return None
    try:
        return format_position(
            PositionText(record.variant, tuple(record.setup.pieces), record.setup.to_move or 0)
        )
    except BadPosition:  # overlapping pieces and the like: the sighting keeps the record whole
        return None


def _is_plain(record: GameRecord) -> bool:
    """Whether moves, passes and headers are all that the record holds."""
    return record.declared is None and not (
        record.setup
        or record.notes
        or record.branches
        or record.clocks
        or record.evaluations
        or record.broken
        or record.termination is not None
    )


def _add_sighting(
    rows: Rows,
    group: Group,
    record: GameRecord,
    name: tuple[int, str],
    origin: Origin,
    mismatch: bool | None,
    legal_moves_only: bool,
) -> None:
    said = record.declared
    winner = None if said is None or said.winner is None else said.winner + 1
    plain = legal_moves_only and _is_plain(record)
    columns = rows.columns["sightings"]
    for column, value in zip(
        columns,
        (
            *name,
            origin.source,
            origin.digest,
            origin.record,
            origin.line,
            record.format,
            group.rules_text,
            record.players,
            _AS_JSON(record.headers),
            said.text if said else None,
            winner,
            mismatch,
            False,
            [problem.message for problem in record.problems],
            [problem.code for problem in record.problems],
            None if plain else jsonl.write(record),
        ),
        strict=True,
    ):
        columns[column].append(value)


def _add_seats(
    rows: Rows,
    seats: list[tuple[list[int], int | None, bool]],
    record: GameRecord,
    number: int,
    ending: Ending,
    places: list[int],
    shares: list[float],
) -> None:
    left = {leaving.seat: (leaving.cause, ply) for leaving, ply in ending.leavings} if ending.leavings else {}
    c = rows.columns["seats"]
    for seat, (owned, team, neutral) in enumerate(seats):
        cause, ply = left.get(seat, (None, None))
        c["game_no"].append(number)
        c["seat"].append(seat + 1)
        c["player"].append(record.players[seat] if seat < len(record.players) else None)
        c["colours"].append(owned)
        c["team"].append(team)
        c["neutral"].append(neutral)
        c["place"].append(places[seat] or None)
        c["share"].append(shares[seat] if places[seat] else None)
        c["out_cause"].append(cause)
        c["out_ply"].append(ply)


def _seat_facts(group: Group) -> list[tuple[list[int], int | None, bool]]:
    """(colours from 1, team from 1, neutral) of every seat."""
    rules = group.rules
    teams = {seat: t + 1 for t, seats in enumerate(rules.teams) for seat in seats}
    return [
        ([c + 1 for c in owned], teams.get(seat), seat in rules.neutral)
        for seat, owned in enumerate(rules.seats)
    ]


def _add_colours(rows: Rows, group: Group, numbers: list[int], passes: npt.NDArray[np.int64]) -> None:
    facts = group.replay.verdicts.facts
    games, colours = facts.shape[:2]
    seat_of = {colour: seat + 1 for seat, owned in enumerate(group.rules.seats) for colour in owned}
    columns = rows.columns["colours"]
    flat = facts.reshape(games * colours, -1)
    columns["game_no"] += np.repeat(np.array(numbers, np.int64), colours).tolist()
    columns["colour"] += list(range(1, colours + 1)) * games
    columns["seat"] += [seat_of.get(colour) for colour in range(colours)] * games
    columns["cells_placed"] += flat[:, CELLS].tolist()
    columns["pieces_placed"] += flat[:, PIECES].tolist()
    for name, column in (("all_placed", ALL_PLACED), ("single_last", SINGLE_LAST), ("blocked", BLOCKED)):
        columns[name] += (flat[:, column] > 0).tolist()
    columns["passes"] += passes.reshape(-1).tolist()
