"""Rows of the tables as a reader of the library sees them."""

from pathlib import Path

import pytest

from pipeline.ingest import import_paths
from pipeline.store import open_reader
from pipeline.unit import Reading
from tests.records import O_A2_A, O_A9_SKIP

THREE = "(;GM[Blokus Three-Player]P1[Ada]P2[Ben]P3[Cleo];1[a20];2[t20];3[t1];4[a1];1[b19];2[s19];3[s2];4[b2])"


@pytest.fixture
def ask(tmp_path):
    def answer(text: str, question: str, **settings: object) -> list[tuple[object, ...]]:
        (tmp_path / "games.sgf").write_text(text)
        import_paths(tmp_path / "library", [str(tmp_path / "games.sgf")], Reading(**settings), jobs=1)
        with open_reader(tmp_path / "library") as library:
            return [tuple(row.values()) for row in library.table(question).to_pylist()]

    return answer


def test_shared_colour_is_played_by_the_seats_in_turn(ask):
    text = THREE.replace("1[b19];2[s19];3[s2];4[b2]", "1[b19,c19];2[r19,s19];3[r2,s2];4[b2,c2]")
    rows = ask(text, "SELECT ply, colour, seat FROM moves ORDER BY ply")
    assert rows == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 1), (5, 1, 1), (6, 2, 2), (7, 3, 3), (8, 4, 2)]
    seats = "SELECT player, colours FROM seats ORDER BY seat"
    assert ask(text, seats) == [("Ada", [1]), ("Ben", [2]), ("Cleo", [3])]


def test_turns_rounds_and_inferred_passes_of_the_finishing_game(ask):
    last = "SELECT ply, turn, round, colour, piece, move, cells FROM moves ORDER BY ply DESC LIMIT 1"
    assert ask(O_A2_A, last) == [(66, 81, 21, 1, "1", "q2", ["q2"])]
    passes = (
        "SELECT colour, count(*) FROM passes WHERE kind = 'forced' AND NOT recorded GROUP BY ALL ORDER BY ALL"
    )
    assert ask(O_A2_A, passes) == [(2, 6), (3, 5), (4, 4)]
    assert ask(O_A2_A, "SELECT colour, passes FROM colours ORDER BY colour") == [
        (1, 0),
        (2, 6),
        (3, 5),
        (4, 4),
    ]


def test_scores_in_every_table_come_from_the_same_facts(ask):
    rows = dict(ask(O_A2_A, "SELECT scoring, list(points ORDER BY colour) FROM scores GROUP BY scoring"))
    assert rows["board"] == [20, -35, -30, -25]
    assert rows["online"] == [109, 54, 59, 64]
    assert rows["net"] == [109, 19, 29, 39]
    assert rows["family"] == [15, -35, -30, -25]
    assert rows["plain"] == [89, 54, 59, 64]


def test_unforced_passes_flag_the_game_and_are_rows(ask):
    assert ask(O_A9_SKIP, "SELECT irregular, illegal FROM games") == [(True, False)]
    rows = ask(O_A9_SKIP, "SELECT turn, after_ply, colour, kind, recorded FROM passes ORDER BY turn")
    assert rows[0] == (3, 2, 3, "unforced", False)


def test_first_piece_on_a_cell_that_another_rule_allows_says_which(ask):
    rows = ask("(;GM[Blokus Duo];B[j5])", "SELECT code, message FROM quarantine")
    assert rows[0][0] == "start_rule"
    assert "--rule start=marked" in str(rows[0][1])


def test_equal_positions_of_different_order_share_their_key_and_others_do_not(ask):
    one = "(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[d8,d9];W[g8];B[h9,i9,h10,h11])"
    two = "(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,h11];W[g8];B[d8,d9])"
    question = "SELECT position_key FROM moves ORDER BY game_no, ply"
    keys = [key for (key,) in ask(one + "\n" + two, question)]
    assert len(keys) == 10
    assert (keys[0], keys[4]) == (keys[5], keys[9])
    assert len(set(keys)) == 7
    assert all(len(str(key)) == 32 for key in keys)


def test_an_import_answers_the_same_on_any_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.ingest.UNIT_PORTIONS", 3)
    folder = Path(__file__).resolve().parents[2] / "data" / "games"
    answers = []
    for jobs in (1, 3):
        import_paths(tmp_path / f"library-{jobs}", [str(folder)], jobs=jobs)
        with open_reader(tmp_path / f"library-{jobs}") as library:
            question = "SELECT * FROM moves JOIN games USING (game_no) ORDER BY game_no, ply"
            answers.append(library.table(question).to_pylist())
    assert answers[0] == answers[1]
    assert len(answers[0]) > 10_000


def test_an_endless_record_is_refused_and_does_not_cost_the_others(tmp_path):
    line = '{{"format":"cornerwise","version":1,"variant":"duo","events":[{}]}}\n'
    endless = line.format(",".join(['{"colour":"first","cells":"e10"}'] * 40_000))
    (tmp_path / "games.jsonl").write_text(endless + line.format('{"cells":"e10"}'))
    summary = import_paths(tmp_path / "library", [str(tmp_path / "games.jsonl")], jobs=1)
    assert (summary.counts.games, summary.counts.stored, summary.counts.refused) == (2, 1, 1)
    with open_reader(tmp_path / "library") as library:
        (row,) = library.table("SELECT code, message FROM quarantine").to_pylist()
    assert row["code"] == "bad_record"
    assert "40000 moves and passes" in row["message"]


def test_a_move_of_any_length_makes_a_message_of_a_line(ask):
    rows = ask(f"(;GM[Blokus Duo];B[{'z' * 100_000}10])", "SELECT message FROM quarantine")
    assert rows == [(f"ply 1: first plays {'z' * 200}...: a cell is not on the board",)]
