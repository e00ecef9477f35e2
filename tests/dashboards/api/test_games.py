"""Games and statistics over HTTP say what the pipeline says."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from dashboards.client import Client, Refused
from notation.formats import FORMATS
from pipeline import queries
from pipeline.store import open_reader


def test_pages_of_games(client: Client, archive: Path) -> None:
    with open_reader(archive) as reader:
        everything = [row["id"] for row in queries.list_games(reader, queries.GameFilter()).rows]
        of_duo = queries.list_games(reader, queries.GameFilter(variant="duo")).total
    assert [row["id"] for row in client.games(limit=7)] == everything
    assert len(list(client.games(variant="duo", limit=1000))) == of_duo
    assert client.ask("games", limit=1)["total"] == len(everything)
    with pytest.raises(Refused) as refused:
        client.ask("games", cursor="AAAA")
    assert refused.value.status == 422


def test_one_game(client: Client) -> None:
    row = next(row for row in client.games() if not row["flags"])
    game = client.game(row["short"], ply=3, features=True)
    assert (game["id"], game["at"]["ply"]) == (row["id"], 3)
    assert len(game["moves"]) == row["plies"]
    colours = [move["colour_name"] for move in game["moves"][:2]]
    mobility = game["features"]["mobility"][colours[0]]
    assert len(mobility) == row["plies"] + 1
    with pytest.raises(Refused) as refused:
        client.game(row["id"], ply=500)
    assert refused.value.status == 404


@pytest.mark.parametrize("form", [row.name for row in FORMATS.values() if row.write is not None])
def test_exports_are_games_again(client: Client, form: str) -> None:
    """Checked, an export has the games it was made of."""
    wanted = [row["id"] for row in client.games(variant="duo") if not row["flags"]][:3]
    content = client.export(form, ids=wanted)
    row = FORMATS[form]
    name = "games.zip" if row.one_game_a_file else f"games{row.suffixes[0]}"
    if row.one_game_a_file:
        assert len(zipfile.ZipFile(io.BytesIO(content)).namelist()) == 3
    found = client.check((name, content))
    assert sorted(verdict["id"] for verdict in found["verdicts"]) == sorted(wanted)


def test_one_game_that_a_format_cannot_hold(client: Client) -> None:
    (row, *_) = (row for row in client.games(variant="classic"))
    with pytest.raises(Refused, match="fourcode cannot hold it") as refused:
        client.export("fourcode", ids=[row["id"]])
    assert refused.value.status == 422


def test_quarantine_and_quality(client: Client) -> None:
    rows = client.ask("quarantine")["rows"]
    assert {"side_contact", "piece_used"} <= {row["code"] for row in rows}
    codes = {row["code"] for row in client.ask("quality")["rows"]}
    assert client.ask("quality", code=min(codes))["rows"]
    with pytest.raises(Refused) as refused:
        client.ask("quality", code="nonsense")
    assert refused.value.status == 422


STATISTICS = [
    ("info", {}),
    ("seats", {"variant": "duo"}),
    ("pieces", {"variant": "duo"}),
    ("openings", {"variant": "duo"}),
    ("openings", {"variant": "duo", "shape": True}),
    ("openings", {"variant": "duo", "merged": True, "min_rating": 1}),
    ("heatmaps", {"variant": "duo", "colour": "first", "phase": "opening"}),
    ("players", {}),
    ("players", {"by": "seat"}),
    ("player-matrix", {}),
    ("ratings", {}),
    ("results", {}),
    ("positions", {}),
    ("piece-lists", {}),
]


@pytest.mark.parametrize(("what", "question"), STATISTICS)
def test_statistics(client: Client, what: str, question: dict[str, object]) -> None:
    assert client.ask(what, **question)


def test_openings_by_moves_game_key_and_position(client: Client) -> None:
    start = client.ask("openings", variant="duo")
    first = start["moves"][0]["move"]
    found = client.ask("openings", variant="duo", move=[first])
    assert found["games"] == start["moves"][0]["reached"]
    again = client.ask("openings", key=found["position_key"], variant="duo")
    assert again["moves"] == found["moves"]
    text = client.legal(variant="duo", moves=[first])["position"]
    assert client.ask("openings", position=text)["moves"] == found["moves"]
    with pytest.raises(Refused, match="exclude"):
        client.ask("openings", variant="duo", move=[first], key=found["position_key"])


def test_players(client: Client) -> None:
    names = [row["player"] for row in client.ask("players")["rows"]]
    one, other = names[:2]
    assert client.ask("player", name=one)["total"]["games"]
    pair = client.ask("head-to-head", name=one, against=other)
    assert (pair["player"], pair["against"]) == (one, other)
    assert client.ask("rating-history", name=one)["total"]


@pytest.mark.parametrize("form", ["html", "json", "csv", "parquet"])
def test_reports(client: Client, form: str) -> None:
    content = client.report("library", form=form)
    begins = {"html": b"<!doctype html>", "json": b"{", "csv": b"", "parquet": b"PAR1"}[form]
    assert content.lower().startswith(begins.lower())
    if form == "json":
        assert json.loads(content)["report"] == "library"


def test_reports_of_one_game_and_player(client: Client) -> None:
    row = next(client.games())
    assert client.report("game", game=row["id"], form="json")
    assert client.report("player", name=client.ask("players")["rows"][0]["player"], form="json")
    with pytest.raises(Refused):
        client.report("game")
    with pytest.raises(Refused):
        client.report("library", form="csv", table="none")
