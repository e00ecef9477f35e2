"""Errors have one shape, and say where and what; nothing is read as what it is not."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from dashboards.client import Client, Refused
from pipeline.store import open_writer
from tests.dashboards.api.serving import serving


def problem(response: httpx.Response) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = response.json()
    assert found["status"] == response.status_code
    assert found["type"] == f"urn:cornerwise:problem:{found['code']}"
    assert found["instance"] == response.headers["x-request-id"]
    return found


def post(client: Client, path: str, body: Any) -> httpx.Response:
    return httpx.post(client.base_url + path, json=body)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"variant": "duo", "moves": True}, "body.moves"),
        ({"variant": "duo", "ply": "1"}, "body.ply"),
        ({"variant": "duo", "ply": True}, "body.ply"),
        ({"variant": "duo", "ply": -1}, "body.ply"),
        ({"variant": "duo", "moves": ["e10,E10"]}, "body.moves.0"),
        ({"variant": "duo", "moves": [" "]}, "body.moves.0"),
        ({"variant": "duo", "moves": ["e10\n"]}, "body.moves.0"),
        ({"variant": "go"}, "body.variant"),
        ({"variant": "duo", "rules": {"start": " "}}, "body.rules.start"),
        ({"variant": "duo", "rules": {"komi": "7"}}, "body.rules.komi.[key]"),
        ({"variant": "duo", "unknown": 1}, "body.unknown"),
        ({}, "body"),
    ],
)
def test_what_makes_no_sense_is_named(client: Client, body: Any, field: str) -> None:
    found = problem(post(client, "/v1/legal", body))
    assert (found["status"], found["code"]) == (422, "invalid")
    assert [row["field"] for row in found["errors"]] == [field]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", '"1"', "true", "0"])
def test_a_time_limit_is_a_number(client: Client, number: str) -> None:
    content = f'{{"variant": "duo", "seconds": {number}}}'
    headers = {"Content-Type": "application/json"}
    response = httpx.post(client.base_url + "/v1/evaluate", content=content, headers=headers)
    assert problem(response)["errors"][0]["field"] == "body.seconds"


def test_an_illegal_move_is_named_with_its_ply(client: Client) -> None:
    found = problem(post(client, "/v1/score", {"variant": "duo", "moves": ["e10", "j5", "e9"]}))
    assert (found["code"], found["ply"], found["reason"]) == ("illegal_move", 3, "piece_used")


def test_rules_that_do_not_fit(client: Client) -> None:
    found = problem(post(client, "/v1/legal", {"variant": "classic", "rules": {"start": "marked"}}))
    assert (found["status"], found["code"]) == (422, "engine")
    assert "marked" in found["detail"]


def test_a_broken_position_text(client: Client) -> None:
    found = problem(post(client, "/v1/legal", {"position": "cw1.duo.15A"}))
    assert (found["status"], found["code"]) == (422, "notation")


def test_what_is_not_there(client: Client) -> None:
    for path, code in (("/v1/games/ffffffff", "no_such_game"), ("/v1/player?name=Nobody", "not_there")):
        found = problem(httpx.get(client.base_url + path))
        assert (found["status"], found["code"]) == (404, code)
    assert problem(httpx.get(client.base_url + "/v2"))["code"] == "no_such_path"
    assert problem(httpx.put(client.base_url + "/v1/legal"))["status"] == 405


def test_a_body_that_is_no_json(client: Client) -> None:
    headers = {"Content-Type": "application/json"}
    response = httpx.post(client.base_url + "/v1/legal", content="{x", headers=headers)
    assert problem(response)["code"] == "no_json"


def test_a_body_is_counted_while_it_comes_in(client: Client) -> None:
    """Without a length in advance, and before all of it was sent."""
    where = urlsplit(client.base_url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as raw:
        raw.sendall(b"POST /v1/legal HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        block = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(65):  # one block more than is allowed, and no end
            raw.sendall(block)
        answer = raw.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()


def test_a_length_that_is_too_large_is_enough(client: Client) -> None:
    response = httpx.post(client.base_url + "/v1/legal", content=b" " * (4 * 1024 * 1024 + 1))
    assert problem(response)["code"] == "too_large"


def test_without_a_library(tmp_path: Path) -> None:
    with serving(tmp_path / "none") as client, pytest.raises(Refused) as refused:
        client.info()
    assert (refused.value.status, refused.value.code) == (503, "no_library")
    assert str(tmp_path) not in str(refused.value.problem)


def test_a_library_of_a_later_version(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with open_writer(library) as writer:
        writer.change(
            lambda catalogue: catalogue.connection.execute("UPDATE library_version SET version = 99"),
            "x",
            "x",
        )
    with serving(library) as client, pytest.raises(Refused) as refused:
        client.info()
    assert (refused.value.status, refused.value.code) == (503, "library_too_new")


def test_every_answer_is_safe_and_has_its_id(client: Client) -> None:
    response = httpx.get(client.base_url + "/healthz", headers={"X-Request-ID": "abc-1"})
    assert response.headers["x-request-id"] == "abc-1"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "access-control-allow-origin" not in response.headers
    odd = httpx.get(client.base_url + "/healthz", headers={"X-Request-ID": "a b\tc"})
    assert odd.headers["x-request-id"] != "a b\tc"


def test_many_bad_requests_at_once(client: Client) -> None:
    """A thousand, on a hundred connections."""
    where = urlsplit(client.base_url)
    headers = {"Content-Type": "application/json"}

    def ten(first: int) -> list[int]:
        statuses = []
        with closing(HTTPConnection(where.hostname or "", where.port, timeout=120)) as connection:
            for number in range(first, first + 10):
                body = f'{{"variant": "duo", "plies": [{number}, "x"]}}'
                connection.request("POST", "/v1/evaluate", body, headers)
                response = connection.getresponse()
                response.read()
                statuses.append(response.status)
        return statuses

    with ThreadPoolExecutor(100) as pool:
        assert [status for part in pool.map(ten, range(0, 1000, 10)) for status in part] == [422] * 1000
    assert client.is_ready()
