"""Judgements written into a record, as annotations and comments that the reference program displays."""

from __future__ import annotations

from notation.record import GameRecord, Move, Note
from pipeline.analysis.comments import MoveComment, game_comments, summary_lines
from pipeline.analysis.queries import GameAnalysis, game_analysis
from pipeline.store import Reader

MARKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "inaccuracy": ("DO", ("",)),
    "mistake": ("BM", ("1",)),
    "blunder": ("BM", ("2",)),
}
"""Annotation of a label: doubtful, bad, very bad."""

ANNOTATIONS = ("BM", "TE", "DO", "IT")
"""Properties of which a move has one: those of the record stay."""


def annotate(reader: Reader, game_no: int, record: GameRecord) -> bool:
    """Write the judgement of a stored game into its record; false when it has none.

    Comments and annotations of the record itself stay: comments are added to, annotations are not replaced.
    """
    analysis = game_analysis(reader, game_no)
    if analysis is None:
        return False
    write_notes(record, analysis, game_comments(reader, game_no, analysis))
    return True


def write_notes(record: GameRecord, analysis: GameAnalysis, comments: dict[int, MoveComment]) -> None:
    """Add notes to a record: a summary at its root, a comment and an annotation at every mistake."""
    record.notes.append(Note(-1, "\n".join(summary_lines(analysis))))
    of_ply = [at for at, event in enumerate(record.events) if isinstance(event, Move)]
    marked = {note.event for note in record.notes for name, _ in note.marks if name in ANNOTATIONS}
    for ply, comment in comments.items():
        event = of_ply[ply - 1]
        marks = [] if event in marked else [MARKS[comment.label]]
        record.notes.append(Note(event, comment.text, marks))
