"""Files that lie beside games or look like them are named, and none is taken for a game."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from notation.errors import ForeignGame, NotARecord, NotationError
from notation.formats import Format
from notation.look_alikes import text_kind
from notation.sniff import sniff
from tests.notation.reading import game, refusal

BGA = {
    "status": 1,
    "data": {"logs": [{"data": [{"type": "x", "log": "${p} plays", "args": {}}]}], "players": []},
}


def archive(name: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(name, b"\x93NUMPY")
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (json.dumps(BGA), "", "Board Game Arena"),
        (json.dumps(BGA, indent=1), "", "a sample would help"),
        ("P0 plays 17 (Index 8123)\nP1 plays 3 (Index 400)\nP0 passes.\n", "", "OpenSpiel"),
        ("Loading\nblock=e x=4 y=5 rotation=6 packed=0x2645\n", "", "read a code"),
        ("monomino;(0, 0);north\n", "", "colosseumrl"),
        ('["tetromino_2;(10, 3);northwest", ""]', "", "colosseumrl"),
        ("game=/lud/board/space/territory/Blokus.lud\nRNG internal state=1,2\nMove=[x]\n", "", "Ludii"),
        ("A00 3 4\nK13 10 2\n", "", "CodinGame"),
        ("0: Start P0\n1: OnBoard 3 4 2 10 7\n", "", "boardspace.net"),
        ("OnBoard 3 4 2 10 7\nDone\n", "", "boardspace.net"),
        ("1:58,2:58,3:58,4:58,1:219,2:120,3:114,4:237\n", "1234_PossMoves.txt", "possible moves"),
        ("2:58,3:58,4:23,2:114\n", "", "possible moves"),
        ("something of its own\n", "final/Game1.BLK", "Sjoerd Meyer"),
        (b"\x00\x01\x02", "game1.blk", "Sjoerd Meyer"),
        (b"\x00\x01\x02", "game1.bin", "binary"),
        (archive("actions.npy"), "dev_5000.npz", "AlphaBlokus"),
        (b"\x93NUMPY\x01\x00", "actions.npy", "AlphaBlokus"),
        (archive("readme.txt"), "x", "(zip)"),
        (archive("[Content_Types].xml"), "League.xlsx", "save its sheet as CSV"),
        ("rank;player\n1;Ada\n", "standings.CSV", "a table without a column of moves"),
        ("rank\tzug\n1\ta1\n", "games.tsv", "--columns"),
    ],
)
def test_what_looks_like_a_game_is_named(data, name, says):
    found = sniff(data.encode() if isinstance(data, str) else data, name)
    assert isinstance(found, NotARecord)
    assert says in found.message


def test_files_of_possible_moves_are_no_boards_even_where_the_caller_says_so():
    found = sniff(b"1:58,2:58,3:58,4:58\n", "1111PossMoves.txt", forced="final_boards")
    assert isinstance(found, NotARecord) and "possible moves" in found.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(;GM[1]FF[4]SZ[19];B[pd];W[dp])", "Go"),
        ("(;FF[4]SZ[19]KM[6.5];B[pd];W[dp])", "Go"),
        ("(;GM[2];B[d3])", "Othello"),
        ("(;GM[3];B[e2e4])", "chess"),
        ("(;GM[18];B[a1])", "Amazons"),
        ("(;GM[21];B[a1])", "Twixt"),
        ("(;GM[40];B[a1])", "Kropki"),
        ("(;GM[41];B[a1])", "another game"),
        ("(;GM[0];B[a1])", "another game"),
        ("(;GM[Universe]VV[1]SU[blokus-duo 1234 2 100];P0[0 Start P0])", "boardspace.net"),
        ("(;GM[blokus]RE[0.02,-0.1,0.3,0.1];B[1234];W[567];R[12];G[PASS])", "minizero"),
    ],
)
def test_other_games_in_the_syntax_are_refused_by_name(text, says):
    error = refusal(text)
    assert isinstance(error, ForeignGame)
    assert says in error.message


def test_a_game_without_moves_of_a_web_application_stays_an_empty_game():
    record = game("(;GM[Blokus Two-Player]CA[UTF-8])")
    assert (record.variant, record.events) == ("classic_2", [])


def test_moves_under_words_are_read_and_named():
    record = game("(;GM[Blokus];BLUE[a20][b20][b19];YELLOW[t20];RED[t1];GREEN[a1];BLUE[c18][c17])")
    assert len(record.events) == 5
    assert "Pentobi 0.1" in record.problems[0].message


LONG = (
    "1",
    "a ",
    "P0 ",
    "block=",
    "\n",
    '{"logs":',
    "[",
    "(",
    "a;(",
    "<",
    "game=",
    "1 1 1\n",
    "1. F - ",
    "K8u",
    "/*",
    "+",
    "~",
)


@pytest.mark.parametrize("text", LONG)
def test_naming_ends_on_heads_made_to_be_looked_through_again_and_again(text):
    whole = text * (65536 // len(text))
    assert isinstance(sniff(whole.encode(), "x"), Format | NotationError)
    assert text_kind(whole) is None or text_kind(whole)
