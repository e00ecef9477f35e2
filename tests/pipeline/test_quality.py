"""What is odd about the data: every kind is found, counted, and shown with examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from notation.dates import parse_date
from pipeline.aliases import Alias, set_aliases
from pipeline.errors import BadCode
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.quality import MEANINGS, cases, meaning, quality
from pipeline.store import open_reader, open_writer
from pipeline.unit import Reading
from tests import records

DUO = "(;GM[Blokus Duo]{head};{moves})\n"
FIRST, SECOND = "B[e10]", "W[j5]"


def library(folder: Path, *texts: str, rules: dict[str, str] | None = None) -> Path:
    """A library with these texts as files, imported one after the other."""
    for number, text in enumerate(texts):
        path = folder / f"{number}.blksgf"
        path.write_text(text, encoding="utf-8")
        import_paths(folder / "L", [str(path)], Reading(rules=RuleChoice(rules or {})), jobs=1)
    return folder / "L"


def named(head: str, moves: str = f"{FIRST};{SECOND}") -> str:
    return DUO.format(head="PB[Ada]PW[Ben]DT[2020-01-02]" + head, moves=moves)


def found(folder: Path, code: str) -> list[tuple[str, int, str]]:
    """(file, record, detail) of the cases of a code, and the summary's count of them."""
    with open_reader(folder) as reader:
        page = cases(reader, code)
        counts = {row["code"]: row["count"] for row in quality(reader)}
    assert page.total == len(page.rows) == counts.get(code, 0)
    return [(Path(row["source"] or "").name, row["record"], row["detail"]) for row in page.rows]


def codes(folder: Path) -> set[str]:
    with open_reader(folder) as reader:
        return {row["code"] for row in quality(reader)}


def test_a_sound_game_is_odd_in_nothing(tmp_path: Path) -> None:
    text = records.O_A7.replace("CA[UTF-8]", "CA[UTF-8]DT[2020-01-02]PB[Ada]PW[Ben]RE[B+1]")
    assert codes(library(tmp_path, text)) == set()


def test_the_same_game_again(tmp_path: Path) -> None:
    where = library(tmp_path, named(""), named("EV[Cup]"))
    assert found(where, "duplicate") == [("1.blksgf", 1, f"first seen in {tmp_path}/0.blksgf, game 1")]


def test_beginnings_of_longer_games(tmp_path: Path) -> None:
    head = "PB[Ada]"
    long = DUO.format(head=head, moves="B[e10];W[j5];B[d8,d9]")
    longer = DUO.format(head=head, moves="B[e10];W[j5];B[d8,d9];W[k6,k7]")
    other = DUO.format(head=head, moves="B[e10];W[j5];B[f8,f9]")
    stopped = DUO.format(head=head, moves="B[e10];W[j5];B[f8,f9];W[a1];B[a2]")
    only = DUO.format(head=head, moves="B[e10]")
    set_up = DUO.format(head=head + "PL[W]", moves="W[j5];B[e10]")
    where = library(tmp_path, longer + long + other + stopped + only + set_up)
    with open_reader(where) as reader:
        ids = {
            row["plies"]: row["id"] for row in reader.table("FROM games").to_pylist() if not row["illegal"]
        }
    details = {record: detail for _, record, detail in found(where, "prefix")}
    assert details.keys() == {2, 3, 5}
    assert details[2] == f"goes on in {ids[4]}, which has 4 plies"
    assert details[3].endswith("which has 5 plies")  # those that nobody may play count too


def test_a_stopped_game_is_no_beginning_of_another(tmp_path: Path) -> None:
    one, two = "B[e10];W[j5];B[a1]", "B[e10];W[j5];B[a2];W[k6]"
    where = library(tmp_path, DUO.format(head="", moves=one) + DUO.format(head="", moves=two))
    assert found(where, "prefix") == []


