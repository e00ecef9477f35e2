"""Hostile, broken and cut XML, by way of the Software-Challenge's reader: bounded, and what came before is kept."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import software_challenge
from notation.formats import FORMATS
from notation.fragments import Item
from notation.record import GameRecord
from tests.notation.reading import codes, game, read_all, refusal
from tests.notation.software_challenge_writer import Style, replay_xml
from tests.notation.test_software_challenge import FORM, SHORT, short

WHOLE = replay_xml(short(), 2027).decode()
NAMES = replay_xml(short(players=("René", "Zoë")), 2021).decode().replace("∅ ", "")

PARTS = [
    *(
        "<protocol>",
        "</protocol>",
        "<room roomId='a'>",
        "<room roomId='b'>",
        "</room>",
        "</data>",
        "</state>",
    ),
    *(
        '<data class="memento">',
        '<data class="sc.plugin2021.SetMove">',
        '<data class="result">',
        "<data class='x'>",
    ),
    *(
        '<state turn="0" startPiece="MONO">',
        '<state turn="96">',
        '<state turn="x">',
        "<first displayName='A'>",
    ),
    *('<lastMove class="sc.plugin2027.SetMove">', '<lastMove class="skipmove">', "<lastMove>", "</lastMove>"),
    *('<piece color="BLUE" kind="MONO" rotation="LEFT">', "<piece>", '<position x="0" y="0"/>', "</piece>"),
    *(
        "<color>RED</color>",
        "<color>ONE</color>",
        '<score cause="LEFT">',
        "<part>2</part>",
        "</score>",
        "</first>",
    ),
    *(
        '<winner team="ONE" regular="false" reason="x"/>',
        "<winner>",
        "</winner>",
        "<board>",
        "</board>",
        "&amp;",
    ),
    *(
        "<!DOCTYPE a>",
        "<?xml version='1.0'?>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "\0",
        "\xe9",
        "\n",
        "x",
        "<",
    ),
]

BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 11))
HOSTILE = [
    f'<!DOCTYPE protocol [<!ENTITY e0 "ha">{BOMB}]>',
    '<!DOCTYPE protocol SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE protocol [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE protocol [<!ENTITY % p SYSTEM "http://example.org/x.dtd"> %p;]>',
    '<!DOCTYPE protocol PUBLIC "-//X//X" "http://example.org/x.dtd">',
    "<!DOCTYPE protocol>",
    "<?x?><!-- a --> <!doctype protocol>",
]


@pytest.mark.parametrize("start", HOSTILE)
@pytest.mark.parametrize("declared", ['<?xml version="1.0"?>\n', ""])
def test_document_types_are_refused_before_any_entity_is_read(start, declared):
    text = WHOLE.replace('name="Ada"', 'name="&e10;&x;"')
    tracemalloc.start()
    error = refusal(declared + start + text, FORM)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "DOCTYPE" in error.message
    assert error.where.line == 1 + bool(declared)
    assert "root:" not in error.text
    assert peak < 4_000_000


def test_a_document_type_in_the_middle_ends_the_reading():
    at = WHOLE.rindex("<room")
    record = game(WHOLE[:at] + HOSTILE[0] + WHOLE[at:], FORM)
    assert record.events == SHORT
    assert codes(record) == ["broken_xml"]
    assert "DOCTYPE" in record.problems[0].message
    assert record.broken.startswith("<!DOCTYPE")


@pytest.mark.parametrize("entity", ["&x;", "&e10;", "&#0;", "&#xFFFFF0;"])
def test_entities_that_are_no_characters_break_the_xml_there(entity):
    record = game(WHOLE.replace('name="Ada"', f'name="{entity}"'), FORM)
    assert (record.events, codes(record)) == (SHORT, ["broken_xml"])
    assert game(WHOLE.replace('name="Ada"', 'name="&lt;&#65;&gt;"'), FORM).players == ["<A>", "Ben"]


def test_a_file_that_ends_anywhere_keeps_what_came_before():
    text = replay_xml(short(), 2027, Style(breaks=False)).decode()
    plies = []
    for end in range(0, len(text), 97):
        (item,) = read_all(text[:end], FORM) or [None]
        if isinstance(item, GameRecord):
            assert item.events == SHORT[: len(item.events)]
            plies.append(len(item.events))
            assert "truncated" in codes(item) or item.declared is not None or "broken_xml" in codes(item)
        else:
            assert item is None or item.code == "bad_record"
    assert plies == sorted(plies)
    assert set(plies) == {0, 1, 2, 3, 4, 5}


def test_tags_that_do_not_fit_keep_the_game_and_the_rest_as_text():
    at = WHOLE.index("</room>", WHOLE.index('turn="3"'))
    record = game(WHOLE[:at] + "</rooom>" + WHOLE[at:], FORM)
    assert record.events == SHORT[:3]
    line = WHOLE.count("\n", 0, at) + 1
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("broken_xml", line, 3)]
    assert record.broken == "</rooom>" + WHOLE[at:]


def test_the_rest_is_kept_up_to_a_limit():
    text = replay_xml(short(), 2027, Style(breaks=False)).decode()
    at = text.index("<room", text.index('turn="2"'))
    record = game(f"{text[:at]}<a></b>{'<c/>' * 50_000}", FORM)
    assert record.events == SHORT[:2]
    assert record.broken.startswith("</b><c/>")
    assert len(record.broken) == 64 * 1024


def test_what_breaks_behind_a_result_is_a_warning_only():
    record = game(WHOLE + "and a note & more", FORM)
    assert (record.events, record.broken, codes(record)) == (SHORT, "", ["text_after"])


@pytest.mark.parametrize(
    "middle",
    [
        "<a>" * 5_000,
        "".join(f"<a{n}/>" for n in range(5_000)),
        "".join(f"<a b{n}=''/>" for n in range(5_000)),
        f"<a b='{'x' * 2_000_000}'/>",
        f"<!-- {'x' * 2_000_000} -->",
        "x" * 2_000_000,
        "<a/>" * 250_000,
        "<board>" + "<field>" * 5_000,
        "<room roomId='{}'/>".join(map(str, range(5)))
        + "".join(f"<room roomId='{n}'/>" for n in range(5_000)),
    ],
    ids=["deep", "names", "attributes", "attribute", "comment", "text", "elements", "ignored", "rooms"],
)
def test_what_would_fill_the_memory_ends_the_reading(middle):
    at = WHOLE.rindex("<room")
    tracemalloc.start()
    record = game(WHOLE[:at] + middle + WHOLE[at:], FORM)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert record.events == SHORT
    assert record.broken or codes(record) == ["text_after"]
    assert peak < 60_000_000


def test_a_file_of_more_than_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(software_challenge, "FILE_LIMIT", len(WHOLE) - 1)
    assert "MiB" in refusal(WHOLE, FORM).message
    monkeypatch.setattr(software_challenge, "FILE_LIMIT", len(WHOLE.encode()))
    assert game(WHOLE, FORM).events == SHORT


@pytest.mark.parametrize(
    "declared", ["", '<?xml version="1.0" encoding="UTF-8"?>\n', ' \n<?xml version="1.0"?>']
)
def test_encodings(declared):
    text = declared + NAMES
    for data, problems in (
        (text.encode(), []),
        (text.encode("utf-8-sig"), ["byte_order_mark"]),
        (text.encode("utf-16"), ["byte_order_mark"]),
        (text.replace("UTF-8", "ISO-8859-1").encode("latin-1"), [] if "UTF-8" in declared else ["encoding"]),
        (text.replace("\n", "\r\n").encode(), []),
    ):
        record = game(data, FORM)
        assert record.players == ["René", "Zoë"]
        assert codes(record) == problems
        assert record.events == SHORT


def test_encodings_that_are_said_and_are_not():
    stray = f'<?xml version="1.0" encoding="utf-8"?>{NAMES}'.encode("latin-1")
    record = game(stray, FORM)
    assert (record.players, codes(record)) == (["Ren\ufffd", "Zo\ufffd"], ["encoding"])
    for name in ("utf-7", "idna", "rot13", "klingon", "utf-16"):
        record = game(f'<?xml version="1.0" encoding="{name}"?>{NAMES}'.encode(), FORM)
        assert record.players == ["René", "Zoë"]


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_how_a_source_gives_its_bytes_changes_nothing(step):
    assert read_all(WHOLE, FORM, step=step) == read_all(WHOLE, FORM)


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_no_mixture_of_messages_makes_the_reader_raise(text):
    for data in (text, f"<protocol><room roomId='a'>{text}"):
        for item in read_all(data, FORM):
            assert isinstance(item, Item)
            if isinstance(item, GameRecord):
                FORMATS["jsonl"].write(item)
