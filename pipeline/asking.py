"""A position that somebody asks about: a position text, or moves from the start of a variant under rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import IllegalMove
from engine.pieces import PIECE_SETS
from engine.rulesets import parse_rules
from engine.variants import Variant, variant
from engine.verdicts import WORDS
from notation.errors import BadRecord
from notation.moves import move_from_names
from notation.position_text import parse_position
from notation.record import ANY_COLOUR, Event, GameRecord, Move, Pass, Setup
from pipeline.errors import IllegalGame, NoSuchColour, PipelineError
from pipeline.judged import RuleChoice
from pipeline.positions import Reached, position_of_record, position_on_board

PASS = "pass"
"""Stands for the cells of a recorded pass."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about: `position`, a position text, or `moves` of `variant`, under settings of the rules.

    A move is `cells` joined by commas, or `pass`, with `colour:` before it where it is not the one on turn.
    """

    variant: str | None = None
    moves: tuple[str, ...] = ()
    position: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)


def colour_number(row: Variant, text: str) -> int:
    """Number (0..) of a colour of a variant by its name, its number from 1, or B and W of two.

    Raises:
        NoSuchColour: the variant has none of that name.
    """
    word = text.strip().lower()
    known = {name: number for number, name in enumerate(row.colours)}
    known |= {str(number + 1): number for number in range(len(row.colours))}
    if len(row.colours) == 2:
        known |= {"b": 0, "w": 1}
    if word not in known:
        raise NoSuchColour(f"{row.id} has no colour {text[:40]!r}: choose one of {', '.join(row.colours)}")
    return known[word]


def events_of(variant_id: str, moves: Iterable[str]) -> list[Event]:
    """Moves and passes of their texts, see `Asked`; cells that are no piece stay, for the replay to judge.

    Raises:
        UnknownVariant, NoSuchColour: as they say.
    """
    row = variant(variant_id)
    out: list[Event] = []
    for text in moves:
        name, colon, cells = text.rpartition(":")
        colour = colour_number(row, name) if colon else ANY_COLOUR
        if cells.strip().lower() == PASS:
            out.append(Pass(colour))
        else:
            out.append(move_from_names(row.id, colour, cells.replace("+", ",").split(",")))
    return out


def record_of(asked: Asked) -> GameRecord:
    """The game that leads to what is asked about; a position text becomes its setup.

    Raises:
        UnknownVariant, RuleError, NoSuchColour, BadPosition, PipelineError: what is asked makes no sense.
    """
    if asked.position is not None:
        if asked.moves or asked.variant is not None:
            raise PipelineError("a position text stands alone: leave the variant and the moves out")
        read = parse_position(asked.position)
        record = GameRecord(read.variant, "asked", setup=Setup(list(read.pieces), read.to_move))
    elif asked.variant is None:
        raise PipelineError("say what is asked about: a variant with moves, or a position text")
    else:
        record = GameRecord(variant(asked.variant).id, "asked", events_of(asked.variant, asked.moves))
    parse_rules(record.variant, asked.rules)
    return record


def reach(asked: Asked, ply: int | None = None) -> Reached:
    """The position asked about; of moves right after `ply` placements, by default at their end.

    Raises:
        IllegalGame: a move before it is illegal; says which.
        NotThere: there are fewer moves.
        UnknownVariant, RuleError, NoSuchColour, BadPosition, PipelineError: what is asked makes no sense.
    """
    record = record_of(asked)
    if asked.position is not None:
        if ply is not None:
            raise PipelineError("a position text is one position: it has no plies")
        return position_on_board(parse_position(asked.position), asked.rules)
    return reach_in(record, asked.rules, ply)


def reach_in(record: GameRecord, settings: Mapping[str, str], ply: int | None = None) -> Reached:
    """The position of a record after `ply` placements, all of which must be legal; raises as `reach`."""
    try:
        reached = position_of_record(record, RuleChoice(settings), ply)
    except BadRecord as error:
        raise IllegalGame(error.message, 0, "bad_setup") from error
    if ply is None and reached.stop is not None:
        raise IllegalGame(reached.note or WORDS[reached.stop.reason], reached.stop.ply, reached.stop.reason)
    return reached


def probe(reached: Reached, colour: int, cells: str) -> dict[str, object]:
    """Whether cells joined by commas are a legal move of a colour, and why not, as a row."""
    found = reached.why_illegal(colour, cells)
    reason, message = found or (None, "legal")
    return {
        "move": cells,
        "colour": reached.position.variant.colours[colour],
        "legal": found is None,
        "reason": reason,
        "message": message,
    }


def placements_named(reached: Reached, moves: Sequence[str], pieces: Sequence[str]) -> list[int]:
    """Legal placements of the colour to move that are one of `moves` (cells) or of one of `pieces` (names).

    Raises:
        PipelineError: there is no such piece.
        IllegalMove: one of the moves is illegal.
    """
    position, colour = reached.position, reached.to_move
    names = PIECE_SETS[position.variant.pieces].names
    for name in pieces:
        if name not in names:
            raise PipelineError(f"{position.variant.id} has no piece {name[:40]!r}: {', '.join(names)}")
    if colour is None:
        return []
    out: list[int] = []
    for text in moves:
        move: Move = move_from_names(position.variant.id, colour, text.split(","))
        reason = position.why_illegal(colour, move.cells or (-1,))
        if reason is not None:
            raise IllegalMove(reason, f"{text[:60]}: {WORDS[reason]}")
        out.append(move.placement)
    if pieces:
        numbers = position.legal_placements(colour).tolist()
        moved = position.legal_moves(colour)
        out += [number for number, (name, _) in zip(numbers, moved, strict=True) if name in pieces]
    return sorted(set(out))
