"""Whether settings of rules make sense before any record is read."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import RuleError
from engine.rulesets import parse_rules
from engine.variants import VARIANTS


def check_rules(settings: Mapping[str, str], variant_id: str | None) -> None:
    """See that settings fit a variant, or without one any.

    Raises:
        RuleError: they do not.
    """
    if variant_id is not None:
        parse_rules(variant_id, settings)
        return
    # Rules one at a time first: the message is then about the one that fits nothing.
    for part in [*({key: value} for key, value in settings.items()), settings]:
        problem: RuleError | None = None
        for name in VARIANTS:
            try:
                parse_rules(name, part)
                break
            except RuleError as error:
                problem = problem or error
        else:
            assert problem is not None
            raise problem
