"""Judged games: the balance of every seat, what counts, and what happens to a run and to the library meanwhile."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from engine import evaluate
from engine.errors import EngineError
from pipeline import move_quality
from pipeline.analysis import analyse as running
from pipeline.analysis import unit as analysis_unit
from pipeline.analysis.queries import game_analysis, totals
from pipeline.analysis.tasks import Chosen
from pipeline.errors import LibraryBusy, NotALibrary
from pipeline.ingest import import_paths
from pipeline.store import check_library, open_reader, open_writer
from tests.pipeline.analysed import (
    EVERYTHING,
    balance_errors,
    judge,
    library_of,
    many_kinds,
    of_reader,
    rows_of,
)
from tests.pipeline.measured import generated, imported


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of all kinds, judged by small searches; tests only read them."""
    library = library_of(tmp_path_factory.mktemp("judged"), many_kinds())
    judge(library, 3)
    return library


def test_every_seat_gets_from_its_first_value_to_its_result(judged: Path) -> None:
    with open_reader(judged) as reader:
        games, plies = of_reader(reader)
        assert check_library(reader) == []
        finished = 0
        for game in games:
            mine = [row for row in plies if row["game_no"] == game["game_no"]]
            assert len(mine) == game["plies"]
            assert max(balance_errors(game, mine), default=0) < 1e-9
            finished += game["shares"] is not None
            analysis = game_analysis(reader, game["game_no"])
            assert analysis is not None
            for seat in analysis.seats:
                parts = seat["balance_points"]
                total = (
                    parts["start"]
                    - parts["losses"]
                    + parts["gifts"]
                    + parts["reevaluation"]
                    + parts["events"]
                )
                assert total == pytest.approx(parts["result"], abs=1e-9)
        decided = reader.table("FROM games WHERE outcome IS NOT NULL AND NOT illegal AND NOT unfinished")
        assert finished == decided.num_rows > 10
        assert len(games) == len(many_kinds())


def test_events_are_nothing_where_nobody_left(judged: Path) -> None:
    with open_reader(judged) as reader:
        left = {row["game_no"] for row in reader.table("FROM seats WHERE out_ply IS NOT NULL").to_pylist()}
        for game in reader.table("FROM games WHERE NOT illegal AND NOT unfinished").to_pylist():
            analysis = game_analysis(reader, game["game_no"])
            assert analysis is not None
            for seat in analysis.seats:
                if game["game_no"] not in left:
                    assert seat["balance_points"]["events"] == 0


def test_the_last_value_of_a_finished_game_is_its_result(judged: Path) -> None:
    games, plies = rows_of(judged)
    for game in games:
        mine = [row for row in plies if row["game_no"] == game["game_no"]]
        if game["shares"] is not None and game["proven_from"] is not None:
            assert (
                mine[-1]["after_points"] == pytest.approx(game["points"])
                or game["final_points"] != game["points"]
            )
            assert game["proven_from"] <= game["plies"]
            for row in mine[game["proven_from"] :]:
                assert row["proven"]
                assert row["loss_share_error"] in (0.0, None)


def test_forced_moves_and_neutral_seats_never_count(judged: Path) -> None:
    _, plies = rows_of(judged)
    assert any(row["forced"] for row in plies)
    for row in plies:
        assert (row["label"] == "forced") == row["forced"] == (row["legal_moves"] == 1)
        counts = not row["forced"] and row["loss_share"] is not None
        assert (row["accuracy"] is not None) == counts
        if row["played"] == row["best"]:
            assert row["loss_share"] in (0.0, None)
            assert row["label"] in ("best", "forced", None)
    with open_reader(judged) as reader:
        analysis = game_analysis(reader, plies[0]["game_no"])
        assert analysis is not None
        decided = [row for row in analysis.moves if row["accuracy"] is not None]
        assert sum(seat["decisions"] for seat in analysis.seats) == len(decided)
        passes = reader.table("SELECT count(*) AS n FROM passes").to_pylist()[0]["n"]
        assert passes > 0
        assert sum(reader.table("SELECT plies FROM games")["plies"].to_pylist()) == len(plies)


def test_flawed_games_are_judged_but_not_counted(judged: Path) -> None:
    with open_reader(judged) as reader:
        found = totals(reader, EVERYTHING)
        flawed = reader.table("SELECT game_no FROM games WHERE illegal OR unfinished OR irregular")
        assert found.left_out == flawed.num_rows >= 2
        assert sum(row["games"] for row in found.made_by) == len(many_kinds()) - flawed.num_rows
        for number in flawed["game_no"].to_pylist():
            analysis = game_analysis(reader, number)
            assert analysis is not None
            assert analysis.moves
            assert all(seat["decisions"] for seat in analysis.seats)


