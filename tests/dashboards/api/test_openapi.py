"""The description of the service: every operation answers its example, and nothing it does is left out."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from dashboards.api import Settings, create_app
from dashboards.client import Client

SCHEMA: dict[str, Any] = create_app(Settings()).openapi()


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        part = SCHEMA["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    return part


def examples() -> list[tuple[str, Any]]:
    """(path, body) of every example of a body in JSON."""
    out = []
    for path, methods in SCHEMA["paths"].items():
        body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None:
            out += [(path, value) for value in resolved(body["schema"])["examples"]]
    return out


@pytest.mark.parametrize(("path", "body"), examples())
def test_examples(client: Client, path: str, body: Any) -> None:
    if "{identity}" in path:
        job = client.analyse([{"id": "q1", "variant": "duo"}])["id"]
        path = path.replace("{identity}", job)
    response = httpx.post(client.base_url + path, json=body, timeout=60)
    assert response.is_success, response.text
    assert (
        str(response.status_code) in SCHEMA["paths"][path.replace(path, _template(path))]["post"]["responses"]
    )


def _template(path: str) -> str:
    return "/v1/jobs/{identity}/cancel" if path.endswith("/cancel") else path


def test_every_body_in_json_has_an_example() -> None:
    bodies = [
        methods["post"]
        for methods in SCHEMA["paths"].values()
        if "application/json" in methods.get("post", {}).get("requestBody", {}).get("content", {})
    ]
    assert len(bodies) == len(examples()) == 8


def test_every_operation_says_what_it_is_for_and_how_it_refuses() -> None:
    for path, methods in SCHEMA["paths"].items():
        for operation in methods.values():
            assert operation["description"], path
            if path != "/healthz":
                problem = operation["responses"]["422"]["content"]["application/problem+json"]["schema"]
                assert resolved(problem)["title"] == "Problem"


def test_no_pages_of_other_hosts(client: Client) -> None:
    for path in ("/docs", "/redoc"):
        assert httpx.get(client.base_url + path, timeout=60).status_code == 404
    assert (
        httpx.get(client.base_url + "/openapi.json", timeout=60).json()["paths"].keys()
        == SCHEMA["paths"].keys()
    )
