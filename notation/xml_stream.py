"""XML in blocks through a parser that builds no tree, refuses document types and holds hostile files in check."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import create_parser

from notation.record import Problem
from notation.stream import Chunk

BLOCK = 256 * 1024
"""Bytes that go to the parser at once. A tag or a text without any tag may not be longer."""

DEPTH, NAMES, ELEMENTS = 100, 500, 200_000
"""Elements inside each other, different names of elements and attributes, elements that are not passed over: more are
no record of anything."""

REST = 64 * 1024
"""Characters that are kept of what stands behind the place where the XML breaks."""

NO_DOCTYPE = "XML with a document type (DOCTYPE) is refused: no record needs one"

_ROOT = "all"
_DECLARATION = re.compile(r"\s*+(?:<\?xml\b[^>]{0,200}\?>)?")
_ENCODING = re.compile(rb"\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_DOCTYPE = re.compile(r"(?:\s++|<!--.*?-->|<\?.*?\?>)*+<!DOCTYPE", re.I | re.S)
_ONE_BYTE = re.compile(r"iso8859-\d{1,2}|cp\d{3,4}|koi8-[rtu]|mac-\w+")


@dataclass(frozen=True, slots=True)
class Stop:
    """Where and why the XML could be read no further; `rest` is the text from there, at most `REST` characters."""

    message: str
    line: int
    rest: str = ""
    doctype: bool = False


class Events(ContentHandler):
    """What a reader of one kind of XML derives from: `opened`, `closed` and `text` of elements that matter.

    Elements named in `ignored` are passed over with all that is in them.
    """

    ignored: frozenset[str] = frozenset()

    def __init__(self) -> None:
        super().__init__()
        self.path: list[str] = []
        self.line_number: Callable[[], int | None] = int
        self.seen = 0
        self._depth_ignored = self._looked_at = 0
        self._names: set[str] = set()

    def opened(self, name: str, attributes: AttributesImpl[str]) -> None:
        """An element begins; it is the last of `path`."""

    def closed(self, name: str) -> None:
        """An element ends; it is no longer in `path`."""

    def text(self, content: str) -> None:
        """Characters inside the last element of `path`; one text may come in several pieces."""

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:
        """Called by the parser."""
        self.seen += 1
        self._names.add(name)
        self._names.update(attrs.keys())  # the parser keeps every name it has met
        if len(self._names) > NAMES:
            raise SAXException(f"more than {NAMES} names")
        if len(self.path) + self._depth_ignored > DEPTH:
            raise SAXException(f"more than {DEPTH} elements inside each other")
        if self._depth_ignored or name in self.ignored:
            self._depth_ignored += 1
            return
        self._looked_at += 1
        if self._looked_at > ELEMENTS:
            raise SAXException(f"more than {ELEMENTS} elements")
        self.path.append(name)
        self.opened(name, attrs)

    def endElement(self, name: str) -> None:
        """Called by the parser."""
        self.seen += 1
        if self._depth_ignored:
            self._depth_ignored -= 1
            return
        self.path.pop()
        self.closed(name)

    def characters(self, content: str) -> None:
        """Called by the parser."""
        if not self._depth_ignored and not content.isspace():
            self.text(content)


def read_xml(chunk: Chunk, events: Events) -> tuple[Stop | None, list[Problem]]:
    """Let `events` see the elements of a chunk; returns where it stopped before its end, and oddities.

    Several elements may follow one another, as in a recorded stream of messages.
    """
    codec, problems = _codec(chunk)
    parser = create_parser(forbid_dtd=True)
    parser.setContentHandler(events)
    events.line_number = parser.getLineNumber
    stop, doctype = None, False
    try:
        for number, text in enumerate(_blocks(chunk.data, codec)):
            seen = events.seen
            if number == 0:
                doctype = _DOCTYPE.match(text) is not None
                text = text if doctype else f"<{_ROOT}>{text}"
            parser.feed(text)
            if events.seen == seen and len(text) >= BLOCK // 4:
                raise SAXException(f"no tag within {BLOCK // 1024} KiB")
        if len(events.path) == 1:
            parser.feed(f"</{_ROOT}>")
    except DefusedXmlException:
        stop = Stop(NO_DOCTYPE, parser.getLineNumber() or 1, doctype=True)
    except SAXException as error:
        line, column = parser.getLineNumber() or 1, parser.getColumnNumber() or 0
        # A document type may be written in a form that the parser does not know as one.
        stop = (
            Stop(NO_DOCTYPE, line, doctype=True) if doctype else _stop(chunk.data, codec, error, line, column)
        )
    finally:
        events.line_number = int
        with suppress(SAXException, DefusedXmlException):
            parser.close()  # parser and handler hold each other: this lets them go
    return stop, problems


def _codec(chunk: Chunk) -> tuple[str, list[Problem]]:
    """The encoding of a chunk: UTF-8 where it is, else what is declared, else Latin-1."""
    data = chunk.data
    match = None if any(p.code == "byte_order_mark" for p in chunk.problems) else _ENCODING.match(data)
    name = match[1].decode("ascii") if match else ""
    try:
        codec = codecs.lookup(name or "utf-8").name
    except LookupError:
        codec = ""
    if _ONE_BYTE.fullmatch(codec):
        return codec, []
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), BLOCK):
            decoder.decode(data[start : start + BLOCK])
    except UnicodeDecodeError:
        if name and codec == "utf-8":
            message = "the file says it is UTF-8 and is not: unreadable bytes are shown as U+FFFD"
            return "utf-8", [Problem("encoding", message)]
        said = f"the encoding {name!r} is unknown" if name else "the file names no encoding and is not UTF-8"
        return "latin-1", [Problem("encoding", f"{said}: read as Latin-1")]
    return "utf-8", []


def _blocks(data: bytes, codec: str) -> Iterator[str]:
    """The text of some bytes in blocks, without carriage returns and the declaration of its encoding."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(codec)("replace"), translate=True)
    for start in range(0, len(data), BLOCK):
        text = decoder.decode(data[start : start + BLOCK])
        if start == 0:
            head = _DECLARATION.match(text)
            assert head is not None
            text = "\n" * head[0].count("\n") + text[head.end() :]
        yield text


def _stop(data: bytes, codec: str, error: SAXException, line: int, column: int) -> Stop:
    message = error.getMessage()
    rest, at, to_skip = "", 1, max(0, column - (len(_ROOT) + 2 if line == 1 else 0))
    for text in _blocks(data, codec):
        start = 0
        while at < line and (found := text.find("\n", start)) >= 0:
            at, start = at + 1, found + 1
        if at < line:
            continue
        text = text[start:]
        skipped = min(to_skip, len(text))
        to_skip -= skipped
        tag = text.rfind("<", 0, skipped + 1)
        if not rest and tag >= 0 and ">" not in text[tag:skipped]:
            skipped = tag  # the parser may tell a place inside of the tag
        rest = (rest + text[skipped:])[:REST]
        if len(rest) == REST:
            break
    if rest[:9].upper() == "<!DOCTYPE":
        message = NO_DOCTYPE
    if not isinstance(error, SAXParseException):
        rest = rest[:200]
    return Stop(message, line, rest)
