"""An array of JSON objects, made into objects one after the other while it is read."""

from __future__ import annotations

import json
import re

from notation.stream import BLOCK, RECORD_LIMIT, Read

_GAP = re.compile(r"[\s,\[\]]*+")
_LONGEST_WORD = 12
"""Characters of the longest word that may be cut off at the end of what is known: -Infinity and some."""


class Elements:
    """Bytes of an array whose brackets and commas around the elements are blanks: as long, and as many lines.

    The line ends of a gap come last, so that every element that follows one begins a line. Where an element is
    broken, the next one is looked for by `key`, the first of every object; where none comes, the rest is handed on as
    it is.
    """

    def __init__(self, read: Read, first: bytes, key: bytes) -> None:
        self._read = read
        self._data = first
        self._broken = False
        self._ended = not first
        self._decoder = json.JSONDecoder()
        self._next = re.compile(rb'[,\s]\s*+(?=\{\s*+"' + re.escape(key) + rb'"\s*+:)') if key else None

    def read(self, size: int) -> bytes:
        """Some bytes, none only at the end."""
        while not self._ended or self._data:
            if ready := self._ready():
                return ready
            block = self._read(max(size, BLOCK))
            self._ended = not block
            self._data += block
        return b""

    def _ready(self) -> bytes:
        """All that is certain: whole elements and the gaps before them."""
        if self._broken or len(self._data) > RECORD_LIMIT + BLOCK:
            self._broken = True
            ready, self._data = self._data, b""
            return ready
        text, out, at = self._data.decode("latin-1"), [], 0
        while at < len(text):
            gap = _GAP.match(text, at)
            assert gap is not None  # it matches nothing too
            end = self._element_end(text, gap.end()) if gap.end() < len(text) or self._ended else -1
            if end < 0:
                break
            out += [_blank(self._data[at : gap.end()]), self._data[gap.end() : end]]
            at = end
        self._data = self._data[at:]
        return b"".join(out)

    def _element_end(self, text: str, at: int) -> int:
        """Where the element at a place ends; -1 when that is not known yet."""
        if at == len(text):
            return at
        try:
            return self._decoder.raw_decode(text, at)[1]
        except json.JSONDecodeError as error:
            open_end = error.msg.startswith("Unterminated string") or error.pos >= len(text) - _LONGEST_WORD
            if open_end and not self._ended:
                return -1
            found = self._next.search(self._data, max(error.pos, at + 1)) if self._next else None
            if found is None and not self._ended:
                return -1
            self._broken = found is None
            return len(text) if found is None else found.start()
        except (RecursionError, ValueError):
            self._broken = True
            return len(text)


def _blank(gap: bytes) -> bytes:
    ends = gap.count(b"\n")
    return b" " * (len(gap) - ends) + b"\n" * ends
