"""Matches of two engines over GTP."""
