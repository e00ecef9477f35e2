"""Parts of the page of statistics."""
