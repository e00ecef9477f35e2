"""What a table says of a whole game: its variant, rules, players, headers, setup and result."""

from __future__ import annotations

import json
import re

from engine.errors import RuleError
from engine.rulesets import Ruleset, parse_rules
from engine.variants import VARIANTS, variant
from notation.blksgf_ids import OTHER_GAMES
from notation.blksgf_result import outs_of, parse_result
from notation.errors import BadPosition, BadRecord, ForeignGame, Where
from notation.position_text import parse_position
from notation.record import TERMINATIONS, GameRecord, Out, Problem, Setup
from notation.stream import ReadOptions
from notation.table_layout import PLAYERS, plain

_VARIANTS = {plain(name): row.id for row in VARIANTS.values() for name in (row.id, row.name)}
_OTHER = {plain(name): name for name in OTHER_GAMES.values()}
_IDENTITY = re.compile(r"[0-9a-f]{32}")


def begin(
    form: str, said: dict[str, str], others: dict[str, str], where: Where, options: ReadOptions
) -> tuple[GameRecord, Ruleset]:
    """Return the record of a game without its moves, and its rules; `said` are cells by our names, `others` the rest.

    Raises:
        ForeignGame: the table says it is another game.
        BadRecord: the variant is not known, rules or the setup make no sense.
    """
    variant_id = _variant(said.get("variant", ""), where, options)
    record = GameRecord(variant_id, form, line=where.line)
    for pair in said.get("rules", "").split(";"):
        key, _, value = pair.partition("=")
        if pair.strip():
            record.rules[key.strip()] = value.strip()
    try:
        rules = parse_rules(variant_id, record.rules)
    except RuleError as error:
        raise BadRecord(f"rules: {error}", where) from None
    if said.get("setup"):
        record.setup = _setup(said["setup"], record, where)
    _headers(record, said, others)
    for seat, name in enumerate(PLAYERS):
        if said.get(name):
            name_player(record, seat, said[name])
    return record, rules


def _variant(text: str, where: Where, options: ReadOptions) -> str:
    if not text:
        if options.variant is None:
            raise BadRecord(
                "the table does not say the variant: add a column 'variant' or use --variant", where
            )
        return options.variant
    found = _VARIANTS.get(plain(text))
    if found is None and plain(text) in _OTHER:
        message = f"the record is of {_OTHER[plain(text)]}, which is no variant of this program"
        raise ForeignGame(message, where)
    if found is None:
        raise BadRecord(f"unknown variant {text[:60]!r}: choose one of {', '.join(VARIANTS)}", where)
    if options.variant not in (None, found):
        raise BadRecord(f"the record is of {found}, not of {options.variant}", where)
    return found


def _setup(text: str, record: GameRecord, where: Where) -> Setup:
    try:
        position = parse_position(text)
    except BadPosition as error:
        raise BadRecord(f"setup: {error.message}", where) from None
    if position.variant != record.variant:
        raise BadRecord(f"setup: the position is of {position.variant}, not of {record.variant}", where)
    if position.to_move is None or position.out or position.single_last:
        raise BadRecord("setup: a game begins with a colour to move, and nobody has left it", where)
    return Setup(list(position.pieces), position.to_move or None)


def _headers(record: GameRecord, said: dict[str, str], others: dict[str, str]) -> None:
    headers = record.headers
    headers.update((name, said[name]) for name in ("date", "event", "event_round") if said.get(name))
    if text := said.get("headers"):
        try:
            more = json.loads(text, parse_int=str, parse_float=str)
            headers.update((str(name), _text(value)) for name, value in more.items())
        except (ValueError, AttributeError, RecursionError):
            headers["headers"] = text
            message = "the cell 'headers' is no JSON object: kept as it is"
            record.problems.append(Problem("headers", message, record.line))
    headers.update((name, text) for name, text in others.items() if text)
    game = said.get("game", "")
    if game and not _IDENTITY.fullmatch(game):
        headers.setdefault("game_number", game)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def name_player(record: GameRecord, seat: int, name: str) -> None:
    """Name the player of a seat; a second name, or one of a seat that is not there, is a problem."""
    seats = len(variant(record.variant).seats)
    if seat >= seats:
        message = f"a name for player {seat + 1} of {seats} is left out: {name[:60]!r}"
        record.problems.append(Problem("player_left_out", message, record.line))
        return
    if not record.players:
        record.players = [None] * seats
    if record.players[seat] is None:
        record.players[seat] = name
    elif record.players[seat] != name:
        message = f"two names for player {seat + 1}: {name[:60]!r} is left out"
        record.problems.append(Problem("two_names", message, record.line))


def finish(record: GameRecord, said: dict[str, str]) -> None:
    """Take the declared result, the termination and the penalty; let the result end the game if no row does."""
    seats = len(variant(record.variant).seats)
    if text := said.get("result"):
        record.declared = parse_result(text, seats)
    if text := said.get("termination", "").lower():
        if text in TERMINATIONS:
            record.termination = text
        else:
            message = f"unknown termination {text[:40]!r}: known are {', '.join(TERMINATIONS)}"
            record.problems.append(Problem("termination", message, record.line))
    if text := said.get("penalty", "").lower():
        if text in ("yes", "no"):
            record.penalty_applied = text == "yes"
        else:
            message = f"the penalty applied or not: 'yes' or 'no', not {text[:40]!r}"
            record.problems.append(Problem("penalty", message, record.line))
    if record.broken:
        return
    outs = outs_of(record.declared, seats)
    if outs:
        record.termination = record.termination or outs[0].cause
        if not any(isinstance(event, Out) for event in record.events):
            record.events.extend(outs)
