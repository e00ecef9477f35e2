"""A session of the Go Text Protocol, with a greedy player in the place of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.variants import VARIANTS
from pipeline.gtp_session import GtpSession
from tests.stand_in import session

FIRST = "e10,e11,e12,f12,g12"


def say(served: GtpSession, line: str) -> str:
    """A good answer, without its sign."""
    said = served.respond(line)
    assert said is not None and said.startswith("= ") and said.endswith("\n\n"), (line, said)
    return said[2:-2]


def refusal(served: GtpSession, line: str) -> str:
    said = served.respond(line)
    assert said is not None and said.startswith("? "), (line, said)
    return said[2:-2]


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_game_of_every_variant_to_its_end(variant_id: str) -> None:
    served = session()
    assert say(served, f"set_game {VARIANTS[variant_id].name}") == ""
    moves = []
    while (move := say(served, "g")) != "pass":
        moves.append(move)
    assert len(moves) == len(served.game.moves) > 20
    assert served.game.over
    words = say(served, "final_score")
    colours = len(VARIANTS[variant_id].colours)
    assert words[:2] in ("B+", "W+") or words == "0" or len(words.split()) == colours
    # A second program that is told the moves sees the same game.
    twin = session(variant_id)
    for move in moves:
        assert say(twin, f"p {move}") == ""
    assert say(twin, "final_score") == words
    assert twin.game.position.key == served.game.position.key
    for name in VARIANTS[variant_id].colours:
        assert say(served, f"genmove {name}") == "pass"
        assert say(served, f"all_legal {name}") == ""


def test_moves_out_of_turn_and_taking_back() -> None:
    served = session()
    assert say(served, f"play b {FIRST.upper()}") == ""
    before = served.game.position.key
    again = say(served, "reg_genmove b")
    assert served.game.position.key == before
    assert say(served, "genmove b") == again, "the same colour once more: the other one lets its turn go by"
    assert len(served.game.moves) == 2
    assert say(served, "undo") == ""
    assert served.game.position.key == before
    assert say(served, "undo") == ""
    assert refusal(served, "undo") == "cannot undo"
    assert len(say(served, "all_legal b").split("\n")) == 414


def test_what_is_refused_changes_nothing() -> None:
    served = session()
    say(served, f"play b {FIRST}")
    before = served.game.position.key
    for line, why in (
        ("play w e10", "illegal move: a cell is occupied"),
        ("play w a1", "illegal move: the first piece of a colour must cover a starting cell"),
        ("play w zz9", "invalid move"),
        ("play w e10,e10", "invalid move"),
        ("play w", "missing argument 2"),
        ("play red j5", "invalid color argument 'red'"),
        ("play w pass", "illegal move: this colour can move"),
        ("genmove", "missing argument 1"),
        ("genmove red", "invalid color argument 'red'"),
        ("set_game Go", "invalid argument: there is no game 'Go'"),
        ("set_random_seed x", "argument 1 ('x') is no number from 0"),
        ("param simulations 0", "no budget: 0"),
        ("param simulations", "usage: param, param simulations NUMBER, param budget WORD, param seed NUMBER"),
        ("clear_board x", "no arguments allowed"),
        ("loadsgf /nowhere/x", "could not open '/nowhere/x'"),
        ("savesgf /nowhere/x", "No such file or directory"),
        ("foo", "unknown command (foo)"),
        ("12", "unknown command ()"),
    ):
        said = served.respond(line)
        assert said is not None
        assert said.lstrip("?12").strip() == why and said.startswith("?"), line
    assert served.game.position.key == before
    assert served.respond("x" * 200_000) == "? the line is too long\n\n"
    assert served.respond("# nothing") is None


def test_a_player_that_fails_does_not_end_the_session() -> None:
    served = session()

    class Broken:
        def choose(self, position: object, simulations: int) -> int:
            raise ZeroDivisionError("division by zero")

    served._chooser = Broken()
    assert refusal(served, "genmove b") == "internal error (ZeroDivisionError: division by zero)"
    assert say(served, f"play b {FIRST}") == ""


def test_games_are_saved_and_loaded_up_to_a_move(tmp_path: Path) -> None:
    served = session("classic_2")
    moves = [say(served, "g") for _ in range(6)]
    path = tmp_path / "a game.blksgf"
    say(served, f"savesgf {path}")
    other = session()
    say(other, f"loadsgf {path}")
    assert other.game.position.key == served.game.position.key
    say(other, f"loadsgf {path} 3")
    assert [move.text for move in other.game.moves] == moves[:2], "the position before move 3"


def test_rules_hold_for_every_game_they_fit() -> None:
    served = session("duo", start="any_corner")
    assert say(served, "play b a1,b1,c1") == ""
    assert say(served, "clear_board") == ""
    assert say(served, "play b a14,b14,c14") == ""
    assert say(session("duo", scoring="net"), "final_score") == "0"
    served = session("duo", end="first_blocked")
    assert refusal(served, "set_game Blokus").startswith("end rule 'first_blocked' is for two seats")


def test_what_a_program_asks_first() -> None:
    served = session()
    assert say(served, "name") == "Cornerwise"
    assert say(served, "protocol_version") == "2"
    commands = say(served, "list_commands").split()
    assert {"genmove", "play", "undo", "final_score", "showboard", "quit"} <= set(commands)
    assert [say(served, f"known_command {name}") for name in ("genmove", "boardsize")] == ["true", "false"]
    assert float(say(served, "cputime")) >= 0
    assert say(served, "param") == "simulations 100\nseed 1"
    say(served, "param simulations 7")
    assert say(served, "param").startswith("simulations 7")
    assert "first to move" in say(served, "showboard")
    say(served, "quit")
    assert served.done
