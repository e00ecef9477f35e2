"""Replays of the Software-Challenge: every oddity of servers and clients, written by the writer beside this file."""

from __future__ import annotations

import json
import random

import pytest

from engine.geometry import geometry, placement_cells, placements_by_cells
from engine.pieces import PIECE_SETS
from engine.position import Position
from engine.rulesets import parse_rules
from notation.moves import move_from_cells, move_from_names
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Event, GameRecord, Move, Pass
from notation.software_challenge import looks_like, read
from notation.software_challenge_codes import VARIANT, kinds, move_of, piece_name
from notation.stream import Chunk, ReadOptions
from tests.notation.reading import codes, game, read_all, refusal
from tests.notation.software_challenge_writer import Style, replay_xml, spellings
from tests.notation.test_identity import identity
from tests.places import archives
from tests.records import O_A2_A, O_A7

FORM = "software_challenge"
TWO = O_A2_A.replace("GM[Blokus]", "GM[Blokus Two-Player]")


def placed(colour: int, *names: str) -> Move:
    return move_from_names(VARIANT, colour, list(names))


SHORT = [
    placed(0, "a20", "b20", "c20", "d20", "e20"),
    placed(1, "t20", "t19", "t18", "t17", "t16"),
    placed(2, "t1", "s1", "r1", "q1", "p1"),
    placed(3, "a1", "a2", "a3", "a4", "a5"),
    placed(0, "f19", "f18"),
]
"""Five legal placements; every colour begins with I5."""


def short(*events: Event, players: tuple[str | None, ...] = ("Ada", "Ben")) -> GameRecord:
    return GameRecord(VARIANT, "x", [*SHORT, *events], list(players))


def back(record: GameRecord, season: int = 2027, **style: object) -> GameRecord:
    """What comes back of a record."""
    return game(replay_xml(record, season, Style(**style)), FORM)  # type: ignore[arg-type]


def random_record(seed: int, start: str, skips: float = 0.1) -> GameRecord:
    """A random finished game with turns that colours let go by although they could move."""
    rng = random.Random(seed)
    position = Position(
        VARIANT, parse_rules(VARIANT, {"start": start, "pass": "voluntary", "end": "max_rounds:25"})
    )
    record = GameRecord(VARIANT, "x", rules={"start": start})
    tables, begun, nominal = geometry(VARIANT), set(), 0
    while not position.is_over:
        colour = nominal
        while not (legal := position.legal_placements(colour).tolist()):
            colour = (colour + 1) % 4
        if colour in begun and rng.random() < skips:
            record.events.append(Pass(colour))
            position.pass_turn(colour)
        else:
            cells = placement_cells(tables, rng.choice(legal))
            begun.add(colour)
            record.events.append(move_from_cells(VARIANT, colour, cells))
            position.play(colour, cells)
        nominal = (colour + 1) % 4
    return record


def test_every_placement_has_its_names_and_every_kind_its_piece():
    assert len(spellings()) == len(placements_by_cells(VARIANT)) == 30_433
    names = PIECE_SETS["polyominoes"].names
    pieces = geometry(VARIANT).placement_piece
    for placement, ways in list(spellings().items())[::37]:
        assert {piece_name(way[0]) for way in ways} == {names[pieces[placement]]}
    listed = "1 2 V3 I3 O T4 I4 L4 Z4 L5 T5 V5 N Z5 I5 P W U F X Y"
    assert " ".join(str(piece_name(kind)) for kind in kinds()) == listed


@pytest.mark.parametrize(
    ("kind", "rotation", "flipped", "x", "y", "cells"),
    [
        ("PENTO_V", "RIGHT", "false", "17", "0", "r18,r19,r20,s20,t20"),  # as in the documentation
        ("PENTO_V", "RIGHT", "true", "17", "0", "t18,t19,r20,s20,t20"),
        ("PENTO_L", "LEFT", "false", "0", "0", "a19,b19,c19,d19,d20"),
        ("PENTO_L", "LEFT", "1", "0", "0", "a19,b19,c19,d19,a20"),
        ("PENTO_L", "MIRROR", "false", "18", "16", "t1,t2,t3,s4,t4"),
        ("PENTO_X", "NONE", "false", "0", "0", "b18,a19,b19,c19,b20"),  # the corner is no cell of it
    ],
)
def test_how_a_piece_is_turned_and_placed(kind, rotation, flipped, x, y, cells):
    assert move_of("BLUE", kind, rotation, flipped, x, y).text == cells


