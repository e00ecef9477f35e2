"""Tables as people and programs write them: what is read, what is warned of, what is refused."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.errors import BadRecord, CannotWrite, ForeignGame, NotARecord, NotationError
from notation.formats import FORMATS, Format
from notation.fragments import Item
from notation.record import GameRecord, Move, Out, Pass
from notation.sniff import sniff
from notation.stream import ReadOptions
from tests import records
from tests.notation.reading import codes, game, moves, read_all, refusal

TWO = "ply,colour,move\n1,B,e10\n2,W,j5\n"


def table_of(text: str, joint: str = ",") -> str:
    """A record as one move a row, written by hand."""
    record = game(text)
    rows = ["variant,ply,colour,move"]
    for number, event in enumerate(record.events):
        assert isinstance(event, Move | Pass)
        cells = event.text.replace(",", joint) if isinstance(event, Move) else "pass"
        rows.append(f'{record.variant},{number + 1},{event.colour + 1},"{cells}"')
    return "\n".join(rows) + "\n"


def with_columns(text: str, columns: tuple[tuple[str, str], ...], variant: str | None = None) -> list[Item]:
    row = FORMATS["csv"]
    options = ReadOptions("test", variant, columns)
    return [
        item
        for chunk in row.cut(io.BytesIO(text.encode()).read, columns)
        for item in row.read(chunk, options)
    ]


def kind(data: str | bytes, columns: tuple[tuple[str, str], ...] = ()) -> str | None:
    found = sniff(data.encode() if isinstance(data, str) else data, "x.txt", columns=columns)
    return found.name if isinstance(found, Format) else None


@pytest.mark.parametrize("joint", [",", " ", "+", ", ", " + "])
def test_the_game_of_a_report_reads_as_in_blokus_sgf(joint):
    assert game(table_of(records.O_A2_A, joint), "csv").events == game(records.O_A2_A).events


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "utf-8 with a mark, CR LF",
            "\ufeffply,colour,move,player\r\n1,B,e10,René Ōta\r\n2,W,j5,Zoë\r\n".encode(),
        ),
        ("utf-16", "ply;colour;move;player\n1;B;e10;René Ōta\n2;W;j5;Zoë\n".encode("utf-16")),
        ("CR", "ply\tcolour\tmove\tplayer\r1\tB\te10\tRené Ōta\r2\tW\tj5\tZoë\r".encode()),
        (
            "as Excel has it",
            '\ufeffsep=;\r\n Ply ;"COLOUR";Move;Player;;\r\n1;B;"e10";"René Ōta";;\r\n'.encode()
            + "2;W;j5;Zoë;;\r\n;;;;;\r\n".encode(),
        ),
        ("with row numbers", ",ply,colour,move,player\n0,1,B,e10,René Ōta\n1,2,W,j5,Zoë\n".encode()),
        ("blank lines", "\n\nply,colour,move,player\n\n1,B,e10,René Ōta\n  \n2,W,j5,Zoë\n\n".encode()),
        ("without its last line end", "ply,colour,move,player\n1,B,e10,René Ōta\n2,W,j5,Zoë".encode()),
    ],
)
def test_b3_encodings_and_spreadsheets(name, data):
    form = kind(data)
    assert form in ("csv", "tsv")
    record = game(data, form, "duo")
    assert (moves(record), record.players) == (["1:e10", "2:j5"], ["René Ōta", "Zoë"])
    assert set(codes(record)) <= {"byte_order_mark"} and record.headers == {}


def test_b3_latin_1_is_read_with_a_warning_where_it_stands():
    data = "game,colour,move,player\n1,B,e10,René\n2,B,e10,Zoë\n".encode()
    mixed = data.replace("René".encode(), "René".encode("latin-1"))
    first, second = read_all(mixed, "csv", "duo")
    assert (first.players, codes(first)) == (["René", None], ["encoding"])
    assert (second.players, codes(second)) == (["Zoë", None], [])
    renamed = "ply,colour,move,Größe\n1,B,e10,5\n".encode("latin-1")
    assert game(renamed, "csv", "duo").headers == {"Größe": "5"}


def test_what_a_table_says_of_a_game():
    text = (
        "Game,VARIANT,colour,move,date,Event Round,result,rules,termination,headers,time control\n"
        'g7,Blokus Duo,B,e10,2020-12-30,3,W+R,end=rounds:5,,"{""place"":""Bern"",""n"":18446744073709551615}",5m\n'
        "g7,Blokus Duo,W,j5,2020-12-30,3,W+R,end=rounds:5,,,5m\n"
    )
    record = game(text, "csv")
    assert record.variant == "duo" and record.rules == {"end": "rounds:5"}
    assert record.headers == {
        "date": "2020-12-30",
        "event_round": "3",
        "place": "Bern",
        "n": "18446744073709551615",
        "time control": "5m",
        "game_number": "g7",
    }
    assert record.declared is not None and record.declared.winner == 1
    assert (record.events[-1], record.termination) == (Out(0, "resigned"), "resigned")


def test_one_game_a_row():
    text = (
        "variant,date,player1,player2,result,moves\n"
        'duo,2020-12-30,Ada,Ben,B+1,"B:e10,f10;W:j5;B:pass; W : i4 "\n'
        "duo,,,,,e10;j5;-;k6\n"
        "duo,,,,,\n"
        "duo,,,,,e10,j5\n"
        "classic,,Ada,Ben,Cleo,a20\n"
    )
    first, second, empty, ragged, other = read_all(text, "csv")
    assert moves(first) == ["1:e10,f10", "2:j5", "2:i4"] and first.events[2] == Pass(0)
    assert (first.players, first.headers["date"], first.declared.winner) == (["Ada", "Ben"], "2020-12-30", 0)
    assert [event.colour for event in second.events] == [-1] * 4 and second.events[2] == Pass()
    assert empty.events == []
    assert isinstance(ragged, BadRecord) and (ragged.where.line, ragged.where.record) == (5, 4)
    assert other.declared.text == "Cleo"
    assert "move 2" in refusal("variant,moves\nduo,B:e10;Q:j5\n", "csv").message


def test_the_game_of_the_table_is_refused_where_it_says_nothing_sound():
    assert "--variant" in refusal(TWO, "csv").message
    assert isinstance(refusal("variant,colour,move\nNexos,1,a1\n", "csv"), ForeignGame)
    assert "choose one of" in refusal("variant,colour,move\nchess,1,e4\n", "csv").message
    assert "not of classic" in refusal("variant,colour,move\nduo,1,e10\n", "csv", "classic").message
    assert "rules" in refusal("rules,colour,move\nstart=here,1,e10\n", "csv", "duo").message
    assert "setup" in refusal("setup,colour,move\ncw1.classic,1,e10\n", "csv", "duo").message
    assert "--columns" in refusal("a,b\n1,2\n", "csv", "duo").message
    assert "two columns 'colour'" in refusal("color,colour,move\n1,1,e10\n", "csv", "duo").message


def test_mapped_columns_come_before_what_names_say():
    text = "Partie,Zug,move,Farbe,color\nx,e10,1,B,hell\nx,j5,2,W,hell\n"
    names = (("partie", "game"), ("ZUG", "move"), ("farbe", "colour"))
    (record,) = with_columns(text, names, "duo")
    assert moves(record) == ["1:e10", "2:j5"]
    assert record.headers["color"] == "hell" and record.headers["move"] == "1"
    assert codes(record) == ["column_varies"]
    assert kind(text) is None and kind(text, names) == "csv"


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("place", [0, 20_000])
def test_d2_numbers_of_64_bits_come_back_digit_for_digit(form, place):
    big = ["9223372036854775807", "9223372036854775808", "18446744073709551615"]
    rows = ["game,variant,position_hash,move"]
    values = [""] * 20_003
    values[place : place + 3] = big
    rows += [f"{n},duo,{value},e10" for n, value in enumerate(values)]
    data = "\n".join(rows).encode()
    if form == "parquet":
        import polars as pl

        frame = pl.read_csv(data, infer_schema=False).with_columns(pl.col("position_hash").cast(pl.UInt64))
        out = io.BytesIO()
        frame.write_parquet(out)
        data = out.getvalue()
    found = read_all(data, form)
    assert len(found) == 20_003
    assert [record.headers.get("position_hash", "") for record in found] == values


@pytest.mark.parametrize(
    "text",
    [
        "id,rated,winner,moves,opening_name\n1,TRUE,white,d4 d5 c4 c6 cxd5 e6 dxe6,Slav\n",
        "game,ply,colour,move\n1,1,white,e4\n1,2,black,e5\n1,3,white,Nf3\n1,4,black,Nc6\n",
        "game,result,moves\n1,B+3,dd;pp;dp;pd\n",
        "name,move,power\nBulbasaur,Tackle,40\n",
        "move,moves\n",
        "ply,colour,move\n",
        "import csv, move\nx = 1\n",
        "We move, you see, the pieces\nand then, well, we stop\n",
        "date,amount\n2020-01-01,5\n",
        '{"move": "e10", "colour": "B"}\n',
        "x,move\n" + "\0,\n",
        "def move(a, b):\n    return a, b\n",
        "\tmove\tcolour\n\tvery\tred\n",
    ],
)
def test_other_tables_and_texts_are_not_taken(text):
    assert isinstance(sniff(text.encode(), "x.csv"), NotARecord)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (TWO, "csv"),
        (TWO.replace(",", ";"), "csv"),
        (TWO.replace(",", "\t"), "tsv"),
        ("variant,moves\nduo,e10;j5\n", "csv"),
        ('variant\tmoves\nduo\t"1:e10,e11;2:j5"\n', "tsv"),
        ("ply,colour,move\n1,B,e10\n" * 1 + "2,W,j5\n" * 20_000, "csv"),
        ('ply,colour,move\n1,B,"e10,e11"\n2,W,nonsense\n', "csv"),
        (TWO.encode("utf-16"), "csv"),
    ],
)
def test_tables_are_recognised_by_header_and_cells(text, form):
    assert kind(text) == form


def test_b4_an_illegal_move_stays_where_it_is_among_other_games():
    text = table_of(records.O_B4).split("\n", 1)
    rows = text[1].splitlines()
    three = "game," + text[0] + "\n" + "".join(f"{n},{row}\n" for n in (1, 2, 3) for row in rows)
    found = read_all(three, "csv")
    assert [record.events for record in found] == [game(records.O_B4).events] * 3


@pytest.mark.parametrize(
    "date",
    [
        "????.??.??",
        "2020.12.30",
        "2015",
        "2020-12",
        "1996-05,06",
        "2020-06-02,2020-06-15",
        "2020-02-30",
        "30/11/2021",
    ],
)
def test_b5_dates_stay_as_written(date):
    assert game(f'variant,date,moves\nduo,"{date}",e10\n', "csv").headers == {"date": date}


@pytest.mark.parametrize(("result", "winner"), [("W+3", 1), ("B+1", 0), ("Draw", -1), ("?", None)])
def test_b6_declared_results(result, winner):
    text = table_of(records.O_A7).replace("\n", ",result\n", 1).replace("\nclassic_2", "\nclassic_2")
    lines = text.splitlines()
    rows = [lines[0], *(f"{line},{result}" for line in lines[1:])]
    declared = game("\n".join(rows), "csv").declared
    assert declared is not None and (declared.text, declared.winner) == (result, winner)


@pytest.mark.parametrize(
    "data",
    [
        b"move,colour\n" + b"," * 200_000,
        b'move,colour\n"' + b"a" * 300_000,
        b"move,colour\n" + b'"\n' * 5000,
        b"move,moves,variant\n\xff\xfe\x00,,\n",
        b"variant,moves,headers\nduo,e10," + b'"' + b"[" * 100_000 + b'"\n',
        b"variant,moves,headers\nduo,e10," + b"1" * 10_000 + b"\n",
        b"game,ply,move,variant\n1," + b"9" * 5000 + b",e10,duo\n",
        b"variant,setup,moves\nduo,cw1.duo." + b"9" * 9000 + b",e10\n",
        "variant,colour,move\nduo,\u0661,e\u0661\u0660\n".encode(),
        b"\n\n\nsep=;\n",
        b"move",
    ],
)
def test_hostile_tables_give_items_and_no_error(data):
    for item in read_all(data, "csv", None):
        assert isinstance(item, Item)
        if isinstance(item, GameRecord):
            FORMATS["jsonl"].write(item)


HEADERS = [
    b"game,ply,colour,move,player,piece,x\n",
    b"move;turn;ply;colour;variant;rules;setup;headers;result\n",
    b"variant\tmoves\tplayer1\tgame\tsetup\ttermination\n",
    b"",
]
BITS = [
    b",",
    b";",
    b"\t",
    b'"',
    b"\n",
    b"\r",
    b"\r\n",
    b"duo",
    b"classic",
    b"e10",
    b"e10,f10",
    b"1",
    b"2",
    b"0",
    b"B",
]
BITS += [b"W:j5", b":", b"pass", b"time", b"W+R", b"cw1.duo.", b"end=rounds:2", b"{}", b"1,1,B,e10,Ada,1,y\n"]
BITS += [b"\xe9", b"\xff\xfe", b"\x00", b'"e10,f10"', b"duo\tB:e10;W:j5\t\t\t\t\n", b"a,1,2,", b"\n,,,,,,\n"]


@given(
    header=st.sampled_from(HEADERS),
    bits=st.lists(st.sampled_from(BITS) | st.binary(max_size=4), max_size=40).map(b"".join),
    variant=st.sampled_from([None, "duo"]),
)
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_no_cells_make_the_reader_raise(form, header, bits, variant):
    for item in read_all(header + bits, form, variant):
        assert isinstance(item, Item)
        if isinstance(item, GameRecord):
            FORMATS["jsonl"].write(item)
            with contextlib.suppress(CannotWrite):
                again = game(b"".join(FORMATS[form].pack([FORMATS[form].write(item)])), form)
                assert again.events == item.events
    assert isinstance(sniff(header + bits, ""), Format | NotationError)
