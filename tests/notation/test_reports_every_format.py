"""Public problem reports in every format they make sense in: the answer may not depend on the notation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from notation.dates import parse_date
from notation.errors import CannotWrite, NotationError
from notation.formats import FORMATS
from notation.fragments import PositionRecord
from notation.record import ANY_COLOUR, GameRecord, Move, Pass
from pipeline.judged import Group, RuleChoice, Stop, group_records, pass_counts, stop_of
from pipeline.outcomes import ending_of, is_mismatch, results_of
from tests.fuzz.target import identity
from tests.notation.reading import game, moves, read_all
from tests.records import O_A2_A, O_A4_P, O_A4_Q, O_A6_NEW, O_A6_OLD, O_A6_PASS, O_A7, O_B4
from tests.samples import sample

GAMES = [
    row.name
    for row in FORMATS.values()
    if row.name not in ("twogtp", "result_log", "final_boards", "board_picture")
]
"""Formats that hold games."""

NAMES = ("blksgf", "jsonl", "json_cells", "csv", "tsv", "parquet")
"""Formats that hold names, headers and declared results in our own forms."""

TEXTS = [form for form in GAMES if form not in ("parquet", "software_challenge")]


def written(form: str, record: GameRecord) -> bytes:
    """A file with the game; leaves the test where the format has no room for it."""
    try:
        return sample(form, record)
    except CannotWrite as error:
        pytest.skip(f"{form} has no room for it: {error.message}")


def replayed(record: GameRecord) -> tuple[Group, Stop | None]:
    (group,), refused = group_records([record], RuleChoice())
    assert not refused
    return group, stop_of(group, 0)


def totals(record: GameRecord) -> list[int]:
    group, _ = replayed(record)
    points: list[int] = results_of(group, [ending_of(group, 0)]).totals[0].tolist()
    return points


def without_passes(text: str) -> GameRecord:
    record = game(text)
    record.events = [event for event in record.events if isinstance(event, Move)]
    return record


def holds(*texts: str, among: list[str] | tuple[str, ...] = GAMES) -> list[Any]:
    """Formats that can hold all of these games, for `parametrize`: what cannot be is left out, not skipped."""
    out = []
    for form in among:
        try:
            for text in texts:
                sample(form, without_passes(text))
        except CannotWrite:
            continue
        out.append(form)
    return out


# O-A3: passes missing from the record


@pytest.mark.parametrize("form", holds(O_A2_A))
def test_a3_missing_passes_are_found(form):
    record = game(sample(form, game(O_A2_A)), form)
    group, stop = replayed(record)
    assert stop is None
    assert len(moves(record)) == 66
    assert [sum(move.startswith(str(colour)) for move in moves(record)) for colour in (1, 2, 3, 4)] == [
        21,
        14,
        15,
        16,
    ]
    assert pass_counts(group.replay, 4)[0].tolist() == [0, 6, 5, 4]
    assert totals(record) == [20, -35, -30, -25]
    assert identity(record) == identity(game(O_A2_A))


@pytest.mark.parametrize("form", holds(O_A2_A))
@pytest.mark.parametrize("named", [True, False])
def test_a3_written_passes_change_nothing(form, named):
    record, events, turn = game(O_A2_A), [], 0
    for event in record.events:
        assert isinstance(event, Move)
        while turn % 4 != event.colour:
            events.append(Pass(turn % 4 if named else ANY_COLOUR))
            turn += 1
        events.append(event)
        turn += 1
    record.events = events
    again = game(sample(form, record), form)
    written_passes = 0 if form == "blksgf" else 15  # forced ones have no place there
    assert sum(isinstance(event, Pass) for event in again.events) == written_passes
    assert replayed(again)[1] is None
    assert (totals(again), identity(again)) == ([20, -35, -30, -25], identity(game(O_A2_A)))


# O-A6: old styles; cells without order, passes with moves available


@pytest.mark.parametrize("form", holds(O_A6_OLD, O_A6_NEW))
def test_a6_old_and_new_are_the_same_game(form):
    old, new = (game(sample(form, game(text)), form) for text in (O_A6_OLD, O_A6_NEW))
    assert identity(old) == identity(new) == identity(game(O_A6_NEW))
    assert totals(old)[0] == -84


def _spelt_otherwise(text: str) -> str:
    """Cells of every move the other way round and in capitals."""

    def turned(match: re.Match[str]) -> str:
        return ",".join(reversed(match[0].split(","))).upper()

    return re.sub(r"\b[a-t]\d{1,2}(?:,[a-t]\d{1,2})++", turned, text)


@pytest.mark.parametrize(
    "form", [form for form in holds(O_A6_NEW, among=TEXTS) if form not in ("json_cells", "step_log")]
)
def test_a6_cells_have_no_order_and_no_case(form):
    text = sample(form, game(O_A6_NEW)).decode()
    other = _spelt_otherwise(text)
    assert other != text
    assert game(other, form).events == game(text, form).events


@pytest.mark.parametrize("form", [form for form in holds(O_A6_PASS) if form not in ("metablok", "ui_script")])
def test_a6_a_pass_with_moves_left_is_flagged(form):
    record = game(sample(form, game(O_A6_PASS)), form)
    assert record.events[2] in (Pass(0), Pass(ANY_COLOUR))
    (group,), _ = group_records([record], RuleChoice({}, strict=True))
    stop = stop_of(group, 0)
    assert stop is not None and stop.reason == "unforced_pass"


# O-B1: backslashes and whatever else stands in a name


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize(
    "name",
    [
        "n1\\",
        "n2\\\\",
        "n3\\]",
        '"n4"',
        "n;5,6\t7",
        "'=8",
        "{9}",
        "n\\n10",
        "](;B[a1",
        "a:b",
        "–",
        "null",
        "0",
    ],
)
def test_b1_what_stands_in_a_name_is_no_syntax(form, name):
    record = game("(;GM[Blokus Duo];B[e10];W[j5])")
    record.players = [name, "Ben"]
    record.headers = {"event": name, "place": name}
    again = game(sample(form, record), form)
    assert again.players == [name, "Ben"] or (
        form == "blksgf" and again.players == [name.replace("\t", " "), "Ben"]
    )
    assert moves(again) == ["1:e10", "2:j5"]
    if form != "blksgf":
        assert (again.headers["event"], again.headers["place"]) == (name, name)
    assert again.problems == []


# O-B2: damaged frames


SHORT = "(;GM[Blokus Duo];B[e10,e11];W[j5,j4];B[f12,f13])"


@pytest.mark.parametrize("form", holds(SHORT, among=TEXTS))
def test_b2_damaged_frames(form):
    text = sample(form, game(SHORT))
    whole = moves(game(text, form))
    assert len(whole) == 3
    (led,) = read_all(b"\n\n" + text, form)
    assert isinstance(led, GameRecord) and moves(led) == whole
    for junk in (b")))", b",b3];W[c1])", b"\xff\xfe\xfd", b"\0\0\0"):
        first, *more = read_all(text.rstrip(b"\n") + b"\n" + junk, form)
        assert isinstance(first, GameRecord) and moves(first)[:3] == whole
        assert first.problems or more or form == "gtp", junk  # transcripts hold other lines
        assert not any(isinstance(item, GameRecord) for item in more)
    for cut in range(len(text)):
        for item in read_all(text[:cut], form):
            if isinstance(item, GameRecord):
                assert moves(item)[:2] == whole[:2] or len(moves(item)) <= 2


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("data", [b"", b"\n \n", b"()", b";;", b"\0", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_b2_what_is_no_record_stores_nothing(form, data):
    for item in read_all(data, form):
        good = isinstance(item, NotationError) or item.problems != [] or form == "fourcode"
        assert good and not (isinstance(item, GameRecord) and [m for m in moves(item) if "," in m])


# O-B3: byte-order marks and encodings


@pytest.mark.parametrize("form", holds(SHORT, among=TEXTS))
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_b3_marks_of_byte_order(form, encoding):
    record = game(SHORT)
    record.players = ["René Ōta", "Zoë"]
    text = sample(form, record).decode().replace("\n", "\r\n")
    again = game(text.encode(encoding), form)
    assert moves(again) == moves(game(text, form))
    assert not again.players or again.players == ["René Ōta", "Zoë"]
    assert [problem.code for problem in again.problems] == ["byte_order_mark"]


@pytest.mark.parametrize("form", [form for form in NAMES if form != "parquet"])
def test_b3_latin_1_is_guessed_with_a_warning_and_a_stray_byte_costs_no_game(form):
    record = game(SHORT)
    record.players = ["René", "Zoë"]
    text = sample(form, record).decode().replace("CA[UTF-8]", "")
    if "\\u" in text:
        text = text.encode().decode("unicode-escape")
    again = game(text.encode("latin-1"), form)
    assert (moves(again), again.players) == (moves(record), ["René", "Zoë"])
    assert any("encoding" in problem.code for problem in again.problems)
    stray = game(text.encode().replace("é".encode(), b"\xe9", 1), form)
    assert moves(stray) == moves(record)
    assert any("encoding" in problem.code for problem in stray.problems)


# O-B4: an illegal move in the middle


@pytest.mark.parametrize("form", holds(O_B4))
def test_b4_an_illegal_move_stops_the_replay_and_the_rest_stays(form):
    record = game(sample(form, game(O_B4)), form)
    assert len(moves(record)) == 8
    group, stop = replayed(record)
    assert stop is not None and (stop.ply, stop.reason) == (5, "side_contact")
    assert results_of(group, [ending_of(group, 0)]).totals[0].tolist() == [-80, -83]
    if all(event.colour != ANY_COLOUR for event in record.events if isinstance(event, Move)):
        assert identity(record) == identity(game(O_B4))  # else nobody knows whose the later ones are


@pytest.mark.parametrize("form", [form for form in holds(O_B4, O_A4_P) if not FORMATS[form].one_game_a_file])
def test_b4_the_games_around_it_are_read(form):
    row = FORMATS[form]
    made = [without_passes(text) for text in (O_A4_P, O_B4, O_A4_Q)]
    if row.write is None:
        if form == "ui_script":
            return  # one script is one game
        data = b"\n".join(sample(form, record) for record in made)
    else:
        data = b"".join(row.pack(row.write(record) for record in made))
    found = read_all(data, form)
    assert [len(moves(item)) for item in found if isinstance(item, GameRecord)] == [
        len(moves(m)) for m in made
    ]


# O-B5: dates


DATES = {
    "????.??.??": (None, None, None),
    "2020.12.30": (2020, 12, 30),
    "2020.12.31": (2020, 12, 31),
    "2015": (2015, None, None),
    "2020-12": (2020, 12, None),
    "1996-05,06": (1996, 5, None),
    "2020-06-02,2020-06-15": (2020, 6, 2),
    "2018-05-10T16:19:34.094Z": (2018, 5, 10),
    "2020-02-30": None,
    "30/11/2021": None,
    "": (None, None, None),
}


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize("text", DATES)
def test_b5_dates_are_as_written_and_as_far_as_known(form, text):
    record = game(SHORT)
    if text:
        record.headers["date"] = text
    again = game(sample(form, record), form)
    found = parse_date(again.date)
    assert again.date == text
    assert (None if found.problem else (found.year, found.month, found.day)) == DATES[text]
    assert len(moves(again)) == 3


# O-B6: a declared result that disagrees


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize(("said", "differs"), [("W+3", True), ("B+1", False), ("Draw", True), ("?", None)])
def test_b6_a_declared_result_stands_beside_the_computed_one(form, said, differs):
    text = O_A7.replace("CA[UTF-8]", f"CA[UTF-8]RE[{said}]")
    record = game(sample(form, game(text)), form)
    group, stop = replayed(record)
    found = results_of(group, [ending_of(group, 0)])
    places, points = found.places[0].tolist(), found.totals[0].tolist()
    assert (stop, places, points) == (None, [1, 2], [-42, -43])
    assert is_mismatch(group, 0, places, points) == differs


# O-B7: the same game again


@pytest.mark.parametrize("form", holds(O_A4_P))
def test_b7_every_format_has_the_same_game(form):
    bare = form in ("metablok", "ui_script")  # no room for passes
    record = game(sample(form, without_passes(O_A4_P) if bare else game(O_A4_P)), form)
    again = game(sample(form, record), form)
    assert identity(record) == identity(again) == identity(game(O_A4_P))


# O-D2: numbers beyond 63 bits


BIG = ("9223372036854775807", "9223372036854775808", "18446744073709551615")


@pytest.mark.parametrize("form", NAMES)
def test_d2_large_numbers_come_back_digit_for_digit(form):
    record = game(SHORT)
    for number, text in enumerate(BIG):
        record.headers[f"HASH{number}"] = text
    again = game(sample(form, record), form)
    assert [value for value in again.headers.values() if value.isdigit()] == list(BIG)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_d2_a_large_number_far_down_a_table(delimiter):
    rows = [["variant", "moves", "position_hash"], ["duo", "e10;j5", BIG[0]]]
    rows += [["duo", "e10;j5", "1"]] * 20_000 + [["duo", "e10;j5", BIG[2]]]
    if delimiter == ";":
        rows = [
            [cell.replace(";", "; ") if at != 1 else f'"{cell}"' for at, cell in enumerate(row)]
            for row in rows
        ]
    text = "\n".join(delimiter.join(row) for row in rows)
    found = read_all(text, "tsv" if delimiter == "\t" else "csv")
    hashes = [item.headers["position_hash"] for item in found if isinstance(item, GameRecord)]
    assert (len(hashes), hashes[0], hashes[-1]) == (20_002, BIG[0], BIG[2])


@pytest.mark.parametrize("number", BIG)
def test_d2_large_numbers_in_json(number):
    text = f'{{"moves":[{{"side":0,"cells":[[4,4]]}}],"final_score_p0":1,"final_score_p1":2,"seed":{number}}}'
    record = game(text, "json_cells", variant="duo")
    assert record.headers["seed"] == number


# O-D6: hostile XML


BOMB = (
    "<!DOCTYPE a [<!ENTITY a0 'x'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 11))
    + "]>"
)
FILE = "<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/hostname'>]>"


@pytest.mark.parametrize("head", [BOMB, FILE, "<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'>"])
@pytest.mark.parametrize(
    ("form", "body"),
    [
        (
            "software_challenge",
            "<protocol><room roomId='r'><data class='memento'><state>&{};</state></data></room></protocol>",
        ),
        ("board_picture", "<gameState><field><row><cell>&{};</cell></row></field></gameState>"),
    ],
)
def test_d6_document_types_are_refused_by_name(form, body, head):
    entity = "f" if "ENTITY f" in head else "a10"
    items = read_all('<?xml version="1.0"?>' + head + body.format(entity), form)
    assert items and all(isinstance(item, NotationError) for item in items)
    assert "document type" in str(items[0]).lower() or "doctype" in str(items[0]).lower()
    assert not any(isinstance(item, PositionRecord) for item in items)
