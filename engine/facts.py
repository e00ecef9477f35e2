"""Columns of the facts of a colour, as kernels keep them and scoring reads them."""

CELLS, PIECES, ALL_PLACED, SINGLE_LAST, OUT, BLOCKED = range(6)
"""Numbers placed, then flags. OUT: the player has left the game. BLOCKED: known to have no legal move; never undone,
because no legal move ever comes back."""

FACTS = 6
"""Number of columns."""
