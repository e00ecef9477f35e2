"""`cornerwise import`: files, folders and archives into the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.fragments import counted
from dashboards.failures import BAD_INPUT, FAILED, Stopped

if TYPE_CHECKING:
    from pipeline.ingest import Summary
    from pipeline.portions import Inventory
    from pipeline.queries import Page
    from pipeline.store import Counts
    from pipeline.unit import Reading

SHOWN = 5
"""Problems and warnings that the summary names."""

WARNINGS_LISTED = 1000
"""Games with warnings that the JSON summary and --verbose name at most."""

Verbose = Annotated[
    bool, typer.Option("--verbose", help="Name every file without records, and more warnings.")
]


def run(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files, folders, archives; - is standard input.")
    ],
    library: options.Library = options.DEFAULT_LIBRARY,
    form: options.Format = None,
    variant: options.Variant = None,
    columns: options.Columns = None,
    rule: options.Rules = None,
    force_rules: options.ForceRules = False,
    jobs: options.Jobs = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Unforced passes are illegal; exit 3 when anything is wrong.")
    ] = False,
    wait: options.Wait = 60.0,
    verbose: Verbose = False,
    as_json: options.Json = False,
) -> None:
    """Import game records: replay, check and score them, and store them in the library."""
    from pipeline.stopping import stoppable

    with stoppable():  # from here on: an exception that strikes while the kernels load can be lost
        reading = options.reading(form, variant, rule, force_rules, strict, columns)
        options.existing(paths)
        summary = _import(library, paths, reading, jobs, wait)
    found = _look_up(summary, library)
    if as_json:
        document = {"library": str(library), **summary.as_dict(), "warnings": found.warnings.total}
        document["details"]["warnings"] = found.warnings.rows
        terminal.emit(document)
    else:
        _print(summary, found, verbose)
    raise typer.Exit(_exit_code(summary, strict))


def _import(library: Path, paths: list[str], reading: Reading, jobs: int | None, wait: float) -> Summary:
    from pipeline.compiling import announce_compiling
    from pipeline.ingest import import_paths

    announce_compiling(terminal.say)
    try:
        with _progress() as tell:
            return import_paths(
                library, paths, reading, jobs=jobs, wait=wait, progress=tell, waiting=options.waiting(wait)
            )
    except KeyboardInterrupt as error:
        raise Stopped(str(error) or "stopped: nothing of this batch is stored") from None


def _exit_code(summary: Summary, strict: bool) -> int:
    counts, inventory = summary.counts, summary.inventory
    if strict and (counts.quarantined or inventory.unreadable):
        return BAD_INPUT
    if inventory.unreadable and not inventory.files and not inventory.other_files:
        terminal.say("cornerwise: nothing could be read")
        return FAILED
    return 0


@contextmanager
def _progress() -> Iterator[Callable[[Inventory, Counts], None] | None]:
    with terminal.progress("{task.description}") as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("reading")

        def other(counts: Counts) -> str:
            return "".join(f"{n}, " for n in counted(counts.results, counts.positions, counts.piece_lists))

        def tell(inventory: Inventory, counts: Counts) -> None:
            bar.update(
                task,
                description=f"{terminal.plural(inventory.files, 'file')}, {terminal.plural(counts.games, 'game')}, "
                f"{other(counts)}"
                f"{terminal.number(counts.plies)} plies, {inventory.bytes_read / 1e6:.0f} MB",
            )

        yield tell


@dataclass(frozen=True)
class _Found:
    """Problems and warnings of a batch, of the library; `odd` are the warnings that people are told."""

    problems: Page
    warnings: Page
    odd: Page


def _look_up(summary: Summary, library: Path) -> _Found:
    from pipeline import queries

    with options.open_library(library) as reader:
        return _Found(
            queries.quarantine(reader, SHOWN, batch=summary.batch),
            queries.warnings(reader, summary.batch, WARNINGS_LISTED),
            queries.warnings(reader, summary.batch, SHOWN, odd_only=True),
        )


def _print(summary: Summary, found: _Found, verbose: bool) -> None:
    counts, inventory = summary.counts, summary.inventory
    terminal.out(
        f"batch {summary.batch}: {terminal.plural(counts.games, 'game')} in "
        f"{terminal.plural(inventory.files, 'file')}, {summary.seconds:.1f} s"
    )
    rows = [
        ("stored", counts.stored, _kinds(summary)),
        ("duplicates", counts.duplicates, "the same games again" if counts.duplicates else ""),
        ("refused", counts.refused, "cannot be read as a game" if counts.refused else ""),
    ]
    terminal.table(("records", "games", ""), [(a, terminal.number(n), b) for a, n, b in rows], ("games",))
    _print_fragments(summary)
    sightings = terminal.plural(counts.sightings, "sighting")
    terminal.out(f"{terminal.number(counts.plies)} plies and {sightings} added")
    problems = [f"{row['source']}, game {row['record']}: {row['message']}" for row in found.problems.rows]
    _print_some("in quarantine", problems, found.problems.total, ": cornerwise quarantine")
    if (already := counts.quarantined - found.problems.total) > 0:
        terminal.out(f"in quarantine already: {terminal.number(already)} (cornerwise quarantine)")
    page = found.warnings if verbose else found.odd
    warned = [f"{row['source']}, game {row['record']}: {'; '.join(row['warnings'])}" for row in page.rows]
    _print_some("games with warnings", warned, page.total, ": cornerwise show ID tells them")
    if not verbose and (several := found.warnings.total - found.odd.total):
        terminal.out(f"files with several games: {terminal.number(several)}")
    _print_files("files without game records", inventory.other_files, verbose)
    _print_files("files that cannot be read", inventory.unreadable, True)


def _print_fragments(summary: Summary) -> None:
    counts = summary.counts
    if beside := counted(counts.results, counts.positions, counts.piece_lists):
        known = (
            f" ({terminal.number(counts.known_fragments)} known already)" if counts.known_fragments else ""
        )
        terminal.out(f"beside games: {', '.join(beside)}{known}")
    for file in summary.unjoined:
        terminal.out(
            terminal.clean(
                f"{file.file}: {terminal.plural(file.results, 'result')} "
                f"{'belongs' if file.results == 1 else 'belong'} to no game for sure: {file.reason}"
            )
        )


def _kinds(summary: Summary) -> str:
    counts = summary.counts
    kinds = {
        "illegal": counts.illegal,
        "irregular": counts.irregular,
        "unfinished": counts.unfinished,
        "empty": counts.empty,
        "of foreign pieces": counts.foreign_pieces,
    }
    said = [f"{terminal.number(n)} {kind}" for kind, n in kinds.items() if n]
    return "of them " + ", ".join(said) if said else ""


def _print_some(what: str, lines: list[str], total: int, where: str) -> None:
    """Some lines of a longer list, and where the rest is."""
    if not total:
        return
    terminal.out(f"{what}: {terminal.number(total)}")
    for line in lines:
        terminal.out("  " + terminal.clean(line))
    if total > len(lines):
        terminal.out(f"  {terminal.number(total - len(lines))} more{where}")


def _print_files(what: str, files: list[tuple[str, str]], verbose: bool) -> None:
    if not files:
        return
    hint = "" if verbose else " (--verbose names them)"
    terminal.out(f"{what}: {terminal.number(len(files))}{hint}")
    for name, reason in files if verbose else ():
        terminal.out(f"  {terminal.clean(name)}: {terminal.clean(reason)}")
