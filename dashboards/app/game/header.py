"""Who played, when and where, how it ended, and what is odd about the record."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.game.loaded import Loaded
from dashboards.app.words import colour, plain_markdown, report_words, say, words
from engine.variants import variant
from pipeline.queries import Row
from pipeline.reports.common import players_words, result_words
from pipeline.svg import words as escaped
from pipeline.swatches import swatch_svg

STYLE = """<style>
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .15rem; font-weight: 650; overflow-wrap: anywhere; }
.about { margin: 0 0 .5rem; opacity: .85; overflow-wrap: anywhere; }
ul { display: flex; flex-wrap: wrap; gap: .4rem .6rem; list-style: none; margin: 0; padding: 0; }
li { border: 1px solid var(--st-border-color); border-radius: .5rem; padding: .25rem .6rem; max-width: 100%;
  box-sizing: border-box; overflow-wrap: anywhere; }
li.won { border-color: var(--st-text-color); }
li b { font-variant-numeric: tabular-nums; }
.cw-picture svg.cw-swatch { display: inline-block; width: 1em; height: 1em; vertical-align: -.12em;
  margin-right: .3em; }
small { opacity: .85; }
a { font-size: .875rem; }
</style>"""


def show(game: Loaded) -> None:
    """Show the head of the page."""
    view, t = game.view, report_words()
    names = players_words(t, [seat["player"] for seat in view.seats])
    title = names or say("game.untitled", id=game.short)
    seats = "".join(_seat(game, at, seat) for at, seat in enumerate(view.seats))
    drawn(
        f'{STYLE}<a href="game" data-pick="all">← {escaped(say("game.all"))}</a><h1>{escaped(title)}</h1>'
        f'<p class="about">{escaped(_about(game))}</p><ul>{seats}</ul>',
        key="game-head",
        then=_leave,
    )
    for row in view.quarantine:
        st.warning(plain_markdown(say("game.stopped", message=row["message"])), icon=":material/front_hand:")
    odd = [t.named("flags", flag) for flag in view.game["flags"] if flag != "illegal"]
    if odd:
        st.info(plain_markdown(say("game.odd", flags=t("list_comma").join(odd))), icon=":material/flag:")


def _leave(event: Event) -> None:
    """Back to the list."""
    if event.pick == "all":
        links.keep(id=None, ply=None, overlay=None, colour=None, graph=None, part=None, job=None)


def _about(game: Loaded) -> str:
    """Facts in a line: variant, date, event, result, identity."""
    row, t = game.view.game, report_words()
    event = " ".join(str(part) for part in (row["event"], row["event_round"]) if part)
    ended = t.named("terminations", row["termination"]) if row["termination"] not in (None, "normal") else ""
    facts = (
        variant(game.variant).name,
        row["date"] or t("game.no_date"),
        words().shown(event, "text") if event else "",
        say("game.result", result=result_words(t, row, game.view.seats)),
        ended,
        say("game.plies", n=row["plies"]),
        game.short,
    )
    return " · ".join(fact for fact in facts if fact)


def _seat(game: Loaded, at: int, seat: Row) -> str:
    """A seat: its colours, who sits there, points, and whether it won."""
    points = game.view.scores.get(game.view.game["scoring"], {}).get("seats", [])
    outcome = game.view.game["outcome"]
    won = outcome is not None and seat["seat"] in (game.view.game["winners"] or ())
    colours = [number - 1 for number in seat["colours"]]
    swatches = "".join(swatch_svg(game.variant, number, f"head{at}{number}") for number in colours)
    named = words()("list_comma").join(colour(game.variant, number) for number in colours)
    who = words().shown(seat["player"], "text") if seat["player"] else say("game.seat", seat=seat["seat"])
    score = f" <b>{escaped(words().whole(points[at]))}</b>" if at < len(points) else ""
    notes = [named, say(f"game.first_{outcome}") if won else "", _left(seat)]
    small = escaped(" · ".join(note for note in notes if note))
    return f"<li{' class=won' if won else ''}>{swatches}{escaped(who)}{score} <small>{small}</small></li>"


def _left(seat: Row) -> str:
    t = report_words()
    if seat["out_cause"]:
        return t("game.left_after", cause=t.named("terminations", seat["out_cause"]), ply=seat["out_ply"])
    return t("game.neutral") if seat["neutral"] else ""
