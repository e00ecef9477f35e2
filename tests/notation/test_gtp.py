from __future__ import annotations

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.variants import VARIANTS
from notation import stream
from notation.blksgf import read as read_blksgf
from notation.errors import BadRecord, CannotWrite, ForeignGame
from notation.gtp import broken_off_games, read, split, write
from notation.gtp_lines import looks_like
from notation.record import NOT_A_PIECE, OFF_BOARD, Declared, GameRecord, Move, Out, Pass
from notation.stream import Chunk, ReadOptions
from pipeline.judged import RuleChoice, group_records, stop_of
from tests.notation.reading import codes, game, moves, read_all, refusal
from tests.places import archives

DUO = "set_game Blokus Duo\nclear_board\n"
SIDES = """Created moves: 30433, precomputed
B>> set_game Blokus Duo
B<< =
W>> set_game Blokus Duo
W<< =
================================================
Game 0
================================================
B>> clear_board
B<< =
W>> clear_board
W<< =
B>> genmove b
14 . . . .
 1 . X . .
   a b c d
play w a1
B<< = f10,e10
W>> play b e10,f10
W<< =
W>> genmove w
Val 0.26, Vst 90
W<< = j5,j4
B>> play w j4,j5
B<< =
B>> genmove b
B<< = d11
Error: connection closed
"""


def test_commands_alone():
    text = (
        "# a match\n"
        + DUO
        + "cputime\nplay w j5,i6,j6\n\nplay B E10 , e11 # bold\r\n7 play white pass\nquit\n"
    )
    record = game(text, "gtp")
    assert (record.variant, record.format, codes(record), record.broken) == ("duo", "gtp", [], "")
    assert moves(record) == ["2:j5,i6,j6", "1:e10,e11"]
    assert record.events[-1] == Pass(1)


def test_answers_are_the_moves_of_genmove():
    text = "1 set_game Blokus Duo\n=1\n\n2 genmove b\n=2 e10\n\n3 genmove w\n=3 j5\n\n4 genmove b\n= pass\n\n"
    record = game(text, "gtp")
    assert (moves(record), record.events[-1], codes(record)) == (["1:e10", "2:j5"], Pass(0), [])
    assert game(DUO + "play b e10\ngenmove w\n= j5\nplay b d11\n", "gtp").events[1] == record.events[1]


def test_both_sides_between_drawings_and_logs_are_one_game():
    record = game(SIDES, "gtp")
    assert (moves(record), codes(record)) == (["1:e10,f10", "2:j4,j5", "1:d11"], [])
    assert game(SIDES.replace("\n", "\r\n"), "gtp").events == record.events


def test_sides_that_tell_different_games_are_a_warning():
    record = game(SIDES.replace("W>> play b e10,f10", "W>> play b e10,e11"), "gtp")
    assert moves(record) == ["1:e10,f10", "2:j4,j5", "1:d11"]
    assert [(p.code, p.ply) for p in record.problems] == [("sides_differ", 1)]


@pytest.mark.parametrize(
    ("name", "variant", "line", "move"),
    [
        ("Blokus", "classic", "play 1 a20", "1:a20"),
        ("blokus  TWO-player", "classic_2", "play yellow t20", "2:t20"),
        ("Blokus Three-Player", "classic_3", "play 4 a1", "4:a1"),
        ("Blokus Junior", "junior", "play black e10", "1:e10"),
        ("Blokus Trigon", "trigon", "play red r15", "3:r15"),
        ("Blokus Trigon Two-Player", "trigon_2", "play 2 r15,r16", "2:r15,r16"),
        ("Blokus Trigon Three-Player", "trigon_3", "play 3 p14", "3:p14"),
        ("duo", "duo", "play 2 j5", "2:j5"),
    ],
)
def test_every_variant_by_its_name_and_its_colours(name, variant, line, move):
    record = game(f"set_game {name}\n{line}\n", "gtp")
    assert (record.variant, moves(record)) == (variant, [move])


def test_without_a_game_the_caller_says_which():
    assert "--variant" in refusal("play b e10,e11\n", "gtp").message
    assert game("play b e10,e11\n", "gtp", variant="duo").variant == "duo"
    assert "of duo, not of classic" in refusal(DUO + "play b e10\n", "gtp", variant="classic").message


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("set_game Nexos\nplay 1 a1\n", "Nexos"),
        ("set_game Go\nplay b d4\n", "go"),
        ("boardsize 19\nclear_board\nplay b q16\n", "Go"),
        ("komi 6.5\nplay b q16\n", "Go"),
    ],
)
def test_other_games_are_refused_by_name(text, name):
    error = refusal(text, "gtp")
    assert isinstance(error, ForeignGame) and name in error.message


