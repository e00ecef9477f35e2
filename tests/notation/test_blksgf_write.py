from __future__ import annotations

import pytest

from notation.blksgf_write import write
from notation.errors import CannotWrite
from notation.moves import move_from_names
from notation.record import Declared, GameRecord, Move, Out, Pass
from tests.notation.reading import game, moves


def written(text: str) -> str:
    """A record read and written; reading it again must give the same."""
    record = game(text)
    out = write(record)
    again = game(out)
    again.line = record.line
    again.problems = record.problems
    assert again == record
    return out


def test_cells_are_written_row_by_row_and_the_game_a_line():
    assert (
        write(game("(;GM[Blokus Duo];B[F10,e10];W[j5])")) == "(;GM[Blokus Duo]CA[UTF-8];B[e10,f10];W[j5])\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[Blokus Duo])",
        "(;GM[Blokus Trigon Three-Player]DT[2020]P1[A\\]b]P3[C\\\\]RE[3+2];1[p14];2[p3];3[h11])",
        "(;GM[Blokus Two-Player]PB[Ada]RE[W+R]XY[a\\]][b];1[a20])",
        "(;GM[Blokus]A1[a20,b20][c19]A4[a1]PL[2];2[t20])",
        "(;GM[Blokus Duo]C[root\nnote]N[x];B[e10]C[n4\\\\\\\\]BM[2];W[j5]BL[1]WL[2.5])",
        "(;GM[Blokus Duo];B[e10](;W[j5](;B[f11])(;B[d9];W[k6]))(;W[j5,j4];B[f9])(;W[i5]))",
        "(;GM[Blokus Duo];B[e10](;)(;W[j5]))",
        "(;GM[Blokus Duo];B[e10];AB[a1]C[oops];W[j5])",
        "(;GM[Blokus Duo];B[e10];W[z99];B[e10,e10])",
        "(;GM[Blokus]CWRULES[teams=yes]CWEND[abandoned]CWPENALTY[yes]CWHEAD[a b][c];1[a20]CWEVAL[[1\\]];CWOUT[2:time])",
        "(;GM[Blokus Duo]RE[B+T];B[e10];CWOUT[1:time];W[j5])",
        "(;GM[Blokus Duo];B[e10];CWPASS[W]C[thinks];B[f11];CWPASS[W];CWPASS[])",
        "(;GM[Blokus Duo]CWEND[normal]RE[W+R];B[e10];W[j5])",
    ],
)
def test_what_is_read_is_written_back(text):
    written(text)


def test_passes_that_the_colours_tell_are_left_out():
    record = game("(;GM[Blokus Duo];B[e10];W[];B[f11];W[])")
    out = write(record)
    assert "[]" not in out
    assert ";B[e10];B[f11];CWPASS[W]" in out
    assert moves(game(out)) == moves(record)


def test_a_variation_after_a_pass_stays_before_the_next_move():
    record = game("(;GM[Blokus Duo];B[e10];W[](;B[f11])(;B[d9]))")
    assert moves(game(write(record))) == ["1:e10", "1:f11"]
    assert game(write(record)).branches[0].text == "(;B[d9])"


def test_headers_of_other_formats_survive():
    record = GameRecord(
        "duo", "x", headers={"engine seed": "7]", "date": "2020", "sgf:X1": "a][b", "sgf:bad id": "]"}
    )
    assert game(write(record)).headers == record.headers


def test_what_the_format_cannot_hold():
    move = move_from_names("duo", -1, ["e10"])
    with pytest.raises(CannotWrite, match="colour"):
        write(GameRecord("duo", "fourcode", events=[move]))
    with pytest.raises(CannotWrite, match="55z0"):
        write(GameRecord("duo", "fourcode", events=[Move(0, (), -2, "55z0")]))
    with pytest.raises(CannotWrite, match="evaluation"):
        write(GameRecord("duo", "x", events=[move._replace(colour=0)], evaluations={0: float("nan")}))


def test_a_text_that_is_no_sgf_cannot_break_the_tree():
    record = GameRecord("duo", "x", events=[Pass(0), Out(1, "time")], broken="24b2\n(;;[")
    record.declared = Declared("]];W[j5]\\")
    again = game(write(record))
    assert (again.events, again.broken, again.declared) == (record.events, "", record.declared)
