"""Requests made from the description, good and bad: none fails in a way that the description does not know."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
import schemathesis
import structlog
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi

from dashboards.api import Settings, create_app
from dashboards.client import Client

QUERY = {"id": "a", "variant": "duo", "moves": ["e10"], "plies": "all", "budget": "instant"}
LINES = [
    QUERY,
    {**QUERY, "plies": [0, 0, 900]},
    {**QUERY, "id": 5},
    {**QUERY, "game": "ffffffff"},
    {"action": "terminate", "terminate": "a", "id": "b"},
    {"action": "terminate_all"},
    {"action": "query_version", "id": []},
]
schemathesis.openapi.media_type(
    "application/x-ndjson",
    st.lists(st.sampled_from(LINES).map(lambda line: json.dumps(line).encode()) | st.binary()).map(
        b"\n".join
    ),
)
SCHEMA = schemathesis.openapi.from_dict(create_app(Settings()).openapi())

CHECKS = [
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
    openapi.negative_data_rejection,
    openapi.unsupported_method,
]
SLOW = ("quick", "standard", "deep")
FEW = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True)
def quiet() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["good", "bad"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_no_request_fails_in_an_undocumented_way(
    client: Client, operation: Any, mode: GenerationMode
) -> None:
    lines = operation.path.endswith("/stream")  # where a bad line gets an answer of its own
    if mode is GenerationMode.NEGATIVE and (
        lines or not (operation.body or operation.query or operation.path_parameters)
    ):
        return  # there is nothing that could be wrong

    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        if operation.path == "/v1/evaluate" and isinstance(case.body, dict):
            case.body |= {"budget": "instant"} if case.body.get("budget") in SLOW else {}
        case.call_and_validate(base_url=client.base_url, checks=CHECKS, timeout=60)

    ask()
