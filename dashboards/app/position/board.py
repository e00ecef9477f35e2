"""The board and what lies beside it: the piece in the hand, the pieces left, steps back and forward."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.placing import shape
from dashboards.app.position import playing, state
from dashboards.app.position.standing import Standing, ghosts
from dashboards.app.words import colour, plain_markdown, say, words
from notation.moves import move_from_names
from pipeline.board_svg import Marks, board_svg
from pipeline.pieces_svg import pieces_svg
from pipeline.svg_heat import Heat


def show_board(here: Standing, heat: Heat | None) -> None:
    """The board, on which the piece in the hand is placed; under it what did not work, and the steps."""
    held = playing.hand(here)
    drawn(
        board_svg(
            here.variant.id,
            here.board,
            title=_title(here),
            description=_about(here),
            uid="position",
            marks=Marks(last=here.last, suggested=_suggested(here), starts=here.starts),
            heat=heat,
            picks=True,
        ),
        key="position.board",
        keys=playing.KEYS,
        ghosts=None if held is None else ghosts(here.line, held),
        tallest="76vh",
        then=partial(playing.on_board, here),
    )
    notice = state.told()
    if notice is not None:
        key, values = notice
        plain = {name: plain_markdown(str(value)) for name, value in values.items()}
        st.warning(say(key, **plain), icon=":material/block:")
    elif here.stop is not None:
        why = words().named("reasons", here.stop.reason)
        st.warning(
            say("position.stop", ply=here.stop.ply, cells=plain_markdown(here.stop.text[:80]), why=why)
        )
    _steps(here)


def _title(here: Standing) -> str:
    name = say("position.board", variant=here.variant.name, ply=here.ply)
    whose = say("position.over") if here.to_move is None else _whose(here)
    return say("position.board_title", board=name, whose=whose)


def _whose(here: Standing) -> str:
    return say("position.whose", colour=colour(here.variant.id, here.to_move or 0))


def _about(here: Standing) -> str:
    counts = [
        say("position.cells_of", colour=colour(here.variant.id, number), n=int((here.board == number).sum()))
        for number in range(len(here.variant.colours))
    ]
    return say("list_comma").join(counts)


def _suggested(here: Standing) -> tuple[int, ...]:
    """Cells of the move that the address wants outlined."""
    names = links.parameter("show").split("-")
    return move_from_names(here.variant.id, 0, names).cells if names != [""] else ()


def _steps(here: Standing) -> None:
    """Buttons that go through the line."""
    end = here.line.moves
    with st.container(horizontal=True, gap="xsmall", key="position-steps"):
        for name, icon, ply in (
            ("start", "first_page", 0),
            ("back", "undo", None),
            ("forward", "redo", here.ply + 1),
            ("end", "last_page", end),
        ):
            nowhere = here.line.events == () if ply is None else ply > end or ply == here.ply
            st.button(
                say(f"position.{name}"),
                key=f"position.{name}",
                icon=f":material/{icon}:",
                disabled=nowhere or (ply is None and here.ply == 0 and not here.line.played()),
                on_click=(lambda: playing.back(here))
                if ply is None
                else partial(state.keep, here.line.at(ply)),
            )
        if here.may_pass:
            st.button(say("position.pass"), key="position.pass", on_click=partial(playing.let_pass, here))


def show_turn(here: Standing) -> None:
    """Whose turn it is, and how far the game has come."""
    if here.to_move is None:
        st.markdown(f"**{say('position.over')}**")
    else:
        owners = len(here.rules.seats) != len(here.variant.colours)
        seat = say("position.by_seat", n=(here.seat or 0) + 1) if owners else ""
        moves = words().counted("position.legal", len(here.legal))
        st.markdown(f"**{_whose(here)}**{seat} · {moves}")
    if here.line.moves:
        st.caption(say("position.ply", ply=here.ply, of=here.line.moves))


def show_tray(here: Standing) -> None:
    """The pieces that the colour on turn has left, and the one in the hand."""
    if here.to_move is None:
        return
    held = playing.hand(here)
    name = colour(here.variant.id, here.to_move)
    left = here.left[here.to_move]
    drawn(
        pieces_svg(
            here.variant.id,
            here.to_move,
            left,
            title=say("position.tray", colour=name),
            uid="tray",
            picks=True,
            chosen=held[0] if held else "",
            width=330.0,
        ),
        key="position.tray",
        tallest="30vh",
        then=partial(playing.on_tray, here),
    )
    _hand(here, held)


def _hand(here: Standing, held: tuple[str, int] | None) -> None:
    if held is None or here.to_move is None:
        st.caption(say("position.choose"))
        return
    piece, image = held
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="position-hand"):
        with st.container(width=84):
            drawn(
                pieces_svg(
                    here.variant.id,
                    here.to_move,
                    {piece: 1},
                    title=say("position.hand", piece=piece),
                    uid="hand",
                    width=70.0,
                    images={piece: shape(here.variant.pieces, piece, image)},
                ),
                key="position.hand_drawn",
                tallest="84px",
            )
        st.button(
            say("position.turn"),
            key="position.turn",
            icon=":material/rotate_right:",
            on_click=partial(playing.turn, here),
        )
        st.button(
            say("position.flip"),
            key="position.flip",
            icon=":material/flip:",
            on_click=partial(playing.flip, here),
        )
        if piece not in here.movable:
            st.caption(say("position.nowhere", piece=piece))


def show_others(here: Standing) -> None:
    """The pieces that the other colours have left."""
    box = st.expander(say("position.others"), key="position.others_box", on_change="rerun")
    if not box.open:
        return
    with box:
        for number, left in enumerate(here.left):
            if number == here.to_move:
                continue
            name = colour(here.variant.id, number)
            title = say("position.left_of", colour=name, n=sum(left.values()))
            st.caption(title)
            if left:
                svg = pieces_svg(
                    here.variant.id, number, left, title=title, uid=f"left-{number}", width=420.0
                )
                drawn(svg, key=f"position.left.{number}", tallest="20vh")
        if here.text:
            st.caption(say("position.as_text"))
            st.code(here.text, language=None, wrap_lines=True)
