"""Property identifiers of Blokus SGF for every variant, and the names of headers they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.variants import VARIANTS, variant

_WORDS = ("BLUE", "YELLOW", "RED", "GREEN")
_ALL_COLOURS = frozenset(("B", "W", "1", "2", "3", "4", *_WORDS))
_ALL_SETUPS = frozenset(("AB", "AW", "A1", "A2", "A3", "A4"))

GAMES: dict[str, str] = {row.name.lower(): row.id for row in VARIANTS.values()}
"""Value of GM in lower case -> variant."""

OTHER_GAMES: dict[str, str] = {
    name.lower(): name
    for name in (
        "Nexos", "Nexos Two-Player", "Callisto", "Callisto Two-Player", "Callisto Two-Player Four-Color",
        "Callisto Three-Player", "GembloQ", "GembloQ Two-Player", "GembloQ Two-Player Four-Color",
        "GembloQ Three-Player",
    )
} | {"universe": "Universe, boardspace.net's games of the Blokus kind on boards of their own"}  # fmt: skip
"""Games in the same syntax that are refused by name: the reference program's others, and boardspace.net's."""

NUMBERED_GAMES: tuple[str, ...] = (
    "another game", "Go", "Othello", "chess", "Gomoku or Renju", "Nine Men's Morris", "Backgammon", "Chinese chess",
    "Shogi", "Lines of Action", "Ataxx", "Hex", "Jungle", "Neutron", "Philosopher's Football", "Quadrature", "Trax",
    "Tantrix", "Amazons", "Octi", "Gess", "Twixt", "Zertz", "Plateau", "Yinsh", "Punct", "Gobblet", "Hive", "Exxit",
    "Hnefatal", "Kuba", "Tripples", "Chase", "Tumbling Down", "Sahara", "Byte", "Focus", "Dvonn", "Tamsk", "Gipf",
    "Kropki",
)  # fmt: skip
"""Games by their number in the general SGF standard, from 1; Blokus has none. No number at all means Go."""

GO_PROPERTIES = frozenset(("SZ", "KM", "HA"))
"""Root properties of Go that no Blokus program writes."""

HEADERS: dict[str, str] = {
    "DT": "date", "EV": "event", "RO": "event_round", "TM": "time_limit", "OT": "overtime", "AP": "program",
    "GN": "game_number", "PC": "place", "AN": "annotator", "SO": "source", "US": "entered_by",
    "CP": "copyright", "GC": "game_comment", "ON": "opening", "RU": "rules_text", "CA": "encoding",
    "BR": "rating1", "WR": "rating2", "BT": "team1", "WT": "team2",
}  # fmt: skip
"""Root property -> header. Others keep their identifier: `sgf:XY`, with the raw values joined by `][`."""

PROPERTIES: dict[str, str] = {header: ident for ident, header in HEADERS.items()}
"""Header -> root property."""

RULES, TERMINATION, PENALTY, HEADER = "CWRULES", "CWEND", "CWPENALTY", "CWHEAD"
"""Our own root properties: rule settings, termination, whether the penalty applied, other headers."""

OUT, PASS, EVALUATION, CLOCK = "CWOUT", "CWPASS", "CWEVAL", "CWCLOCK"
"""Our own properties of nodes: a seat leaves, a pass that must be kept, an evaluation, a clock."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Identifiers of one variant; `priority` is the order among several moves of one node."""

    priority: tuple[str, ...]
    colour: dict[str, int]
    foreign: frozenset[str]
    setup: dict[str, int]
    foreign_setup: frozenset[str]
    to_move: dict[str, int]
    players: dict[str, int]
    move_id: tuple[str, ...]
    setup_id: tuple[str, ...]
    player_id: tuple[str, ...]
    clock_id: tuple[str, ...]


@cache
def ids(variant_id: str) -> Ids:
    """Identifiers that a variant reads and writes."""
    row = variant(variant_id)
    colours, seats = len(row.colours), len(row.seats)
    if colours == 2:
        move_id: tuple[str, ...] = ("B", "W")
        colour = {"B": 0, "W": 1, "1": 0, "2": 1, "BLUE": 0, "GREEN": 1}
    else:
        move_id = ("1", "2", "3", "4")[:colours]
        colour = {name: i for names in (move_id, _WORDS[:colours]) for i, name in enumerate(names)}
    setup = {f"A{name}": i for name, i in colour.items() if len(name) == 1}
    to_move = colour | {name.upper(): i for i, name in enumerate(row.colours)}
    if colours == 2:
        to_move |= {"BLACK": 0, "WHITE": 1}
    player_id = ("PB", "PW") if seats == 2 else tuple(f"P{seat + 1}" for seat in range(seats))
    players = {f"P{seat + 1}": seat for seat in range(seats)} | {"PB": 0, "PW": 1}
    return Ids(
        priority=tuple(colour),
        colour=colour,
        foreign=_ALL_COLOURS - set(colour),
        setup=setup,
        foreign_setup=_ALL_SETUPS - set(setup),
        to_move=to_move,
        players=players,
        move_id=move_id,
        setup_id=tuple(f"A{name}" for name in move_id),
        player_id=player_id,
        clock_id=tuple(f"{name}L" for name in move_id),
    )
