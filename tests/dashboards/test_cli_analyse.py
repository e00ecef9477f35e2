"""`analyse`, `mistakes`, and what `show` and `export --annotate` make of judged games."""

from __future__ import annotations

import pytest

from notation.record import GameRecord, Move
from pipeline import move_quality
from tests import records
from tests.dashboards.running import Cli, record_of
from tests.notation.reading import read_all

NOTED = (
    "(;GM[Blokus Duo]PB[Ada]PW[Ben];B[e10,e11,f11,f12,g12]C[Said by Ada]BM[1];W[j5];B[d8,d9]TE[1];W[k6,l7])"
)
"""The last move is no piece: judged as far as it is legal."""


@pytest.fixture
def played(cli: Cli) -> Cli:
    """The two-player game of the reports, with names, and a short odd one with notes."""
    cli.put("in/a7.blksgf", records.O_A7.replace("CA[UTF-8]", "CA[UTF-8]PB[Ada]PW[Ben]"))
    cli.put("in/noted.blksgf", NOTED)
    cli.ok("import", "in")
    return cli


def test_a_library_is_judged_shown_listed_and_exported(played: Cli) -> None:
    found = played.json("analyse", "--all", "--budget", 5, "--jobs", 1)
    assert (found["games"], found["left_out"], found["budget"]) == (2, 1, "5")
    assert {row["player"] for row in found["players"]} == {"Ada", "Ben"}
    (baseline,) = [row for row in found["baselines"] if row["variant"] == "classic_2"]
    assert (baseline["games"], baseline["guess"], baseline["accuracy"]) == (1, 1, 1.0)
    again = played.ok("analyse", "--all", "--budget", 5)
    assert "2 games judged already" in again.err
    assert "the colour alone, guessing that seat 1 wins, is right in 100 % of 1 game" in again.out
    assert "not counted: 1 illegal" in again.err
    (row,) = played.games("--variant", "classic_2")
    _shows(played, row["id"])
    _lists(played, row["short"])
    _exports(played, row["id"])


def _shows(played: Cli, identity: str) -> None:
    game = played.json("show", identity)
    analysis = game["analysis"]
    assert [move["ply"] for move in analysis["moves"]] == [move["ply"] for move in game["moves"]]
    assert [move["played_move"] for move in analysis["moves"]] == [move["move"] for move in game["moves"]]
    for seat in analysis["seats"]:
        parts = seat["balance_points"]
        assert parts["result"] == {1: -42, 2: -43}[seat["seat"]]
        total = parts["start"] - parts["losses"] + parts["gifts"] + parts["reevaluation"] + parts["events"]
        assert total == pytest.approx(parts["result"])
    text = played.ok("show", identity).out
    assert "lost %" in text
    assert "share of the result, in percent, from the first position to the last:" in text
    wrong = [move for move in analysis["moves"] if move["comment"]]
    assert wrong
    assert {move["label"] for move in wrong} <= set(move_quality.ERRORS)
    for move in wrong:
        assert f"ply {move['ply']}. {move['label'].capitalize()}: " in text
        assert f"Better: {move['best_piece']} {move['best_move']} (" in move["comment"]["text"]
        assert move["comment"]["text"] in text


def _lists(played: Cli, short: str) -> None:
    page = played.json("mistakes", "--worse-than", 0.1, "--limit", 0)
    losses = [row["loss_share"] for row in page["mistakes"]]
    assert losses == sorted(losses, reverse=True)
    assert page["total"] == len(losses) > 0
    assert min(losses) >= 0.1
    assert not any(row["unclear"] for row in page["mistakes"])
    assert {row["short"] for row in page["mistakes"]} == {short}
    everybody = played.json("mistakes", "--unclear", "--worse-than", 0, "--limit", 0)
    ada = played.json("mistakes", "--player", "ada", "--unclear", "--worse-than", 0, "--limit", 0)
    assert {row["player"] for row in ada["mistakes"]} == {"Ada"}
    assert page["total"] < ada["total"] < everybody["total"]
    assert played.json("mistakes", "--unclear", "--odd", "--worse-than", 0)["total"] > everybody["total"]
    assert played.json("mistakes", "--variant", "duo")["total"] == 0
    assert "better" in played.ok("mistakes").out
    assert "Nobody" in played("mistakes", "--player", "Nobody").message


