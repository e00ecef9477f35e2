"""Which format a source is in, from its first bytes; and, where it is in none, what it looks like."""

from __future__ import annotations

from notation.errors import NotARecord, NotationError, Where
from notation.formats import FORMATS, Format
from notation.look_alikes import binary_kind, stands_beside, text_kind
from notation.recognise import text_of_head
from notation.stream import HEAD, byte_order_mark
from notation.table_layout import Columns
from notation.table_parquet import looks_like_parquet

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b\x1a"))


def sniff(
    head: bytes, name: str = "", forced: str | None = None, columns: Columns = ()
) -> Format | NotationError:
    """Return the format of a source, or an error (not raised) that says what the source looks like.

    `head` are its first bytes, `HEAD` of them at most; `name` never decides alone. `forced` names a format
    that the caller insists on: then only an empty or a binary source, or result lines and tables, are turned down.
    """
    where = Where(name)
    head = head[:HEAD]
    if forced is not None and forced not in FORMATS:
        return NotationError(f"unknown format {forced!r}: choose one of {', '.join(FORMATS)}", where)
    if not head:
        return NotARecord("the file is empty", where)
    if _is_binary(head) and not looks_like_parquet(head, name):
        return NotARecord(f"the file is binary{binary_kind(head, name)}", where)
    if not text_of_head(head).strip():
        return NotARecord("the file holds only blanks", where)
    if forced is not None:
        row = FORMATS[forced]
        beside = not row.recognises(head, name, columns) and stands_beside(text_of_head(head))
        return NotARecord(looks_like(head, name), where) if beside else row
    for row in FORMATS.values():
        if row.recognises(head, name, columns):
            return row
    return NotARecord(looks_like(head, name), where)


def _is_binary(head: bytes) -> bool:
    """Whether the bytes are no text: a zero byte or many control characters, without a mark of UTF-16."""
    marked = byte_order_mark(head)
    if marked is not None and marked[1] != "utf-8":
        return False
    if b"\0" in head:
        return True
    return (len(head) - len(head.translate(None, _CONTROLS))) * 20 > len(head)


def looks_like(head: bytes, name: str = "") -> str:
    """Say in a sentence what a text that is in no known format looks like (kinds: `look_alikes`)."""
    kind = text_kind(text_of_head(head), name)
    if kind is not None:
        return f"no game records: this looks like {kind}"
    return f"no game records in a known format: it is none of the {len(FORMATS)}"
