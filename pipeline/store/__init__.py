"""The library on disk: one writer at a time, readers on numbered snapshots.

A worker process writes the big tables of a unit with `write_unit(writer.folder, number, tables)`, the number
being one of `writer.next_unit()`; in `with writer.batch("import", options) as batch:` the writer takes it with
`batch.add_unit(unit)`, and afterwards `batch.number` and `batch.counts` say what came of it. Readers ask:
`open_reader(path).table("SELECT ...")`.
"""

from pipeline.store.batch import Batch
from pipeline.store.check import check_library
from pipeline.store.counts import Counts
from pipeline.store.partitions import PartitionFile, UnitTables, write_partition, write_unit
from pipeline.store.reader import Answer, Derived, Reader, open_reader
from pipeline.store.undo import Undone
from pipeline.store.writer import Writer, open_writer

__all__ = [
    "Answer",
    "Batch",
    "Counts",
    "Derived",
    "PartitionFile",
    "Reader",
    "Undone",
    "UnitTables",
    "Writer",
    "check_library",
    "open_reader",
    "open_writer",
    "write_partition",
    "write_unit",
]
