"""Parts of the page of the solo puzzles."""
