"""Measures of every ply of a library (`engine/measures.md`)."""
