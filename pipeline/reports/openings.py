"""The report of the openings of a variant: first moves, lines with their boards, symmetric images merged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date

from engine.boards import cells_by_name
from engine.rulesets import Ruleset, parse_rules, start_groups
from engine.symmetries import automorphisms
from engine.variants import variant
from pipeline.abbreviations import short_ids
from pipeline.board_svg import Colours, Marks, board_svg
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.game_selection import Selection
from pipeline.openings.explorer import Explored, explore, explore_all
from pipeline.openings.positions import Spot, spot_of_moves, start_spot
from pipeline.queries import most_played
from pipeline.ratings import ratings_of
from pipeline.reports.boards import colour_name
from pipeline.reports.common import about, filter_words, footer
from pipeline.reports.document import Block, Column, Figure, Figures, Remark, Report, Row, Section, Table
from pipeline.reports.pieces import piece_blocks
from pipeline.reports.texts import Texts
from pipeline.store import Reader

_FIGURES = (
    Column("games", "whole"), Column("reached", "whole"), Column("share", "share", interval=True),
    Column("score", "decimal", interval=True), Column("average_rating", "decimal"), Column("last_played", "date"),
    Column("opening"), Column("results", "whole", page=False), Column("sample_games", "list", page=False),
)  # fmt: skip
FIRST = (Column("piece"), Column("move", "code"), *_FIGURES)
LINES = (
    Column("step", file=False), Column("line", page=False), Column("depth", "whole", page=False),
    Column("colour", page=False), Column("move", "code"),
    *(replace(c, page=False) if c.name == "last_played" else c for c in _FIGURES),
    Column("moves", "list", page=False), Column("position_key", "code", page=False),
)  # fmt: skip

MOST_FIRST = 20
"""First moves that a page lists."""

BRANCHES = (4, 2, 2, 1, 1, 1)
"""How many moves of each position a line is followed for, by depth."""

INDENT = "\u2003"
"""Before a move of a line, for each move before it."""

BOARDS = 8
"""First moves, and positions of the main line, that are drawn."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A move of the tree: the moves that lead to it and with it, and its row."""

    moves: tuple[str, ...]
    row: Row


@dataclass(frozen=True, slots=True)
class _Explorer:
    """The explorer with the filters of a report."""

    reader: Reader
    variant: str
    wanted: Selection
    min_games: int
    ratings: Mapping[str, float]
    spots: dict[tuple[str, ...], Spot] = field(default_factory=dict)

    @property
    def rules(self) -> Ruleset:
        """The rules that are asked for, by default the variant's."""
        return parse_rules(self.variant, dict(self.wanted.rules or {}))

    def spot(self, moves: tuple[str, ...]) -> Spot:
        """The position after some moves."""
        if moves not in self.spots:
            self.spots[moves] = spot_of_moves(self.variant, self.wanted.rules or {}, moves)
        return self.spots[moves]

    def start(self, merged: bool = False) -> Explored:
        """What was played first."""
        return explore(
            self.reader,
            self.spot(()),
            self.wanted,
            merged=merged,
            min_games=self.min_games,
            ratings=self.ratings,
        )

    def after(self, lines: Sequence[tuple[str, ...]], limit: int) -> list[Explored]:
        """What was played after lines of the same length."""
        return explore_all(
            self.reader,
            [self.spot(line) for line in lines],
            self.wanted,
            min_games=self.min_games,
            limit=limit,
            ratings=self.ratings,
        )


