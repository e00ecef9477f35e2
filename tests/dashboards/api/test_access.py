"""Keys and rates: who may ask, and how often."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from dashboards.api.settings import Settings
from dashboards.client import Client, Refused
from tests.dashboards.api.serving import serving
from tests.dashboards.running import Cli

BAD = ["cw_", "cw_0000_x", "Bearer", "cw_" + "a" * 5000]


def test_keys_from_the_command_line_to_the_service(cli: Cli) -> None:
    reads = cli.json("keys", "add", "site")
    writes = cli.json("keys", "add", "nightly upload", "--write")
    with serving(cli.library, keys="on") as plain:
        assert httpx.get(plain.base_url + "/healthz").is_success
        with pytest.raises(Refused) as refused:
            plain.jobs()
        assert (refused.value.status, refused.value.code) == (401, "no_key")
        with Client(plain.base_url, reads["key"]) as client:
            assert client.jobs()["rows"] == []
            with pytest.raises(Refused) as refused:
                client.upload(("a.blksgf", b"(;GM[Blokus Duo])"))
            assert (refused.value.status, refused.value.code) == (403, "read_only_key")
        with Client(plain.base_url, writes["key"]) as client:
            assert client.upload(("a.blksgf", b"(;GM[Blokus Duo])"))["state"] == "queued"
            cli.ok("keys", "revoke", writes["id"])
            with pytest.raises(Refused) as refused:
                client.jobs()
            assert refused.value.status == 401
    listed = cli.json("keys", "list")["keys"]
    assert [(row["name"], row["revoked"] is None) for row in listed] == [
        ("site", True),
        ("nightly upload", False),
    ]


def test_secrets_are_not_kept(cli: Cli) -> None:
    text = cli.ok("keys", "add", "site").out.strip()
    secret = text.split("_", 2)[2]
    for path in (cli.library / "service").iterdir():
        assert secret.encode() not in path.read_bytes()
    with closing(sqlite3.connect(cli.library / "service" / "service.sqlite")) as data:
        assert len(data.execute("SELECT digest FROM keys").fetchone()[0]) == 64


def test_what_is_no_key(cli: Cli) -> None:
    cli.ok("keys", "add", "site")
    with serving(cli.library, keys="on") as client:
        for text in BAD:
            headers = {b"authorization": b"Bearer " + text.encode()}
            response = httpx.get(client.base_url + "/v1/jobs", headers=headers)
            assert response.status_code in (400, 401)
    assert cli("keys", "revoke", "nothing").code == 2
    assert cli("keys", "add", " ").code == 2


def test_a_body_is_not_read_before_its_sender_is_known(cli: Cli) -> None:
    with serving(cli.library, keys="on") as client, pytest.raises(Refused) as refused:
        client.upload(("a.blksgf", b" " * 10_000_000))
    assert refused.value.status == 401
    assert not (cli.library / "service" / "uploads").exists()


def test_rates(tmp_path: Path) -> None:
    with serving(tmp_path / "library", rate_limit="5/hour") as client:
        for _ in range(5):
            client.jobs()
        with pytest.raises(Refused) as refused:
            client.jobs()
        assert (refused.value.status, refused.value.code) == (429, "too_many_requests")
        response = httpx.get(client.base_url + "/v1/jobs")
        assert 0 < int(response.headers["retry-after"]) <= 3600
        assert httpx.get(client.base_url + "/healthz").is_success


@pytest.mark.parametrize(
    ("host", "keys", "needed"),
    [
        ("127.0.0.1", "auto", False),
        ("::1", "auto", False),
        ("localhost", "auto", False),
        ("0.0.0.0", "auto", True),
        ("example.org", "auto", True),
        ("127.0.0.1", "on", True),
        ("0.0.0.0", "off", False),
    ],
)
def test_keys_are_needed_as_soon_as_others_can_ask(host: str, keys: str, needed: bool) -> None:
    settings = Settings(host=host, keys=keys)  # type: ignore[arg-type]
    assert settings.needs_keys is needed
    assert (settings.rate is not None) is needed


def test_origins(tmp_path: Path) -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    with serving(tmp_path / "library", origins="https://example.org") as client:
        answer = httpx.options(client.base_url + "/v1/info", headers=headers)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        other = httpx.options(
            client.base_url + "/v1/info", headers={**headers, "Origin": "https://example.com"}
        )
        assert "access-control-allow-origin" not in other.headers
