"""The Go Text Protocol as a server speaks it: commands taken apart, answers, results, colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from engine.variants import variant
from notation.blksgf_ids import GAMES, ids

LINE_LIMIT = 100_000
"""Characters of a command line; a longer one is refused."""

_COMMAND = re.compile(r"(?:(\d{1,18})(?:\s+|$))?(\S+)?\s*(.*)", re.S | re.A)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Command(NamedTuple):
    """A command: `number` is its id as written, empty where it has none; `rest` its arguments as one text."""

    number: str
    name: str
    rest: str

    @property
    def arguments(self) -> list[str]:
        """The arguments one by one."""
        return self.rest.split()


def parse_command(line: str) -> Command | None:
    """The command of a line; None for a blank line or a comment.

    >>> parse_command("12 play b e10,e11 # a comment")
    Command(number='12', name='play', rest='b e10,e11')
    """
    text = _CONTROL.sub("", line.partition("#")[0].replace("\t", " ")).strip()
    if not text:
        return None
    match = _COMMAND.fullmatch(text)
    assert match is not None
    return Command(match[1] or "", match[2] or "", match[3].strip())


def answer(number: str, text: str, good: bool = True) -> str:
    r"""The answer to a command: its sign, its id, the text without blank lines, an empty line.

    >>> answer("12", "unknown command", good=False)
    '?12 unknown command\n\n'
    """
    kept = "\n".join(line.rstrip() for line in text.split("\n") if line.strip())
    # Texts of several lines, such as boards, begin on a line of their own, as those of the reference program do.
    first = "\n" if text.startswith("\n") else ""
    return f"{'=' if good else '?'}{number} {first}{kept}\n\n"


def variant_of_game(name: str) -> str | None:
    """The variant that `set_game` names, as records do or by its id; None for another game."""
    from engine.variants import VARIANTS

    plain = " ".join(name.lower().split())
    return GAMES.get(plain, plain if plain in VARIANTS else None)


def colour_of(variant_id: str, name: str) -> int | None:
    """Number of a colour by any name that players use; None where the variant has no such colour."""
    return ids(variant_id).to_move.get(name.upper())


def colour_word(variant_id: str, colour: int) -> str:
    """The name of a colour that every program understands: b and w of two colours, else 1 to 4."""
    return ids(variant_id).move_id[colour].lower()


def score_text(variant_id: str, colours: Sequence[int], seats: Sequence[int]) -> str:
    """The answer to `final_score`: the lead of one of two seats (`B+7`, `0`), else the points of every colour."""
    if len(variant(variant_id).seats) != 2:
        return " ".join(map(str, colours))
    lead = seats[0] - seats[1]
    return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"
