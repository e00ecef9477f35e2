"""Bytes and text to and from the neutral game record; one module per format."""
