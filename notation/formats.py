"""The table of formats. A new one is a module and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from notation import blksgf, blksgf_write, fourcode, jsonl, trees
from notation.fragments import Item
from notation.recognise import looks_like_blksgf, looks_like_fourcode, looks_like_jsonl
from notation.record import GameRecord
from notation.stream import Chunk, Read, ReadOptions, broken_off, unbroken


def encoded(texts: Iterable[str]) -> Iterator[bytes]:
    """A file of texts one after the other, in UTF-8."""
    return (text.encode("utf-8", "replace") for text in texts)


@dataclass(frozen=True, slots=True)
class Format:
    """One notation.

    `sniff(head, name)` says from the first bytes of a source (and its name, which never decides alone)
    whether it is in this format; `split` cuts a source into chunks of whole records, cheaply; `read` never
    raises on bad input: it yields one item or one error for every record found; `write` raises
    `CannotWrite`. `carries` says what of a game it holds. `names_colours`: its writer needs the colour of every
    move, where a record leaves it open that of the replay. `one_game_a_file`: a file is one game.
    `break_off` sees the last chunk of a source that is damaged behind it, and refuses a record that is not whole.
    `pack` makes the bytes of a file from the texts that `write` gave, one after the other. The page of a format is
    `pages/<name>.md`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    carries: str
    sniff: Callable[[bytes, str], bool]
    split: Callable[[Read], Iterator[Chunk]]
    read: Callable[[Chunk, ReadOptions], Iterator[Item]]
    write: Callable[[GameRecord], str] | None = None
    names_colours: bool = False
    one_game_a_file: bool = False
    break_off: Callable[[Chunk], Iterator[Chunk]] = unbroken
    pack: Callable[[Iterable[str]], Iterator[bytes]] = encoded


_ROWS = (
    Format(
        "blksgf",
        "Blokus SGF",
        (".blksgf", ".sgf"),
        "moves, setup, variations, comments, players, headers; rules and endings in properties of our own",
        looks_like_blksgf,
        trees.split_trees,
        blksgf.read,
        blksgf_write.write,
        names_colours=True,
        break_off=trees.broken_off_trees,
    ),
    Format(
        "jsonl",
        "Cornerwise JSON Lines",
        (".jsonl", ".ndjson"),
        "everything",
        looks_like_jsonl,
        jsonl.split,
        jsonl.read,
        jsonl.write,
    ),
    Format(
        "fourcode",
        "four-character code",
        (".txt",),
        "duo only: moves, passes, the referee's result line; one game a file",
        looks_like_fourcode,
        fourcode.split,
        fourcode.read,
        fourcode.write,
        one_game_a_file=True,
        break_off=broken_off,
    ),
)

FORMATS: dict[str, Format] = {row.name: row for row in _ROWS}
"""Name -> format, in the order in which they are tried."""
