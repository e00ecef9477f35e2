"""Verdicts without a library: the same as an import's, in the order of the input."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.check import Verdict, check_paths
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.portions import Inventory
from pipeline.store import open_reader
from pipeline.unit import Reading
from tests import records

MIXED = "\n".join(
    [
        records.O_A7,
        records.O_B4,
        "(;GM[Nexos];1[h17])",
        records.O_A9_SKIP,
        "(;GM[Blokus Duo])",
        records.O_A1,
        "(;GM[Blokus Duo]CWRULES[teams=yes];B[e10])",
    ]
)
STATUSES = ["ok", "illegal", "refused", "irregular", "empty", "unfinished", "refused"]


def check(folder: Path, text: str, choice: RuleChoice | None = None) -> list[Verdict]:
    path = folder / "mixed.blksgf"
    path.write_text(text)
    return list(check_paths([str(path)], Reading(rules=choice or RuleChoice()), Inventory()))


def test_every_record_has_a_verdict_in_order(tmp_path: Path) -> None:
    verdicts = check(tmp_path, MIXED)
    assert [v.status for v in verdicts] == STATUSES
    assert [v.record for v in verdicts] == [1, 2, 3, 4, 5, 6, 7]
    assert [v.is_wrong for v in verdicts] == [s in ("illegal", "refused", "irregular") for s in STATUSES]
    assert all(v.message for v in verdicts if v.is_wrong)
    assert verdicts[0].line == 1 and verdicts[1].line > 10


def test_a_check_says_what_an_import_says(tmp_path: Path) -> None:
    verdicts = check(tmp_path, MIXED)
    import_paths(tmp_path / "L", [str(tmp_path / "mixed.blksgf")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        stored = reader.table("SELECT id FROM games ORDER BY game_no")["id"].to_pylist()
        bad = reader.table("SELECT record, code, ply, message FROM quarantine ORDER BY record").to_pylist()
    assert stored == [v.id for v in verdicts if v.id]
    assert bad == [
        {"record": v.record, "code": v.code, "ply": v.ply, "message": v.message}
        for v in verdicts
        if v.status in ("refused", "illegal")
    ]


def test_strict_names_the_colour_that_was_passed_over(tmp_path: Path) -> None:
    (lenient,) = check(tmp_path, records.O_A9_SKIP)
    (strict,) = check(tmp_path, records.O_A9_SKIP, RuleChoice(strict=True))
    assert (lenient.status, strict.status) == ("irregular", "illegal")
    assert lenient.message == strict.message
    assert (lenient.plies, strict.plies) == (4, 2)
    assert len(lenient.warnings) == 2  # blue and yellow let theirs go by later


@pytest.mark.parametrize("moves", ["B[e10];W[j5];B[]", "B[e10];W[j5];W[]", "B[e10];W[j5];B[];W[k6,l6]"])
def test_strict_stops_at_an_unforced_pass_behind_the_last_placement(tmp_path: Path, moves: str) -> None:
    text = f"(;GM[Blokus Duo];{moves})"
    (lenient,) = check(tmp_path, text)
    (strict,) = check(tmp_path, text, RuleChoice(strict=True))
    message = "ply 3: first skipped although it can move (turn 3, after ply 2)"
    assert (lenient.status, lenient.ply, lenient.message) == ("irregular", 3, message)
    assert (strict.status, strict.ply, strict.message, strict.plies) == ("illegal", 3, message, 2)
    reading = Reading(rules=RuleChoice(strict=True))
    import_paths(tmp_path / "L", [str(tmp_path / "mixed.blksgf")], reading, jobs=1)
    with open_reader(tmp_path / "L") as reader:
        rows = reader.table("SELECT code, ply, message FROM quarantine").to_pylist()
        games = reader.table("SELECT illegal, irregular, stop_ply, plies FROM games").to_pylist()
    assert rows == [{"code": "unforced_pass", "ply": 3, "message": message}]
    assert games == [{"illegal": True, "irregular": False, "stop_ply": 3, "plies": 2}]


@pytest.mark.parametrize("strict", [False, True])
def test_a_record_of_passes_has_the_words_of_the_library(tmp_path: Path, strict: bool) -> None:
    choice = RuleChoice(strict=strict)
    verdicts = check(
        tmp_path, "(;GM[Blokus Duo];B[])" + records.O_A7 + records.O_A1 + records.O_A9_SKIP, choice
    )
    first = ["illegal", "empty"] if strict else ["irregular", "empty", "unfinished"]
    assert (verdicts[0].status, verdicts[0].flags) == (first[0], first)
    import_paths(tmp_path / "L", [str(tmp_path / "mixed.blksgf")], Reading(rules=choice), jobs=1)
    with open_reader(tmp_path / "L") as reader:
        flags = reader.table("SELECT flags FROM games_view ORDER BY game_no")["flags"].to_pylist()
    assert [sorted(f) for f in flags] == [sorted(v.flags) for v in verdicts if v.id]


@pytest.mark.parametrize(("rule", "status"), [({}, "illegal"), ({"start": "any_corner"}, "unfinished")])
def test_rules_of_the_caller(tmp_path: Path, rule: dict[str, str], status: str) -> None:
    (verdict,) = check(tmp_path, records.O_A9_CORNER, RuleChoice(rule))
    assert verdict.status == status


def test_rules_that_fit_the_variant_of_some_records_only(tmp_path: Path) -> None:
    duo, classic = check(tmp_path, records.O_A1 + records.O_A6_NEW, RuleChoice({"teams": "yes"}))
    assert (duo.status, duo.variant, duo.record) == ("refused", "duo", 1)
    assert duo.message == "teams need four seats, duo has 2"
    assert classic.status == "unfinished"


def test_files_without_records_are_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing")
    (tmp_path / "b.blksgf").symlink_to(tmp_path / "missing")
    inventory = Inventory()
    assert list(check_paths([str(tmp_path)], Reading(), inventory)) == []
    assert (inventory.files, len(inventory.other_files), len(inventory.unreadable)) == (0, 1, 1)
