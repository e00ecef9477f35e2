"""`cornerwise play`: a game against the engine in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.engine_options import QUICK, Budget, Seed, budget_of, engine_parts
from dashboards.failures import Stopped, UsageFailure

if TYPE_CHECKING:
    from notation.record import Move
    from pipeline.play_session import PlaySession

_LINE = 10_000
"""Bytes of a line that are read at once."""

HELP = """\
  e8,d9,e9        play a piece on these cells, in any order; blanks do for commas
  moves           legal moves by piece; `moves F`: those with the piece F
  hint            what the engine would play; `hint play` plays it
  undo            take back to your last turn
  board, pieces   show the board, or the pieces that are left
  score           points so far
  save FILE       write the game (.blksgf)
  resign, quit    give up, or leave the game as it is"""

Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="N",
        help="Your seat, 1 the first; repeatable. none: the engine plays alone. Default 1.",
    ),
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Your name in the record.")]
Hints = Annotated[bool, typer.Option("--hints", help="Show the engine's advice at every turn of yours.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write the game there when it ends (.blksgf).")
]


def run(
    variant: Annotated[str, typer.Option("--variant", metavar="V", help="Variant of the game.")] = "duo",
    seat: Seats = None,
    budget: Budget = QUICK,
    seed: Seed = 1,
    hints: Hints = False,
    name: Name = "Player",
    rule: options.Rules = None,
    out: Out = None,
) -> None:
    """Play against the engine. Moves are typed as cells, `help` lists what else can be typed.

    It reads standard input, so a list of moves can be piped into it.
    """
    options.known_variant(variant)
    settings = options.rule_settings(rule, variant)
    people = _people(seat, variant, settings)
    wanted = budget_of(variant, budget)
    if out is not None:
        _writable(out)
    from pipeline import compiling
    from pipeline.play_session import PlaySession

    compiling.announce_compiling(terminal.say, compiling.STEPPING, compiling.SEARCH)
    session = PlaySession(engine_parts(), variant, people, wanted, seed, settings)
    try:
        _Table(session, hints, name).play()
    except KeyboardInterrupt:
        raise Stopped(_kept(session, name, out, "stopped")) from None
    _show_end(session)
    if out is not None:
        terminal.say(_kept(session, name, out, "done"))


def _people(seats: list[str] | None, variant: str, settings: dict[str, str]) -> list[int]:
    from engine.rulesets import parse_rules

    count = len(parse_rules(variant, settings).seats)
    if seats == ["none"]:
        return []
    out = []
    for text in seats or ["1"]:
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= count):
            raise UsageFailure(
                f"--seat {text}: {variant} has seats 1 to {count}; none lets the engine play alone"
            )
        out.append(int(text) - 1)
    return out


def _writable(out: Path) -> None:
    if out.suffix.lower() not in (".blksgf", ".sgf"):
        raise UsageFailure(f"{out}: games are written as Blokus SGF: name a .blksgf file")
    if not out.parent.is_dir():
        raise UsageFailure(f"{out}: there is no folder {out.parent}")


def _kept(session: PlaySession, name: str, out: Path | None, words: str) -> str:
    """Write the game where that is asked for; returns what to say."""
    if out is None or not session.game.events:
        return words
    _save(session, name, out)
    return f"{words}: the game is in {out}"


def _save(session: PlaySession, name: str, out: Path) -> None:
    from notation.blksgf_write import write

    out.write_text(write(session.record(name)), encoding="utf-8")


class _Table:
    """The game on the terminal: asks, and does what is typed."""

    def __init__(self, session: PlaySession, hints: bool, name: str) -> None:
        self._session, self._hints, self._name = session, hints, name
        self._done = False
        self._shown = -1
        self._words: dict[str, Callable[[str], None]] = {
            "help": lambda rest: terminal.out(HELP),
            "?": lambda rest: terminal.out(HELP),
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "board": lambda rest: self._board(),
            "pieces": lambda rest: self._pieces(),
            "score": lambda rest: _show_points(self._session),
            "save": self._store,
            "resign": self._resign,
            "quit": self._quit,
            "exit": self._quit,
        }

    def play(self) -> None:
        """Go on until the game is over, somebody quits, or nothing more is typed."""
        session = self._session
        if session.people:
            terminal.out("type the cells of a move, or help")
        while not self._done and not session.over:
            if not session.person_to_move:
                self._say_move(session.engine_move(), session.engine_name)
                continue
            if self._shown != len(session.game.events):
                self._shown = len(session.game.events)
                self._board()
                if self._hints:
                    self._hint("")
            line = self._line()
            if line is None:
                break
            if line:
                self._do(line)

    def _line(self) -> str | None:
        """What is typed next; None when there is no more."""
        session = self._session
        colour = session.game.to_move
        assert colour is not None
        if sys.stdin.isatty():
            sys.stdout.write(f"{session.game.variant.colours[colour]}> ")
        sys.stdout.flush()
        line = sys.stdin.buffer.readline(_LINE)
        return line.decode("utf-8", "replace").strip() if line else None

    def _do(self, line: str) -> None:
        from engine.errors import IllegalMove

        word, _, rest = line.partition(" ")
        run = self._words.get(word.lower())
        if run is not None:
            run(rest.strip())
            return
        try:
            self._say_move(self._session.move(line), self._name)
        except IllegalMove as error:
            terminal.out(terminal.clean(f"{error}; `moves` lists what is legal, `help` what can be typed"))

    def _say_move(self, move: Move, who: str) -> None:
        game = self._session.game
        piece = self._session.piece_of(move.placement)
        ply = len(game.moves)
        terminal.out(
            terminal.clean(f"{ply}. {game.variant.colours[move.colour]} {piece} {move.text} ({who})")
        )

    def _board(self) -> None:
        from dashboards.board_text import BoardView

        game = self._session.game
        terminal.out()
        terminal.console().print(BoardView(game.variant.id, game.position.board, game.last))
        if game.to_move is not None:
            name = game.variant.colours[game.to_move]
            moves = terminal.plural(game.position.mobility(game.to_move), "legal move")
            terminal.out(f"    {name} to move: {moves}")

    def _pieces(self) -> None:
        from dashboards.pieces_text import PiecesView

        game = self._session.game
        left = [game.position.pieces_left(colour) for colour in range(len(game.variant.colours))]
        terminal.console(width=100).print(PiecesView(game.variant.id, left))

    def _moves(self, piece: str) -> None:
        counts = self._session.counts()
        if not piece:
            terminal.out("  ".join(f"{name} {count}" for name, count in counts.items()))
            return
        found = self._session.legal(piece)
        if not found:
            terminal.out(terminal.clean(f"no legal move with a piece {piece}; there are: {' '.join(counts)}"))
        for cells in found:
            terminal.out(f"  {cells}")

    def _hint(self, rest: str) -> None:
        hint = self._session.hint()
        words = f"{hint.piece} {hint.move.text}: {hint.points:+.1f} points, share {100 * hint.share:.0f} %"
        terminal.out(f"hint: {words}")
        if rest == "play":
            self._say_move(self._session.move(hint.move.text), self._name)

    def _undo(self, rest: str) -> None:
        taken = self._session.undo()
        terminal.out(
            f"{terminal.plural(taken, 'move')} taken back" if taken else "there is nothing to take back"
        )
        self._shown = -1

    def _store(self, rest: str) -> None:
        if not rest:
            terminal.out("save FILE: name a file")
            return
        try:
            _writable(Path(rest))
            _save(self._session, self._name, Path(rest))
        except (UsageFailure, OSError) as error:
            terminal.out(terminal.clean(f"not saved: {error}"))
        else:
            terminal.out(terminal.clean(f"saved: {rest}"))

    def _resign(self, rest: str) -> None:
        seat = self._session.resign()
        terminal.out(f"seat {seat + 1} resigns")

    def _quit(self, rest: str) -> None:
        self._done = True


def _show_points(session: PlaySession) -> None:
    game = session.game
    for seat, result in enumerate(game.results(decided=session.over)):
        colours = " + ".join(game.variant.colours[colour] for colour in game.rules.seats[seat])
        who = "you" if seat in session.people else "engine"
        place = "" if result.place is None else f", place {result.place}"
        terminal.out(f"  seat {seat + 1} ({colours}, {who}): {result.total} points{place}")


def _show_end(session: PlaySession) -> None:
    from dashboards.board_text import BoardView

    game = session.game
    if session.over:
        terminal.out()
        terminal.console().print(BoardView(game.variant.id, game.position.board, game.last))
    ended = "the game is over" if session.over else "the game is not finished"
    terminal.out(f"{ended} after {terminal.plural(len(game.moves), 'move')}:")
    _show_points(session)
