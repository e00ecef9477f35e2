"""Names of one person: merged in `person`, spelt everywhere as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.aliases import Alias, aliases_of, read_aliases, set_aliases
from pipeline.errors import BadAliases, LibraryBusy
from pipeline.store import check_library, open_reader, open_writer
from tests.pipeline.factory import Found, add


def pairs(text: str | bytes, source: str = "names.csv") -> dict[str, str]:
    data = text.encode() if isinstance(text, str) else text
    return {alias.name: alias.player for alias in read_aliases(data, source)}


@pytest.mark.parametrize(
    "text",
    [
        "name,player\nada,Ada L.\nBen ,Ben\n",
        "Player;NAME\r\nAda L.;ada\r\n\r\nBen;Ben \r\n",
        "\ufeffname\tplayer\nada\tAda L.\nBen \tBen",
        'name,player\n"ada","Ada L."\n"Ben ",Ben\n',
        '{"ada": "Ada L.", "Ben ": "Ben"}',
        ' [{"name": "ada", "player": "Ada L."}, {"player": "Ben", "name": "Ben "}]',
    ],
)
def test_forms_of_a_list(text: str) -> None:
    assert pairs(text) == {"ada": "Ada L.", "Ben ": "Ben"}


def test_chains_are_followed_and_own_names_say_nothing() -> None:
    assert pairs("name,player\na,b\nb,c\nc,c\nd,b\n") == {"a": "c", "b": "c", "d": "c"}


def test_a_name_of_several_lines_counts_lines_as_an_editor_does() -> None:
    with pytest.raises(BadAliases, match="line 4: the player is empty"):
        pairs('name,player\n"a\nb",c\nd,\n')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the columns must be name and player"),
        ("alias,player\na,b\n", "line 1: the columns must be name and player, here are 'alias,player'"),
        ("name,player\na,b\n ,c\n", "line 3: the name is empty"),
        ("name,player\na,b\nc, \n", "line 3: the player is empty"),
        ("name,player\na,b\nc,d\na,d\n", r"line 4: the name 'a' comes twice \(first in line 2\)"),
        ("name,player\na,b\nb,c\nc,a\n", "line 2: the names go round in a circle: 'a' -> 'b' -> 'c' -> 'a'"),
        ("name,player\nx,a\na,b\nb,a\n", "line 2: the names go round in a circle: 'a' -> 'b' -> 'a'"),
        ("name,player\na,b,c\n", "line 2: 3 values, not name and player"),
        ('name,player\na,"b\n', "line 2: unexpected end of data"),
        (b"name,player\nRen\xe9,b\n", "must be in UTF-8"),
        ('{"a": "b", "a": "c"}', "the name 'a' comes twice"),
        ('{"a": 1}', "names must be texts"),
        ('{"a": "b",\n}', "line 2: no valid JSON"),
        ("[" * 100_000, "no valid JSON"),
        ('[["a", "b"]]', "every entry must be an object with name and player"),
        ('[{"name": "a", "player": "b", "x": 1}]', "every entry must be an object"),
    ],
)
def test_lists_that_make_no_sense(text: str | bytes, message: str) -> None:
    with pytest.raises(BadAliases, match=message):
        pairs(text)


def test_a_long_chain_takes_no_time() -> None:
    lines = "".join(f"n{i},n{i + 1}\n" for i in range(50_000))
    assert set(pairs("name,player\n" + lines).values()) == {"n50000"}


def persons(folder: Path) -> list[tuple[str, str]]:
    with open_reader(folder) as reader:
        assert check_library(reader) == []
        rows = reader.table("SELECT player, person FROM seats ORDER BY game_no, seat").to_pylist()
        assert reader.table("SELECT count(*) AS n FROM seats")["n"][0].as_py() == len(rows)
    return [(row["player"], row["person"]) for row in rows]


def test_names_keep_their_spelling(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a", players=("ada", "Ben")), Found("b", record=2, players=("Ada", "ada")))
        set_aliases(writer, [Alias("ada", "Ada"), Alias("nobody", "Ada")])
        assert persons(tmp_path) == [("ada", "Ada"), ("Ben", "Ben"), ("Ada", "Ada"), ("ada", "Ada")]
        with open_reader(tmp_path) as reader:
            assert aliases_of(reader) == [
                {"name": "ada", "player": "Ada", "games": 2},
                {"name": "nobody", "player": "Ada", "games": 0},
            ]
            players = reader.table("SELECT players FROM games_view ORDER BY game_no")["players"].to_pylist()
        assert players == [["ada", "Ben"], ["Ada", "ada"]]
        set_aliases(writer, [Alias("Ben", "Benjamin")])
        assert persons(tmp_path)[:2] == [("ada", "ada"), ("Ben", "Benjamin")]
        set_aliases(writer, [])
        assert persons(tmp_path)[1] == ("Ben", "Ben")


def test_aliases_survive_an_undo_and_serve_later_imports(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        batch = add(writer, Found("a", players=("ada", "Ben")))
        set_aliases(writer, [Alias("ada", "Ada")])
        writer.undo(batch)
        add(writer, Found("b", source="other", players=("ada", "Ben")))
    assert persons(tmp_path) == [("ada", "Ada"), ("Ben", "Ben")]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with open_writer(tmp_path), pytest.raises(LibraryBusy), open_writer(tmp_path, 0) as second:
        set_aliases(second, [])
