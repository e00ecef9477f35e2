"""Models of strength: openskill, plain Elo, and the approximation of the competition room's points.

All three see the same contests in the same order. A player on several seats of a game, each of which is a result
against the *other* players, is dealt with alike by all of them, and the order of seats never matters:

- openskill rates every selection of one seat for each player as a game of its own, all from the ratings before the
  game (two players with two seats each: four such games). A player's change is the mean over the selections, times the
  number of the player's seats. With one seat each this is the game itself. So between own seats nothing is learned.
- Elo sums over all pairs of seats of different players.
- Teams are rated as teams: a seat of a team is a member, a player with both seats is two members. Who sits in both
  teams is not rated by that game; the others are.
- Seats without a player's name are left out; the others are compared with each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple, Protocol

from openskill.models import BradleyTerryPart

from pipeline import competition

VERSION = 1
"""Of everything that changes a rating; part of the name of stored ratings."""


class Unit(NamedTuple):
    """A seat, or the seats of a team.

    `score` is comparable within the contest, `part` the own score as `competition.change` takes it.
    """

    people: tuple[str, ...]
    place: int
    score: float | None = None
    part: float | None = None


class Contest(NamedTuple):
    """A decided game or a result; all its units have names."""

    number: int
    family: str
    units: tuple[Unit, ...]

    def people(self) -> list[str]:
        """Everybody in it, once, in the order of names."""
        return sorted({person for unit in self.units for person in unit.people})

    def pairs(self) -> Iterator[tuple[Unit, Unit, float]]:
        """Pairs of units that share nobody, and the share of the first one: 1, 0.5 or 0."""
        for one, other in combinations(self.units, 2):
            if not set(one.people) & set(other.people):
                yield one, other, share(one, other)


def share(one: Unit, other: Unit) -> float:
    """What a unit has of a pair: 1 if it came before the other, 0.5 on a tie, 0 behind."""
    return (one.place < other.place) + (one.place == other.place) / 2


class Model(Protocol):
    """A model of strength, with a state for each player of one family."""

    def probability(self, one: Unit, other: Unit) -> float | None:
        """Probability that one comes before the other (a tie counts half); None: the model does not say."""

    def rate(self, contest: Contest) -> None:
        """Learn from a contest."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What openskill believes of a player: a normal distribution."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def ordinal(self) -> float:
        """Conservative estimate: the strength exceeds it with 99.7 %."""
        return self.mu - 3 * self.sigma


class Openskill:
    """Bradley-Terry over all pairs, averaged: openskill's `BradleyTerryPart` with a window that holds every pair.

    Chosen by log-loss on held-out games, see `ratings.md`; the parameters are the library's own.
    """

    def __init__(self) -> None:
        self._model = BradleyTerryPart()
        self.skills: dict[str, Skill] = {}

    def skill(self, person: str) -> Skill:
        """What is believed of a player, known or not."""
        return self.skills.get(person, _UNKNOWN)

    def probability(self, one: Unit, other: Unit) -> float:
        """By the model's own link: the logistic function of the difference in units of its spread."""
        difference = sum(self.skill(p).mu for p in one.people) - sum(self.skill(p).mu for p in other.people)
        variance = sum(self.skill(p).sigma ** 2 for p in (*one.people, *other.people))
        return logistic(difference / math.sqrt(2 * self._model.beta**2 + variance))

    def rate(self, contest: Contest) -> None:
        """Learn from a contest."""
        if next(contest.pairs(), None) is None:
            return
        changes: dict[str, list[float]] = {}
        games = _selections(contest)
        for units in games:
            for person, skill in self._rated(units):
                before, sums = self.skill(person), changes.setdefault(person, [0.0, 0.0])
                sums[0] += skill.mu - before.mu
                sums[1] += math.log(skill.sigma / before.sigma)
        seats = Counter(person for unit in contest.units for person in unit.people)
        on_both_sides = _on_both_sides(contest)
        for person, (mu, sigma) in changes.items():
            if person in on_both_sides:
                continue
            # A member of a team comes once for each of its seats already.
            weight = 1.0 if _is_of_teams(contest) else seats[person] / len(games)
            before = self.skill(person)
            self.skills[person] = Skill(before.mu + weight * mu, before.sigma * math.exp(weight * sigma))

    def _rated(self, units: Sequence[Unit]) -> Iterator[tuple[str, Skill]]:
        """Every seat's player with what this game alone would make of the rating."""
        teams = []
        for unit in units:
            skills = [self.skill(person) for person in unit.people]
            teams.append([self._model.rating(mu=skill.mu, sigma=skill.sigma) for skill in skills])
        rated = self._model.rate(teams, ranks=[float(unit.place) for unit in units])
        for unit, team in zip(units, rated, strict=True):
            for person, rating in zip(unit.people, team, strict=True):
                yield person, Skill(rating.mu, rating.sigma)