def test_declared_results_that_are_not_the_computed_ones(tmp_path: Path) -> None:
    texts = [
        records.O_A7.replace("CA[UTF-8]", f"CA[UTF-8]RE[{said}]") for said in ("W+3", "B+1", "Draw", "?")
    ]
    assert found(library(tmp_path, *texts), "mismatch") == [
        ("0.blksgf", 1, "declared W+3, computed seat 1 (-42 -43)"),
        ("2.blksgf", 1, "declared Draw"),
    ]


DATES = {
    "date_unknown": ("????.??.??", "????", "????-??-??T10:00:00", "????,2020", "", " "),
    "date_invalid": ("2020-02-30", "30/11/2021", "spring", "????x", "2020-13", "??"),
    "date_partial": ("2015", "2020-12", "1996-05,06", "2020-??-??"),
    None: ("2020.12.30", "2018-05-10T16:19:34.094Z", "2020-06-02,2020-06-15", "2020-12-30 10:00+02:00"),
}


def test_dates(tmp_path: Path) -> None:
    dates = [(code, date) for code, some in DATES.items() for date in some]
    cells = [f"{column}{row}" for row in range(1, 5) for column in "abcdef"]
    game = "(;GM[Blokus Duo]DT[{}]PB[Ada]PW[Ben];B[{}])"
    where = library(
        tmp_path, "".join(game.format(date, cell) for (_, date), cell in zip(dates, cells, strict=False))
    )
    of_record = {record: code for code in DATES if code is not None for _, record, _ in found(where, code)}
    assert [of_record.get(record) for record in range(1, len(dates) + 1)] == [code for code, _ in dates]
    assert [parse_date(date).problem is not None for _, date in dates] == [
        code == "date_invalid" for code, _ in dates
    ]
    assert [detail for _, _, detail in found(where, "date_invalid")] == list(DATES["date_invalid"])


def test_an_invalid_date_of_a_later_sighting_is_its_own_case(tmp_path: Path) -> None:
    where = library(tmp_path, named(""), named("").replace("2020-01-02", "2020-02-30"))
    assert found(where, "date_invalid") == [("1.blksgf", 1, "date: no such day: '2020-02-30'")]


def test_missing_players(tmp_path: Path) -> None:
    classic = "(;GM[Blokus]DT[2020-01-02]P2[Ben]P4[ ];1[a20])"
    assert found(library(tmp_path, named(""), classic), "player_missing") == [
        ("1.blksgf", 1, "seats 1, 3, 4")
    ]


def test_a_neutral_seat_needs_no_name(tmp_path: Path) -> None:
    classic = "(;GM[Blokus]DT[2020-01-02]P1[Ada]P2[Ben]P3[Cleo];1[a20])"
    assert found(library(tmp_path, classic, rules={"neutral": "green"}), "player_missing") == []


def test_names_that_are_alike(tmp_path: Path) -> None:
    text = "".join(
        DUO.format(head=f"DT[2020-01-02]PB[{one}]PW[{two}]", moves=f"B[e10];W[{cells}]")
        for one, two, cells in (
            ("René Ó", "Ben", "j5"),
            ("rene o", "Ben", "j5,k5"),
            ("René Ó", "Benno", "i5,j5"),
        )
    )
    where = library(tmp_path, text)
    assert found(where, "similar_players") == [("", None, "'René Ó' 2x, 'rene o' 1x")]
    with open_writer(where) as writer:
        set_aliases(writer, [Alias("rene o", "René Ó")])
    assert found(where, "similar_players") == []


def test_skipped_colours(tmp_path: Path) -> None:
    skipped = "red in turn 3, after ply 2; blue in turn 5, after ply 3; yellow in turn 6, after ply 3"
    said = "(;GM[Blokus Duo];B[e10];CWPASS[W];B[d9])"
    where = library(tmp_path, records.O_A9_SKIP, said)
    assert found(where, "colour_order") == [("0.blksgf", 1, skipped)]
    passed = ("1.blksgf", 1, "second in turn 2, after ply 1")
    assert found(where, "unforced_pass") == [("0.blksgf", 1, skipped), passed]


