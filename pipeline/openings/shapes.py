"""First pieces by shape: mirrored at the diagonal through a colour's own corner, or whatever keeps its own start.

Such a mirror is no symmetry of the game where the others' starts move: a statistic of shapes is one of the first piece
alone, never added to one of positions.
"""

from __future__ import annotations

from dataclasses import replace

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from engine.rulesets import parse_rules
from engine.symmetries import own_symmetries
from engine.variants import variant
from pipeline.game_selection import SEAT_FACTS, Selection, chosen_games, points
from pipeline.openings.explorer import check_index
from pipeline.openings.moves import figures
from pipeline.queries import Row
from pipeline.store import Reader


def first_shapes(reader: Reader, wanted: Selection, scoring: str | None = None) -> list[Row]:
    """A row for every colour and shape of its first piece: games, share and score of its seat; most frequent first.

    `move` is the one of the images with the first cells. Games from setups are left out, and games under another
    start rule than that of `wanted`, by default the variant's.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
        LibraryError: the library has no index yet.
    """
    check_index(reader)
    assert wanted.variant is not None
    row = variant(wanted.variant)
    start = parse_rules(row.id, dict(wanted.rules or {})).start
    games, values = chosen_games(replace(wanted, flawed=False))
    score = points(scoring or row.scoring)
    found = reader.table(
        f"""
        WITH firsts AS (
            SELECT o.game_no, o.colour, arg_min(o.placement, o.depth) AS placement, arg_min(o.seat, o.depth) AS seat
            FROM openings_raw o
            SEMI JOIN (
                SELECT game_no FROM ({games})
                WHERE setup IS NULL AND coalesce(rules ->> '$.start', $default) = $start
            ) USING (game_no)
            WHERE o.depth <= {len(row.colours)}
            GROUP BY o.game_no, o.colour
        )
        SELECT m.colour, m.placement, count(*) AS games, count(f.share) AS results, sum(f.share) AS share,
               sum({score}) FILTER (f.share IS NOT NULL) AS score,
               sum({score} * {score}) FILTER (f.share IS NOT NULL) AS score_squares
        FROM firsts m LEFT JOIN seat_facts f ON f.game_no = m.game_no AND f.seat = m.seat
        GROUP BY m.colour, m.placement
        """,
        {**values, "start": start, "default": row.start},
        needs=[SEAT_FACTS],
    ).to_pylist()
    return _by_shape(row.id, start, found)


def _by_shape(variant_id: str, start: str, found: list[Row]) -> list[Row]:
    row, tables = variant(variant_id), geometry(variant_id)
    names, pieces = cell_names(row.board), PIECE_SETS[row.pieces].names
    images = [own_symmetries(variant_id, start, colour).tolist() for colour in range(len(row.colours))]
    sums: dict[tuple[int, tuple[int, ...]], Row] = {}
    for one in found:
        colour, cells = one["colour"] - 1, placement_cells(tables, one["placement"])
        shape = min(tuple(sorted(image[cell] for cell in cells)) for image in images[colour])
        start_row = {"piece": pieces[tables.placement_piece[one["placement"]]], "placements": 0}
        total = sums.setdefault((colour, shape), start_row)
        total["placements"] += 1
        for name in ("games", "results", "share", "score", "score_squares"):
            total[name] = total.get(name, 0) + (one[name] or 0)
    rows = [
        {
            "colour": colour + 1,
            "colour_name": row.colours[colour],
            "piece": total["piece"],
            "move": ",".join(names[cell] for cell in shape),
            "games": total["games"],
            **figures(total["results"], total["share"], total["score"], total["score_squares"]),
        }
        for (colour, shape), total in sums.items()
    ]
    return sorted(rows, key=lambda r: (r["colour"], -r["games"], r["piece"], r["move"]))
