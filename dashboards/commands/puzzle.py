"""`cornerwise puzzle`: the solo puzzles, verified, solved and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import BAD_INPUT, FAILED, UsageFailure

if TYPE_CHECKING:
    from engine.puzzles import Clock, Outcome, Placed, Puzzle
    from pipeline.puzzles import Verdict

SHOWN = 8
"""Problems that are printed."""

app = typer.Typer(
    help="The solo puzzles: list, verify, solve and count them.", no_args_is_help=True, rich_markup_mode=None
)

Kind = Annotated[str, typer.Argument(metavar="KIND", help="1 to 4, duo, ...: `cornerwise puzzle list`.")]
Board = Annotated[
    str | None, typer.Option("--board", metavar="WxH", help="Another rectangle: columns and rows.")
]
Pieces = Annotated[
    str | None,
    typer.Option(
        "--pieces",
        metavar="LIST",
        help="Other pieces: names and groups, as pentominoes*4 or I4,L4,O,2T4; by the rules of play each colour's.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write a record: .jsonl .blksgf .csv ..., .json for any board."
    ),
]
Svg = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write the board as a picture.")]
Budget = Annotated[
    float, typer.Option("--budget", metavar="SECONDS", min=0.1, max=1e6, help="How long to search at most.")
]


@app.command("list", short_help="List the puzzles.")
def list_kinds(as_json: options.Json = False) -> None:
    """List the kinds of puzzles with board and pieces."""
    from engine.puzzles import PUZZLES

    rows = [
        {
            "kind": row.kind,
            "title": row.title,
            "board": row.board.name,
            "pieces": row.pieces,
            "holes": row.holes,
            "rule": row.rule,
        }
        for row in PUZZLES.values()
    ]
    if as_json:
        terminal.emit(rows)
        return
    shown = [(r["kind"], r["title"], r["board"], r["pieces"], r["holes"]) for r in rows]
    terminal.table(("kind", "", "board", "pieces", "holes"), shown, ("pieces", "holes"))


@app.command("verify", short_help="Say whether a file solves a puzzle.")
def verify(
    kind: Kind,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Any format that holds moves, or our JSON.")],
    board: Board = None,
    pieces: Pieces = None,
    game: Annotated[int, typer.Option("--game", metavar="N", min=1, help="Number of the game in it.")] = 1,
    form: options.Format = None,
    variant: options.Variant = None,
    out: Out = None,
    svg: Svg = None,
    as_json: options.Json = False,
) -> None:
    """Hold a file against a puzzle; exit 3 where it is no solution, with what is wrong where."""
    row = _puzzle(kind, board, pieces)
    options.existing([file])
    from pipeline.puzzles import judge

    verdict = judge(row, _read(row, file, game, form, variant))
    if as_json:
        problems = [{"number": p.number, "reason": p.code, "message": p.message} for p in verdict.problems]
        document = {"puzzle": row.kind, "board": row.board.name, "pieces": len(verdict.placed)}
        terminal.emit({**document, "solved": not problems, "problems": problems, "solves": verdict.solves})
    elif not verdict.problems:
        terminal.out(
            f"solves puzzle {row.kind}: {terminal.plural(len(verdict.placed), 'piece')} on {row.board.name}"
        )
    else:
        _print_problems(row, verdict)
    if verdict.problems:
        raise typer.Exit(BAD_INPUT)
    _keep(row, verdict.placed, {}, out, svg, as_json)


@app.command("solve", short_help="Solve a puzzle, or complete a beginning.")
def solve(
    kind: Kind,
    board: Board = None,
    pieces: Pieces = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, max=2**63 - 1, help="Another seed, another solution.")
    ] = 1,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="Complete this beginning.")
    ] = None,
    symmetry: Annotated[
        str | None,
        typer.Option(
            "--symmetry",
            metavar="S",
            help="Turn that makes one colour of another: none, half, third, quarter; default: what the board has.",
        ),
    ] = None,
    budget: Budget = 60,
    game: Annotated[int, typer.Option("--game", metavar="N", min=1, help="Number of the game in FILE.")] = 1,
    form: options.Format = None,
    variant: options.Variant = None,
    out: Out = None,
    svg: Svg = None,
    as_json: options.Json = False,
) -> None:
    """Search for a solution; exit 1 where there is none, or where the search ends without an answer."""
    row = _puzzle(kind, board, pieces)
    if begin is not None:
        options.existing([begin])
    from engine import puzzles
    from pipeline import compiling

    given = [] if begin is None else _read(row, begin, game, form, variant)
    compiling.announce_compiling(terminal.say, compiling.BEAM if row.by_rules else compiling.COVER)
    with _told(f"puzzle {row.kind}") as tell:
        clock = puzzles.Clock(budget, tell)
        outcome = puzzles.solve(row, seed, clock, given, symmetry)
    if as_json:
        terminal.emit(_document(row, outcome, seed, clock))
    else:
        _print_outcome(row, outcome, seed, clock)
    if outcome.status != puzzles.SOLVED:
        raise typer.Exit(FAILED)
    _keep(row, outcome.pieces, {"seed": str(seed)}, out, svg, as_json)


@app.command("count", short_help="Count the tilings of a rectangle.")
def count(
    board: Annotated[str, typer.Option("--board", metavar="WxH", help="The rectangle.")] = "6x10",
    pieces: Pieces = "pentominoes",
    budget: Budget = 60,
    as_json: options.Json = False,
) -> None:
    """Count all tilings of a rectangle, and those that differ; cells that are left over stay empty."""
    row = _puzzle("tiling", board, pieces)
    from engine.puzzles import Clock, count_tilings
    from notation.piece_bags import bag_words
    from pipeline import compiling

    compiling.announce_compiling(terminal.say, compiling.COVER)
    with _told("counting") as tell:
        clock = Clock(budget, tell)
        found = count_tilings(row, clock)
    if as_json:
        about = {"board": row.board.name, "pieces": bag_words(row.bag), "holes": row.holes}
        counts = {"tilings": found.tilings, "different": found.different, "complete": found.complete}
        terminal.emit({**about, **counts, "note": found.note, "seconds": round(clock.spent, 2)})
    elif not found.complete:
        terminal.out(f"{row.board.name}: {found.note}")
    else:
        kinds = f"{terminal.number(found.different or 0)} different, {terminal.number(found.tilings)} in all"
        why = f" (impossible: {found.note})" if found.note else f" ({clock.spent:.1f} s)"
        terminal.out(f"{row.board.name} with {terminal.plural(row.pieces, 'piece')}: {kinds}{why}")
    if not found.complete:
        raise typer.Exit(FAILED)


def _print_problems(row: Puzzle, verdict: Verdict) -> None:
    terminal.out(f"no solution of puzzle {row.kind}: {terminal.plural(len(verdict.problems), 'problem')}")
    if verdict.solves:
        terminal.out(f"  the file is of another kind: it solves puzzle {' and '.join(verdict.solves)}")
    for problem in verdict.problems[:SHOWN]:
        where = f"number {problem.number}: " if problem.number else ""
        terminal.out(terminal.clean(f"  {where}{problem.message} [{problem.code}]"))
    if len(verdict.problems) > SHOWN:
        terminal.out(f"  {terminal.number(len(verdict.problems) - SHOWN)} more: --json has them all")


@contextmanager
def _told(what: str) -> Iterator[Callable[[str], None]]:
    """A progress line that is told how far a search is; tells nobody where nobody would see it."""
    with terminal.progress("{task.description}") as bar:
        task = None if bar is None else bar.add_task(what)

        def tell(words: str) -> None:
            if bar is not None and task is not None:
                bar.update(task, description=f"{what}: {words}")

        yield tell


def _puzzle(kind: str, board: str | None, pieces: str | None) -> Puzzle:
    from engine.puzzles import puzzle
    from pipeline.puzzles import bag_of

    return puzzle(kind, board, bag_of(kind, pieces))


def _read(row: Puzzle, file: str, game: int, form: str | None, variant: str | None) -> list[Placed]:
    reading = options.reading(form, variant, None, False, False)
    from pipeline.puzzles import read_solution

    return read_solution(row, file, reading, game)


def _show(row: Puzzle, placed: Sequence[Placed]) -> None:
    from dashboards.puzzle_text import puzzle_text

    screen = terminal.console()
    screen.print(puzzle_text(row, placed, screen))


def _print_outcome(row: Puzzle, outcome: Outcome, seed: int, clock: Clock) -> None:
    from engine.puzzles import IMPOSSIBLE, SOLVED

    where = f"puzzle {row.kind} on {row.board.name}"
    if outcome.status == SOLVED:
        tries = terminal.plural(outcome.attempts, "attempt")
        terminal.out(f"{where}, seed {seed}: solved in {clock.spent:.1f} s, {tries}")
        _show(row, outcome.pieces)
    else:
        words = "impossible" if outcome.status == IMPOSSIBLE else "no answer"
        terminal.out(f"{where}: {words}: {outcome.note}")


def _document(row: Puzzle, outcome: Outcome, seed: int, clock: Clock) -> dict[str, Any]:
    from engine.puzzles import VERSION
    from notation.puzzle_json import document

    about = {"status": outcome.status, "note": outcome.note, "seed": seed, "budget": clock.seconds}
    spent = round(clock.spent, 2)
    search = {"attempts": outcome.attempts, "work": outcome.work, "seconds": spent, "version": VERSION}
    return {**document(row, outcome.pieces), **about, **search}


def _keep(
    row: Puzzle,
    placed: Sequence[Placed],
    headers: dict[str, str],
    out: Path | None,
    svg: Path | None,
    quiet: bool,
) -> None:
    """Write the record and the picture that were asked for."""
    from pipeline.puzzles import write_file, write_solution

    if out is not None:
        if str(out) == "-":
            raise UsageFailure("--out - : name a file, its ending says the format; --json prints the pieces")
        dated = {**headers, "date": time.strftime("%Y-%m-%d")}
        form = write_solution(row, placed, dated, out)
        if not quiet:
            terminal.say(f"written as {form}: {terminal.clean(out)}")
    if svg is not None:
        from pipeline.puzzle_svg import puzzle_svg

        write_file(svg, puzzle_svg(row, placed, f"Puzzle {row.kind}: {row.title}").encode())
        if not quiet:
            terminal.say(f"drawn: {terminal.clean(svg)}")