_UNKNOWN = Skill()


def _is_of_teams(contest: Contest) -> bool:
    return any(len(unit.people) > 1 for unit in contest.units)


def _on_both_sides(contest: Contest) -> set[str]:
    """Players of several teams; nobody where there are none."""
    if not _is_of_teams(contest):
        return set()
    counts = Counter(person for unit in contest.units for person in set(unit.people))
    return {person for person, count in counts.items() if count > 1}


def _selections(contest: Contest) -> list[tuple[Unit, ...]]:
    """The games that make up a contest: all selections of one seat for each player, or the teams as they are."""
    if _is_of_teams(contest):
        return [contest.units]
    seats: dict[str, list[Unit]] = {}
    for unit in contest.units:
        seats.setdefault(unit.people[0], []).append(unit)
    return list(product(*(seats[person] for person in sorted(seats))))


class Elo:
    """Plain Elo over all pairs: start 1500, K 32 divided by the number of other seats; ties are half a win."""

    START, K = 1500.0, 32.0

    def __init__(self) -> None:
        self.points: dict[str, float] = {}

    def rating(self, person: str) -> float:
        """A player's rating, known or not."""
        return self.points.get(person, self.START)

    def probability(self, one: Unit, other: Unit) -> float:
        """Ten wins to one for 400 points; a team has the mean of its members."""
        return 1 / (1 + 10 ** ((self._mean(other) - self._mean(one)) / 400))

    def _mean(self, unit: Unit) -> float:
        return sum(map(self.rating, unit.people)) / len(unit.people)

    def rate(self, contest: Contest) -> None:
        """Learn from a contest."""
        changes: dict[str, float] = {}
        left_out = _on_both_sides(contest)
        step = self.K / (len(contest.units) - 1)
        for one, other, result in contest.pairs():
            surprise = step * (result - self.probability(one, other))
            for unit, moved in ((one, surprise), (other, -surprise)):
                for person in unit.people:
                    changes[person] = changes.get(person, 0.0) + moved
        for person, change in changes.items():
            if person not in left_out:
                self.points[person] = self.rating(person) + change


class Points:
    """The approximation of the competition room's points: contests of two players with one seat each, others not."""

    def __init__(self) -> None:
        self.points: dict[str, float] = {}

    def level(self, person: str) -> float:
        """A player's points, known or not."""
        return self.points.get(person, competition.START)

    def probability(self, one: Unit, other: Unit) -> float | None:
        """As its formula expects, which is no more than a scale: calibrate it before use."""
        if len(one.people) > 1 or len(other.people) > 1:
            return None
        return competition.expected(self.level(one.people[0]), self.level(other.people[0]))

    def rate(self, contest: Contest) -> None:
        """Learn from a contest."""
        if not is_duel(contest):
            return
        news = {}
        for own, other in (contest.units, contest.units[::-1]):
            difference = None if own.score is None or other.score is None else own.score - other.score
            person = own.people[0]
            level = self.level(person)
            moved = competition.change(
                level, self.level(other.people[0]), share(own, other), difference, own.part
            )
            news[person] = level + moved
        self.points |= news


def is_duel(contest: Contest) -> bool:
    """Whether two players with one seat each play."""
    return len(contest.units) == 2 and not _is_of_teams(contest) and len(contest.people()) == 2


MODELS: dict[str, Callable[[], Model]] = {"openskill": Openskill, "elo": Elo, "points": Points}


def logistic(x: float) -> float:
    """The logistic function, for any finite number."""
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
