import pytest

from engine.variants import VARIANTS
from notation.blksgf_write import write
from notation.errors import BadPosition, BadRecord, NotARecord, NotationError
from notation.record import ANY_COLOUR, GameRecord, Out, Pass
from pipeline.errors import NoSuchColour, NotThere
from pipeline.judged import RuleChoice
from pipeline.lines import (
    Line,
    line_events,
    line_of_pasted,
    line_of_record,
    line_text,
    record_of_line,
    seat_on_turn,
    stand,
)
from pipeline.positions import nth_pasted, position_of_record
from pipeline.unit import Reading
from tests.places import REPOSITORY

OPENING = "d9-e9-e10.j5.c7-d7-b8-c8-b9"


def line(text: str, variant: str = "duo", ply: int | None = None, **rules: str) -> Line:
    return Line(variant, tuple(rules.items()), "", line_events(variant, text), ply)


def record_in(data: bytes) -> GameRecord:
    found = nth_pasted(data, "the text", Reading())
    assert isinstance(found, GameRecord)
    return found


def test_a_line_is_played_by_the_colours_on_turn():
    stood = stand(line(OPENING))
    assert stood.stop is None
    assert [event.colour for event in stood.events] == [0, 1, 0]
    assert stood.reached.to_move == 1
    assert stood.ply == stood.reached.ply == 3


def test_a_move_that_cannot_be_played_ends_the_line_before_it():
    stood = stand(line("d9-e9-e10.j5.c7-d7-b8-c8-b9.a1-a2"))
    assert stood.stop is not None
    assert (stood.stop.ply, stood.stop.text, stood.stop.reason) == (4, "a1,a2", "no_corner_contact")
    assert stood.reached.position.key == stand(line(OPENING)).reached.position.key


def test_what_other_separators_and_colours_say_is_read_alike():
    assert line_events("duo", "1:d9,e9,e10;second:j5") == line_events("duo", "1:d9-e9-e10.2:j5")
    assert line_events("duo", "j5")[0].colour == ANY_COLOUR
    assert line_events("duo", "pass.2:pass.out:2:resigned") == (Pass(), Pass(1), Out(1, "resigned"))


@pytest.mark.parametrize("text", ["out:9:resigned", "out:1:bored", "out", ".".join(["a1"] * 1001)])
def test_what_is_no_line_is_refused(text):
    with pytest.raises(BadRecord):
        line_events("duo", text)
    with pytest.raises(NoSuchColour):
        line_events("duo", "green:a1")


def test_steps_back_keep_what_comes_after_until_something_else_is_played():
    whole = line(OPENING)
    back = whole.back()
    assert (back.ply, back.moves) == (2, 3)
    assert back.back().ply == 1
    assert back.at(3) == whole == back.at(99)
    assert whole.at(0).back().ply == 0
    other = back.then(line_events("duo", "f8-g8")[0])
    assert (other.ply, other.moves) == (None, 3)
    assert line_text(other.events) == "d9-e9-e10.j5.f8-g8"


def test_a_pass_at_the_end_is_taken_back_first():
    passed = line(f"{OPENING}.pass", **{"pass": "voluntary"})
    assert stand(passed).reached.to_move == 0
    assert passed.back() == line(OPENING, **{"pass": "voluntary"})


def test_a_line_goes_on_from_a_position():
    text = stand(line(OPENING)).reached.text()
    assert text is not None
    stood = stand(Line("duo", base=text, events=line_events("duo", "h6-i6")))
    assert stood.reached.position.key == stand(line(f"{OPENING}.h6-i6")).reached.position.key
    with pytest.raises(BadPosition):
        stand(Line("duo", base="cw1.duo.Q"))


def test_the_shared_colour_is_played_in_turn():
    reached = stand(line("a20.t20.t1", "classic_3")).reached
    assert (reached.to_move, seat_on_turn(reached)) == (3, 0)
    reached = stand(line("a20.t20.t1.a1.b19-c19.s19-r19.s2-r2", "classic_3")).reached
    assert (reached.to_move, seat_on_turn(reached)) == (3, 1)
    assert seat_on_turn(stand(line("", "classic_3")).reached) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_of_all_variants_lead_where_their_replay_leads(variant):
    record = record_in((REPOSITORY / "data" / "games" / f"{variant}.blksgf").read_bytes())
    found, stop = line_of_record(record)
    assert stop is None
    assert line_events(variant, line_text(found.events)) == found.events
    expected = position_of_record(record, RuleChoice())
    reached = stand(found).reached
    assert reached.position.key == expected.position.key
    assert (reached.ply, reached.over) == (expected.ply, expected.over)


def test_a_pasted_record_is_shown_up_to_the_move_that_is_illegal():
    data = (REPOSITORY / "data" / "faulty" / "piece_twice.blksgf").read_bytes()
    found, stop = line_of_pasted(data, "the text")
    assert found.moves == 12
    assert stop is not None
    assert (stop.ply, stop.reason) == (13, "piece_used")
    assert line_of_pasted(data, "the text", ply=5)[0].ply == 5
    with pytest.raises(NotThere, match="12 plies"):
        line_of_pasted(data, "the text", ply=13)


def test_a_pasted_position_is_the_beginning_of_a_line():
    text = stand(line(OPENING)).reached.text()
    assert text is not None
    assert line_of_pasted(f"  {text}\n".encode(), "the text") == (Line("duo", base=text), None)


def test_the_second_of_two_pasted_games():
    games = b"(;GM[Blokus Duo];B[e10])\n(;GM[Blokus Duo];B[e9,e10])\n"
    assert line_text(line_of_pasted(games, "the text", 2)[0].events) == "e9-e10"
    with pytest.raises(NotThere, match="no game 3 in the text"):
        line_of_pasted(games, "the text", 3)


@pytest.mark.parametrize(
    ("data", "error"), [(b"hello", NotARecord), (b"\0\1\2", NotARecord), (b"cw1.duo.Q", BadPosition)]
)
def test_what_is_pasted_in_vain_is_refused(data, error):
    with pytest.raises(NotationError) as caught:
        line_of_pasted(data, "the text")
    assert type(caught.value) is error


def test_a_line_is_a_record_that_reads_back():
    record = record_of_line(line(f"{OPENING}.out:2:resigned"), ["Ada", None], {"date": "2026-05-17"})
    read = record_in(write(record).encode())
    assert read.players[0] == "Ada"
    assert read.headers["date"] == "2026-05-17"
    found, stop = line_of_record(read)
    assert stop is None
    assert line_text(found.events) == f"{OPENING}.out:2:resigned"


def test_a_record_that_is_not_over_says_so_and_keeps_its_setup():
    assert record_of_line(line(OPENING)).termination == "unfinished"
    text = stand(line(OPENING)).reached.text() or ""
    record = record_of_line(Line("duo", base=text, events=line_events("duo", "h6-i6")))
    assert len(record.setup.pieces) == 3
    assert record.setup.to_move == 1
    assert line_of_record(record)[0].base == text
    left = record_of_line(line(f"{OPENING}.out:1:time"))
    assert left.termination is None
