"""Parameters that say which games a statistic counts."""

from __future__ import annotations

from pydantic import Field

from dashboards.api.fields import (
    DateText,
    Flag,
    Name,
    Question,
    RuleText,
    ScoringName,
    VariantId,
    Whole,
    settings_of,
)
from dashboards.api.problems import ApiError
from pipeline import queries
from pipeline.contests import ContestFilter, known_player
from pipeline.game_selection import Selection
from pipeline.store import Reader


class Selecting(Question):
    """Which games count; none: all."""

    variant: VariantId | None = None
    rule: list[RuleText] = Field(
        default_factory=list, max_length=7, description="`KEY=VALUE`; default rules but for it"
    )
    default_rules: Flag = Field(False, description="games under the default rules only")
    player: list[Name] = Field(
        default_factory=list, max_length=4, description="games with all of these players"
    )
    seat: Whole | None = Field(None, ge=1, le=4, description="the first player sits there")
    since: DateText | None = None
    until: DateText | None = None
    source: Name | None = Field(None, description="in the name of a file that has the game")
    scoring: ScoringName | None = None

    def selection(self) -> Selection:
        """The same for the pipeline.

        Raises:
            ApiError: parameters that exclude each other.
        """
        if self.rule and (self.default_rules or self.variant is None):
            raise ApiError(422, "invalid", "query.rule: needs a variant, and no default_rules")
        if self.seat is not None and not self.player:
            raise ApiError(422, "invalid", "query.seat: says where a player sits: name one")
        rules = settings_of(self.rule) if self.rule else {} if self.default_rules else None
        return Selection(
            self.variant, rules, tuple(self.player), self.seat, self.since, self.until, source=self.source
        )


class Contests(Question):
    """Which games and results count for players."""

    variant: VariantId | None = None
    since: DateText | None = None
    until: DateText | None = None
    event: Name | None = Field(None, description="in the event's name, in any case")
    source: Name | None = Field(None, description="in a file's name, in any case")
    odd: Flag = Field(False, description="irregular games and games with other pieces count too")

    def filter(self) -> ContestFilter:
        """The same for the pipeline."""
        return ContestFilter(self.variant, self.since, self.until, self.event, self.source, self.odd)


def only_variant(reader: Reader, variant: str | None) -> str:
    """The variant as given, or the one that all games of the library have.

    Raises:
        ApiError: there are several, or no games.
    """
    found = [variant] if variant is not None else list(queries.info(reader)["by_variant"])
    if len(found) != 1:
        raise ApiError(422, "variant_needed", f"query.variant: name one of {', '.join(found) or 'the eight'}")
    return str(found[0])


def known_players(reader: Reader, wanted: Selection) -> None:
    """See that players that nothing was found of exist.

    Raises:
        NoSuchPlayer: one does not.
    """
    for name in wanted.players:
        known_player(reader, name)
