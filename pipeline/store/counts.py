"""How many records of which kind a batch has brought."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.store.dedupe import Decision


@dataclass(slots=True)
class Counts:
    """Records of a batch: games = stored + duplicates + refused; the next ones are some of the stored.

    `sightings` and `plies` count what was added; `quarantined` = refused + illegal. `results`, `positions` and
    `piece_lists` are records found that are no games; of these three together, `known_fragments` say what another
    record has said before, in this batch or an earlier one, and are shown once.
    """

    games: int = 0
    stored: int = 0
    duplicates: int = 0
    refused: int = 0
    illegal: int = 0
    irregular: int = 0
    unfinished: int = 0
    empty: int = 0
    foreign_pieces: int = 0
    quarantined: int = 0
    sightings: int = 0
    plies: int = 0
    results: int = 0
    positions: int = 0
    piece_lists: int = 0
    known_fragments: int = 0

    @property
    def fragments(self) -> int:
        """Records that are no games."""
        return self.results + self.positions + self.piece_lists

    def add(self, other: Counts) -> None:
        """Add another part of the batch."""
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)


def counts_of(games: pa.Table, decision: Decision) -> Counts:
    """Counts of the games of a unit: `games` are those to store."""

    def some(name: str) -> int:
        return int(pc.sum(games[name]).as_py() or 0)

    illegal = some("illegal")
    return Counts(
        games=len(decision.new_games) + decision.duplicates + decision.refused,
        stored=len(decision.new_games),
        duplicates=decision.duplicates,
        refused=decision.refused,
        illegal=illegal,
        irregular=some("irregular"),
        unfinished=some("unfinished"),
        empty=some("empty"),
        foreign_pieces=some("foreign_pieces"),
        quarantined=decision.refused + illegal,
        sightings=len(decision.sightings),
        plies=some("plies"),
    )