@pytest.mark.parametrize("season", [2021, 2027])
def test_a_game_comes_back(season):
    record = short()
    again = back(record, season)
    assert again.events == record.events
    assert again.players == ["Ada", "Ben"]
    assert again.rules == {
        "start": "any_corner" if season == 2021 else "any_border",
        "pass": "voluntary",
        "end": "max_rounds:25",
        "scoring": "online",
    }
    assert again.headers["season"] == str(season)
    assert again.headers["start_piece"] == "PENTO_I"
    assert again.headers["room"] == Style().room
    assert (again.problems, again.broken) == ([], "")


@pytest.mark.parametrize("season", [2021, 2027])
@pytest.mark.parametrize(
    "style",
    [
        {"aliases": True},
        {"breaks": False},
        {"repeats": 3},
        {"frozen_turns": True},
        {"stale_states": True},
        {"requests": True},
        {"early": True},
        {"flipped": "is_flipped"},
        {"spelling": 1},
        {"spelling": 5, "flipped": "is_flipped"},
        {"result": False},
        {"requests": True, "stale_states": True, "repeats": 2, "breaks": False},
    ],
    ids=str,
)
def test_no_oddity_changes_the_game(season, style):
    record = game(TWO)
    again = back(record, season, **style)
    assert again.events == record.events
    assert set(codes(again)) <= {"start_piece"}  # the colours of this game begin with different pieces


@pytest.mark.parametrize("season", [2021, 2027])
@pytest.mark.parametrize("style", [{}, {"requests": True}, {"repeats": 2}, {"stale_states": True}], ids=str)
def test_skips_of_colours_that_could_move_come_back(season, style):
    record = random_record(season, "any_corner" if season == 2021 else "any_border")
    assert sum(isinstance(event, Pass) for event in record.events) > 5
    assert back(record, season, **style).events == record.events


def test_skips_that_name_no_colour_belong_to_the_colour_on_turn():
    record = short(Pass(1), Pass(2), placed(3, "b6", "b7"))
    again = back(record, nameless_skips=True)
    assert again.events == [*SHORT, Pass(ANY_COLOUR), Pass(ANY_COLOUR), record.events[-1]]


def test_a_skip_shown_again_in_the_next_state_is_one_skip():
    states = "".join(
        f'<state turn="{turn}" startPiece="PENTO_I"><lastMove class="skipmove"><color>RED</color></lastMove></state>'
        for turn in (3, 3, 4, 7, 11)
    )
    assert game(f"<protocol>{states}</protocol>", FORM).events == [Pass(2)] * 3


def test_a_turn_that_stands_still_with_another_move_counts():
    data = replay_xml(short(), 2027).decode()
    for turn in range(2, 6):
        data = data.replace(f'turn="{turn}"', 'turn="1"')
    assert game(data, FORM).events == SHORT


def test_sent_moves_are_the_game_where_no_state_has_one():
    data = replay_xml(short(), 2021, Style(requests=True, result=False)).decode()
    start, end = '<data class="memento">', "</data>"
    while start in data:
        at = data.index(start)
        data = data[:at] + data[data.index(end, at) + len(end) :]
    again = game(data, FORM)
    assert (again.events, again.headers["season"]) == (SHORT, "2021")


def test_messages_without_a_protocol_around_them():
    rooms = replay_xml(short(), 2027).decode().removeprefix("<protocol>").removesuffix("</protocol>")
    assert game(rooms, FORM).events == SHORT
    move = (
        '<data class="setmove"><piece color="{}" kind="MONO" rotation="NONE" isFlipped="false"><position x="{}" y="0"/>'
        "</piece></data>"
    )
    record = game(move.format("BLUE", 0) + move.format("YELLOW", 19), FORM)
    assert record.events == [placed(0, "a20"), placed(1, "t20")]
    elements = move.replace('<data class="setmove">', "<sc.plugin2021.SetMove>").replace(
        "</data>", "</sc.plugin2021.SetMove>"
    )
    record = game(elements.format("BLUE", 0) + elements.format("YELLOW", 19), FORM)
    assert (record.events, record.headers) == ([placed(0, "a20"), placed(1, "t20")], {"season": "2021"})


