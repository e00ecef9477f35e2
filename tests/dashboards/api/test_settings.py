"""Settings are one table, and the page lists it."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from pydantic import ValidationError

from dashboards.api.settings import Settings
from tests.dashboards.running import Cli

PAGE = files("dashboards.api").joinpath("README.md").read_text(encoding="utf-8")


def table() -> str:
    lines = ["| setting | default | |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default == "" else f"`{field.default}`"
        lines.append(f"| `{name}` | {default} | {field.description} |")
    return "\n".join(lines)


def test_the_page_has_every_setting() -> None:
    (shown,) = re.findall(r"<!-- settings -->\n(.*?)\n<!-- end of settings -->", PAGE, re.S)
    assert shown == table()


def test_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_EVALUATORS", "7")
    assert Settings().evaluators == 7
    monkeypatch.setenv("CORNERWISE_RATE_LIMIT", "often")
    with pytest.raises(ValidationError):
        Settings()


def test_a_bad_setting_is_wrong_usage(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_READERS", "none")
    found = cli("serve")
    assert found.code == 2
    assert "readers" in found.message
