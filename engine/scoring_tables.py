"""The scoring tables (rule page, "Scoring"): their one list, for the engine, the rule `scoring` and the library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points per cell placed and per cell left, bonus for everything placed, the same with the single cell last."""

    id: str
    placed: int
    left: int
    all_placed: int
    single_last: int


SCORINGS: dict[str, Scoring] = {
    row.id: row
    for row in (
        Scoring("board", 0, -1, 15, 20),
        Scoring("online", 1, 0, 15, 20),
        Scoring("net", 1, -1, 15, 20),
        Scoring("family", 0, -1, 10, 15),
        Scoring("plain", 1, 0, 0, 0),
    )
}
"""Id -> table, in the order in which they are shown."""
