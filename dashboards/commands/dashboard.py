"""`cornerwise dashboard`: the library in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from dashboards.commands import options

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on; default: this machine only.")
]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on.")]
ServiceAddress = Annotated[
    str | None,
    typer.Option(
        "--service", metavar="URL", help="A `cornerwise serve` of the same library, for imports and analyses."
    ),
]


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    host: Host = "127.0.0.1",
    port: Port = 8501,
    service: ServiceAddress = None,
) -> None:
    """Explore games, openings and positions in the browser; imports and analyses can be started there, too.

    Everybody who reaches the address may use it: there are no keys. Other settings come from the environment.
    """
    from dashboards.app.starting import serve

    serve(library.absolute(), host, port, service)
