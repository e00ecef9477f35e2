"""Edits of games survive whatever happens to the games' sightings: here the writer applies them anew."""

from __future__ import annotations

from pipeline.store.catalogue import Catalogue


def apply_edits(catalogue: Catalogue, numbers: str) -> None:
    """Judge those of some games again that have edits; `numbers` is a question for game numbers.

    Part of a transaction, and its last step but for the bookkeeping.
    """
    question = f"SELECT DISTINCT id FROM games JOIN edits USING (id) WHERE game_no IN ({numbers}) ORDER BY id"
    ids = [identity for (identity,) in catalogue.connection.execute(question).fetchall()]
    if ids:
        from pipeline.edits import rejudge  # kernels, and the modules that need a library: seldom wanted here

        rejudge(catalogue, ids)
