"""Elements of SVG as text: escaped, with short numbers, and valid whatever the words that come from records."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
"""Fonts that the machine has: nothing is loaded."""


def plain(text: str) -> str:
    """A text without characters that XML cannot hold (control characters, halves of pairs): they become U+FFFD."""
    return _NOT_XML.sub("\ufffd", text)


def words(text: object) -> str:
    """A text escaped for XML and HTML, inside an element or an attribute.

    >>> words("R&D <b>")
    'R&amp;D &lt;b&gt;'
    """
    return plain(str(text)).translate(_ENTITIES)


def number(value: float) -> str:
    """A coordinate in few characters.

    >>> number(2.50), number(-0.001)
    ('2.5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; `children` are elements or escaped words, attributes that are None are left out.

    >>> tag("path", d="M0 0", stroke_width=1.50)
    '<path d="M0 0" stroke-width="1.5"/>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float) else words(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def text_at(x: float, y: float, text: object, size: float = 11.0, **attributes: object) -> str:
    """A line of text; `y` is its base line."""
    return tag("text", words(text), x=float(x), y=float(y), font_size=float(size), **attributes)


def picture(size: tuple[float, float], title: str, description: str, uid: str, parts: Iterable[str]) -> str:
    """A whole picture that scales, with what it says in words for those who do not see it.

    `uid` begins the ids inside: no two pictures of a document may have the same.
    """
    width, height = size
    named = f"{uid}-title {uid}-about" if description else f"{uid}-title"
    about = [tag("title", words(title), id=f"{uid}-title")]
    if description:
        about.append(tag("desc", words(description), id=f"{uid}-about"))
    return tag(
        "svg",
        *about,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_labelledby=named,
        font_family=FONT,
    )
