"""A service in a thread of the test's process, on a real socket; and one as a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from dashboards.api import Settings, create_app
from dashboards.client import Client

REPOSITORY = Path(__file__).resolve().parents[3]


def listening() -> socket.socket:
    """A socket on a free port that the service takes over: requests before it is up wait."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", 0))
    bound.listen(128)
    return bound


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # those are the main thread's


@contextmanager
def serving(library: Path, *, warm: bool = False, **settings: Any) -> Iterator[Client]:
    """A client of a service with these settings, which does no jobs unless told; when it is `warm`, if so wanted."""
    app = create_app(Settings(library=library, **{"work": False, **settings}))
    bound = listening()
    server = _Server(uvicorn.Config(app, log_level="critical", access_log=False, timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        with Client(f"http://127.0.0.1:{bound.getsockname()[1]}") as client:
            if warm:
                client.version()
                assert app.state.service.warm.wait(300)
            yield client
    finally:
        server.should_exit = True
        thread.join(20)
        bound.close()


class Process:
    """`cornerwise serve` as a process, on a socket that outlives it."""

    def __init__(self, library: Path, **settings: Any) -> None:
        self.library = library
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._settings = {f"CORNERWISE_{name.upper()}": str(value) for name, value in settings.items()}
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "dashboards.cli", "serve", "--port", str(self.port)]
        path = os.pathsep.join([os.getcwd(), str(REPOSITORY)])
        env = {**os.environ, **self._settings, "PYTHONPATH": path, "CORNERWISE_LIBRARY": str(self.library)}
        self.process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL)
        self.client = Client(f"http://127.0.0.1:{self.port}")

    def kill(self) -> None:
        """End it as a failing machine does."""
        self.process.kill()
        self.process.wait()
        self.client.close()

    def stop(self) -> int:
        """End it as people do; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.client.close()
        return self.process.wait(30)
