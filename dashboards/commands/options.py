"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.failures import UsageFailure
from dashboards.terminal import say

if TYPE_CHECKING:
    from pipeline.store import Reader
    from pipeline.unit import Reading

DEFAULT_LIBRARY = Path("cornerwise-library")

MOST_ROWS = 2**62
"""Rows that --limit and --offset can name: their sum is still a number of the database."""

Library = Annotated[
    Path,
    typer.Option("--library", metavar="DIR", envvar="CORNERWISE_LIBRARY", help="Folder of the library."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Variant = Annotated[
    str | None,
    typer.Option("--variant", metavar="V", help="Variant, where records do not say it; others are refused."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="KEY=VALUE",
        help="A rule that records do not state: start, end, pass, scoring, teams, three, neutral. Repeatable. "
        "Records of variants that a rule does not fit are refused.",
    ),
]
ForceRules = Annotated[
    bool, typer.Option("--force-rules", help="Let --rule overrule what records state themselves.")
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="Format of the input, else recognised; `cornerwise formats` lists them.",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="THEIRS=OURS,...",
        help="Columns of tables (CSV, TSV, Parquet) that have other names than ours: zug=move,partie=game. "
        "Repeatable.",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Unforced passes are illegal.")]
Wait = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", min=0, help="How long to wait for another writer.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, max=1000, help="Worker processes; default: one a processor."),
]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=0, max=MOST_ROWS, help="Rows to show; 0: all.")
]
Offset = Annotated[
    int, typer.Option("--offset", metavar="N", min=0, max=MOST_ROWS, help="Rows to leave out first.")
]


def known_variant(name: str | None) -> str | None:
    """The variant id as given.

    Raises:
        UnknownVariant: there is none of that name.
    """
    if name is not None:
        from engine.variants import variant

        variant(name)
    return name


def known_format(name: str | None) -> str | None:
    """The format as given.

    Raises:
        UsageFailure: there is none of that name.
    """
    if name is not None:
        from notation.formats import FORMATS

        if name not in FORMATS:
            raise UsageFailure(f"unknown format {name!r}: choose one of {', '.join(FORMATS)}")
    return name


def rule_settings(rules: Sequence[str] | None, variant_id: str | None) -> dict[str, str]:
    """Rule settings of `--rule` options.

    Raises:
        UsageFailure: one is no KEY=VALUE, or a key comes twice.
        RuleError: a rule that does not exist, or fits neither the named variant nor, without one, any.
    """
    settings: dict[str, str] = {}
    for rule in rules or ():
        key, equals, value = (part.strip() for part in rule.partition("="))
        if not equals or not key or not value:
            raise UsageFailure(f"--rule {rule}: write it as KEY=VALUE, start=any_corner for example")
        if settings.get(key, value) != value:
            raise UsageFailure(f"--rule {key} is given twice: {settings[key]} and {value}")
        settings[key] = value
    from pipeline.rule_checks import check_rules

    check_rules(settings, variant_id)
    return settings


def column_names(columns: Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    """Pairs of a table's name of a column and ours, out of `--columns` options.

    Raises:
        UsageFailure: one is no THEIRS=OURS, ours is not known, or a name comes twice.
    """
    if not columns:
        return ()
    from notation.table_layout import OURS, known_name, plain

    pairs: dict[str, str] = {}
    for pair in (part for text in columns for part in text.split(",")):
        theirs, equals, ours = (part.strip() for part in pair.rpartition("="))
        known = known_name(ours)
        if not equals or not plain(theirs):
            raise UsageFailure(f"--columns {pair}: write it as THEIRS=OURS, zug=move for example")
        if known is None:
            raise UsageFailure(f"--columns {pair}: {ours!r} is none of our columns: {', '.join(OURS)}")
        if plain(theirs) in pairs or known in pairs.values():
            raise UsageFailure(f"--columns {pair}: {theirs!r} or {known!r} is given twice")
        pairs[plain(theirs)] = known
    return tuple(pairs.items())


def reading(
    form: str | None,
    variant_id: str | None,
    rules: Sequence[str] | None,
    forced: bool,
    strict: bool,
    columns: Sequence[str] | None = None,
) -> Reading:
    """How the options say that records are read and judged.

    Raises:
        UsageFailure, UnknownVariant, RuleError: they make no sense.
    """
    known_format(form)
    known_variant(variant_id)
    settings = rule_settings(rules, variant_id)
    names = column_names(columns)
    from pipeline.judged import RuleChoice
    from pipeline.unit import Reading

    return Reading(form, variant_id, RuleChoice(settings, forced, strict), names)


def existing(paths: Sequence[str]) -> list[str]:
    """The paths, each of which is there (`-` is standard input).

    Raises:
        UsageFailure: one is not.
    """
    for path in paths:
        if path != "-" and not (Path(path).exists() or Path(path).is_symlink()):
            raise UsageFailure(f"no such file or folder: {path}")
    return list(paths)


def open_library(library: Path) -> Reader:
    """The newest snapshot of the library.

    Raises:
        LibraryError: there is none, or it cannot be read.
    """
    from pipeline.store import open_reader

    return open_reader(library)


def known_date(text: str | None, option: str) -> None:
    """See that a date of a filter means something.

    Raises:
        UsageFailure: it does not.
    """
    if text is not None:
        from notation.dates import parse_date

        found = parse_date(text)
        if found.year is None:
            why = found.problem or "no year"
            raise UsageFailure(f"{option} {text}: {why}; write 2020-12-30, 2020-12 or 2020")


def waiting(wait: float) -> Callable[[str], None]:
    """Tell people who holds the library, where the command waits for it."""

    def tell(holder: str) -> None:
        if wait > 0:
            say(f"the library is being written by {holder}: waiting up to {wait:g} s")

    return tell
