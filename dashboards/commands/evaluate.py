"""`cornerwise evaluate`: who is ahead in a position, and what is best."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.engine_options import QUICK, Budget, Seed, budget_of
from dashboards.commands.legal import Game, Ply, Source, reach
from dashboards.failures import FAILED

if TYPE_CHECKING:
    from pipeline.positions import Reached

Document = dict[str, Any]

Top = Annotated[int, typer.Option("--top", metavar="N", min=0, max=100_000, help="Moves to show.")]
Territory = Annotated[
    bool, typer.Option("--territory", help="Show who will most likely end up on each cell, by playouts.")
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", min=0.001, help="Stop after so long, with the answer so far."),
]
Avoid = Annotated[
    list[str] | None,
    typer.Option("--avoid", metavar="CELLS", help="A move that is not to be considered. Repeatable."),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="CELLS", help="Consider only this move. Repeatable."),
]


def run(
    source: Source,
    game: Game = 1,
    ply: Ply = None,
    budget: Budget = QUICK,
    seed: Seed = 1,
    top: Top = 10,
    territory: Territory = False,
    seconds: Seconds = None,
    allow: Allow = None,
    avoid: Avoid = None,
    form: options.Format = None,
    variant: options.Variant = None,
    columns: options.Columns = None,
    rule: options.Rules = None,
    force_rules: options.ForceRules = False,
    as_json: options.Json = False,
) -> None:
    """Evaluate a position: expected points and share of the result of every seat, the best moves, the territory.

    The same position, budget and seed give the same answer. Ctrl-C shows the answer so far.
    """
    reading = options.reading(form, variant, rule, force_rules, False, columns)
    from pipeline import compiling
    from pipeline.evaluations import Wish, evaluated_at
    from pipeline.stopping import stoppable

    compiling.announce_compiling(terminal.say, compiling.REPLAY, compiling.STEPPING, compiling.SEARCH)
    reached = reach(source, reading, game, ply)
    wish = Wish(
        budget_of(reached.position.variant.id, budget),
        seed,
        top,
        ("variation", *(("territory",) if territory else ())),
        tuple(allow or ()),
        (),
        tuple(avoid or ()),
    )
    with stoppable(), terminal.progress("{task.description}") as bar:
        if bar is not None:
            bar.add_task(f"searching ({budget})")
        answer = evaluated_at(reached, wish, _stop(seconds))
    if as_json:
        terminal.emit({**answer, "note": reached.note})
    else:
        _print(reached, answer, territory)
    if answer["stopped"] and seconds is None:
        raise typer.Exit(FAILED)


def _stop(seconds: float | None) -> Callable[[], bool]:
    """Whether Ctrl-C was pressed, or the time is over."""
    from pipeline.stopping import stop_asked

    until = None if seconds is None else time.monotonic() + seconds
    return lambda: stop_asked() or (until is not None and time.monotonic() >= until)


def _print(reached: Reached, answer: Document, territory: bool) -> None:
    row = reached.position.variant
    at = "" if answer["ply"] is None else f", ply {answer['ply']}"
    if answer["over"]:
        terminal.out(f"{row.id}{at}: the game is over")
    else:
        moves = terminal.plural(answer["legal_moves"], "legal move")
        terminal.out(f"{row.id}{at}: {answer['to_move']} to move, {moves}")
    if reached.note:
        terminal.out(terminal.clean(f"the record goes on, but {reached.note}"))
    terminal.out(_source(answer))
    terminal.out()
    _print_seats(reached, answer["seats"], bool(answer["exact"]))
    if answer["moves"]:
        terminal.out()
        _print_moves(answer["moves"], len(row.colours))
    terminal.out()
    _print_board(reached, answer)
    if territory:
        terminal.out()
        _print_territory(row.id, answer["territory"])


def _source(answer: Document) -> str:
    """What made the answer."""
    if answer["over"]:
        return "the result is that of the rules"
    effort = (
        "static evaluation, no search"
        if answer["budget"] == "instant"
        else f"{terminal.plural(answer['simulations'], 'simulation')} ({answer['budget']})"
    )
    words = [effort, f"seed {answer['seed']}", answer["engine"]]
    if answer["stopped"]:
        words.insert(1, "STOPPED before its end")
    if answer["exact"]:
        words.insert(0, "proven")
    return ", ".join(words)


def _print_seats(reached: Reached, seats: Sequence[Document], exact: bool) -> None:
    rules, names = reached.position.rules, reached.position.variant.colours
    places = max((len(seat["places"] or ()) for seat in seats), default=0)
    heads = ["seat", "colours", "points", "+-", "spread", "share", "+-%"]
    heads += [f"place {place}" for place in range(1, places + 1)] if places > 2 else []
    rows = []
    for seat in seats:
        owned = rules.seats[seat["seat"] - 1]
        row = [seat["seat"], " + ".join(names[colour] for colour in owned), f"{seat['score']:.1f}"]
        row += ["" if exact else f"{seat['score_error']:.1f}", f"{seat['spread']:.1f}"]
        row += [
            _percent(seat["share"]),
            "" if exact or seat["share"] is None else _percent(seat["share_error"]),
        ]
        if places > 2:
            row += [_percent(chance) for chance in seat["places"] or [None] * places]
        rows.append(row)
    terminal.table(heads, rows, [head for head in heads if head != "colours"])


def _print_moves(moves: Sequence[Document], colours: int) -> None:
    heads = ("", "move", "piece", "share", "+-%", "at least", "points", "visits", "prior", "and then")
    rows = [
        (
            f"{number}.",
            move["move"],
            move["piece"],
            _percent(move["share"]),
            _percent(move["share_error"]),
            _percent(move["bound"]),
            f"{move['score']:.1f}",
            terminal.number(move["visits"]),
            _percent(move["prior"]),
            _variation(move.get("variation", ())[1:], colours),
        )
        for number, move in enumerate(moves, 1)
    ]
    terminal.table(
        heads, rows, ("", "share", "+-%", "at least", "points", "visits", "prior"), ("and then", "move")
    )


def _variation(moves: Sequence[Document], colours: int) -> str:
    """The next moves of a variation, a round of them."""
    return " ".join(f"{move['colour']}:{move['move']}" for move in moves[: max(2, colours - 1)])


def _print_board(reached: Reached, answer: Document) -> None:
    from dashboards.board_text import LAST, BoardView
    from engine.boards import cells_by_name

    row, board = reached.position.variant, reached.position.board
    marked, words = [], LAST
    if answer["moves"]:
        best = answer["moves"][0]
        marked = [cells_by_name(row.board)[name] for name in best["move"].split(",")]
        board[marked] = row.colours.index(best["colour"])
        words = "best move"
    terminal.console().print(BoardView(row.id, board, marked, marked=words))


def _print_territory(variant_id: str, territory: Document) -> None:
    from dashboards.territory_text import territory_text

    screen = terminal.console()
    plain = screen.no_color or screen.color_system is None
    cells = list(territory["cells"].values())
    screen.print(territory_text(variant_id, cells, not plain))
    sums = [sum(column) for column in zip(*cells, strict=True)]
    words = ", ".join(f"{name} {total:.1f}" for name, total in zip(territory["colours"], sums, strict=True))
    terminal.out(f"expected cells: {words}")
    terminal.out("letters: who will most likely cover the cell, small below two in three; . and , nobody")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"
