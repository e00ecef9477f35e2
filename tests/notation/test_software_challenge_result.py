"""Results of the Software-Challenge: points, winners, causes in both seasons, and what is unclear in them."""

from __future__ import annotations

import pytest

from notation.fragments import ResultRecord
from notation.record import Declared, GameRecord, Out
from notation.software_challenge_codes import VARIANT
from notation.software_challenge_result import cause_of
from tests.notation.reading import codes, game, read_all
from tests.notation.software_challenge_writer import Style, replay_xml
from tests.notation.test_software_challenge import FORM, SHORT, back, short


def result(text: str) -> GameRecord:
    """A short game with this inside its result message."""
    data = replay_xml(short(), 2027, Style(result=False)).decode().removesuffix("</protocol>")
    return game(
        f'{data}<room roomId="{Style().room}"><data class="result">{text}</data></room></protocol>', FORM
    )


def scores(*lines: str) -> str:
    """Scores as 2021 writes them, `CAUSE win points`."""
    rows = (line.split() for line in lines)
    return "".join(
        f'<score cause="{cause}" reason=""><part>{win}</part><part>{points}</part></score>'
        for cause, win, points in rows
    )


@pytest.mark.parametrize("season", [2021, 2027])
def test_points_and_winner_are_declared(season):
    said = back(short(), season).declared
    assert said is not None
    assert (said.winner, said.margin, said.scores, said.termination) == (0, 2, (12, 10), "normal")
    assert said.text.startswith("ONE 2/12")
    assert said.text.endswith("winner ONE")


@pytest.mark.parametrize("season", [2021, 2027])
def test_a_draw(season):
    record = GameRecord(VARIANT, "x", SHORT[:4], ["Ada", "Ben"])
    said = back(record, season).declared
    assert said is not None
    assert (said.winner, said.margin, said.scores) == (-1, None, (10, 10))


@pytest.mark.parametrize("season", [2021, 2027])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("cause", "hard"), [("abandoned", False), ("violation", False), ("time", False), ("time", True)]
)
def test_who_broke_off_goes_out_at_the_end_and_loses(season, seat, cause, hard):
    record = back(short(Out(seat, cause)), season, hard=hard)
    assert record.events == [*SHORT, Out(seat, cause)]
    said = record.declared
    assert said is not None
    assert (said.winner, said.margin, said.termination, record.termination) == (1 - seat, None, cause, cause)
    assert said.scores == ((12, 10) if season == 2021 else ())
    assert record.headers["reason"]


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("Ada hat das Spiel verlassen: TIMEOUT", "abandoned"),
        (
            "Regelverletzung von Ada: Der Spielstein berührt ein Feld gleicher Farbe bei 'Setze X'",
            "violation",
        ),
        ("Missachtung des Spielablaufs von Ada: nicht am Zug", "violation"),
        (
            "Ada hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht.",
            "time",
        ),
        ("ONE hat für die Antwort auf die Zugaufforderung länger als 2 Sekunden gebraucht.", "time"),
        ("Ada hat innerhalb von 10 Sekunden nach Aufforderung keinen Zug gesendet.", "time"),
        ("Ada hatte keine Lust", None),
        ("", None),
        # Names that look like a reason do not count.
        (
            "x hat das Spiel verlassen hat innerhalb von 2 Sekunden nach Aufforderung keinen Zug gesendet.",
            "time",
        ),
        ("Regelverletzung von y hat das Spiel verlassen: DISCONNECTED", "abandoned"),
    ],
)
def test_reasons_in_german(reason, cause):
    assert cause_of(reason, ["x hat das Spiel verlassen", "Regelverletzung von y", "Ada", None]) == cause
    record = result(f'<winner team="TWO" regular="false" reason="{reason}"/>')
    assert record.headers.get("reason", "") == reason
    assert record.declared is not None
    assert record.declared.winner == 1
    assert ("unknown_reason" in codes(record)) == (cause is None)
    if cause is None:
        assert (record.events, record.termination) == (SHORT, None)


def test_an_irregular_end_without_a_winner_names_nobody():
    record = result('<winner regular="false" reason="Alle Spieler hat das Spiel verlassen: LOST"/>')
    assert record.declared is not None
    assert (record.declared.winner, record.events, record.termination) == (None, SHORT, "abandoned")
    both = result(scores("LEFT 0 5", "SOFT_TIMEOUT 0 7"))
    assert both.declared is not None
    assert (both.declared.winner, both.events) == (None, SHORT)


def test_of_two_who_broke_off_the_declared_winner_stays():
    record = result(scores("LEFT 2 5", "RULE_VIOLATION 0 7") + '<winner color="ONE" displayName=""/>')
    assert record.events == [*SHORT, Out(1, "violation")]
    assert record.termination == "violation"


@pytest.mark.parametrize(
    ("text", "winner", "points"),
    [
        (scores("REGULAR 2 137", "REGULAR 0 120"), None, (137, 120)),
        (scores("REGULAR 1 9", "REGULAR 1 9"), -1, (9, 9)),
        (scores("REGULAR 1 137.0", "REGULAR 1 x"), -1, ()),
        (scores("REGULAR 2 137") + '<winner color="TWO"/>', 1, ()),
        (scores("REGULAR 2 " + "9" * 5000, "REGULAR 0 1"), None, ()),
        ('<winner displayName="Nobody"/>', None, ()),
        ('<winner team="ONE"/><winner team="TWO"/><winner team="ONE"/>', -1, ()),
        ("", None, ()),
    ],
    ids=range(8),
)
def test_results_with_something_missing(text, winner, points):
    said = result(text).declared
    assert isinstance(said, Declared)
    assert (said.winner, said.scores) == (winner, points)


def test_scores_by_name_of_the_team():
    entry = '<entry><player name="{}" team="{}"/><score><part>{}</part><part>{}</part></score></entry>'
    text = f"<scores>{entry.format('B', 'TWO', 0, 7)}{entry.format('A', 'ONE', 2, 9)}</scores>"
    record = result(text + '<winner team="ONE" regular="true" reason="A hat am meisten Punkte erzielt."/>')
    assert record.players == ["A", "B"]
    assert record.declared is not None
    assert (record.declared.winner, record.declared.scores, record.declared.margin) == (0, (9, 7), 2)


def test_the_players_of_a_team_keep_their_seat():
    data = replay_xml(short(), 2021).decode()
    swapped = data.replace('class="team">ONE</color', 'class="team">X</color')
    swapped = swapped.replace('class="team">TWO</color', 'class="team">ONE</color').replace(">X<", ">TWO<")
    assert game(swapped, FORM).players == ["Ben", "Ada"]
    assert back(short(players=("", "")), 2021).players == []
    assert back(short(players=('<Ada> & "Ben"', "x" * 500)), 2027).players == ['<Ada> & "Ben"', "x" * 200]


def test_a_regular_end_counts_where_the_rounds_are_up():
    record = back(short(), 2027)
    assert record.termination is None  # an administrator may have stopped it: the board tells
    late = replay_xml(short(), 2027).replace(b'turn="5"', b'turn="96"')
    assert game(late, FORM).termination == "normal"


def test_a_room_with_a_result_only_is_a_result():
    data = replay_xml(short(Out(1, "time")), 2021)
    start = data.rindex(b"<room")
    (item,) = read_all(b"<protocol>" + data[start:], FORM)
    assert isinstance(item, ResultRecord)
    assert (item.variant, item.key, item.scores, item.places) == (VARIANT, Style().room, (12, 10), (1, 2))