def _exports(played: Cli, identity: str) -> None:
    moves = played.json("show", identity)["analysis"]["moves"]
    written = played.ok("export", "--to", "blksgf", "--annotate", "--out", "-", identity).out
    record = record_of(written)
    comments = {note.event: note.comment for note in record.notes}
    assert "Judged by" in comments[-1]
    assert "Ada: accuracy " in comments[-1]
    marks = {note.event: dict(note.marks) for note in record.notes}
    for at, move in enumerate(moves):
        wanted = {"blunder": {"BM": ("2",)}, "mistake": {"BM": ("1",)}, "inaccuracy": {"DO": ("",)}}
        assert marks.get(at, {}) == wanted.get(move["label"], {})
        assert comments.get(at) == (move["comment"] or {}).get("text")
    plain = played.ok("export", "--to", "blksgf", "--out", "-", identity).out
    assert _moves(record_of(plain)) == _moves(record)
    assert "Judged by" not in plain


def _moves(record: GameRecord) -> list[Move]:
    return [event for event in record.events if isinstance(event, Move)]


def test_notes_of_a_record_stay(played: Cli) -> None:
    played.ok("analyse", "--all", "--budget", "instant", "--jobs", 1)
    report = played.ok("export", "--to", "blksgf", "--annotate", "--out", "all.blksgf")
    assert "without an analysis" not in report.err
    found = read_all((played.folder / "all.blksgf").read_bytes())
    (record,) = [one for one in found if isinstance(one, GameRecord) and one.variant == "duo"]
    (first,) = [note for note in record.notes if note.event == 0]
    assert first.comment.startswith("Said by Ada")
    assert first.marks == [("BM", ("1",))]
    assert [note.marks for note in record.notes if note.event == 2] == [[("TE", ("1",))]]


def test_games_without_a_judgement_say_so(played: Cli) -> None:
    (row,) = played.games("--variant", "duo")
    assert played.json("show", row["id"])["analysis"] is None
    assert "no game is judged yet" in played.ok("mistakes").err
    report = played.ok("export", "--to", "blksgf", "--annotate", "--out", "out.blksgf")
    assert "2 games without an analysis" in report.err
    played.ok("analyse", row["short"], "--budget", "instant")
    assert played.json("show", row["id"])["analysis"]["made_by"]["budget"] == "instant"
    named = played.json("analyse", row["short"], "--budget", "instant")
    assert [(seat["seat"], seat["player"], seat["flawed"]) for seat in named["seats"]] == [
        (1, "Ada", True),
        (2, "Ben", True),
    ]


def test_wrong_usage_is_explained(played: Cli) -> None:
    for args, words in (
        ([], "--all"),
        (["abcd1234", "--all"], "not both"),
        (["abcd1234"], "there is no game abcd1234"),
        (["--all", "--budget", "slow"], "unknown budget"),
        (["--all", "--budget", "0"], "budget"),
        (["--all", "--variant", "chess"], "unknown variant"),
        (["abcd1234", "--first", "3"], "go with --all"),
    ):
        result = played("analyse", *args)
        assert result.code in (1, 2)
        assert words in result.message
    assert played("export", "--to", "jsonl", "--annotate", "--out", "x.jsonl").code == 2
    assert played("mistakes", "--worse-than", "2").code == 2


def test_the_page_of_formulas(cli: Cli) -> None:
    page = cli.ok("analyse", "--formulas").out
    assert page.startswith("# Move quality\n")
    assert f"Version {move_quality.VERSION} of the formulas" in page
