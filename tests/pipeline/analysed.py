"""Libraries of judged games, for tests: what their rows must come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.analysis.analyse import AnalysisSummary, analyse
from pipeline.analysis.tasks import Chosen
from pipeline.store import Reader, open_reader
from tests.pipeline.measured import Lines, generated, imported, with_leaving, with_repeat, with_setup

Row = dict[str, Any]

EVERYTHING = Chosen()


def judge(library: Path, budget: str | int = "instant", seed: int = 1, **options: Any) -> AnalysisSummary:
    options.setdefault("jobs", 1)
    return analyse(library, options.pop("chosen", EVERYTHING), budget, seed, **options)


def rows_of(library: Path) -> tuple[list[Row], list[Row]]:
    """(games, plies) that are judged, in order."""
    with open_reader(library) as reader:
        return of_reader(reader)


def of_reader(reader: Reader) -> tuple[list[Row], list[Row]]:
    games = reader.table("FROM analysed_games_raw ORDER BY game_no").to_pylist()
    plies = reader.table("FROM analysed_plies_raw ORDER BY game_no, ply").to_pylist()
    return games, plies


def many_kinds() -> Lines:
    """Finished games of all variants and odd rulesets, with setups and leavings; and some that are illegal,
    unfinished or irregular."""
    classic, duo = generated("classic", 3), generated("duo", 5)
    return [
        *duo[:1],
        with_setup(duo[1], 3),
        with_leaving(duo[2], 1),
        with_repeat(duo[3], 6),
        {**duo[4], "events": duo[4]["events"][:9]},
        {
            **duo[0],
            "events": [*duo[0]["events"][:6], duo[0]["events"][7]],
        },  # the first colour passes unforced
        with_leaving(classic[0], 2),
        with_leaving(classic[1], 3, 1, after=5),
        *generated("duo", 1, 5, {"start": "any_corner", "end": "first_blocked"}),
        *generated("duo", 1, 6, {"end": "rounds:8"}),
        *generated("classic", 1, 7, {"teams": "yes", "scoring": "family"}),
        *generated("classic", 1, 8, {"neutral": "red"}),
        *generated("classic_3", 1, 9, {"three": "two_colours:2:blue+red"}),
        *(
            game
            for name in ("junior", "classic_2", "classic_3", "trigon", "trigon_2", "trigon_3")
            for game in generated(name, 1)
        ),
    ]


def balance_errors(game: Row, plies: list[Row]) -> list[float]:
    """How far every seat's balance is off, in share and in points, from its first value to its result."""
    out = []
    for of in ("shares", "points"):
        for seat in range(len(game["start_points"])):
            if game["start_shares"][seat] is None and of == "shares":
                continue
            total = game[f"start_{of}"][seat]
            previous = total
            for row in plies:
                before, best, after = (row[f"{name}_{of}"][seat] for name in ("before", "best", "after"))
                total += before - previous  # somebody left, or passed of his own will
                if row["seat"] == seat + 1:
                    total += (best - before) - (best - after)
                else:
                    total += after - before
                previous = after
            end = game[of] or game[f"final_{of}"]
            total += end[seat] - previous
            out.append(abs(total - end[seat]))
    return out


def library_of(folder: Path, games: Lines) -> Path:
    return imported(folder, folder / "L", games)
