"""The table of formats. A new one is a module and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from notation import (
    blksgf,
    blksgf_write,
    board_picture,
    final_boards,
    fourcode,
    gtp,
    json_cells,
    json_cells_write,
    jsonl,
    metablok,
    piece_lines,
    result_log,
    shorthand,
    software_challenge,
    step_log,
    table,
    table_parquet,
    table_split,
    table_write,
    trees,
    twogtp,
    ui_script,
)
from notation.fragments import Item
from notation.recognise import looks_like_blksgf, looks_like_fourcode, looks_like_jsonl
from notation.record import GameRecord
from notation.stream import Chunk, Read, ReadOptions, broken_off, unbroken
from notation.table_layout import Columns


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
    `pack` makes the bytes of a file from the texts that `write` gave, one after the other. `sniff_columns` and
    `split_columns` are those of tables, whose columns the caller may name. The page of a format is `pages/<name>.md`.
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
    sniff_columns: Callable[[bytes, str, Columns], bool] | None = None
    split_columns: Callable[[Read, Columns], Iterator[Chunk]] | None = None

    def recognises(self, head: bytes, name: str, columns: Columns = ()) -> bool:
        """Whether a source that begins like this is in the format."""
        if self.sniff_columns is not None:
            return self.sniff_columns(head, name, columns)
        return self.sniff(head, name)

    def cut(self, read: Read, columns: Columns = ()) -> Iterator[Chunk]:
        """Cut a source into chunks of whole records."""
        return self.split(read) if self.split_columns is None else self.split_columns(read, columns)


TABLE_CARRIES = "moves, passes, setup, players, headers, rules, results; no variations, comments or clocks"

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
    Format(
        "software_challenge",
        "Software-Challenge replay",
        (".xml",),
        "classic_2: moves, passes, players, the result and its cause, start piece",
        software_challenge.looks_like,
        software_challenge.split,
        software_challenge.read,
    ),
    Format(
        "json_cells",
        "JSON lists of cells",
        (".json", ".jsonl"),
        "square boards: moves, passes, players, headers, rules, scores, evaluations; positions with their history",
        json_cells.looks_like,
        json_cells.split,
        json_cells.read,
        json_cells_write.write,
        names_colours=True,
    ),
    Format(
        "step_log",
        "step log in JSON Lines",
        (".jsonl", ".ndjson"),
        "classic, with a set of pieces of its own: moves, counts of legal moves",
        step_log.looks_like,
        step_log.split,
        step_log.read,
    ),
    Format(
        "result_log",
        "results in JSON, also glued",
        (".jsonl", ".json", ".ndjson"),
        "results without moves: players, scores, places",
        result_log.looks_like,
        result_log.split,
        result_log.read,
    ),
    Format(
        "metablok",
        "MetaBlok game",
        (".sav",),
        "duo only: moves",
        metablok.looks_like,
        metablok.split,
        metablok.read,
        one_game_a_file=True,
        break_off=broken_off,
    ),
    Format(
        "gtp",
        "GTP transcript",
        (".gtp",),
        "moves, passes, resigning; the declared result is read only",
        gtp.looks_like,
        gtp.split,
        gtp.read,
        gtp.write,
        names_colours=True,
        break_off=gtp.broken_off_games,
    ),
    Format(
        "twogtp",
        "results of a twogtp match",
        (".dat",),
        "results without moves, with lengths and times",
        twogtp.looks_like,
        twogtp.split,
        twogtp.read,
        break_off=twogtp.broken_off_rows,
    ),
    Format(
        "piece_lines",
        "piece lines of the Software-Challenge",
        (".txt",),
        "classic_2: moves and passes; one game a file",
        piece_lines.looks_like,
        piece_lines.split,
        piece_lines.read,
        one_game_a_file=True,
        break_off=broken_off,
    ),
    Format(
        "ui_script",
        "typed input of a Duo program",
        (".txt",),
        "duo only: moves, players",
        ui_script.looks_like,
        ui_script.split,
        ui_script.read,
        one_game_a_file=True,
        break_off=broken_off,
    ),
    Format(
        "final_boards",
        "final boards as digits",
        (".txt",),
        "positions: the end of a game, classic or duo",
        final_boards.looks_like,
        final_boards.split,
        final_boards.read,
    ),
    Format(
        "board_picture",
        "saved board, as a picture or a matrix",
        (".txt", ".json", ".xml"),
        "positions: duo or classic, who is on turn",
        board_picture.looks_like,
        board_picture.split,
        board_picture.read,
        one_game_a_file=True,
        break_off=broken_off,
    ),
    Format(
        "shorthand",
        "shorthand of Duo players",
        (".txt", ".md"),
        "duo only: moves, passes, players; or the pieces in order",
        shorthand.looks_like,
        shorthand.split,
        shorthand.read,
        break_off=broken_off,
    ),
    Format(
        "parquet",
        "table in Parquet",
        (".parquet",),
        TABLE_CARRIES,
        table_parquet.looks_like_parquet,
        table_parquet.split,
        partial(table.read, "parquet"),
        table_write.write_csv,
        names_colours=True,
        break_off=table_parquet.broken_off,
        pack=table_parquet.pack_parquet,
        split_columns=table_parquet.split,
    ),
    Format(
        "csv",
        "table in CSV, also Excel's",
        (".csv",),
        TABLE_CARRIES,
        table.looks_like_csv,
        table_split.split,
        partial(table.read, "csv"),
        table_write.write_csv,
        names_colours=True,
        break_off=table_split.broken_off,
        pack=table_write.pack_csv,
        sniff_columns=table.looks_like_csv,
        split_columns=table_split.split,
    ),
    Format(
        "tsv",
        "table in TSV",
        (".tsv", ".tab"),
        TABLE_CARRIES,
        table.looks_like_tsv,
        table_split.split,
        partial(table.read, "tsv"),
        table_write.write_tsv,
        names_colours=True,
        break_off=table_split.broken_off,
        pack=table_write.pack_tsv,
        sniff_columns=table.looks_like_tsv,
        split_columns=table_split.split,
    ),
)

FORMATS: dict[str, Format] = {row.name: row for row in _ROWS}
"""Name -> format, in the order in which they are tried."""