def test_accuracies_are_means_of_their_parts(judged: Path) -> None:
    with open_reader(judged) as reader:
        found = totals(reader, Chosen(variant="duo"))
        (whole,) = found.variants
        for parts in (found.phases, found.players):
            assert sum(row["decisions"] for row in parts) == whole["decisions"]
            mean = sum(row["accuracy"] * row["decisions"] for row in parts) / whole["decisions"]
            assert mean == pytest.approx(whole["accuracy"])
        games: list[dict[str, Any]] = []
        for game in reader.table(
            "FROM games WHERE variant = 'duo' AND NOT illegal AND NOT unfinished"
        ).to_pylist():
            analysis = game_analysis(reader, game["game_no"])
            assert analysis is not None
            games += analysis.seats
        assert sum(row["decisions"] for row in games) == whole["decisions"]
        mean = sum(row["accuracy"] * row["decisions"] for row in games) / whole["decisions"]
        assert mean == pytest.approx(whole["accuracy"])
        assert 0 <= whole["accuracy"] <= 100
        assert whole["accuracy_error"] > 0


def test_short_games_have_what_they_have(tmp_path: Path) -> None:
    game = generated("duo", 1)[0]
    cuts = [{**game, "events": game["events"][:plies]} for plies in (0, 1, 2)]
    library = library_of(tmp_path, cuts)
    assert judge(library).games == 3
    with open_reader(library) as reader:
        accuracies = []
        for row in reader.table("SELECT game_no FROM games ORDER BY plies").to_pylist():
            analysis = game_analysis(reader, row["game_no"])
            assert analysis is not None
            accuracies.append([seat["accuracy"] for seat in analysis.seats])
            for seat in analysis.seats:
                assert (seat["accuracy"] is None) == (seat["reason"] is not None)
                assert (seat["accuracy_error"] is None) == (seat["accuracy"] is None)
        assert [[value is not None for value in row] for row in accuracies] == [
            [False, False],
            [True, False],
            [True, True],
        ]
        assert totals(reader, EVERYTHING).variants == []


def test_the_same_rows_with_one_worker_and_with_two(tmp_path: Path) -> None:
    games = generated("duo", 5)
    alone, pair = (imported(tmp_path, tmp_path / name, games) for name in ("one", "two"))
    judge(alone, 10)
    assert judge(pair, 10, jobs=2).games == 5
    assert rows_of(alone) == rows_of(pair)
    other = imported(tmp_path, tmp_path / "other", games)
    judge(other, 10, seed=2)
    assert rows_of(other)[1] != rows_of(alone)[1]


def _stop_after(games: int) -> Any:
    def tell(done: int, total: int, plies: int) -> None:
        if done == games:
            os.kill(os.getpid(), signal.SIGINT)

    return tell


def test_a_stopped_run_keeps_what_is_finished_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PARTITION_WORK", 30_000)  # about two games
    games = generated("duo", 7)
    library, whole = (imported(tmp_path, tmp_path / name, games) for name in ("stopped", "whole"))
    with pytest.raises(KeyboardInterrupt, match="5 of 7 games are judged and stored"):
        judge(library, progress=_stop_after(5))
    assert len(rows_of(library)[0]) == 5
    assert not list(library.rglob("*.tmp"))
    summary = judge(library)
    assert (summary.games, summary.present) == (2, 5)
    judge(whole)
    assert rows_of(library) == rows_of(whole)
    with open_reader(library) as reader:
        assert check_library(reader) == []
        assert (
            reader.table("SELECT count(*) AS n FROM partitions WHERE kind = 'analysed_plies'")["n"][0].as_py()
            > 1
        )


def test_rows_of_an_older_engine_stay_until_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = library_of(tmp_path, generated("duo", 3))
    with monkeypatch.context() as past:
        past.setattr(move_quality, "VERSION", 0)
        past.setattr(evaluate, "ENGINE_VERSION", "0.0.0")
        judge(library)
    imported(tmp_path, library, generated("duo", 1, seed=9))
    summary = judge(library)
    assert (summary.games, summary.older, summary.present) == (1, 3, 0)
    with open_reader(library) as reader:
        made = totals(reader, EVERYTHING).made_by
        assert sorted((row["games"], row["older"]) for row in made) == [(1, False), (3, True)]
    summary = judge(library, again=True)
    assert (summary.games, summary.replaced, summary.present) == (3, 3, 1)
    with open_reader(library) as reader:
        assert [row["older"] for row in totals(reader, EVERYTHING).made_by] == [False]
        assert check_library(reader) == []
    assert judge(library, again=True).games == 0


