"""A position with the moves that games played from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboards.app import filters, links, rated
from dashboards.app.drawing import Event, drawn
from dashboards.app.filters import Filters
from dashboards.app.opened import ask
from dashboards.app.openings import crumbs, place
from dashboards.app.openings.explorer import explored
from dashboards.app.openings.place import Place
from dashboards.app.openings.table import cells_of, moves_table
from dashboards.app.words import colour, say, small, words
from engine.boards import cell_names, cells_by_name
from engine.rulesets import parse_rules, start_groups
from engine.variants import variant
from pipeline.board_svg import Marks, board_svg
from pipeline.openings.explorer import Explored
from pipeline.openings.positions import Spot

FEW = 12
"""Moves that are shown at first."""

Row = dict[str, Any]


def show(here: Place, wanted: Filters, merged: bool) -> None:
    """Show the position of the address and what followed."""
    assert wanted.variant is not None
    if left := st.session_state.pop("openings.leave", None):
        links.go("game", id=left[0], ply=left[1])
    people = rated.ratings(wanted.variant)
    if people is None and wanted.rated:
        rated.wait(wanted.variant, say("openings.ratings_needed"))
        return
    found = ask(explored, here, wanted, merged, people is not None)
    if not found.games and wanted.chosen:
        filters.known(wanted)
    own = place.own_moves(here, found.spot)
    crumbs.show(here, found.spot, own)
    _words(found)
    chosen = _chosen_cells(found.spot.variant)
    fitting = [row for row in found.moves if chosen <= set(cells_of(found.spot.variant, row["move"]))]
    _explorer(here, found, own, fitting, chosen)
    _notes(found)
    if people is None:
        # Said, and not waited for: a page that made itself anew might undo a click that comes at the same moment.
        st.markdown(small(say("openings.ratings_coming")))


def _words(found: Explored) -> None:
    """Whose turn it is, how many games have the position and end in it, and what it is called."""
    spot, t = found.spot, words()
    rest = spot.rest
    parts = [t.counted("openings.position_games", found.games)]
    if rest is not None and rest.to_move is not None:
        parts.insert(0, say("openings.to_move", colour=colour(spot.variant, rest.to_move)))
    parts += [t.counted(f"openings.ended.{why}", n) for why, n in sorted(found.ended.items())]
    st.markdown(" · ".join(parts))
    for row in found.names:
        whose = colour(spot.variant, row["colour"] - 1) if row["colour"] else say("openings.line")
        by = say(f"openings.by.{row['by']}")
        st.markdown(say("openings.named", name=row["name"], whose=whose, by=by), help=row["note"])
    if found.merged:
        st.markdown(small(t.counted("openings.images", found.symmetries)))


def _explorer(here: Place, found: Explored, own: int, fitting: list[Row], chosen: set[int]) -> None:
    """The board and, beside or below it, the moves."""
    spot = found.spot
    everything = bool(links.parameter("all")) or bool(chosen)
    shown = fitting if everything else fitting[:FEW]
    if shown:
        caption = say(
            "openings.some_moves", shown=words().whole(len(shown)), all=words().whole(found.total_moves)
        )
        side = moves_table(spot, shown, caption)
    else:
        side = _nothing(found, chosen)
    drawn(
        f'<div class="cw-beside"><div>{_board(spot)}</div><div>{side}</div></div>',
        key="explorer",
        keys=("ArrowLeft", "ArrowRight", "Home"),
        chosen=sorted(chosen),
        tallest="78vh",
        then=partial(_happened, here, found, own, chosen),
    )
    if not found.games:
        _ways_out(here, own)
    elif chosen:
        forget = say("openings.forget_cells")
        st.button(forget, on_click=lambda: links.keep(cells=None), icon=":material/close:")
    elif len(fitting) > FEW:
        on = bool(links.parameter("all"))
        label = say("openings.fewer") if on else say("openings.all_moves", n=words().whole(len(fitting)))
        st.button(label, key="all", on_click=lambda: links.keep(all=None if on else 1))


def _ways_out(here: Place, own: int) -> None:
    """Buttons of a position that no game has."""
    made = own + len(here.moves)
    with st.container(horizontal=True):
        if made:
            back = say("openings.one_back")
            st.button(back, key="one-back", on_click=lambda: here.at(made - 1, own).keep(), type="primary")
        if any(name in st.query_params for name in filters.NAMES):
            st.button(say("filters.clear"), key="clear", on_click=filters.clear)


def _board(spot: Spot) -> str:
    rest, starts = spot.rest, []
    if rest is not None and rest.to_move is not None and not (spot.board == rest.to_move).any():
        groups = start_groups(spot.variant, parse_rules(spot.variant, {}).start)[rest.to_move]
        starts = [cell for group in groups for cell in group if spot.board[cell] < 0]
    title = words().counted("openings.board", spot.depth)
    return board_svg(
        spot.variant,
        spot.board,
        title=title,
        uid="openings",
        picks=True,
        marks=Marks(last=spot.last, starts=starts),
    )


def _nothing(found: Explored, chosen: set[int]) -> str:
    """What stands in place of the table."""
    if chosen:
        said = say("openings.no_such_move")
    elif not found.games:
        said = say("openings.no_games")
    else:
        said = say("openings.too_few") if found.total_moves else say("openings.no_moves")
    return f"<p>{said}</p>"


def _chosen_cells(variant_id: str) -> set[int]:
    by_name = cells_by_name(variant(variant_id).board)
    names = links.parameter("cells").split("-")
    return {by_name[name] for name in names if name in by_name}


def _happened(here: Place, found: Explored, own: int, chosen: set[int], event: Event) -> None:
    """Play a move, choose a cell, go back or to the start."""
    kind, _, value = (event.pick or "").partition(":")
    moves = [row["move"] for row in found.moves]
    made = own + len(here.moves)
    if kind == "play":
        here.after(value).keep()
    elif kind == "cell":
        _cell(here, found.spot.variant, moves, chosen ^ {int(value)})
    elif kind == "game":
        st.session_state["openings.leave"] = value, found.spot.depth + 1
    elif event.key == "ArrowRight" and moves:
        here.after(moves[0]).keep()
    elif event.key == "ArrowLeft" and made:
        here.at(made - 1, own).keep()
    elif event.key == "Home" and made:
        here.at(0, own).keep()


def _cell(here: Place, variant_id: str, moves: Sequence[str], chosen: set[int]) -> None:
    """Play the one move that covers all chosen cells; where there are several, or none, keep what is chosen."""
    fitting = [move for move in moves if chosen <= set(cells_of(variant_id, move))]
    if chosen and len(fitting) == 1:
        here.after(fitting[0]).keep()
        return
    names = cell_names(variant(variant_id).board)
    links.keep(cells="-".join(names[cell] for cell in sorted(chosen)))


def _notes(found: Explored) -> None:
    """What was not counted."""
    t = words()
    if found.other_start_rule:
        st.markdown(small(t.counted("openings.other_start", found.other_start_rule)))
    if found.left_out:
        st.markdown(small(t.counted("openings.left_out", found.left_out)))
