"""Judged games: what every move was worth (`pipeline/move_quality.md`)."""
