"""The opening explorer: what was played from a position, and how it did."""
