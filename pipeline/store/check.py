"""The proof of what no key enforces: a list of what is wrong with a library."""

from __future__ import annotations

from pipeline.store.catalogue import script
from pipeline.store.reader import Reader


def check_library(reader: Reader) -> list[str]:
    """Return a line for every broken invariant of the newest snapshot; none: the library is sound."""
    listed = reader.table("SELECT kind, file FROM partitions ORDER BY ALL").to_pylist()
    missing = [
        f"{path} is missing"
        for path in (reader.layout.partition(row["kind"], row["file"]) for row in listed)
        if not path.is_file()
    ]
    if missing:
        return missing
    rows = reader.table(script("check.sql")).to_pylist()
    return [f"{row['problem']}: {row['cases']}" for row in rows if row["cases"]]
