"""The root node of a Blokus SGF tree: which game, who plays, headers, rules, the declared result."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.errors import RuleError
from engine.rulesets import parse_rules
from engine.variants import VARIANTS
from notation.blksgf_ids import (
    GAMES,
    GO_PROPERTIES,
    HEADER,
    HEADERS,
    NUMBERED_GAMES,
    OTHER_GAMES,
    PENALTY,
    RULES,
    TERMINATION,
    Ids,
    ids,
)
from notation.blksgf_result import outs_of, parse_result
from notation.errors import BadRecord, ForeignGame, Where
from notation.record import TERMINATIONS, GameRecord, Note, Problem
from notation.sgf import Property, properties, simple_text_of, text_of
from notation.stream import ReadOptions

_ANNOTATIONS = frozenset(("BM", "TE", "DO", "IT", "N", "V"))


@dataclass(slots=True)
class Root:
    """A record with its root read; `rest` are the properties that concern the board or the play."""

    record: GameRecord
    ids: Ids
    rest: list[Property] = field(default_factory=list)

    def finish(self, stated: bool = False) -> None:
        """Let the result end the game, unless the record states itself who left."""
        record = self.record
        outs = outs_of(record.declared, len(self.ids.player_id))
        if outs:
            record.termination = record.termination or outs[0].cause
            if not stated:
                record.events.extend(outs)


def read_root(node: str, where: Where, options: ReadOptions) -> Root:
    """Read the root node.

    Raises:
        ForeignGame: the record is of another game.
        BadRecord: no game is named, or another one than the caller says.
    """
    found = properties(node)
    said = next((simple_text_of(values[0]) for name, values in found if name == "GM"), None)
    variant_id = _variant(said, found, where, options)
    record = GameRecord(variant_id, "blksgf", line=where.line)
    if said is None or said.lower() not in GAMES:
        _game_name(record, said)
    root = Root(record, ids(variant_id))
    seen: set[str] = set()
    twice: list[str] = []
    for prop in found:
        name, values = prop
        if name == "GM":
            continue
        if name in seen and name not in root.ids.setup and name != "AE":
            twice.append(name)
            continue
        seen.add(name)
        if name in HEADERS:
            _header(record, HEADERS[name], simple_text_of(values[0]))
        elif name in root.ids.players:
            _player(root, name, simple_text_of(values[0]))
        elif not _known(root, prop, where):
            root.rest.append(prop)
    if twice:
        names = ", ".join(dict.fromkeys(twice[:10]))
        message = f"several times in the root, the first is kept: {names}"
        record.problems.append(Problem("double_property", message, where.line))
    if record.rules:
        try:
            parse_rules(variant_id, record.rules)
        except RuleError as error:
            raise BadRecord(f"{RULES}: {error}", where) from None
    return root


def _variant(said: str | None, found: list[Property], where: Where, options: ReadOptions) -> str:
    if said is None:
        if options.variant is None:
            if signs := sorted(GO_PROPERTIES & {name for name, _ in found}):
                message = f"no game is named, but {', '.join(signs)}: in SGF that is Go, not Blokus"
                raise ForeignGame(message, where)
            raise BadRecord("the game is not named: the root has no GM", where)
        return options.variant
    name = " ".join(said.lower().split())
    variant_id = GAMES.get(name)
    if variant_id is None:
        raise _foreign(said, name, where)
    if options.variant not in (None, variant_id):
        raise BadRecord(f"the record is of {variant_id}, not of {options.variant}", where)
    return variant_id


def _game_name(record: GameRecord, said: str | None) -> None:
    """List a missing name of the game, or one with blanks that the reference program refuses."""
    message = f"the name of the game has more blanks than the reference program reads: {said!r}"
    if said is None:
        message = f"the game is not named: read as {record.variant}, as the caller says"
    record.problems.append(Problem("game_name", message, record.line))


def _foreign(said: str, name: str, where: Where) -> ForeignGame | BadRecord:
    if name in OTHER_GAMES:
        return ForeignGame(
            f"the record is of {OTHER_GAMES[name]}, which is no variant of this program", where
        )
    if name.isdecimal() and name.isascii():
        number = int(name[:6])
        game = NUMBERED_GAMES[number if number < len(NUMBERED_GAMES) else 0]
        return ForeignGame(f"GM[{name[:6]}] is {game} in SGF, not Blokus", where)
    known = ", ".join(row.name for row in VARIANTS.values())
    return BadRecord(f"unknown game GM[{said[:60]}]: known are {known}", where)


def _header(record: GameRecord, header: str, text: str) -> None:
    if text and not (header == "encoding" and text.lower() in ("utf-8", "utf8")):
        record.headers[header] = text


def _player(root: Root, name: str, text: str) -> None:
    record, seat = root.record, root.ids.players[name]
    if not text:
        return
    if not record.players:
        record.players = [None] * len(root.ids.player_id)
    if record.players[seat] is None:
        record.players[seat] = text
    elif record.players[seat] != text:
        message = f"two names for player {seat + 1}: {name}[{text[:60]}] is left out"
        record.problems.append(Problem("two_names", message, record.line))


def _known(root: Root, prop: Property, where: Where) -> bool:
    """Take a root property that is neither header nor player; False: it concerns the board or the play."""
    (name, values), record = prop, root.record
    if name == "RE":
        text = simple_text_of(values[0])
        record.declared = parse_result(text, len(root.ids.player_id)) if text else None
    elif name == "C":
        _root_note(record).comment = text_of(values[0])
    elif name in _ANNOTATIONS:
        _root_note(record).marks.append(prop)
    elif name == RULES:
        pairs = (simple_text_of(value).partition("=") for value in values)
        record.rules |= {key.strip(): value.strip() for key, _, value in pairs}
    elif name == HEADER:
        texts = [text_of(value) for value in values]
        record.headers |= dict(zip(texts[::2], texts[1::2], strict=False))
    elif name == TERMINATION and simple_text_of(values[0]) in TERMINATIONS:
        record.termination = simple_text_of(values[0])
    elif name == PENALTY and values[0] in ("yes", "no"):
        record.penalty_applied = values[0] == "yes"
    elif _of_play(root.ids, name):
        return False
    else:
        record.headers[f"sgf:{name}"] = "][".join(values)
    return True


def _of_play(known: Ids, name: str) -> bool:
    return (
        name in known.colour
        or name in known.foreign
        or name in known.setup
        or name in known.foreign_setup
        or name in known.clock_id
        or name in ("AE", "PL")
        or name.startswith("CW")
    )


def _root_note(record: GameRecord) -> Note:
    if not record.notes:
        record.notes.append(Note(-1))
    return record.notes[0]
