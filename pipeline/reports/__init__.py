"""Reports of a library: one self-contained HTML file each, or their tables as CSV, Parquet or JSON.

A report is a document of sections with facts, tables and pictures (`document`); what it says is in the catalogue
`texts_en.toml`, how it looks in `templates/`.
"""

from __future__ import annotations

from pipeline.reports.document import Report
from pipeline.reports.texts import Texts, texts
from pipeline.reports.write import write_report

__all__ = ["Report", "Texts", "texts", "write_report"]
