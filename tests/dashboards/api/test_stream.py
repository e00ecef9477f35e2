"""Conversations in JSON Lines: one final answer for every query and ply, in any order."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx

from dashboards.client import Client

MOVES = ["e10", "j5", "f11,g11", "k6,l6", "h12,i12,j12"]


def queries(number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{n}",
            "variant": "duo",
            "moves": MOVES[: 1 + n % 5],
            "plies": list(range(n % 2, 2 + n % 5, 1 + n % 3)),
            "budget": "instant",
            "seed": n % 4,
            "priority": n % 2,
        }
        for n in range(number)
    ]


def test_two_hundred_queries_two_cancelled(client: Client) -> None:
    lines: list[dict[str, Any]] = queries(200)
    wanted = {(row["id"], ply) for row in lines for ply in row["plies"]}
    lines.insert(120, {"action": "terminate", "terminate": "q119", "id": "stop 1"})
    lines.append({"action": "terminate", "terminate": "q199", "id": "stop 2"})
    found = list(client.converse(lines))
    acknowledged = [row["id"] for row in found if "action" in row]
    assert acknowledged == ["stop 1", "stop 2"]
    answers = [row for row in found if "action" not in row]
    assert Counter((row["id"], row["ply"]) for row in answers) == Counter(dict.fromkeys(wanted, 1))
    for row in answers:
        assert row["status"] == "done" or (row["id"] in ("q119", "q199") and row["status"] == "cancelled")
        if row["status"] == "done":
            assert row["evaluation"]["ply"] == row["ply"]


def test_one_is_broken_off_while_it_is_searched(client: Client) -> None:
    """Its answer comes at once, and the conversation goes on while it lasts."""
    said = threading.Event()

    def lines() -> Iterator[dict[str, Any]]:
        yield {"id": "long", "variant": "classic", "budget": 1_000_000}
        yield {"id": "short", "variant": "duo", "budget": "instant", "priority": 5}
        said.wait(60)
        yield {"action": "terminate_all"}
        yield {"id": "last", "variant": "duo", "budget": "instant"}

    found = []
    for row in client.converse(lines()):
        found.append(row)
        if row["id"] == "short":
            said.set()
    statuses = {row["id"]: row["status"] for row in found if "status" in row}
    assert statuses == {"short": "done", "long": "cancelled", "last": "done"}


def test_lines_that_are_none(client: Client) -> None:
    content = b"\n".join(
        [
            b"hello",
            b"[1]",
            b'{"id": "a", "variant": "go"}',
            b'{"id": "b", "variant": "duo", "moves": ["a1"], "budget": "instant"}',
            b'{"id": "c", "variant": "duo", "budget": NaN}',
            b'{"action": "dance", "id": "d"}',
            b'{"action": "query_version", "id": "e"}',
            b'{"id": "f", "game": "ffffffff"}',
            b" " * 2_000_000,
            b'{"id": "g", "variant": "duo", "budget": "instant"}',
        ]
    )
    headers = {"Content-Type": "application/x-ndjson"}
    response = httpx.post(
        client.base_url + "/v1/analyses/stream", content=content, headers=headers, timeout=60
    )
    found = [httpx.Response(200, content=line).json() for line in response.content.splitlines()]
    codes = {row["id"]: row["error"]["code"] for row in found if row.get("status") == "error" and row["id"]}
    assert codes == {
        "a": "invalid",
        "b": "illegal_move",
        "c": "invalid",
        "d": "no_action",
        "f": "no_such_game",
    }
    assert sum(row["id"] is None for row in found) == 3
    assert {row["id"] for row in found if row.get("status") == "done"} == {"g"}


def test_a_client_that_leaves(client: Client) -> None:
    """What it asked for is given up: others do not wait for it."""
    where = urlsplit(client.base_url)
    query = b'{"id": "%d", "variant": "classic", "budget": 1000000}\n'
    with socket.create_connection((where.hostname, where.port)) as raw:
        raw.sendall(b"POST /v1/analyses/stream HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(8):
            line = query % number
            raw.sendall(b"%x\r\n%s\r\n" % (len(line), line))
        raw.recv(1)  # it has begun to answer
    (found,) = client.evaluate(variant="duo", budget="instant", seed=99)
    assert not found["stopped"]