def test_another_budget_or_seed_replaces_only_on_request(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 2))
    judge(library)
    before = rows_of(library)
    summary = judge(library, 5, seed=7)
    assert (summary.games, summary.other) == (0, 2)
    assert rows_of(library) == before
    identity = _ids(library)[0]
    assert judge(library, 5, seed=7, again=True, chosen=Chosen((identity,))).replaced == 1
    games, plies = rows_of(library)
    assert sorted(row["simulations"] for row in games) == [0, 5]
    assert {row["seed"] for row in plies} == {1, 7}


def _ids(library: Path) -> list[str]:
    with open_reader(library) as reader:
        found: list[str] = reader.table("SELECT id FROM games ORDER BY game_no")["id"].to_pylist()
        return found


def test_two_runs_at_once_judge_every_game_once(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 4))
    inner = []

    def meanwhile(done: int, total: int, plies: int) -> None:
        if done == 2 and not inner:
            inner.append(judge(library, chosen=Chosen(limit=3)))

    summary = judge(library, progress=meanwhile)
    assert (inner[0].games, summary.games, summary.theirs) == (3, 1, 3)
    with open_reader(library) as reader:
        assert check_library(reader) == []
    assert judge(library).present == 4


def test_the_library_may_change_meanwhile(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 2))
    imported(tmp_path, library, generated("duo", 2, seed=5))
    new = tmp_path / "new.jsonl"
    new.write_text("".join(json.dumps(game) + "\n" for game in generated("duo", 3, seed=8)))

    def meanwhile(done: int, total: int, plies: int) -> None:
        if done == 1:
            import_paths(library, [str(new)], jobs=1)
            with open_writer(library) as writer:
                writer.undo(2)

    summary = judge(library, progress=meanwhile)
    assert summary.games == 2
    with open_reader(library) as reader:
        assert check_library(reader) == []
        assert reader.table("FROM analysed_games_raw").num_rows == 2
    assert judge(library).games == 3
    with open_reader(library) as reader:
        assert check_library(reader) == []


def test_a_game_whose_result_an_edit_has_changed_is_judged_anew(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 2))
    judge(library)
    with open_writer(library) as writer:
        writer.change(
            lambda catalogue: catalogue.connection.execute(
                "UPDATE seats SET share = 1 - share WHERE game_no = (SELECT min(game_no) FROM games)"
            ),
            "turn a result round",
            "it is turned round",
        )
    summary = judge(library)
    assert (summary.games, summary.replaced, summary.present) == (1, 1, 1)
    for game in rows_of(library)[0]:
        mine = [row for row in rows_of(library)[1] if row["game_no"] == game["game_no"]]
        assert max(balance_errors(game, mine)) < 1e-9


def test_a_library_that_is_held_too_long_is_named(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 1))
    with open_writer(library, command="import"), pytest.raises(LibraryBusy, match="import"):
        judge(library, wait=0)
    assert judge(library).games == 1


def test_a_run_that_is_stopped_while_the_library_is_held_says_what_it_lost(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 3))
    stop = _stop_after(1)

    def tell(done: int, total: int, plies: int) -> None:
        held.append(open_writer(library, command="import"))
        stop(done, total, plies)

    held: list[Any] = []
    with pytest.raises(
        KeyboardInterrupt, match="0 of 3 games are judged and stored, 1 more could not be stored"
    ):
        judge(library, progress=tell)
    held[0].close()
    assert judge(library).games == 3


def test_there_must_be_a_library_and_a_budget(tmp_path: Path) -> None:
    with pytest.raises(NotALibrary, match="there is no library"):
        judge(tmp_path / "nothing")
    library = library_of(tmp_path, generated("duo", 1))
    for budget in (0, -5, "fast", 10**12):
        with pytest.raises(EngineError):
            judge(library, budget)
    clash = generated("duo", 1)[0]
    wrong = [clash["events"][0], {**clash["events"][0], "colour": "second"}]
    imported(tmp_path, library, [{**clash, "setup": {"pieces": wrong}}])
    summary = judge(library)
    assert (summary.games, summary.without) == (1, 1)


def test_games_that_leave_the_library_take_their_judgement_along(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 2))
    imported(tmp_path, library, generated("duo", 2, seed=5))
    judge(library)
    with open_writer(library) as writer:
        writer.undo(1)
    assert len(rows_of(library)[0]) == 2
    with open_reader(library) as reader:
        assert check_library(reader) == []


def test_terms_say_what_made_a_row(tmp_path: Path) -> None:
    library = library_of(tmp_path, generated("duo", 1))
    judge(library, "instant", seed=3)
    games, plies = rows_of(library)
    wanted = analysis_unit.Terms("instant", {"duo": 0}, 3).made_by("duo")
    for row in (*games, *plies):
        assert {name: row[name] for name in wanted} == wanted
