"""The closed list of reasons for which a placement is refused, with words for people."""

from __future__ import annotations

REASONS = (
    "legal",
    "off_board",
    "game_over",
    "colour_out",
    "not_a_piece",
    "piece_used",
    "occupied",
    "side_contact",
    "start_rule",
    "no_corner_contact",
    "bad_setup",
    "unforced_pass",
    "not_reached",
)
"""Reason by its number in `engine.kernels.verdicts`; the first and the last are no refusals."""

WORDS = {
    "legal": "legal",
    "off_board": "a cell is not on the board",
    "game_over": "the game is over",
    "colour_out": "the player of this colour has left the game",
    "not_a_piece": "the cells are not a piece of the set",
    "piece_used": "the piece was used before",
    "occupied": "a cell is occupied",
    "side_contact": "it touches a piece of its own colour side to side",
    "start_rule": "the first piece of a colour must cover a starting cell",
    "no_corner_contact": "it touches no piece of its own colour corner to corner",
    "bad_setup": "the pieces set up before the first move overlap, are no pieces, or are used twice",
    "unforced_pass": "a colour that could move was passed over before it",
    "not_reached": "an earlier placement is illegal",
}
"""What each reason says to people."""

PASS_KINDS = ("forced", "unforced", "voluntary", "out")
"""Kind of a pass by its number in `engine.kernels.turns`."""
