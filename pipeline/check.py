"""Verdicts on records without a library: what an import would say of them, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from notation.errors import NotationError
from notation.fragments import Fragment, PositionRecord, ResultRecord
from notation.identity import game_id
from notation.record import GameRecord
from pipeline.big_rows import plies_and_turns, unforced_passes
from pipeline.fragment_rows import fragment_id
from pipeline.judged import Group, group_records, resolved_colours
from pipeline.messages import pass_message, stop_message
from pipeline.outcomes import ending_of
from pipeline.portions import Digest, Inventory, portions_of
from pipeline.rows import Origin, has_foreign_pieces
from pipeline.unit import Portion, Reading, read_portion

WRONG = frozenset({"refused", "illegal", "irregular"})
"""Statuses that mean that something is wrong with a record."""

NO_GAMES = frozenset({"result", "position", "piece list"})
"""Statuses of what is kept beside games."""


@dataclass(slots=True)
class Verdict:
    """What is to be said of one record.

    `status` is the first that applies of refused, illegal, irregular, foreign_pieces, empty, unfinished, ok, or else
    result, position, piece list: these are no games, and never wrong. `flags` are all of these
    that the library would show with the game. `plies` counts legal placements; `ply` is where the replay stopped, or
    before which the first unforced pass was. `code` and `message` say what is wrong; `warnings` are oddities that
    change nothing, and further unforced passes.
    """

    source: str
    record: int
    line: int
    format: str
    status: str
    flags: list[str] = field(default_factory=list)
    variant: str | None = None
    id: str | None = None
    plies: int | None = None
    ply: int | None = None
    code: str | None = None
    message: str | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def is_wrong(self) -> bool:
        """Whether the record is refused, illegal or irregular."""
        return self.status in WRONG


def check_paths(paths: list[str], reading: Reading, inventory: Inventory) -> Iterator[Verdict]:
    """Verdict on every record of files, folders and archives, in order; nothing is stored.

    `inventory` tells afterwards which inputs hold no records or cannot be read.

    Raises:
        PipelineError: a path does not exist.
    """
    for portion in portions_of(paths, reading, inventory):
        if not isinstance(portion, Digest):
            yield from _check_portion(portion, reading)


def _check_portion(portion: Portion, reading: Reading) -> list[Verdict]:
    found = list(read_portion(portion, reading))
    verdicts: list[Verdict | None] = [
        None if isinstance(f.item, GameRecord) else _no_game(portion, f.origin, f.item) for f in found
    ]
    places = [i for i, f in enumerate(found) if isinstance(f.item, GameRecord)]
    records = [f.item for f in found if isinstance(f.item, GameRecord)]
    groups, refused = group_records(records, reading.rules, portion.source)
    for index, error in refused:
        verdict = _refused(portion, found[places[index]].origin, error)
        verdict.variant = records[index].variant
        verdicts[places[index]] = verdict
    for group in groups:
        plies, _ = plies_and_turns(group)
        skipped = unforced_passes(group)
        for game, index in enumerate(group.index):
            place = places[index]
            verdicts[place] = _judged(
                portion, found[place].origin, group, game, plies[game], skipped.get(game, [])
            )
    return [verdict for verdict in verdicts if verdict is not None]


def _no_game(portion: Portion, origin: Origin, item: Fragment | NotationError) -> Verdict:
    if isinstance(item, NotationError):
        return _refused(portion, origin, item)
    try:
        identity = fragment_id(item, origin)
    except NotationError as error:
        return _refused(portion, origin, error)
    return Verdict(
        origin.source,
        origin.record,
        origin.line,
        portion.format,
        item.kind.replace("_", " "),
        variant=(item.position.variant if isinstance(item, PositionRecord) else item.variant) or None,
        id=identity,
        plies=item.plies if isinstance(item, ResultRecord) else None,
        warnings=[_warning(problem.message, problem.line) for problem in item.problems],
    )


def _refused(portion: Portion, origin: Origin, error: NotationError) -> Verdict:
    return Verdict(
        origin.source,
        origin.record,
        origin.line,
        portion.format,
        "refused",
        code=error.code,
        message=error.message,
    )


def _judged(
    portion: Portion,
    origin: Origin,
    group: Group,
    game: int,
    plies: int,
    skipped: list[tuple[int, int, int]],
) -> Verdict:
    record = group.records[game]
    ending = ending_of(group, game)
    moves, colours = group.moves_of(game), resolved_colours(group, game, ending.stop)
    flags = {
        "illegal": ending.stop is not None,
        "irregular": bool(skipped),
        "foreign_pieces": has_foreign_pieces(record),
        "empty": not moves,
        "unfinished": ending.unfinished,
    }
    said = [flag for flag, applies in flags.items() if applies]
    verdict = Verdict(
        origin.source,
        origin.record,
        origin.line,
        portion.format,
        said[0] if said else "ok",
        said,
        variant=record.variant,
        id=game_id(record.variant, record.setup, moves, colours),
        plies=plies,
        warnings=[_warning(problem.message, problem.line) for problem in record.problems],
    )
    messages = [pass_message(record.variant, *skip) for skip in skipped]
    if skipped:
        verdict.code, verdict.ply, verdict.message = "unforced_pass", skipped[0][1] + 1, messages[0]
        verdict.warnings += messages[1:]
    if ending.stop is not None:
        verdict.warnings += messages[:1]
        verdict.code, verdict.ply = ending.stop.reason, ending.stop.ply
        verdict.message = stop_message(group, game, ending.stop, moves, colours)
    return verdict


def _warning(message: str, line: int) -> str:
    return f"line {line}: {message}" if line else message
