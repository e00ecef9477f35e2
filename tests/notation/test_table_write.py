"""What tables are written as, and that it is read again: CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import io

import pytest

from engine.variants import VARIANTS
from notation.errors import CannotWrite
from notation.formats import FORMATS
from notation.identity import game_id
from notation.record import Declared, GameRecord, Move, Out, Pass, Setup
from notation.sniff import sniff
from pipeline.generate import generate_records
from tests import records
from tests.notation.reading import game, read_all
from tests.places import REPOSITORY, archives

TABLES = ("csv", "tsv", "parquet")


def packed(found: list[GameRecord], form: str) -> bytes:
    row = FORMATS[form]
    assert row.write is not None
    return b"".join(row.pack([row.write(record) for record in found]))


def ids(record: GameRecord) -> str:
    placements = [event for event in record.events if isinstance(event, Move)]
    return game_id(record.variant, record.setup, placements, [move.colour for move in placements])


def kept(record: GameRecord) -> tuple[object, ...]:
    """What a table carries."""
    return (
        record.variant,
        record.events,
        record.players,
        record.headers,
        record.rules,
        (sorted(record.setup.pieces), record.setup.to_move),
        record.declared,
        record.termination,
        record.penalty_applied,
    )


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_come_back(form, variant):
    found = list(generate_records(variant, 12, 7, {}))
    data = packed(found, form)
    assert sniff(data, "").name == form
    again = read_all(data, form)
    assert [kept(record) for record in again] == [kept(record) for record in found]
    assert all(not record.problems for record in again)


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(
    "path", sorted((REPOSITORY / "data" / "games").glob("*.*")), ids=lambda path: path.name
)
def test_the_sample_games_come_back(form, path):
    found = read_all(path.read_bytes(), path.suffix[1:])
    again = read_all(packed(found, form), form)
    assert [ids(record) for record in again] == [ids(record) for record in found]
    assert [record.headers for record in again] == [record.headers for record in found]


@pytest.mark.archives
@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_reference_games_come_back(form, variant):
    found = read_all(archives("reference", f"{variant}.blksgf").read_bytes())[:20]
    again = read_all(packed(found, form), form)
    assert [ids(record) for record in again] == [ids(record) for record in found]


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize(
    "text",
    [
        records.O_A2_A,
        records.O_A4_P,
        records.O_B4,
        records.O_A6_PASS,
        records.O_A8,
        records.O_A9_SKIP,
        "(;GM[Blokus Duo])",
        '(;GM[Blokus Duo]DT[2020]EV[a, b;c]PB[Ren\u00e9 "x"\ny\tz]XY[raw]RE[W+T];B[e10];W[j5])',
        "(;GM[Blokus Duo]AB[e10,f10][a1]AW[j5]PL[W];W[k6,k7])",
        "(;GM[Blokus Duo]PL[W])",
        "(;GM[Blokus Three-Player];1[a20];2[t20];CWOUT[3:resigned];4[a1])",
        "(;GM[Blokus Duo]CWEND[abandoned]CWPENALTY[no]CWRULES[end=rounds:9];B[e10];W[j5];CWOUT[1:abandoned])",
        "(;GM[Blokus Duo];B[e10];W[zz99];CWPASS[B];CWPASS[])",
        "(;GM[Blokus Duo];CWPASS[B];B[e10,e10])",
    ],
)
def test_all_that_a_table_carries_comes_back(form, text):
    record = game(text)
    again = game(packed([record], form), form)
    assert kept(again) == kept(record)
    assert again.problems == []


def test_moves_without_a_colour_and_passes_stay_so():
    record = GameRecord(
        "duo", "x", events=[game(records.O_A1).events[0]._replace(colour=-1), Pass(), Pass(1)]
    )
    assert game(packed([record], "csv"), "csv").events == record.events


def test_the_file_is_a_tidy_table():
    record = game("(;GM[Blokus Duo]DT[2020]PB[Ada]PW[Ben]SO[Mail]RE[B+1];B[e10,e11];W[j5])")
    rows = list(csv.DictReader(io.StringIO(packed([record], "csv").decode())))
    assert [
        (row["game"], row["ply"], row["colour"], row["piece"], row["move"], row["player"]) for row in rows
    ] == [
        (ids(record), "1", "first", "2", "e10,e11", "Ada"),
        (ids(record), "2", "second", "1", "j5", "Ben"),
    ]
    assert {(row["date"], row["result"], row["variant"]) for row in rows} == {("2020", "B+1", "duo")}
    assert [row["headers"] for row in rows] == ['{"source": "Mail"}', ""]


def test_b7_the_same_game_has_one_identity_in_all_formats():
    record = game(records.O_A4_P)
    upper = "ply,colour,move\n" + "".join(
        f'{n + 1},{event.colour + 1},"{",".join(reversed(event.text.upper().split(",")))}"\r\n'
        if isinstance(event, Move)
        else f"{n + 1},{event.colour + 1},pass\r\n"
        for n, event in enumerate(record.events)
        if isinstance(event, Move | Pass)
    )
    found = [game(packed([record], form), form) for form in TABLES] + [game(upper, "csv", "duo")]
    assert {ids(again) for again in found} == {ids(record)}


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (GameRecord("duo", "x", events=[Move(0, (), -1, "pass")]), "no cells"),
        (GameRecord("duo", "x", events=[Move(0, (), -1, "")]), "no cells"),
        (GameRecord("duo", "x", events=[Out(7, "time")]), "player 8 leaves"),
        (GameRecord("duo", "x", players=["\0", None]), "zero byte"),
        (GameRecord("duo", "x", headers={"a": "y" * 200_000}), "too long"),
        (GameRecord("duo", "x", setup=Setup([Move(0, (0, 5), -2, "a1,f1")])), "setup"),
    ],
)
@pytest.mark.parametrize("form", TABLES)
def test_what_a_table_cannot_hold_is_refused(form, record, says):
    with pytest.raises(CannotWrite, match=says):
        FORMATS[form].write(record)


def test_a_row_says_who_left_where_the_result_does_not():
    record = GameRecord(
        "duo", "x", events=[Out(1, "time")], declared=Declared("B+R", 0, None, (), "resigned")
    )
    again = game(packed([record], "csv"), "csv")
    assert again.events == [Out(1, "time")]
