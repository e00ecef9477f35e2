"""Games as one file to hand over: of the format where it holds them all, else an archive of one file a game."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from pipeline.export import Report, export_games
from pipeline.output_paths import written_format
from pipeline.store import Reader


def exported_file(reader: Reader, ids: Sequence[str] | None, form: str, folder: Path) -> tuple[Path, Report]:
    """Write games (None: all) as one file into a folder; returns it, and what it holds.

    Raises:
        PipelineError: as `export.export_games`.
    """
    row = written_format(form)
    if not row.one_game_a_file or (ids is not None and len(ids) == 1):
        name = ids[0] if ids is not None and len(ids) == 1 else "games"
        path = folder / f"{name}{row.suffixes[0]}"
        return path, export_games(reader, ids, form, path)
    inside = folder / "games"
    report = export_games(reader, ids, form, inside)
    path = folder / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(inside.iterdir()):
            archive.write(file, file.name)
    return path, report