def test_a_new_board_or_game_behind_a_move_begins_a_new_record():
    text = (
        DUO
        + "play b e10\n"
        + "clear_board\nplay b e10,e11\nclear_board\nset_game Blokus\nclear_board\nplay 1 a20\nclear_board\nquit\n"
    )
    items = read_all(text, "gtp")
    assert [(r.variant, moves(r), r.line) for r in items if isinstance(r, GameRecord)] == [
        ("duo", ["1:e10"], 1),
        ("duo", ["1:e10,e11"], 4),
        ("classic", ["1:a20"], 6),
    ]
    assert len(items) == 3
    two = read_all(SIDES + SIDES[SIDES.index("=====") :], "gtp")
    assert [moves(r) for r in two if isinstance(r, GameRecord)] == [moves(game(SIDES, "gtp"))] * 2


def test_a_list_of_commands_is_no_command():
    text = (
        DUO
        + "play b e10\n=\n\nlist_commands\n= boardsize\nclear_board\nplay\nset_game\nundo\n\nplay w j5\n=\n\n"
    )
    assert moves(game(text, "gtp")) == ["1:e10", "2:j5"]
    sided = (
        "B>> set_game Blokus Duo\nB>> play b e10\nB<< =\nB>> list_commands\nB<< = play\nB<< clear_board\n"
        "B<< undo\nB>> play w j5\n"
    )
    assert moves(game(sided, "gtp")) == ["1:e10", "2:j5"]


def test_undo_takes_back_what_was_played_and_what_was_not_answered():
    assert moves(game(DUO + "play b e10\nplay w j5\nundo\nplay w j5,j6\n", "gtp")) == ["1:e10", "2:j5,j6"]
    record = game(DUO + "play b e10\ngenmove w\nundo\nplay w j5\n", "gtp")
    assert (moves(record), codes(record)) == (["1:e10", "2:j5"], [])
    assert moves(game(DUO + "play b e10\n=\n\nundo\n? cannot undo\n\nplay w j5\n", "gtp")) == [
        "1:e10",
        "2:j5",
    ]
    record = game(DUO + "undo\nplay b e10\nundo\n", "gtp")
    assert (record.events, codes(record)) == ([], ["undo"])


def test_a_command_that_the_program_refused_changed_nothing():
    record = game(
        DUO + "play b e10\n=\n\nplay w e10\n? illegal move\n\nplay w j5\n=\n\ngenmove b\n? no time\n\n", "gtp"
    )
    assert moves(record) == ["1:e10", "2:j5"]
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("refused_move", 6, 2)]
    assert "illegal move" in record.problems[0].message


def test_reg_genmove_and_other_answers_move_nothing():
    text = (
        DUO + "play b e10\n=\n\nreg_genmove w\n= j5\n\nall_legal w\n= j5\nj5,j6\n\n"
        "showboard\n=\n 14 . .\n a b\n\nplay w j5,j6\n=\n\n"
    )
    assert moves(game(text, "gtp")) == ["1:e10", "2:j5,j6"]


def test_genmove_without_an_answer_is_told_and_the_game_goes_on_only_where_it_can():
    record = game(DUO + "play b e10\ngenmove w\nplay w j5\n", "gtp")
    assert (moves(record), codes(record)) == (["1:e10", "2:j5"], ["unanswered_genmove"])
    record = game(DUO + "play b e10\ngenmove w\n=\n", "gtp")
    assert (moves(record), codes(record), record.problems[0].line) == (["1:e10"], ["unanswered_genmove"], 4)
    record = game(DUO + "play b e10\ngenmove w\nplay b d11\nplay w j5\n", "gtp")
    assert (moves(record), record.broken) == (["1:e10"], "genmove w\nplay b d11\nplay w j5\n")
    assert [(p.code, p.line) for p in record.problems] == [("broken_transcript", 4)]
    assert "no answer" in refusal(DUO + "genmove b\ngenmove w\n", "gtp").message


def test_colours_that_the_variant_does_not_have():
    error = refusal("set_game Blokus\nplay b a20\nplay w t20\n", "gtp")
    assert isinstance(error, BadRecord) and "classic has no colour 'b'" in error.message
    record = game(DUO + "play b e10\nplay 3 j5\nplay w j5\n", "gtp")
    assert (moves(record), record.broken) == (["1:e10"], "play 3 j5\nplay w j5\n")
    assert codes(record) == ["broken_transcript"]


