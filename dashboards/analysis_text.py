"""Judged games as text: what a run did, totals with what the colour alone says, the moves of one game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboards import terminal

if TYPE_CHECKING:
    from pipeline.analysis.analyse import AnalysisSummary
    from pipeline.analysis.comments import MoveComment
    from pipeline.analysis.queries import GameAnalysis

Row = dict[str, Any]

SHOWN = 50
"""Players that a table names; JSON has all."""

FIGURES = ("decisions", "accuracy", "+-", "loss %", "+-%", "points", "errors %", "best %")


def summary_words(summary: AnalysisSummary) -> str:
    """What a run did, in a sentence."""
    parts = []
    if summary.games:
        rate = summary.plies / summary.seconds if summary.seconds else 0
        parts.append(
            f"{terminal.plural(summary.games, 'game')} judged ({summary.budget}, seed {summary.seed}): "
            f"{terminal.plural(summary.plies, 'move')}, {summary.seconds:.1f} s, {rate:.1f} a second"
        )
    if summary.replaced:
        parts.append(f"{terminal.number(summary.replaced)} of them anew")
    kept = (
        (summary.present, "judged already"),
        (summary.older, "judged by an older engine or other formulas: --again replaces them"),
        (summary.other, "judged with another budget or seed: --again replaces them"),
        (summary.theirs, "judged by another run meanwhile"),
        (summary.changed, "changed or gone meanwhile: run it again"),
        (summary.without, "without a position, for the setup does not fit"),
    )
    parts += [f"{terminal.plural(count, 'game')} {words}" for count, words in kept if count]
    return "; ".join(parts) or "there are no such games"


def figures(row: Mapping[str, Any]) -> list[str]:
    """The cells of FIGURES."""
    from pipeline.analysis.comments import shown_accuracy

    return [
        terminal.number(row["decisions"]),
        shown_accuracy(row["accuracy"]),
        _fixed(row["accuracy_error"]),
        _percent(row["mean_loss"], 2),
        _percent(row["mean_loss_error"], 2),
        _fixed(row["mean_loss_points"], 2),
        _percent(row["error_rate"]),
        _percent(row["best_rate"]),
    ]


def print_totals(found: Mapping[str, Any]) -> None:
    """Print totals by variant, player and phase, or seat by seat, and the baselines."""
    if found["seats"]:
        heads: tuple[str, ...] = ("game", "seat", "player", *FIGURES)
        rows: list[tuple[Any, ...]] = [
            (row["short"], row["seat"], _name(row["player"]), *figures(row)) for row in found["seats"]
        ]
        _table(heads, rows)
    if found["players"]:
        heads = ("variant", "player", "games", *FIGURES, "gifts %", "re-eval %")
        rows = [
            (
                row["variant"],
                _name(row["player"]),
                row["games"],
                *figures(row),
                _percent(row.get("gifts")),
                _percent(row.get("reevaluation"), 2),
            )
            for row in found["players"][:SHOWN]
        ]
        _table(heads, rows)
        if len(found["players"]) > SHOWN:
            terminal.say(f"{len(found['players']) - SHOWN} more players: --json lists them all")
        _print_variants(found["variants"], found["phases"])
    for row in found["baselines"]:
        if row["accuracy"] is not None:
            terminal.out(
                f"{row['variant']}: the colour alone, guessing that seat {row['guess']} wins, is right in "
                f"{100 * row['accuracy']:.0f} % of {terminal.plural(row['games'], 'game')} "
                f"({100 * row['low']:.0f}-{100 * row['high']:.0f})"
            )
    for row in found["made_by"]:
        older = ", OLDER than this program" if row["older"] else ""
        terminal.out(
            f"{row['variant']}: {terminal.plural(row['games'], 'game')} by {row['engine']}, budget {row['budget']}, "
            f"seed {row['seed']}, formulas version {row['version']}{older}"
        )
    if found["left_out"]:
        terminal.say(
            f"not counted: {terminal.number(found['left_out'])} illegal, irregular, unfinished or odd "
            f"{'game' if found['left_out'] == 1 else 'games'} that are judged as far as they go"
        )


def _print_variants(variants: Sequence[Row], phases: Sequence[Row]) -> None:
    rows = [
        (row["variant"], "all", row["games"], *figures(row), _with_error(row, "reevaluation"))
        for row in variants
    ]
    rows += [(row["variant"], row["phase"], row["games"], *figures(row), "") for row in phases]
    _table(("variant", "phase", "games", *FIGURES, "re-eval %"), sorted(rows, key=lambda row: row[0]))


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    words = ("game", "variant", "player", "phase")
    terminal.table(heads, rows, [head for head in heads if head not in words])
    terminal.out()


def print_analysis(analysis: GameAnalysis, comments: Mapping[int, MoveComment]) -> None:
    """Print what there is to say of one judged game: seats, balance, comments."""
    from pipeline.analysis.comments import summary_lines

    terminal.out()
    terminal.out(summary_lines(analysis)[0] + (" OLDER than this program." if analysis.older else ""))
    rows = [(row["seat"], _name(row["player"]), *figures(row)) for row in analysis.seats]
    terminal.table(("seat", "player", *FIGURES), rows, ("seat", *FIGURES))
    terminal.out()
    terminal.out("share of the result, in percent, from the first position to the last:")
    parts = ("start", "losses", "gifts", "reevaluation", "events", "result")
    balances = [
        (row["seat"], *(_percent(row["balance_shares"][part]) for part in parts)) for row in analysis.seats
    ]
    terminal.table(("seat", *parts), balances, ("seat", *parts))
    for ply, comment in sorted(comments.items()):
        terminal.out()
        terminal.out(f"ply {ply}. {comment.text}")


def judged_cells(row: Mapping[str, Any] | None) -> tuple[str, str, str]:
    """Label, loss in percent of the result and loss in points of a move, for the list of moves."""
    if row is None or row["label"] is None:
        return "", "", ""
    marks = "".join(
        mark
        for mark, there in (
            (" proven", row["proven"]),
            (" unclear", row["unclear"] and row["label"] not in ("good", "unclear")),
        )
        if there
    )
    if row["forced"]:
        return f"forced{marks}", "", ""
    return f"{row['label']}{marks}", _percent(row["loss_share"]), _fixed(row["loss_points"])


def _name(player: str | None) -> str:
    return terminal.shortened(player or "", terminal.LONGEST_NAME)


def _fixed(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{100 * value:.{digits}f}"


def _with_error(row: Row, name: str) -> str:
    error = row.get(f"{name}_error")
    noise = "" if error is None else f" +-{100 * error:.2f}"
    return f"{_percent(row.get(name), 2)}{noise}"
