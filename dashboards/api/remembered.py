"""Answers to questions about the library, remembered until there is a newer snapshot: many people ask the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from pydantic import BaseModel

from dashboards.api.answers import answer
from pipeline.documents import Document
from pipeline.store import Reader

Key = tuple[int, str, str]


class Remembered:
    """The last answers, up to so many bytes; may be shared by threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._guard = threading.Lock()
        self._bodies: OrderedDict[Key, bytes] = OrderedDict()

    def body(
        self, reader: Reader, name: str, question: BaseModel, about: Callable[[Reader], Document]
    ) -> bytes:
        """What `about` says of the newest snapshot, as JSON, or said before of this question of this `name`.

        Raises:
            NotALibrary, LibraryTooNew, LibraryTooOld: it cannot be read, or not yet.
            Exception: whatever `about` raises; that is not remembered.
        """
        reader.refresh()
        key = (reader.snapshot, name, question.model_dump_json())
        with self._guard:
            found = self._bodies.get(key)
            if found is not None:
                self._bodies.move_to_end(key)
                return found
        body = bytes(answer(about(reader)).body)
        # A snapshot that came meanwhile may have had a part in it.
        if reader.snapshot == key[0]:
            self._keep(key, body)
        return body

    def _keep(self, key: Key, body: bytes) -> None:
        with self._guard:
            self._bytes += len(body) - len(self._bodies.pop(key, b""))
            self._bodies[key] = body
            while self._bytes > self._most:
                _, gone = self._bodies.popitem(last=False)
                self._bytes -= len(gone)