@pytest.mark.parametrize(
    ("text", "placement"),
    [("o1", OFF_BOARD), ("e10,e99", OFF_BOARD), ("e10,e12", NOT_A_PIECE), ("well done", NOT_A_PIECE)],
)
def test_moves_that_are_none_are_kept_for_the_replay(text, placement):
    record = game(f"{DUO}play b {text}\nplay w j5\n", "gtp")
    first = record.events[0]
    assert isinstance(first, Move)
    assert (first.placement, len(record.events)) == (placement, 2)


def test_an_illegal_move_in_the_middle_stops_there():
    sgf = (
        "(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,i10];W[g8]"
        ";B[f9,g9];W[k4,l4];B[d8,d9];W[m1,m2,m3])"
    ).replace("i10", "h11")
    (record,) = read_blksgf(Chunk(sgf.encode()), ReadOptions())
    assert isinstance(record, GameRecord)
    games = DUO + "play b e10\n" + write(record) + DUO + "play b e10\n"
    items = [item for item in read_all(games, "gtp") if isinstance(item, GameRecord)]
    ((group,), refused) = group_records(items, RuleChoice())
    stops = [stop_of(group, number) for number in range(3)]
    assert stops[1] is not None and (stops[1].ply, stops[1].reason) == (5, "side_contact")
    assert (stops[0], stops[2], refused) == (None, None, [])


@pytest.mark.parametrize(
    ("name", "move", "text", "declared"),
    [
        ("Blokus Duo", "b e10", "B+7", Declared("B+7", 0, 7)),
        ("Blokus Two-Player", "1 a20", "W+12", Declared("W+12", 1, 12)),
        ("Blokus Duo", "b e10", "0", Declared("0", -1)),
        ("Blokus", "1 a20", "12 3 0 5 ", Declared("12 3 0 5", scores=(12, 3, 0, 5))),
        ("Blokus", "1 a20", "12 3 0", Declared("12 3 0")),
    ],
)
def test_the_final_score_is_the_declared_result(name, move, text, declared):
    commands = f"set_game {name}\nplay {move}\n=\n\nfinal_score\n= {text}\n\n"
    assert game(commands, "gtp").declared == declared
    assert game(f"{commands}play {move}\n", "gtp").declared is None, "asked for before the end"


def test_who_resigns_leaves_the_game():
    record = game(DUO + "play b e10\n=\n\ngenmove w\n= resign\n\n", "gtp")
    assert (record.events[-1], record.termination) == (Out(1, "resigned"), "resigned")
    assert game(write(record), "gtp").events == record.events


def test_a_game_that_is_loaded_from_elsewhere_is_broken_there():
    record = game(DUO + "play b e10\nloadsgf x.blksgf\nplay w j5\n", "gtp")
    assert (moves(record), codes(record)) == (["1:e10"], ["broken_transcript"])
    assert "no move" in refusal(DUO, "gtp").message


def test_short_commands_leave_the_colour_to_the_turn():
    record = game("set_game Blokus Duo\np e10\n=\n\ng\n= j5\n\np well\n", "gtp")
    assert moves(record) == ["0:e10", "0:j5"]


def test_written_games_are_read_back_one_after_the_other():
    first = game("(;GM[Blokus Duo];B[e10];W[j5];B[f11,g11])")
    first.events.append(Pass(1))
    second = game("(;GM[Blokus Trigon];1[r15];2[r4,s4])")
    assert read_all(write(first) + write(second), "gtp")[0] == GameRecord("duo", "gtp", first.events, line=1)
    assert [r.events for r in read_all(write(first) + write(second), "gtp") if isinstance(r, GameRecord)] == [
        first.events,
        second.events,
    ]
    illegal = game("(;GM[Blokus Duo];B[e10];W[z9];B[a1,c1])")
    assert game(write(illegal), "gtp").events == illegal.events


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("(;GM[Blokus Duo])", "without a move"),
        ("(;GM[Blokus Duo]AB[e10];W[j5])", "setup"),
        ("(;GM[Blokus Duo]PL[W];W[j5])", "setup"),
        ("(;GM[Blokus Duo]CWRULES[start=any_corner];B[a1])", "rules"),
        ("(;GM[Blokus Duo]RE[W+T];B[e10])", "left"),
        ("(;GM[Blokus Duo];B[what\nis])", "no cells"),
    ],
)
def test_what_a_transcript_cannot_say(text, lacking):
    with pytest.raises(CannotWrite, match=lacking):
        write(game(text))
    with pytest.raises(CannotWrite, match="colour"):
        write(game("66r0\n", "fourcode"))