def openings_report(
    reader: Reader, variant_id: str | None, wanted: Selection, t: Texts, made: date, min_games: int = 1
) -> Report:
    """The report of the openings of a variant, by default of the one with most games.

    Raises:
        RuleError, PipelineError: a filter that means nothing.
        LibraryError: the library has no index of openings yet.
    """
    name = variant_id or most_played(reader)
    wanted = wanted.with_variant(name)
    asked = {key: value for key, value in asdict(wanted).items() if key in _FILTERS and value}
    if min_games > 1:
        asked["min_games"] = min_games
    subtitle = [filter_words(t, asked), "" if variant_id else t("openings.most_played")]
    return Report(
        "openings",
        t("openings.title", variant=variant(name).name),
        t("list_comma").join(part for part in subtitle if part),
        {**about(reader, made), "variant": name, "filter": asked},
        list(_sections(_Explorer(reader, name, wanted, min_games, ratings_of(reader, name)), t)),
        "lines",
        footer(reader, t, made),
    )


_FILTERS = ("rules", "players", "seat", "since", "until", "ratings", "source", "flawed")


def _sections(explorer: _Explorer, t: Texts) -> Iterator[Section]:
    reader, name = explorer.reader, explorer.variant
    first = explorer.start()
    yield Section("first", t("openings.first"), list(_first(reader, first, t)))
    if not first.moves:
        return
    nodes = list(_in_order(_tree(explorer, first), ()))
    yield Section("lines", t("openings.lines"), list(_lines(explorer, nodes, t)))
    yield Section("pieces", t("openings.pieces"), list(piece_blocks(reader, explorer.wanted, t)))
    symmetries = len(automorphisms(name, explorer.rules.start))
    if symmetries > 1:
        merged = explorer.start(merged=True)
        yield Section("merged", t("openings.merged"), list(_merged(reader, merged, symmetries, t)))


def _first(reader: Reader, found: Explored, t: Texts) -> Iterator[Block]:
    if not found.games:
        yield Remark(t("openings.no_match", left_out=t.counted("games", found.left_out)))
        return
    yield Remark(
        t(
            "openings.counted",
            games=t.counted("games", found.games),
            moves=t.whole(found.total_moves),
            scoring=found.scoring,
        )
    )
    if found.left_out:
        yield Remark(t("openings.left_out", games=t.counted("games", found.left_out)))
    if not found.moves:
        yield Remark(t("openings.too_few"))
        return
    boards = [_board(found.spot, row, t, f"first{at}") for at, row in enumerate(found.moves[:BOARDS])]
    yield Figures(boards, "boards")
    if len(found.moves) > 1:
        title = t("openings.first_chart")
        bars = [_bar(row, t) for row in found.moves[:BOARDS]]
        axes = Axes(t("axes.share"), reach=(0.0, 1.0), words=t.share)
        yield Figures([Figure(interval_chart(bars, title=title, uid="first", axes=axes, level=0.5), title)])
    yield Table("first_moves", FIRST, _rows(reader, found.moves), MOST_FIRST, t("openings.figures_note"))


def _rows(reader: Reader, rows: Sequence[Row]) -> list[Row]:
    """Rows of the explorer with cells in a list and short identities of games."""
    short = short_ids(reader, [identity for row in rows for identity in row["sample_games"]])
    return [
        {
            **row,
            "move": row["move"].split(","),
            "sample_games": [short[identity] for identity in row["sample_games"]],
        }
        for row in rows
    ]


def _bar(row: Row, t: Texts) -> Bar:
    name = f"{row['piece']} {row['move'].split(',')[0]}"
    note = t("openings.no_results")
    return Bar(
        name, row["share"], row["share_low"], row["share_high"], note, t.counted("games", row["games"])
    )


def first_boards(reader: Reader, wanted: Selection, t: Texts, uid: str, most: int) -> list[Figure]:
    """Boards of the first moves played most often in a selection of one variant.

    Raises:
        LibraryError: the library has no index of openings yet.
    """
    assert wanted.variant is not None
    found = explore(reader, start_spot(wanted.variant), wanted, limit=most)
    return [_board(found.spot, row, t, f"{uid}{at}") for at, row in enumerate(found.moves)]


