"""Files, batches, the library on disk, queries over it."""