def test_a_move_that_was_sent_and_refused_is_no_move():
    data = replay_xml(short(), 2021, Style(requests=True, error="Ungültiger Zug")).decode()
    piece = '<piece color="YELLOW" kind="MONO" rotation="NONE"><position x="9" y="9"/></piece>'
    sent = f'<room roomId="{Style().room}"><data class="setmove">{piece}</data></room>'
    data = data.replace("<room", f"{sent}<room", 1)
    record = game(data, FORM)
    assert record.events == SHORT
    assert codes(record) == ["unconfirmed_move"]
    assert record.headers["error"] == "Ungültiger Zug"


def test_several_rooms_are_several_games():
    first, second = short(), GameRecord(VARIANT, "x", SHORT[:2])
    one = replay_xml(first, 2027, Style(room="a")).decode()
    two = replay_xml(second, 2027, Style(room="b")).decode()
    both = one.removesuffix("</protocol>") + two.removeprefix("<protocol>")
    found = [item for item in read_all(both, FORM) if isinstance(item, GameRecord)]
    assert [record.events for record in found] == [SHORT, SHORT[:2]]
    assert [record.headers["room"] for record in found] == ["a", "b"]
    again = [item for item in read_all(one + two.replace('"b"', '"a"'), FORM) if isinstance(item, GameRecord)]
    assert [record.events for record in again] == [SHORT, SHORT[:2]]


def test_a_first_piece_that_is_not_the_start_piece_is_a_warning():
    record = back(short(), start_piece="PENTO_V")
    assert record.headers["start_piece"] == "PENTO_V"
    assert [(p.code, p.ply) for p in record.problems] == [("start_piece", ply) for ply in (1, 2, 3, 4)]
    assert "yellow begins with PENTO_I" in record.problems[1].message


def test_moves_that_are_missing_are_told():
    data = replay_xml(short(), 2027, Style(breaks=False)).decode()
    head, *states, end = data.split('<room roomId="')
    late = "".join(f'<room roomId="{part}' for part in [states[-2], end])
    assert codes(game(f"<protocol>{late}", FORM)) == ["begins_late"]
    gap = data.replace('turn="5"', 'turn="9"')
    assert codes(game(gap, FORM)) == ["gap"]
    assert head == "<protocol>"


def test_unreadable_moves_are_kept():
    def one(kind="MONO", rotation="NONE", colour="BLUE", x="0", y="0"):
        piece = (
            f'<piece color="{colour}" kind="{kind}" rotation="{rotation}"><position x="{x}" y="{y}"/></piece>'
        )
        (move,) = game(
            f'<protocol><state turn="1" startPiece="MONO"><lastMove>{piece}</lastMove></state>', FORM
        ).events
        return move

    assert one() == placed(0, "a20")
    assert one("mono", "left", "blue", " 19 ", "+19") == placed(0, "t1")
    assert one(colour="") == placed(ANY_COLOUR, "a20")
    for wrong in (one("PENTO_Q"), one("HEXO"), one(rotation="UP"), one(colour="PINK"), one(kind="")):
        assert (wrong.cells, wrong.placement) == ((), NOT_A_PIECE)
    for x in ("20", "-1", "9" * 5000, "", "1.5", "NaN", "\u0663", "1e3"):
        wrong = one(x=x)
        assert (wrong.cells, wrong.placement) == ((), OFF_BOARD)
        assert len(wrong.text) < 200
    assert one("PENTO_I", x="0", y="16").placement == OFF_BOARD


