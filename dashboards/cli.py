"""The command `cornerwise`: so small that Ctrl-C is answered from the first moment, while the rest is being loaded."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing alone would take longer to load than this module
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (without the program's name; the process's own by default); returns the exit code."""
    try:
        from dashboards.command_table import run

        return run(argv)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("cornerwise: stopped\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
