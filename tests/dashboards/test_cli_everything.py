"""One import of a folder that holds everything at once: every game found, every other file named, nothing lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.variants import VARIANTS
from notation.json_cells import SQUARE
from tests.dashboards.everything import FIRST, JUNK, Written, build
from tests.dashboards.running import Cli

pytestmark = pytest.mark.archives

ARCHIVED = {
    "fourcode_duo": 992,
    "twogtp_duo": 70,
    "json_celllist_duo": 4,
    "metablok_duo": 2,
    "ui_script_duo": 2,
    "step_log_classic": 1,
    "reference": 870,
}
"""Sightings a folder: the nine files of the four-character code that repeat another's bytes are none, and the script
for the typed input stands there twice, in two versions, as one game."""

DISTINCT = 1_940


@dataclass(frozen=True)
class Imported:
    """What the one import said, and what the library holds after it; sources are named from the folder on."""

    cli: Cli
    summary: dict[str, Any]
    written: list[Written]
    folder: Path
    sightings: dict[str, list[str]]

    def rows(self, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.cli.json("sql", "--limit", 0, query)["rows"]
        return found

    def below(self, source: str) -> str:
        return source.removeprefix(f"{self.folder}/")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Imported]:
    place = tmp_path_factory.mktemp("everything")
    with pytest.MonkeyPatch.context() as patch:
        cli = Cli(place, patch)
        written = build(place / "all")
        result = cli("import", place / "all", "--json")
        assert result.code == 0, result.message
        done = Imported(cli, result.json, written, place / "all", {})
        for row in done.rows(
            "SELECT s.source, g.id FROM sightings s JOIN games g USING (game_no) ORDER BY source, record"
        ):
            done.sightings.setdefault(done.below(row["source"]), []).append(row["id"])
        yield done


def _of(imported: Imported, folder: str) -> list[str]:
    """Identities of all sightings below a folder."""
    return [
        game
        for source, games in imported.sightings.items()
        if source.startswith(f"{folder}/")
        for game in games
    ]


def test_every_game_is_found(everything: Imported) -> None:
    summary, cli = everything.summary, everything.cli
    sample = cli.json("import", everything.folder / "source" / "data", "--library", everything.folder / "own")
    archived = {game for folder in ARCHIVED for game in _of(everything, f"archives/{folder}")}
    own = {row["id"] for row in cli.games("--library", everything.folder / "own")}

    assert len(archived) == DISTINCT
    assert {row["id"] for row in everything.rows("SELECT id FROM games")} == archived | own
    assert summary["stored"] == len(archived | own)
    assert summary["games"] == summary["stored"] + summary["duplicates"] + summary["refused"]
    written = sum(len(file.games) for file in everything.written)
    assert summary["games"] == sum(ARCHIVED.values()) + 9 + written + sample["games"]
    assert (summary["refused"], summary["illegal"]) == (sample["refused"], sample["illegal"] + 2)
    assert (summary["unreadable_files"], summary["details"]["unreadable_files"]) == (0, [])
    refused = [everything.below(row["source"]) for row in everything.rows("SELECT source FROM quarantine")]
    assert {source.rpartition("/")[0] for source in refused} == {
        "source/data/faulty", "archives/fourcode_duo", "archives/step_log_classic"
    }  # fmt: skip


def test_the_archives_have_the_counts_of_their_readme(everything: Imported) -> None:
    seen = {folder: len(_of(everything, f"archives/{folder}")) for folder in ARCHIVED}
    assert seen == ARCHIVED
    assert len(set(_of(everything, "archives/fourcode_duo"))) == 992
    assert len(set(_of(everything, "archives/ui_script_duo"))) == 1
    (steps,) = everything.sightings["archives/step_log_classic/steps.jsonl"]
    assert "foreign_pieces" in everything.cli.json("show", steps)["flags"]
    positions = everything.rows("SELECT source FROM positions")
    assert [everything.below(row["source"]) for row in positions] == [
        "archives/json_celllist_duo/position.json"
    ]


def test_results_without_moves_are_rows_of_their_own(everything: Imported) -> None:
    rows = everything.rows("SELECT source, key, game_no FROM results")
    folders = Counter(everything.below(row["source"]).split("/")[1] for row in rows)
    assert folders == {"results_classic": 418, "step_log_classic": 1, "twogtp_duo": 1, "data": 3}
    assert everything.summary["results"] == len(rows)
    assert sum("/glued" in row["source"] for row in rows) == 149
    assert len({row["key"] for row in rows if "/results_classic/" in row["source"]}) == 418
    assert all(row["game_no"] is None for row in rows if row["source"].endswith("output.dat"))
    (unjoined,) = everything.summary["details"]["unjoined_results"]
    assert everything.below(unjoined["file"]) == "archives/twogtp_duo/output.dat"
    assert unjoined["results"] == 1


def test_what_was_written_comes_back_with_its_identities(everything: Imported) -> None:
    reference = {name: everything.sightings[f"archives/reference/{name}.blksgf"] for name in VARIANTS}
    for file in everything.written:
        expected = [reference[file.variant][number] for number in file.games]
        assert everything.sightings.get(file.source) == expected, file.source
    kinds = Counter(
        (file.source.split("/")[1], file.variant)
        for file in everything.written
        if file.source.startswith("season/")
    )
    for form in ("csv", "tsv", "parquet", "blksgf", "jsonl", "gtp"):
        assert {variant for kind, variant in kinds if kind == form} == set(VARIANTS)
    assert {variant for kind, variant in kinds if kind == "json_cells"} == set(SQUARE)
    assert kinds["xml", "classic_2"] == kinds["fourcode", "duo"] == FIRST


def test_every_other_file_is_named_once_with_a_reason(everything: Imported) -> None:
    named = everything.summary["details"]["other_files"]
    names = [everything.below(row["file"]) for row in named]
    assert len(names) == len(set(names)) == everything.summary["other_files"]
    assert all(row["reason"] for row in named)
    assert set(names) == _without_records(everything.folder) - set(everything.sightings)
    assert {f"club/misc/{name}" for name in JUNK} <= set(names)


def _without_records(folder: Path) -> set[str]:
    """Files that hold no record, known by where they lie; those in archives all hold some."""
    out = set()
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") for part in parts)
        kept = parts[0] in ("season", "own") or parts[:2] == ("club", "older") or path.suffix == ".zip"
        if not path.is_file() or hidden or kept or _holds_records(parts):
            continue
        out.add("/".join(parts))
    return out


def _holds_records(parts: tuple[str, ...]) -> bool:
    if parts[:2] == ("source", "data"):
        barren = ("empty.blksgf", "result_line.txt")
        return len(parts) > 3 and parts[2] in ("games", "faulty", "other_forms") and parts[-1] not in barren
    if parts[0] != "archives" or len(parts) < 3:
        return False
    return "win_logs" not in parts and not parts[-1].endswith(".scores.tsv")
