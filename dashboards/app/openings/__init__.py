"""Parts of the page of openings."""
