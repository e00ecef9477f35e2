"""Legal moves, points, pictures and evaluations over HTTP."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from dashboards.client import Client, Refused
from engine.variants import VARIANTS
from tests import records
from tests.dashboards.running import record_of


def moves_of(text: str) -> list[str]:
    """Moves of a record as the service takes them."""
    record = record_of(text)
    names = VARIANTS[record.variant].colours
    return [f"{names[event.colour]}:{getattr(event, 'text', 'pass')}" for event in record.events]  # type: ignore[union-attr]


DUO = ["e10,e11,f11,f12,g12", "h7,i6,i7,j5,j6", "h9,i9,h10,h11", "g8"]
PROBES = {
    "j7,j8": None,
    "f9": None,
    "h13,h14": None,
    "i8,j8": "side_contact",
    "f9,g9": "side_contact",
    "k10": "no_corner_contact",
    "f7": "no_corner_contact",
    "e10": "occupied",
}


def test_contact(client: Client) -> None:
    found = client.legal(variant="duo", moves=DUO, probes=list(PROBES))
    assert {probe["move"]: probe["reason"] for probe in found["probes"]} == PROBES
    assert (found["to_move"], found["counts"][0], len(found["moves"]["first"])) == ("first", 528, 528)


@pytest.mark.parametrize(("variant", "count"), [("classic", 58), ("duo", 414), ("trigon", 2478)])
def test_first_moves(client: Client, variant: str, count: int) -> None:
    assert client.legal(variant=variant)["counts"][0] == count


def test_a_position_and_the_moves_to_it_are_one(client: Client) -> None:
    by_moves = client.legal(variant="duo", moves=DUO)
    by_text = client.legal(position=by_moves["position"])
    assert by_text["position_key"] == by_moves["position_key"]
    assert by_text["moves"] == by_moves["moves"]


def test_points_of_a_finished_game(client: Client) -> None:
    found = client.score(variant="classic", moves=moves_of(records.O_A2_A))
    assert [row["points"]["board"] for row in found["colours"]] == [20, -35, -30, -25]
    assert [row["place"] for row in found["seats"]] == [1, 4, 3, 2]
    assert found["over"]


def test_points_along_the_way(client: Client) -> None:
    found = client.score(variant="classic", moves=["a20", "t20"], ply=1)
    assert [row["points"]["board"] for row in found["colours"]] == [-88, -89, -89, -89]
    assert [row["place"] for row in found["seats"]] == [None] * 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_pictures(client: Client, variant: str) -> None:
    drawn = client.render(variant=variant, title="<A & B>", small=True)
    root = ET.fromstring(drawn)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == "<A & B>"


def evaluate(client: Client, **more: Any) -> list[dict[str, Any]]:
    return client.evaluate(**{"variant": "duo", "moves": DUO, "budget": 20, **more})


def test_evaluations_are_labelled_and_remembered(client: Client) -> None:
    found = evaluate(client, plies=[4, 0, 2], seed=5, include=["variation"])
    assert [row["ply"] for row in found] == [4, 0, 2]
    assert [row["to_move"] for row in found] == ["first"] * 3
    assert all(len(row["seats"]) == 2 and row["seed"] == 5 for row in found)
    for row in found:
        best = row["moves"][0]
        legal = client.legal(position=row["position"], probes=[best["move"]])
        assert legal["probes"][0]["legal"]
        assert best["variation"][0]["move"] == best["move"]
        assert row["legal_moves"] == legal["counts"][0]
    again = evaluate(client, plies=[4, 0, 2], seed=5, include=["variation"])
    assert all(row["cached"] for row in again)
    assert [{**row, "cached": False} for row in again] == found


def test_the_same_position_by_another_order_of_moves_is_remembered(client: Client) -> None:
    one = ["e10", "j5", "f11,g11", "k6,l6"]
    evaluate(client, moves=one, budget=21)
    (found,) = evaluate(client, position=client.legal(variant="duo", moves=one)["position"], **_none(21))
    assert found["cached"]


def _none(budget: int) -> dict[str, Any]:
    return {"variant": None, "moves": [], "budget": budget}


def test_what_is_included(client: Client) -> None:
    (found,) = evaluate(client, include=["territory", "policy", "features"], top=2)
    assert len(found["moves"]) == 2
    assert len(found["policy"]) == found["legal_moves"] == 528
    assert abs(sum(found["policy"].values()) - 1) < 0.01
    assert len(found["territory"]["cells"]) == 196
    assert all(abs(sum(row) - 1) < 0.01 for row in found["territory"]["cells"].values())
    assert found["territory"]["cells"]["e10"][0] == 1
    assert found["features"]["colours"]["first"]["mobility"] == 528
    (plain,) = evaluate(client)
    assert not {"territory", "policy", "features"} & plain.keys()


def test_some_moves_only(client: Client) -> None:
    (found,) = evaluate(client, allow={"moves": ["f9"]})
    assert [row["move"] for row in found["moves"]] == ["f9"]
    (found,) = evaluate(client, avoid={"pieces": ["1", "2"]}, top=1000)
    assert not {row["piece"] for row in found["moves"]} & {"1", "2"}
    with pytest.raises(Refused, match="corner") as refused:
        evaluate(client, allow={"moves": ["k10"]})
    assert (refused.value.status, refused.value.problem["reason"]) == (422, "no_corner_contact")


def test_a_finished_game_is_certain(client: Client) -> None:
    (found,) = client.evaluate(
        variant="classic", moves=moves_of(records.O_A2_A), include=["territory"], budget="instant"
    )
    assert found["over"] and found["exact"] and not found["moves"]
    assert [seat["score"] for seat in found["seats"]] == [20, -35, -30, -25]
    assert [seat["places"].index(1) for seat in found["seats"]] == [0, 3, 2, 1]


def test_limits(client: Client) -> None:
    for budget in (0, -1, 10**9, 2.5, True, "long"):
        with pytest.raises(Refused) as refused:
            evaluate(client, budget=budget)
        assert refused.value.status == 422
    with pytest.raises(Refused) as refused:
        evaluate(client, budget=5_000_000)
    assert refused.value.code == "budget"
    (found,) = evaluate(client, budget=900_000, seconds=0.05, seed=77)
    assert found["stopped"]
    (again,) = evaluate(client, budget=900_000, seconds=0.05, seed=77)
    assert not again["cached"]
