"""The sample data is what its README says."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from engine.replay import Script, replay_scripts
from engine.rulesets import default_rules
from engine.scoring import ColourFacts, points
from engine.variants import VARIANTS, variant
from notation.record import GameRecord, Move
from pipeline.ingest import import_paths
from pipeline.store import open_reader
from tests.notation.reading import read_all
from tests.places import REPOSITORY

DATA = REPOSITORY / "data"
SUFFIX_FORMATS = {".blksgf": "blksgf", ".jsonl": "jsonl", ".txt": "fourcode"}


def promised_counts() -> list[tuple[str, dict[str, int]]]:
    """The last table of the README: path and counts."""
    table = (DATA / "README.md").read_text("utf-8").partition("## What an import gives")[2]
    head, _, *rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    return [(row[0], dict(zip(head[1:], map(int, row[1:]), strict=True))) for row in rows]


def records_of(path: Path) -> list[GameRecord]:
    records = read_all(path.read_bytes(), SUFFIX_FORMATS[path.suffix])
    return [record for record in records if isinstance(record, GameRecord)]


def score_of(record: GameRecord) -> tuple[str, int]:
    """(final score in the words of the reference engine, placements)."""
    moves = [event for event in record.events if isinstance(event, Move)]
    script = Script([(move.colour, move.placement) for move in moves])
    verdicts = replay_scripts(record.variant, default_rules(record.variant), [script], strict=True).verdicts
    assert not verdicts.events[:, 0].any()
    assert verdicts.games[0, 1] == 1
    table = "plain" if record.variant == "junior" else "online"
    totals = [
        points(table, record.variant, ColourFacts(int(f[0]), bool(f[2]), bool(f[3])))
        for f in verdicts.facts[0]
    ]
    if len(variant(record.variant).seats) > 2:
        return " ".join(map(str, totals)), len(moves)
    lead = sum(totals[0::2]) - sum(totals[1::2])
    return (f"B+{lead}" if lead > 0 else f"W+{-lead}" if lead else "0"), len(moves)


@pytest.mark.parametrize(("path", "counts"), promised_counts())
def test_an_import_gives_the_promised_counts(tmp_path: Path, path: str, counts: dict[str, int]) -> None:
    summary: dict[str, Any] = import_paths(tmp_path / "library", [str(DATA / path)], jobs=1).as_dict()
    assert {name: summary[name] for name in counts} == counts


def test_the_sample_has_every_variant_and_the_reference_scores() -> None:
    with (DATA / "gold_scores.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["variant"] for row in rows} == set(VARIANTS)
    records = {path: records_of(DATA / path) for path in sorted({row["file"] for row in rows})}
    assert sum(map(len, records.values())) == len(rows) == 201
    for row in rows:
        record = records[row["file"]][int(row["record"]) - 1]
        assert record.variant == row["variant"]
        assert score_of(record) == (row["score"], int(row["placements"])), row


def test_each_faulty_file_has_the_fault_that_the_readme_names(tmp_path: Path) -> None:
    import_paths(tmp_path / "library", [str(DATA / "faulty")], jobs=1)
    with open_reader(tmp_path / "library") as reader:
        found = reader.table("SELECT source, record, ply, code FROM quarantine").to_pylist()
        passed = reader.table("SELECT count(*) AS n FROM games WHERE irregular").to_pylist()
    faults = sorted((Path(row["source"]).name, row["record"], row["ply"], row["code"]) for row in found)
    assert faults == [
        ("bad_line.jsonl", 2, None, "bad_record"),
        ("bad_line.jsonl", 3, None, "bad_record"),
        ("broken_code.txt", 1, 7, "not_a_piece"),
        ("nexos.blksgf", 1, None, "other_game"),
        ("piece_twice.blksgf", 1, 13, "piece_used"),
        ("side_contact.blksgf", 2, 10, "side_contact"),
    ]
    assert passed == [{"n": 1}]
    (truncated,) = records_of(DATA / "faulty" / "truncated.blksgf")
    assert len(truncated.events) == 9
    assert "unclosed" in {problem.code for problem in truncated.problems}
