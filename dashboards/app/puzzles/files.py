"""Solutions and beginnings out of files, and what is on the board as files to keep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from dashboards.app import links
from dashboards.app.puzzles import naming
from dashboards.app.puzzles.asked import Asked, keep_pieces, keep_solution
from dashboards.app.puzzles.state import tell
from dashboards.app.words import say, words
from engine.errors import EngineError
from engine.puzzle_kinds import Placed, Puzzle, puzzle
from engine.puzzle_verify import on_board, verify
from notation.errors import CannotWrite, NotationError
from pipeline.errors import PipelineError

MOST_MB = 5
"""Megabytes of a file with a solution."""

SHOWN = 8
"""Problems of a file that are named."""


def show_upload(asked: Asked) -> None:
    """Where a file is dropped."""
    with st.expander(say("puzzles.load"), icon=":material/upload_file:"):
        st.write(say("puzzles.load_about"))
        st.file_uploader(
            say("puzzles.load"),
            key="puzzles.file",
            on_change=_load,
            args=(asked,),
            max_upload_size=MOST_MB,
            label_visibility="collapsed",
        )


def _load(asked: Asked) -> None:
    """Show the solution of the file, go on from its beginning, or say what is wrong with it."""
    file = st.session_state["puzzles.file"]
    if file is None:
        return
    try:
        placed = _read(asked, file.name, file.getvalue())
    except (NotationError, PipelineError, EngineError) as error:
        tell("error", say("failure.refused", what=" ".join(str(error).split())))
        return
    from pipeline.puzzles import judge

    row, verdict = asked.puzzle, judge(asked.puzzle, placed)
    if not verdict.problems:
        keep_solution(row, verdict.placed)
    elif not verify(row, placed, partial=True):
        keep_pieces(asked, on_board(row, placed), given=len(placed))
        links.keep(solution=None, seed=None)
        tell("info", say("puzzles.beginning", n=len(placed), of=row.pieces))
    else:
        said = [words().counted("puzzles.problems", len(verdict.problems))]
        said += [say("puzzles.solves", title=naming.title(puzzle(kind))) for kind in verdict.solves]
        lines = [f"{problem.number or '–'}: {problem.message}" for problem in verdict.problems[:SHOWN]]
        tell("error", " ".join(said), lines)


def _read(asked: Asked, name: str, content: bytes) -> list[Placed]:
    """The pieces of a file that was dropped."""
    from pipeline.puzzles import read_solution
    from pipeline.unit import Reading

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{Path(name).suffix[:12]}"
        path.write_bytes(content)
        try:
            return read_solution(asked.puzzle, str(path), Reading(variant=asked.variant))
        except (NotationError, PipelineError) as error:
            raise PipelineError(str(error).replace(str(path), name[:80])) from error


def show_downloads(asked: Asked, placed: Sequence[Placed]) -> None:
    """Buttons that keep what is on the board."""
    row = asked.puzzle
    seed = "" if asked.seed is None else str(asked.seed)
    with st.container(horizontal=True):
        for form, kind in (
            ("json", "application/json"),
            ("blksgf", "application/x-go-sgf"),
            ("svg", "image/svg+xml"),
        ):
            content = _content(row.kind, row.board.name, tuple(placed), seed, form)
            if content is None:
                continue
            st.download_button(
                say(f"puzzles.keep.{form}"),
                content,
                file_name=f"puzzle-{row.kind}{f'-{seed}' if seed else ''}.{form}",
                mime=kind,
                key=f"puzzles.keep.{form}",
                icon=":material/download:",
                on_click="ignore",
            )


@lru_cache(maxsize=100)
def _content(kind: str, board: str, placed: tuple[Placed, ...], seed: str, form: str) -> bytes | None:
    """A file of these pieces; None where its format cannot hold them."""
    row = _row(kind, board)
    if form == "svg":
        from pipeline.puzzle_svg import puzzle_svg

        return puzzle_svg(row, placed, naming.title(row)).encode()
    from pipeline.puzzles import solution_file

    headers = {"seed": seed} if seed else {}
    try:
        return solution_file(row, placed, headers, f"solution.{form}")[0]
    except CannotWrite:
        return None


def _row(kind: str, board: str) -> Puzzle:
    return puzzle(kind, board if kind == "tiling" else None)
