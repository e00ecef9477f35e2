"""Generated archives: legal, the same bytes for a seed, all there or not at all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from engine.errors import EngineError, RuleError
from engine.replay import Script, replay_scripts
from engine.rulesets import default_rules, parse_rules
from engine.variants import VARIANTS, variant
from notation.errors import CannotWrite
from notation.identity import game_id
from notation.record import GameRecord, Move
from pipeline import generate_archive
from pipeline.errors import PipelineError
from pipeline.generate import generate_records
from pipeline.generate_archive import write_archive
from tests.notation.reading import read_all


def records_in(path: Path, form: str) -> list[GameRecord]:
    """Records of a file without anything odd, but that there are several."""
    records = []
    for record in read_all(path.read_bytes(), form):
        assert isinstance(record, GameRecord)
        assert {problem.code for problem in record.problems} <= {"several_trees"}
        records.append(record)
    return records


def moves_of(record: GameRecord) -> list[Move]:
    return [event for event in record.events if isinstance(event, Move)]


def ids_of(records: list[GameRecord]) -> list[str]:
    ids = []
    for record in records:
        moves = moves_of(record)
        ids.append(game_id(record.variant, record.setup, moves, [move.colour for move in moves]))
    return ids


def digest(path: Path) -> str:
    """Of a file, or of all files of a folder with their names."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    text = b"".join(str(f.relative_to(path)).encode() + b"\0" + f.read_bytes() for f in files)
    return hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_records_are_finished_games_with_players_and_dates(variant_id: str) -> None:
    records = list(generate_records(variant_id, 20, 3, {}))
    scripts = [Script([(m.colour, m.placement) for m in moves_of(record)]) for record in records]
    verdicts = replay_scripts(variant_id, default_rules(variant_id), scripts, strict=True).verdicts
    assert not verdicts.events[:, 0].any()
    assert (verdicts.games[:, 1] == 1).all()
    for record in records:
        assert len(record.players) == len(set(record.players)) == len(variant(variant_id).seats)
        assert "2015" <= record.date < "2026"
        assert (record.declared is not None) == (len(record.players) == 2)


def test_a_declared_result_is_that_of_the_replay() -> None:
    records = list(generate_records("classic_2", 30, 9, {"scoring": "plain"}))
    scripts = [Script([(m.colour, m.placement) for m in moves_of(record)]) for record in records]
    rules = parse_rules("classic_2", {"scoring": "plain"})
    facts = replay_scripts("classic_2", rules, scripts).verdicts.facts
    for record, cells in zip(records, facts[:, :, 0].tolist(), strict=True):
        lead = cells[0] + cells[2] - cells[1] - cells[3]
        assert record.declared is not None
        expected = f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "Draw"
        assert record.declared.text == expected


def test_a_record_depends_on_seed_and_number_only() -> None:
    whole = list(generate_records("duo", 1200, 1, {}))
    cuts = [0, 1, 999, 1000, 1001, 1200]
    parts = [record for a, b in pairwise(cuts) for record in generate_records("duo", b - a, 1, {}, first=a)]
    assert parts == whole
    assert list(generate_records("duo", 2, 2, {})) != whole[:2]


def test_an_archive_has_busy_and_rare_players_events_and_repeated_openings() -> None:
    records = list(generate_records("duo", 1500, 1, {}))
    players = Counter(name for record in records for name in record.players).most_common()
    assert len(players) > 40
    assert players[0][1] > 5 * players[-1][1]
    assert len({record.date[:4] for record in records}) >= 8
    events = Counter(record.headers.get("event") for record in records)
    assert events[None] > 0
    assert len(events) > 10
    assert any("event_round" in record.headers for record in records)
    openings = Counter(tuple(move.placement for move in moves_of(r)[:4]) for r in records)
    assert openings.most_common(1)[0][1] > 8
    assert len(set(ids_of(records))) == 1500


