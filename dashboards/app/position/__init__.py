"""Parts of the page on which a position is built, evaluated and recorded."""