def test_the_name_of_a_replay_tells_date_and_season():
    data = replay_xml(short(), 2027, Style(aliases=True))
    data = data.replace(b'startTeam="ONE" ', b"")
    for source, season, date in (
        ("a/replay_swc_2021_blokus_2021-05-30_23-59-01_My_Bot_Other.xml", "2021", "2021-05-30 23:59:01"),
        ("x.zip!b/replay_swc_2027_blokus_2026-11-03_01-02-03_A_B.xml.gz", "2027", "2026-11-03 01:02:03"),
        ("replay.xml", "2027", None),
    ):
        (record,) = read(Chunk(data), ReadOptions(source))
        assert isinstance(record, GameRecord)
        assert (record.headers.get("season"), record.headers.get("date")) == (season, date)
        assert record.rules["start"] == ("any_corner" if season == "2021" else "any_border")


def test_early_settings_of_2021():
    data = replay_xml(short(), 2021, Style(early=True)).decode()
    assert game(data, FORM).setup.to_move is None
    assert game(data.replace("<startColor>BLUE", "<startColor>RED"), FORM).setup.to_move == 2
    assert (
        game(data.replace('class="team">ONE</startTeam', 'class="team">TWO</startTeam'), FORM).headers[
            "start_team"
        ]
        == "TWO"
    )


def test_refusals_of_what_is_no_game():
    assert "classic_2" in refusal(replay_xml(short()), FORM, variant="duo").message
    assert "no game in the protocol" in refusal("<protocol><room roomId='1'/></protocol>", FORM).message
    assert "no game in the XML" in refusal("<html><br></html>", FORM).message
    assert read_all(" \n", FORM) == []
    other = refusal(
        '<protocol><room roomId="1"><data class="memento"><state turn="1"><lastMove class="sc.plugin2025.Advance"/>',
        FORM,
    )
    assert (other.code, "season 2025" in other.message) == ("other_game", True)
    piranhas = '<protocol><join gameType="swc_2019_piranhas"/><room roomId="1"><data class="memento"><state turn="0"/>'
    assert "piranhas" in refusal(piranhas, FORM).message


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('<protocol><room roomId="x">', True),
        ('<?xml version="1.0"?>\n<!-- x -->\n<protocol>\n<joined roomId="x"/>', True),
        ("<protocol><state startPiece='MONO'/>", True),
        ('<room roomId="x"><data class="memento">', True),
        ('<data class="sc.plugin2021.SkipMove"/>', True),
        ('<!DOCTYPE protocol [<!ENTITY a "b">]><protocol><room roomId="x"/>', True),
        ("<protocol>", False),
        ("<protocol><message>roomId</message>", False),
        ("<protocols><room roomId='x'>", False),
        ("<room><data class='memento'>", False),
        ("<data class='table'/>", False),
        ("<html><body><pre>&lt;protocol&gt;<room roomId='x'>", False),
        ("See <protocol><room roomId='x'>", False),
        ('# notes\n<protocol><room roomId="x">', False),
        ("<!DOCTYPE html><html>", False),
        ("<svg xmlns='x'/>", False),
        (json.dumps({"a": "<protocol><room roomId='x'>"}), False),
        ("", False),
    ],
)
def test_which_files_are_taken(text, taken):
    assert looks_like(text.encode(), "replay.xml") is taken


@pytest.mark.archives
@pytest.mark.parametrize("season", [2021, 2027])
def test_reference_games_keep_their_identity(season):
    records = read_all(archives("reference", "classic_2.blksgf").read_bytes())[:20]
    for number, record in enumerate(records):
        assert isinstance(record, GameRecord)
        again = back(record, season, spelling=number)
        assert identity(again) == identity(record)
        assert again.players == record.players


@pytest.mark.parametrize(
    ("season", "start"), [(2021, "any_corner"), (2027, "any_border"), (2027, "any_corner")]
)
def test_random_games_keep_their_identity(season, start):
    for seed in range(3):
        record = random_record(seed, start)
        assert identity(back(record, season, spelling=seed)) == identity(record)


def test_a_game_of_two_players_with_four_colours():
    record = game(O_A7)
    again = back(record, 2027)
    assert identity(again) == identity(record)
    assert again.declared is not None
    assert (again.declared.winner, again.declared.margin, again.declared.scores) == (0, 1, (136, 135))
