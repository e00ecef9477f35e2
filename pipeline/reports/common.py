"""What several reports say alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from pipeline.queries import Row, info
from pipeline.reports.texts import Texts
from pipeline.store import Reader


def about(reader: Reader, made: date) -> dict[str, Any]:
    """What a report was made from."""
    return {"made": made.isoformat(), "library": str(reader.layout.root), "snapshot": reader.snapshot}


def footer(reader: Reader, t: Texts, made: date) -> list[str]:
    """Lines at the foot of a report."""
    program = info(reader)["program"]
    return [
        t("footer.made", made=made.isoformat(), program=program or t("none")),
        t("footer.from", library=reader.layout.root.name, snapshot=t.whole(reader.snapshot)),
    ]


def players_words(t: Texts, players: Sequence[str | None]) -> str:
    """Names by seat, empty where nobody has one."""
    if not any(players):
        return ""
    return t("players_between").join(t.shown(name or t("nobody"), "text") for name in players)


def result_words(t: Texts, game: Row, seats: Sequence[Row]) -> str:
    """Who won, names and seats."""
    if game["outcome"] is None:
        return t("results.none")
    players = {seat["seat"]: seat["player"] for seat in seats}
    names = [
        t("results.named", player=t.shown(players[seat], "text"), seat=seat)
        if players.get(seat)
        else t("results.seat", seat=seat)
        for seat in game["winners"]
    ]
    return t(
        "results.draw" if game["outcome"] == "draw" else "results.win", names=t("results.and").join(names)
    )


def pass_words(t: Texts, row: Row) -> str:
    """A pass, and why."""
    said = t(f"passes.{row['kind']}")
    return t("passes.recorded", said=said) if row["recorded"] else said


def filter_words(t: Texts, wanted: dict[str, Any]) -> str:
    """What a filter chooses, empty where it chooses everything."""
    said = [t(f"filters.{name}", value=_value(t, v)) for name, v in wanted.items() if _value(t, v)]
    return t("list_comma").join(said)


def _value(t: Texts, value: Any) -> str:
    """A value of a filter in words, empty where it filters nothing."""
    if value is None or value is False:
        return ""
    if isinstance(value, dict):
        return t("list_comma").join(f"{key} {part}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return t("range").join(t.shown(part, "text") for part in value) if any(value) else ""
    return t.shown(value, "text")
