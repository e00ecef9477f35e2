"""`cornerwise check`: a verdict on every record of some files, stored nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.fragments import counted
from dashboards.failures import BAD_INPUT

if TYPE_CHECKING:
    from pipeline.check import Verdict
    from pipeline.portions import Inventory


def run(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files, folders, archives; - is standard input.")
    ],
    form: options.Format = None,
    variant: options.Variant = None,
    columns: options.Columns = None,
    rule: options.Rules = None,
    force_rules: options.ForceRules = False,
    strict: options.Strict = False,
    as_json: options.Json = False,
) -> None:
    """Say of every record whether it is ok, unfinished, empty, of foreign pieces, irregular, illegal or refused.

    Results without moves, positions and lists of pieces are no games, and named as what they are. Exit 3 if a record is
    one of the last three, if a file cannot be read, or if there is no record at all.
    """
    reading = options.reading(form, variant, rule, force_rules, strict, columns)
    options.existing(paths)
    from pipeline.check import check_paths
    from pipeline.compiling import announce_compiling
    from pipeline.portions import Inventory

    announce_compiling(terminal.say)
    inventory = Inventory()
    verdicts = check_paths(paths, reading, inventory)
    if as_json:
        found = list(verdicts)
        terminal.emit([asdict(verdict) for verdict in found] + list(_without_records(inventory)))
        wrong, found_some = any(verdict.is_wrong for verdict in found), bool(found)
    else:
        statuses, wrong = _print(verdicts)
        found_some = bool(statuses)
        _print_rest(statuses, inventory)
    if wrong or inventory.unreadable or not found_some:
        raise typer.Exit(BAD_INPUT)


def _without_records(inventory: Inventory) -> Iterable[dict[str, Any]]:
    """Files as entries of the list: they have a status, a source and a message, and no record."""
    for status, files in (("no_records", inventory.other_files), ("unreadable", inventory.unreadable)):
        for name, reason in files:
            yield {"source": name, "record": None, "status": status, "message": reason, "warnings": []}


def _print(verdicts: Iterable[Verdict]) -> tuple[Counter[str], bool]:
    from pipeline.check import NO_GAMES

    statuses: Counter[str] = Counter()
    wrong = False
    for verdict in verdicts:
        statuses[verdict.status] += 1
        wrong = wrong or verdict.is_wrong
        what = [verdict.variant] if verdict.variant else []
        is_also_empty = verdict.status != "empty" and "empty" in verdict.flags
        what.append(f"{verdict.status}, empty" if is_also_empty else verdict.status)
        if verdict.message:
            what.append(verdict.message)
        elif verdict.plies is not None:
            what.append(terminal.plural(verdict.plies, "ply", "plies"))
        kind = "record" if verdict.status in NO_GAMES else "game"
        place = f"{verdict.source}, {kind} {verdict.record}"
        terminal.out(terminal.clean(f"{place}: {': '.join(what)}"))
        for warning in verdict.warnings:
            terminal.out(terminal.clean(f"  warning: {warning}"))
    return statuses, wrong


def _print_rest(statuses: Counter[str], inventory: Inventory) -> None:
    for files in (inventory.other_files, inventory.unreadable):
        for name, reason in files:
            terminal.out(terminal.clean(f"{name}: {reason}"))
    beside = counted(statuses.pop("result", 0), statuses.pop("position", 0), statuses.pop("piece list", 0))
    said = ", ".join(f"{terminal.number(n)} {status}" for status, n in statuses.items())
    games = f"{terminal.plural(statuses.total(), 'game')}{': ' + said if said else ''}"
    terminal.say("; ".join([games, *beside] if statuses or not beside else beside))
