"""The parts of the page of the library."""