def _board(spot: Spot, row: Row, t: Texts, uid: str) -> Figure:
    """The board with a move on it."""
    by_name = cells_by_name(variant(spot.variant).board)
    cells = [by_name[name] for name in row["move"].split(",")]
    board = spot.board.copy()
    board[cells] = row["colour"] - 1
    marks = Marks(last=cells, starts=_free_starts(spot.variant, board))
    colour = colour_name(t, spot.variant, row["colour"] - 1)
    title = t("openings.move", colour=colour, piece=row["piece"], cells=row["move"])
    share = t.shown(row["share"], "share")
    caption = t(
        "openings.caption",
        piece=row["piece"],
        colour=colour,
        games=t.counted("games", row["games"]),
        share=share,
    )
    return Figure(board_svg(spot.variant, board, title=title, uid=uid, marks=marks, small=True), caption)


def _free_starts(variant_id: str, board: Colours) -> list[int]:
    """Starting cells of the variant's own start rule that nobody covers."""
    groups = start_groups(variant_id, variant(variant_id).start)
    return sorted({cell for colour in groups for group in colour for cell in group if board[cell] < 0})


def _tree(explorer: _Explorer, first: Explored) -> dict[tuple[str, ...], list[_Node]]:
    """Moves by the line before them, looked up one depth after the other."""
    tree: dict[tuple[str, ...], list[_Node]] = {}
    level: list[tuple[tuple[str, ...], list[Row]]] = [((), first.moves[: BRANCHES[0]])]
    for branches in (*BRANCHES[1:], 0):
        for line, rows in level:
            tree[line] = [_Node((*line, row["move"]), row) for row in rows]
        nodes = [node for line, _ in level for node in tree[line]]
        # What follows a move that was played no more than that often is no line, it is a game.
        lines = [node.moves for node in nodes if node.row["games"] > explorer.min_games and branches]
        found = explorer.after(lines, branches)
        level = [(line, one.moves) for line, one in zip(lines, found, strict=True)]
    return tree


def _in_order(tree: dict[tuple[str, ...], list[_Node]], line: tuple[str, ...]) -> Iterator[_Node]:
    """Lines from a position, each move before those that follow it."""
    for node in tree.get(line, ()):
        yield node
        yield from _in_order(tree, node.moves)


def _lines(explorer: _Explorer, nodes: list[_Node], t: Texts) -> Iterator[Block]:
    main = [nodes[0]]
    for node in nodes:
        if node.moves[:-1] == main[-1].moves:
            main.append(node)
    boards = [
        _board(explorer.spot(node.moves[:-1]), node.row, t, f"main{at}")
        for at, node in enumerate(main[:BOARDS])
    ]
    if len(boards) > 1:
        yield Remark(t("openings.main_line"))
        yield Figures(boards, "boards")
    pieces = {node.moves: node.row["piece"] for node in nodes}
    rows = _rows(explorer.reader, [node.row for node in nodes])
    for row, node in zip(rows, nodes, strict=True):
        before = [pieces[node.moves[:length]] for length in range(1, len(node.moves) + 1)]
        row["line"] = t("openings.arrow").join(before)
        row["depth"], row["moves"] = len(node.moves), list(node.moves)
        row["step"] = t(
            "openings.step", indent=INDENT * (row["depth"] - 1), ply=row["depth"], piece=row["piece"]
        )
        row["colour"] = t.named("colours", row["colour_name"])
        row["position_key"] = explorer.spot(node.moves).text
    yield Table(
        "lines", LINES, rows, note=t("openings.lines_note", branches=t("list_comma").join(map(str, BRANCHES)))
    )


def _merged(reader: Reader, found: Explored, symmetries: int, t: Texts) -> Iterator[Block]:
    yield Remark(t("openings.merged_words", n=symmetries))
    if found.other_start_rule:
        yield Remark(t("openings.other_start", games=t.counted("games", found.other_start_rule)))
    if found.moves:
        yield Table("merged_first_moves", FIRST, _rows(reader, found.moves), MOST_FIRST)
