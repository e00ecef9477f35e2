"""The list of formats for people: a table in Markdown made from `FORMATS`, and the page of each.

`python -m notation.format_list README.md notation/README.md` brings files up to date that have the two marks.
"""

from __future__ import annotations

from importlib import resources

from notation.formats import FORMATS, Format

BEGIN, END = "<!-- formats -->\n", "<!-- end of formats -->\n"


def page(name: str) -> str:
    """The page of a format, in Markdown."""
    return resources.files("notation").joinpath("pages", f"{name}.md").read_text(encoding="utf-8")


def table(folder: str) -> str:
    """All formats as a Markdown table; `folder` is where the pages are, seen from the file that holds it."""
    lines = ["| format | | files | read, written | carries |", "|---|---|---|---|---|"]
    lines += [_row(row, folder) for row in FORMATS.values()]
    return "\n".join(lines) + "\n"


def _row(row: Format, folder: str) -> str:
    files = " ".join(f"`{suffix}`" for suffix in row.suffixes)
    written = "read, written" if row.write else "read"
    return f"| [`{row.name}`]({folder}/{row.name}.md) | {row.title} | {files} | {written} | {row.carries} |"


def refreshed(text: str, folder: str) -> str:
    """A text with the table between its marks replaced by that of today."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table(folder)}{END}{after}"


def _refresh() -> None:
    import sys
    from pathlib import Path

    for path in map(Path, sys.argv[1:]):
        folder = "pages" if path.parent.name == "notation" else "notation/pages"
        path.write_text(refreshed(path.read_text(encoding="utf-8"), folder), encoding="utf-8")


if __name__ == "__main__":
    _refresh()
