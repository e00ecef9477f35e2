"""Whole games in the forms that write pieces and not cells: they are the games that cells tell."""

from __future__ import annotations

from functools import cache

import pytest

from notation.fourcode import write as write_fourcode
from notation.gtp import write as write_gtp
from notation.identity import game_id
from notation.metablok_codes import PIECES, move_of
from notation.record import GameRecord, Move
from pipeline.judged import RuleChoice, group_records, is_over, resolved_colours, stop_of
from tests.notation.reading import game

# Two positions in which only one Z of four cells can be laid, of opposite handedness (O-A4).
LEFT_Z = """(;GM[Blokus Duo]CA[UTF-8];B[d10,e10,f10,d11,f11];W[h3,h4,i4,i5,j5];B[g9,h9,i9,j9,k9];W[l2,l3,k4,l4,l5]
;B[m5,m6,m7,l8,m8];W[e5,f5,g5,g6,h6];B[n9,l10,m10,n10,n11];W[i7,k7,i8,j8,k8];B[k11,j12,k12,l12,m12]
;W[d7,e7,f7,d8,d9];B[e12,e13,e14,f14,g14];W[c3,b4,c4,d4,b5];B[c12,a13,b13,c13,b14];W[d1,e1,e2,e3,f3]
;B[a7,b7,b8,c8,c9];W[g1,h1,i1,j1,k1];B[h11,h12,h13,i13,i14];W[b10,c10,b11,c11,b12];B[c5,d5,c6,d6,e6]
;W[m1,n1,n2,n3,n4];B[g3,e4,f4,g4];W[d12,d13,c14,d14];B[b1,b2,c2,d2,d3];W[a1,a2,a3];B[h2,i2,j2,i3];W[l9,m9]
;B[a9,a10,a11];W[i10,j10,k10,j11];B[n13,m14,n14];W[n8];B[f1,f2];B[j4];B[k5,j6,k6,j7])"""
RIGHT_Z = """(;GM[Blokus Duo]CA[UTF-8];B[e10,d11,e11,f11,d12];W[i3,j3,k3,j4,j5];B[c9,d9,a10,b10,c10];W[i6,i7,g8,h8,i8]
;B[b6,a7,b7,c7,b8];W[g2,h2,f3,g3,f4];B[g9,i9,g10,h10,i10];W[k6,k7,l7,m7,m8];B[d5,e5,f5,g5,d6];W[m3,n3,n4,n5,n6]
;B[g12,h12,g13,h13,g14];W[d7,e7,f7,c8,d8];B[c2,d2,e2,c3,c4];W[j9,k9,j10,k10,k11];B[c13,b14,c14,d14,e14]
;W[n9,n10,n11,n12,n13];B[j11,j12,k12,k13,l13];W[b4,a5,b5,c5,c6];B[j7,j8,k8,l8,l9];W[i11,i12,i13,j13,i14]
;B[f1,g1,h1,i1,j1];W[a1,a2,b2,a3];B[k2,l2,m2,l3,l4];W[c1,d1,e1];B[h3,h4,i4,i5];W[e9,f9,f10];B[m10,l11,m11,m12]
;W[l14,m14];B[a12,b12,a13];W[d10];B[m5,m6];W[a11,b11,c11,c12];B[k5];W[e12,f12,d13,e13])"""
# The fifth placement touches its own colour side to side; the later ones would fit without it (O-B4).
ILLEGAL = """(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,h11];W[g8]
;B[f9,g9];W[k4,l4];B[d8,d9];W[m1,m2,m3])"""


@cache
def _metablok_moves() -> dict[tuple[int, ...], str]:
    out = {}
    for piece in range(PIECES):
        for x in range(-2, 14):
            for y in range(-2, 14):
                for way in range(8):
                    move = move_of(piece, x, y, way // 2, way % 2)
                    out[move.cells] = f"Move {piece} {x} {y} {way // 2} {way % 2}"
    return out


@cache
def _inputs() -> dict[tuple[int, ...], str]:
    names = [
        "I1",
        "I2",
        "I3",
        "V3",
        "I4",
        "L4",
        "O4",
        "T4",
        "Z4",
        "F",
        "I5",
        "L5",
        "N",
        "P",
        "T5",
        "U",
        "V5",
        "W",
        "X",
    ]
    ways = ["", "r", "r r", "r r r", "f", "f r", "f r r", "f r r r"]
    lines = [
        f"{name} {way} p {x} {y}"
        for name in [*names, "Y", "Z5"]
        for way in ways
        for x in range(14)
        for y in range(14)
    ]
    out = {}
    for at in range(0, len(lines), 10_000):
        part = lines[at : at + 10_000]
        events = game("\n".join(part), "ui_script").events
        out |= {
            event.cells: line for event, line in zip(events, part, strict=True) if isinstance(event, Move)
        }
    return out


def _written(record: GameRecord, form: str) -> str:
    """A game in another form, whose readers then have to find the colours."""
    moves = [event for event in record.events if isinstance(event, Move)]
    if form == "metablok":
        head = ["Number_Of_Players 2", "Size_Of_Board 14", "Start_Tile 0 4 4", "Start_Tile 1 9 9"]
        return "\n".join([*head, *(_metablok_moves()[move.cells] for move in moves)])
    if form == "ui_script":
        return "\n".join(_inputs()[move.cells] for move in moves)
    bare = GameRecord("duo", "test", [move._replace(colour=-1) for move in moves])
    return write_gtp(record) if form == "gtp" else write_fourcode(bare)


@pytest.mark.parametrize("form", ["gtp", "fourcode", "metablok", "ui_script"])
@pytest.mark.parametrize(
    ("text", "over", "stop"), [(LEFT_Z, True, 0), (RIGHT_Z, True, 0), (ILLEGAL, False, 5)]
)
def test_a_game_in_every_form_is_one_game_with_one_verdict(text, over, stop, form):
    first = game(text)
    again = game(_written(first, form), form)
    identities = set()
    for record in (first, again):
        ((group,), refused) = group_records([record], RuleChoice())
        found = stop_of(group, 0)
        assert refused == []
        assert (found and (found.ply, found.reason)) == ((stop, "side_contact") if stop else None)
        assert is_over(group, 0) is over
        moves = [event for event in record.events if isinstance(event, Move)]
        identities.add(game_id("duo", record.setup, moves, resolved_colours(group, 0, found)))
    assert len(identities) == 1
