"""Gold values of `data/oracle/`, read once; its README says where they come from."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

from tests.places import REPOSITORY


@cache
def gold(name: str) -> Any:
    """One of `legal_counts`, `geometry`, `pieces`."""
    return json.loads(gzip.decompress((REPOSITORY / "data" / "oracle" / f"{name}.json.gz").read_bytes()))


def oracle_games(variant_id: str) -> list[dict[str, Any]]:
    """The games of a variant."""
    return [game for game in gold("legal_counts")["games"] if game["variant"] == variant_id]
