from __future__ import annotations

import io

import pytest

from notation import stream
from notation.errors import BadRecord, NotationError
from notation.formats import FORMATS
from notation.fragments import ResultRecord
from notation.record import Declared
from notation.stream import Chunk, ReadOptions
from notation.twogtp import broken_off_rows, declared_of, looks_like, read
from tests.notation.reading import read_all
from tests.places import archives

HEAD = "# Game\tResult\tLength\tPlayerB\tCpuB\tCpuW\tFast\n"


def row(text: str, variant: str | None = "duo") -> ResultRecord:
    """The result of one row of a table."""
    (item,) = read_all(HEAD + text, "twogtp", variant)
    assert isinstance(item, ResultRecord), item
    return item


def test_a_row_is_a_result():
    result = row("17\t1\t36\t0\t279.24\t0.05\t2\r\n")
    assert (result.variant, result.format, result.key, result.plies) == ("duo", "twogtp", "17", 36)
    assert result.headers == {"result": "1", "player_b": "0", "cpu_b": "279.24", "cpu_w": "0.05", "fast": "2"}
    assert (result.places, result.margin, result.problems, result.line) == ((1, 2), None, [], 2)


@pytest.mark.parametrize(
    ("result", "player", "places", "margin", "winner"),
    [
        ("1", "0", (1, 2), None, 0),
        ("0", "0", (2, 1), None, 1),
        ("1", "1", (2, 1), None, 1),
        ("0", "1", (1, 2), None, 0),
        ("0.5", "1", (1, 1), 0, -1),
        ("1.000", "0", (1, 2), None, 0),
        ("B+3", "1", (1, 2), 3, 0),
        ("W+2", "0", (2, 1), -2, 1),
        ("Draw", "0", (1, 1), 0, -1),
    ],
)
def test_the_result_is_that_of_the_first_program_which_sits_on_the_seat_named(
    result, player, places, margin, winner
):
    found = row(f"0\t{result}\t27\t{player}\t1\t2\t0\n")
    assert (found.places, found.margin, found.problems) == (places, margin, [])
    assert declared_of(found, 2) == Declared(result, winner, abs(margin) if margin else None)


@pytest.mark.parametrize(
    ("result", "player"), [("0.25", "0"), ("1", "2"), ("7", "0"), ("-3", "0"), ("yes", "0")]
)
def test_a_result_that_names_nobody_is_kept_as_text(result, player):
    found = row(f"0\t{result}\t27\t{player}\t1\t2\t0\n")
    assert (found.places, found.margin, found.headers["result"]) == ((), None, result)
    assert [problem.code for problem in found.problems] == ["result"]


def test_an_unknown_result_is_no_problem():
    found = row("0\t?\t27\t0\t1\t2\t0\n")
    assert (found.places, found.problems) == ((), [])


def test_without_a_variant_nobody_knows_how_many_seats_there_are():
    found = row("0\t0\t27\t0\t1\t2\t0\n", None)
    assert (found.variant, found.places, found.plies) == ("", (), 27)
    assert "does not say the variant" in found.problems[0].message
    assert declared_of(found, 2).winner == 1, "the game that is found for it tells"


def test_with_more_seats_the_places_of_the_others_are_unknown():
    found = row("0\t0\t66\t3\t1\t2\t0\n", "classic")
    assert (found.places, declared_of(found, 4).winner) == ((), None)
    assert "one seat of 4" in found.problems[0].message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0\t0\t27\n", "3 fields, the table 7 columns"),
        ("0\t0\t27\t0\t1\t2\t0\t9\n", "8 fields"),
        ("x\t0\t27\t0\t1\t2\t0\n", "game: 'x' is no number"),
        ("0\t0\t-1\t0\t1\t2\t0\n", "length: '-1'"),
        (f"{'9' * 5000}\t0\t1\t0\t1\t2\t0\n", "is no number"),
        ("0\t0\t1\t²\t1\t2\t0\n", "playerb: '²'"),
    ],
)
def test_ragged_and_impossible_rows_are_refused_with_their_line(text, says):
    first, error, last = read_all(
        f"{HEAD}0\t1\t9\t0\t1\t2\t0\n{text}\n2\t1\t9\t0\t1\t2\t0\n", "twogtp", "duo"
    )
    assert isinstance(error, BadRecord) and says in error.message
    assert (error.where.line, error.where.record, error.text) == (3, 2, text.strip()[:200])
    assert isinstance(first, ResultRecord) and isinstance(last, ResultRecord) and last.key == "2"


def test_other_columns_and_comments():
    items = read_all("# Game\tResult\tLength\tPlayerB\n#x\n4\t1\t30\t1\n", "twogtp", "duo")
    (found,) = items
    assert isinstance(found, ResultRecord)
    assert (found.key, found.places, found.headers) == ("4", (2, 1), {"result": "1", "player_b": "1"})


def test_where_a_table_is_cut_changes_nothing(monkeypatch):
    text = (
        HEAD + "".join(f"{i}\t0.5\t27\t0\t1\t2\t0\n\n" for i in range(20)) + "bad\n# c\n21\t1\t9\t1\t1\t2\t0"
    )
    whole = [repr(item) for item in read_all(text, "twogtp", "duo")]
    monkeypatch.setattr(stream, "BLOCK", 60)
    monkeypatch.setattr(stream, "HEAD", 8)
    assert [repr(item) for item in read_all(text, "twogtp", "duo", step=7)] == whole
    records = [chunk.record for chunk in FORMATS["twogtp"].split(io.BytesIO(text.encode()).read)]
    assert len(records) > 5 and records == sorted(records)


def test_of_a_damaged_table_the_last_row_without_its_end_is_refused():
    rows = b"0\t1\t9\t0\t1\t2\t0\n1\t1\t9\t0\t1\t2\t1"
    chunk = Chunk(HEAD.encode() + rows, head=HEAD.encode())
    first, error = (item for part in broken_off_rows(chunk) for item in read(part, ReadOptions()))
    assert isinstance(first, ResultRecord) and isinstance(error, NotationError)
    assert (error.where.line, error.where.record, error.text) == (3, 2, "1\t1\t9\t0\t1\t2\t1")
    whole = Chunk(HEAD.encode() + rows + b"\n")
    assert list(broken_off_rows(whole)) == [whole]
    last = Chunk(b"1\t1", 2, 3)
    assert [(part.refused != "", part.record, part.line) for part in broken_off_rows(last)] == [(True, 2, 3)]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (HEAD, True),
        (HEAD.lower(), True),
        ("# Game\tResult\tLength\tPlayerB\r\n", True),
        ("Game\tResult\tLength\tPlayerB\n", False),
        ("# Game Result Length PlayerB\n", False),
        ("# Game\tResult\n", False),
        ("#" * 60_000, False),
    ],
)
def test_only_its_first_line_makes_a_table(text, known):
    assert looks_like(text.encode(), "output.dat") is known


@pytest.mark.archives
def test_the_real_table():
    (item,) = read_all(archives("twogtp_duo", "output.dat").read_bytes(), "twogtp", "duo")
    assert isinstance(item, ResultRecord)
    assert (item.key, item.plies, item.places, item.headers["cpu_b"]) == ("0", 27, (2, 1), "279.24")