PARTS = [
    DUO, "clear_board\n", "set_game Blokus\n", "play b e10\n", "play w j5\n", "play 1 a20\n", "genmove b\n",
    "= e10\n", "? no\n", "=\n", "\n", "undo\n", "list_commands\n", "= help\n", "B>> clear_board\n",
    "B>> play b e10\n", "B<< = j5\n", "W>> genmove w\n", "W<< = j5\n", "final_score\n", "= B+3\n", "quit\n",
    "p e10\n", "g\n", "# x\n", "2 play b d9\n", "noise",
]  # fmt: skip


@given(parts=st.lists(st.sampled_from(PARTS), max_size=40), step=st.integers(1, 60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_where_a_transcript_is_cut_changes_nothing(parts, step, monkeypatch):
    data = "".join(parts).encode()
    whole = [repr(item) for chunk in [Chunk(data)] for item in read(chunk, ReadOptions("test"))]
    if not data.strip():
        whole = []
    with monkeypatch.context() as patch:
        patch.setattr(stream, "BLOCK", step)
        patch.setattr("notation.gtp.BLOCK", step)
        patch.setattr(stream, "HEAD", 8)
        assert [repr(item) for item in read_all(data, "gtp", step=step)] == whole
        numbers = [chunk.record for chunk in split(io.BytesIO(data).read)]
        assert numbers == sorted(set(numbers))


def test_an_endless_game_is_refused_and_the_games_before_it_stay():
    first, error = read_all(DUO + "play b e10\n" + DUO + "play b e10\n" * 450_000, "gtp")
    assert isinstance(first, GameRecord)
    assert isinstance(error, BadRecord) and "4 MiB" in error.message
    assert error.where.record == 2


def test_of_a_damaged_source_the_last_game_is_refused():
    chunk = Chunk((DUO + "play b e10\n" + DUO + "play b e1").encode())
    first, error = (item for part in broken_off_games(chunk) for item in read(part, ReadOptions()))
    assert isinstance(first, GameRecord) and isinstance(error, BadRecord)
    assert (error.where.record, error.where.line) == (2, 4)


@pytest.mark.parametrize(
    "line",
    [
        "play b " + "e10," * 100_000,
        "play " * 50_000,
        "=" * 200_000,
        "9" * 100_000 + " play b e10",
        "B>>" * 50_000,
        "play b " + "e" * 200_000,
        "genmove " + " " * 100_000 + "b",
        "=" + "1" * 100_000,
        "play b e1" + "0" * 100_000,
    ],
)
def test_absurd_lines_are_read_in_bounded_time_and_kept_short(line):
    for item in read_all(f"{DUO}play b e10\n{line}\nplay w j5\n", "gtp"):
        assert isinstance(item, GameRecord)
        assert all(len(event.text) <= 200 for event in item.events if isinstance(event, Move))
        assert all(len(problem.message) < 300 for problem in item.problems)
    looks_like(line.encode()[:65536], "")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (DUO + "play b e10\n", True),
        ("# x\n\n1 set_game Blokus\n2 genmove 1\n", True),
        ("name\n= X\n\nplay b e10,e11\n", True),
        ("genmove b\n= e10,e11\n\n", True),
        (SIDES, True),
        ("set_game Nexos\nplay 1 a1\n", True),
        (DUO, False),
        ("boardsize 19\nplay b q16\n", False),
        ("play b q16\nplay w d4\n", False),
        ("Playing\nset_game Blokus Duo\nplay b e10\n", False),
        ("# How to\n\nAn example:\n\nset_game Blokus Duo\nplay b e10,e11\n", False),
        ("# How to\n\n```\nB>> set_game Blokus Duo\nB>> genmove b\nB<< = e10\n```\n", False),
        ("name,age\nplay b e10,e11\n", False),
        ("# gtp\n\nBoth sides:\n\n    B>> set_game Blokus Duo\n    B>> genmove b\n    B<< = e10\n", False),
        ("def play(b):\n    genmove b\n", False),
        ("\n" * 50 + SIDES, False),
        ("play " * 13_000, False),
        (">>" * 30_000, False),
    ],
)
def test_only_transcripts_are_recognised(text, known):
    assert looks_like(text.encode(), "judge.txt") is known


@pytest.mark.archives
@pytest.mark.parametrize("variant", VARIANTS)
def test_reference_games_of_every_variant_come_back(variant):
    found = read_all(archives("reference", f"{variant}.blksgf").read_bytes())[:20]
    games = [item for item in found if isinstance(item, GameRecord)]
    text = "".join(write(record) for record in games)
    again = [item for item in read_all(text, "gtp") if isinstance(item, GameRecord)]
    assert [record.events for record in again] == [record.events for record in games]
    assert {record.variant for record in again} == {variant}
    assert looks_like(text.encode()[:65536], "")
