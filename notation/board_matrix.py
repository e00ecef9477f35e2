"""Boards saved as a matrix of players, in JSON or XML: text to numbers, nothing about boards or pieces."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from notation.errors import BadPosition

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_JSON = re.compile(r'\s*+\{[^\[]{0,400}?"field"\s*+:\s*+\[\s*+\[\s*+-?\d', re.S)
_XML = re.compile(r"<gameState\b[^>]{0,200}+>\s*+<field\b[^>]{0,200}+>\s*+<row\b", re.S)
_XML_BEGINS = re.compile(r"\s*+<(?:\?xml|!DOCTYPE|!--|gameState\b)")
_NUMBER = re.compile(r"-?\d{1,3}", re.A)
_ROWS = 64
_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Matrix:
    """What such a file says: rows from the top, -1 for an empty cell; the player on turn from 0.

    `players` is their number, None where the file does not say it; `left` the number of each piece that every
    player still has, empty where unknown.
    """

    rows: list[list[int]]
    to_move: int
    players: int | None
    left: list[list[int]]


def is_matrix(text: str) -> bool:
    """Whether a text begins like such a file."""
    if _JSON.match(text):
        return '"currentPlayer"' in text
    return _XML_BEGINS.match(text) is not None and _XML.search(text) is not None


def matrix_of(text: str) -> Matrix:
    """Return what a text that `is_matrix` says.

    Raises:
        BadPosition: it does not say it in that form.
    """
    return _of_json(text) if text.lstrip().startswith("{") else _of_xml(text)


def _of_json(text: str) -> Matrix:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadPosition(f"the JSON cannot be read: {str(error)[:120]}") from None
    inventory = value.get("blockInventory") or {}
    if not isinstance(inventory, dict):
        raise BadPosition("blockInventory is no object")
    players = inventory.get("playerAmount")
    return Matrix(
        [_numbers(row, "field", -1) for row in _list(value.get("field"), "field", _ROWS)],
        _number(value.get("currentPlayer"), "currentPlayer"),
        None if players is None else _number(players, "playerAmount"),
        [_numbers(row, "inventory") for row in _list(inventory.get("inventory", []), "inventory", _PLAYERS)],
    )


def _of_xml(text: str) -> Matrix:
    from defusedxml import DefusedXmlException, ElementTree

    try:
        root: Element = ElementTree.fromstring(text.lstrip(), forbid_dtd=True)
    except DefusedXmlException:
        raise BadPosition(
            "a DOCTYPE or entities of its own: a saved board needs none, and none is read"
        ) from None
    except (ElementTree.ParseError, ValueError) as error:
        raise BadPosition(f"the XML cannot be read: {str(error)[:120]}") from None
    if root.tag != "gameState":
        raise BadPosition(f"the XML is of {root.tag[:40]!r}, not of gameState")
    players = root.findtext("blockInventory/playerAmount")
    return Matrix(
        [
            _numbers(_texts(row, "cell"), "field", -1)
            for row in _list(root.findall("field/row"), "field", _ROWS)
        ],
        _number(root.findtext("currentPlayer"), "currentPlayer"),
        None if players is None else _number(players, "playerAmount"),
        [
            _numbers(_texts(row, "block"), "inventory")
            for row in _list(root.findall("blockInventory/inventory/player"), "inventory", _PLAYERS)
        ],
    )


def _texts(of: Element, tag: str) -> list[str]:
    return [element.text or "" for element in of.findall(tag)]


def _list(value: object, name: str, longest: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > longest:
        raise BadPosition(f"{name} is no list of up to {longest}")
    return value


def _numbers(row: object, name: str, least: int = 0) -> list[int]:
    return [_number(value, name, least) for value in _list(row, name, _ROWS)]


def _number(value: object, name: str, least: int = 0) -> int:
    """A small number, as JSON has it or as text with blanks around."""
    text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not _NUMBER.fullmatch(text) or int(text) < least:
        raise BadPosition(f"{name}: {str(value)[:20]!r} is no number from {least} to 999")
    return int(text)
