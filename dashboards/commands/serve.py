"""`cornerwise serve`: the service over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

Host = Annotated[
    str | None,
    typer.Option("--host", metavar="ADDRESS", help="Address to listen on; default: this machine only."),
]
Port = Annotated[
    int | None,
    typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on; default: 8321."),
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", min=1, max=64, help="Processes that answer.")]


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    host: Host = None,
    port: Port = None,
    workers: Workers = 1,
) -> None:
    """Serve evaluations, imports and questions over HTTP; other settings come from the environment.

    On this machine nobody needs a key; on any other address all do: `cornerwise keys add`.
    """
    import os

    from pydantic import ValidationError

    from dashboards.api.settings import Settings

    given: dict[str, Any] = {"library": library.absolute()}
    given |= {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, row['loc'])) or 'settings'}: {row['msg']}"
            for row in error.errors(include_input=False)
        )
        raise UsageFailure(f"settings (options, or CORNERWISE_ in the environment): {found}") from error
    # Processes that uvicorn starts make their settings out of the environment.
    os.environ |= {f"CORNERWISE_{name.upper()}": str(value) for name, value in given.items()}
    from dashboards.api.serving import serve

    if settings.needs_keys:
        terminal.say("requests need a key: `cornerwise keys add NAME` makes one")
    serve(settings, workers)