@pytest.mark.parametrize(
    ("name", "form", "variant_id", "settings"),
    [
        ("games.blksgf", "blksgf", "trigon_3", {}),
        ("games.jsonl", "jsonl", "classic_3", {"three": "two_colours:2:blue+red", "end": "rounds:9"}),
        ("games.sgf", "blksgf", "duo", {"start": "marked", "scoring": "online"}),
    ],
)
def test_a_file_reads_back_as_what_was_generated(
    tmp_path: Path, name: str, form: str, variant_id: str, settings: dict[str, str]
) -> None:
    expected = list(generate_records(variant_id, 25, 6, settings))
    assert write_archive(tmp_path / name, variant_id, 25, 6, settings) == 1
    records = records_in(tmp_path / name, form)
    assert ids_of(records) == ids_of(expected)
    for got, wanted in zip(records, expected, strict=True):
        assert (got.players, got.headers, got.declared) == (wanted.players, wanted.headers, wanted.declared)
        assert parse_rules(variant_id, got.rules) == parse_rules(variant_id, settings)


def test_the_games_of_a_seed_are_fixed() -> None:
    """Libraries that speed is measured on are made again from their seed: a change here must be meant."""
    records = list(generate_records("classic", 50, 1, {}))
    text = "\n".join(
        f"{name} {','.join(map(str, record.players))} {sorted(record.headers.items())}"
        for name, record in zip(ids_of(records), records, strict=True)
    )
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "5f8b40cb2dafd2c6"


def test_a_folder_has_a_thousand_games_a_file_on_any_number_of_workers(tmp_path: Path) -> None:
    seen: list[int] = []
    assert write_archive(tmp_path / "one", "duo", 2100, 4, {}, progress=seen.append) == 3
    assert seen == [1000, 2000, 2100]
    names = [f"duo-000{i}.blksgf" for i in (1, 2, 3)]
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == names
    assert [len(records_in(tmp_path / "one" / name, "blksgf")) for name in names] == [1000, 1000, 100]
    write_archive(tmp_path / "two", "duo", 2100, 4, {}, jobs=2)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")


def test_the_four_character_code_has_a_file_a_game(tmp_path: Path) -> None:
    assert write_archive(tmp_path / "out", "duo", 12, 4, {}, form="fourcode") == 12
    files = sorted((tmp_path / "out").rglob("*.txt"))
    read = [record for path in files for record in records_in(path, "fourcode")]
    assert ids_of(read) == ids_of(list(generate_records("duo", 12, 4, {})))


def test_what_a_format_or_the_rules_refuse_leaves_nothing_behind(tmp_path: Path) -> None:
    for error, args in (
        (CannotWrite, (tmp_path / "a", "classic", 5, 1, {}, "fourcode")),
        (CannotWrite, (tmp_path / "a", "duo", 5, 1, {"start": "marked"}, "fourcode")),
        (PipelineError, (tmp_path / "a.txt", "duo", 5, 1, {}, "fourcode")),
        (PipelineError, (tmp_path / "a", "duo", 5, 1, {}, "pgn")),
        (PipelineError, (tmp_path / "a", "duo", 0, 1, {})),
        (RuleError, (tmp_path / "a", "classic", 5, 1, {"start": "marked"})),
        (EngineError, (tmp_path / "a", "chess", 5, 1, {})),
        (EngineError, (tmp_path / "a", "duo", 5, -1, {})),
    ):
        with pytest.raises(error):
            write_archive(*args)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "games.blksgf"
    target.write_text("before")

    def full(path: Path, blocks: Iterable[bytes]) -> None:
        path.write_bytes(b"".join(blocks)[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(generate_archive, "_write", full)
    for path in (target, tmp_path / "folder"):
        with pytest.raises(PipelineError, match="No space left on device"):
            write_archive(path, "duo", 5, 1, {})
    assert [p.name for p in tmp_path.iterdir()] == ["games.blksgf"]
    assert target.read_text() == "before"


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_archive(tmp_path / "folder", "duo", 1500, 1, {}, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_and_a_full_folder_is_not(tmp_path: Path) -> None:
    write_archive(tmp_path / "games.blksgf", "duo", 5, 1, {})
    write_archive(tmp_path / "games.blksgf", "duo", 6, 1, {})
    assert len(records_in(tmp_path / "games.blksgf", "blksgf")) == 6
    before = digest(tmp_path)
    with pytest.raises(PipelineError, match="no empty folder"):
        write_archive(tmp_path, "duo", 5, 1, {})
    assert digest(tmp_path) == before
    (tmp_path / "empty").mkdir()
    assert write_archive(tmp_path / "empty", "duo", 5, 1, {}) == 1
