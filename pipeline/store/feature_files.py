"""Partitions of features and analyses enter the library: whole games at a time, each game once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pipeline.features.columns import FEATURE_KINDS
from pipeline.store.batch import place
from pipeline.store.catalogue import Catalogue
from pipeline.store.dedupe import numbers_array
from pipeline.store.files import sync
from pipeline.store.merge import replace
from pipeline.store.partitions import PartitionFile


def add_features(
    catalogue: Catalogue,
    files: Sequence[PartitionFile],
    instead: Sequence[int] = (),
    kinds: Collection[str] = FEATURE_KINDS.keys(),
) -> None:
    """List partitions, in one transaction; rows of `kinds` that the library has of the games `instead` go."""
    with catalogue.transaction() as connection:
        if instead:
            drop = numbers_array(list(instead))
            old = connection.execute(
                "SELECT kind, file FROM partitions p WHERE list_contains($kinds, kind) AND EXISTS ("
                "SELECT 1 FROM unnest($numbers::BIGINT[]) AS n(game_no) "
                "WHERE n.game_no BETWEEN p.first_game AND p.last_game) ORDER BY kind, file",
                {"kinds": list(kinds), "numbers": list(instead)},
            ).fetchall()
            for kind, file in old:
                replace(catalogue, kind, [file], drop)
        state = catalogue.state()
        for number, new in enumerate(files, state.next_file):
            place(catalogue, new, number)
        for kind in kinds:
            sync(catalogue.layout.partitions(kind))
        catalogue.advance(state.next_unit, state.next_file + len(files))
