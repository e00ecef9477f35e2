"""Results of the Software-Challenge: points, causes and winners of both seasons to a declared result."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from notation.record import Declared, GameRecord, Out, Problem
from notation.software_challenge_codes import number_of

TEAMS = ("ONE", "TWO")

CAUSES = {
    "LEFT": "abandoned",
    "RULE_VIOLATION": "violation",
    "PROCESS_VIOLATION": "violation",
    "SOFT_TIMEOUT": "time",
    "HARD_TIMEOUT": "time",
}

_REASONS = (
    (re.compile(r"\s*(?:Regelverletzung|Missachtung des Spielablaufs) von ", re.I), "violation"),
    (re.compile(r" hat das Spiel verlassen", re.I), "abandoned"),
    (
        re.compile(r" hat f(?:ue|\u00fc)r die Antwort auf die Zugaufforderung l(?:ae|\u00e4)nger als ", re.I),
        "time",
    ),
    (re.compile(r" hat innerhalb von \S{1,20} Sekunden nach Aufforderung keinen Zug gesendet", re.I), "time"),
)
"""How 2027 says it: the first must begin the text, the others follow the player's name."""


@dataclass(slots=True)
class Score:
    """The line of a player: `team` a seat where it is named; `parts` are win points and points."""

    cause: str = ""
    reason: str = ""
    team: int | None = None
    parts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Winner:
    """A winner: `team` a seat, `regular` as written."""

    name: str = ""
    team: int | None = None
    regular: str = ""
    reason: str = ""


@dataclass(slots=True)
class Result:
    """What a result message says."""

    scores: list[Score] = field(default_factory=list)
    winners: list[Winner] = field(default_factory=list)

    @property
    def reason(self) -> str:
        """Why the game ended, in the words of the referee."""
        texts = [winner.reason.strip() for winner in self.winners]
        texts += [score.reason.strip() for score in self.scores]
        return "; ".join(dict.fromkeys(text for text in texts if text))

    def of_seat(self, seat: int) -> Score | None:
        """The score of a seat: named by its team, else by its place."""
        named = next((score for score in self.scores if score.team == seat), None)
        if named is None and seat < len(self.scores) and self.scores[seat].team is None:
            return self.scores[seat]
        return named


def seat_of(team: str) -> int | None:
    """Seat of a team's name."""
    name = team.strip().upper()
    return TEAMS.index(name) if name in TEAMS else None


def declare(record: GameRecord, result: Result) -> list[Out]:
    """Set the declared result and the termination of a record; returns who left at the end."""
    causes = {
        seat: CAUSES[score.cause.strip().upper()]
        for seat in range(2)
        if (score := result.of_seat(seat)) is not None and score.cause.strip().upper() in CAUSES
    }
    winner = _winner(record, result)
    irregular = next((w for w in result.winners if w.regular.strip().lower() == "false"), None)
    if irregular is not None and not causes:
        cause = cause_of(irregular.reason, record.players)
        if cause is None:
            message = f"the reason of the result is none that is known: {irregular.reason[:200]!r}"
            record.problems.append(Problem("unknown_reason", message, record.line))
        elif winner in (0, 1):
            causes = {1 - winner: cause}
        record.termination = cause
    elif causes:
        record.termination = (
            causes[1 - winner] if winner in (0, 1) and 1 - winner in causes else min(causes.values())
        )
    else:
        record.termination = "normal"
    if len(causes) == 2 and winner in (0, 1):
        causes.pop(winner)
    points = _points(result) if irregular is None else ()  # then 2027 writes no points for the loser
    margin = points[winner] - points[1 - winner] if points and winner in (0, 1) and not causes else None
    record.declared = Declared(_text(result), winner, margin, points, record.termination)
    # Of two who left nobody knows which was first: then the record names nobody.
    return [Out(seat, cause) for seat, cause in causes.items()] if len(causes) == 1 else []


def cause_of(reason: str, players: list[str | None]) -> str | None:
    """The termination that a reason in German stands for; names of players in it do not count."""
    for name in sorted((name for name in players if name), key=len, reverse=True):
        reason = reason.replace(name, "", 1) if reason.startswith(name) else reason
    begins, *others = _REASONS
    if begins[0].match(reason):
        return begins[1]
    return next((cause for pattern, cause in others if pattern.search(reason[:400])), None)


def _winner(record: GameRecord, result: Result) -> int | None:
    """Seat that won, -1 for a draw, None where the result does not say it."""
    seats = {_seat_of_winner(record, winner) for winner in result.winners}
    if len(seats) == 1 and None not in seats:
        return seats.pop()
    if len(seats) == 2 and None not in seats:
        return -1
    if any(winner.regular.strip().lower() == "false" for winner in result.winners):
        return None
    if any(winner.regular and not winner.name for winner in result.winners):
        return -1  # 2027 names no team on a draw
    parts = [score.parts[0].strip() if score.parts else "" for score in result.scores]
    return -1 if parts == ["1", "1"] and not any(_is_irregular(s) for s in result.scores) else None


def _is_irregular(score: Score) -> bool:
    return score.cause.strip().upper() in CAUSES


def _seat_of_winner(record: GameRecord, winner: Winner) -> int | None:
    if winner.team is not None:
        return winner.team
    names = record.players
    return names.index(winner.name) if winner.name and names.count(winner.name) == 1 else None


def _points(result: Result) -> tuple[int, ...]:
    """Points of both seats, none where one is missing."""
    points = []
    for seat in range(2):
        score = result.of_seat(seat)
        number = (
            number_of(score.parts[1].strip().removesuffix(".0")) if score and len(score.parts) > 1 else None
        )
        if number is None:
            return ()
        points.append(number)
    return tuple(points)


def _text(result: Result) -> str:
    """The result in a line: `ONE 2/137 REGULAR, TWO 0/120 REGULAR, winner ONE`."""
    texts = []
    for seat, team in enumerate(TEAMS):
        if (score := result.of_seat(seat)) is not None:
            texts.append(" ".join(x for x in (team, "/".join(score.parts), score.cause) if x))
    for winner in result.winners:
        name = TEAMS[winner.team] if winner.team is not None else winner.name or "nobody"
        texts.append(f"winner {name}" + (" (not regular)" if winner.regular.lower() == "false" else ""))
    return ", ".join(texts)