def test_records_with_faults(tmp_path: Path) -> None:
    where = library(tmp_path, records.O_B4, "(;GM[Nexos];1[h17])", "(;GM[Blokus Duo])", named(""))
    ((source, record, message),) = found(where, "illegal")
    assert (source, record) == ("0.blksgf", 1) and message.startswith("ply 5: first plays f9,g9")
    assert found(where, "refused")[0][:2] == ("1.blksgf", 1)
    assert found(where, "empty") == [("2.blksgf", 1, "no move")]
    assert found(where, "unfinished") == [("3.blksgf", 1, "2 plies")]


def test_a_record_of_other_rules(tmp_path: Path) -> None:
    where = library(tmp_path, named(""), named("CWRULES[start=marked]"))
    ((source, _, detail),) = found(where, "rules_differ")
    assert source == "1.blksgf" and detail == 'states {"start": "marked"}, judged by {}'


def test_encodings_that_were_guessed(tmp_path: Path) -> None:
    path = tmp_path / "latin.blksgf"
    path.write_bytes(named("PC[Genève]").encode("latin-1"))
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    assert found(tmp_path / "L", "encoding")[0][:2] == ("latin.blksgf", 1)


def test_other_warnings_come_under_their_own_codes(tmp_path: Path) -> None:
    where = library(tmp_path, named("DT[2021]"))
    ((_, _, message),) = found(where, "warning:double_property")
    with open_reader(where) as reader:
        (row,) = (row for row in quality(reader) if row["code"] == "warning:double_property")
    assert row["meaning"] == f"a warning of the reader: {message}"


def test_results_that_belong_to_no_game(tmp_path: Path) -> None:
    path = tmp_path / "output.dat"
    path.write_text("# GAME\tRES\tLENGTH\tPLAYER_B\n0\tB+3\t30\t0\n1\tW+3\t31\t0\n")
    import_paths(tmp_path / "L", [str(path)], Reading(format="twogtp", variant="duo"), jobs=1)
    assert [row[:2] for row in found(tmp_path / "L", "unjoined_result")] == [
        ("output.dat", 1),
        ("output.dat", 2),
    ]


def test_games_of_other_pieces(tmp_path: Path) -> None:
    where = library(tmp_path, named("CWHEAD[piece_set][a set with a defect]"))
    assert found(where, "foreign_pieces") == [("0.blksgf", 1, "played with other pieces than duo")]


def test_examples_and_pages(tmp_path: Path) -> None:
    where = library(
        tmp_path, "".join(DUO.format(head="", moves=f"B[{c}]") for c in ("e10", "e10,f10", "d10,e10"))
    )
    with open_reader(where) as reader:
        rows: dict[str, dict[str, Any]] = {row["code"]: row for row in quality(reader, examples=2)}
        row = rows["date_unknown"]
        assert (row["count"], row["meaning"]) == (3, MEANINGS["date_unknown"])
        assert [(case["record"], len(case["short"])) for case in row["examples"]] == [(1, 7), (2, 7)]
        assert row["examples"][0]["id"].startswith(row["examples"][0]["short"])
        assert not any(row["examples"] for row in quality(reader, examples=0))
        page = cases(reader, "date_unknown", limit=1, offset=2)
        assert (page.total, [case["record"] for case in page.rows]) == (3, [3])
        assert (cases(reader, "date_unknown", offset=9).total, cases(reader, "prefix").total) == (3, 0)
    order = list(MEANINGS)
    assert [order.index(code) for code in rows if code in order] == sorted(
        order.index(code) for code in rows if code in order
    )


def test_an_empty_library(tmp_path: Path) -> None:
    with open_writer(tmp_path / "L"):
        pass
    assert codes(tmp_path / "L") == set()


@pytest.mark.parametrize("code", ["", "warning:", "Prefix", "x' OR true --"])
def test_codes_that_there_are_not(code: str) -> None:
    with pytest.raises(BadCode, match="known are duplicate"):
        meaning(code)
