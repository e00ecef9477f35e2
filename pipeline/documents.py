"""Answers as documents for JSON, the same from the command line and from the service."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from engine.boards import cell_names
from engine.scoring_tables import SCORINGS
from engine.variants import variant

if TYPE_CHECKING:
    from pipeline.game_board import BoardAt
    from pipeline.heat_maps import HeatMap
    from pipeline.openings.explorer import Explored
    from pipeline.positions import Reached
    from pipeline.queries import GameView
    from pipeline.standings import Standings

Document = dict[str, Any]


def game_document(view: GameView, at: BoardAt) -> Document:
    """Everything about one game, with its board at a ply."""
    names = variant(at.variant).colours
    key = view.moves[at.ply - 1]["position_key"] if at.ply else None
    game = {key: value for key, value in view.game.items() if key not in ("game_no", "passes")}
    return {
        **game,
        "pass_count": view.game["passes"],
        "rules": json.loads(view.game["rules"] or "{}"),
        "seats": view.seats,
        "colours": view.colours,
        "scores": view.scores,
        "moves": [{**move, "colour_name": names[move["colour"] - 1]} for move in view.moves],
        "passes": [{**row, "colour_name": names[row["colour"] - 1]} for row in view.passes],
        "sightings": [{**row, "headers": json.loads(row["headers"] or "{}")} for row in view.sightings],
        "edits": view.edits,
        "record": None if view.whole is None else json.loads(view.whole),
        "quarantine": view.quarantine,
        "at": {
            "ply": at.ply,
            "position_key": key,
            "cells": at.cells_by_colour(),
            "pieces_left": dict(zip(names, at.left, strict=True)),
        },
    }


def explored_document(found: Explored) -> Document:
    """What was played from a position."""
    spot, rest = found.spot, found.spot.rest
    names = variant(spot.variant).colours
    return {
        "variant": spot.variant,
        "position_key": spot.text,
        "pieces_on_board": spot.depth,
        "to_move": None if rest is None or rest.to_move is None else names[rest.to_move],
        "view": "merged" if found.merged else "exact",
        "images": found.symmetries,
        "scoring": found.scoring,
        "games": found.games,
        "ended": found.ended,
        "left_out": found.left_out,
        "other_start_rule": found.other_start_rule,
        "names": found.names,
        "total_moves": found.total_moves,
        "moves": found.moves,
    }


def heat_document(found: HeatMap) -> Document:
    """A heat map, by names of cells."""
    names = cell_names(variant(found.variant).board)
    cells = {
        name: {"value": None if math.isnan(value) else value, "count": count}
        for name, value, count in zip(names, found.values.tolist(), found.counts.tolist(), strict=True)
    }
    about = ("variant", "measure", "colour", "player", "phase", "games", "of", "missing")
    return {**{key: getattr(found, key) for key in about}, "cells": cells}


def _position_document(reached: Reached) -> Document:
    """Who is to move where: what every answer about a position begins with."""
    row = reached.position.variant
    return {
        "variant": row.id,
        "ply": reached.ply,
        "to_move": None if reached.to_move is None else row.colours[reached.to_move],
        "over": reached.over,
        "position": reached.text(),
        "position_key": reached.position.key,
    }


def legal_document(reached: Reached, colour: int | None = None) -> Document:
    """Legal moves of a position, of one colour (0..) or of all."""
    row = reached.position.variant
    names = cell_names(row.board)
    colours = range(len(row.colours)) if colour is None else [colour]
    return {
        **_position_document(reached),
        "note": reached.note,
        "colours": list(row.colours),
        "counts": [reached.mobility(number) for number in range(len(row.colours))],
        "moves": {
            row.colours[number]: [
                {"piece": piece, "move": ",".join(names[c] for c in cells)}
                for piece, cells in reached.moves(number)
            ]
            for number in colours
        },
    }


def score_document(reached: Reached) -> Document:
    """Points of a position: of every colour by every scoring table, of every seat by the ruleset's, and places.

    Places and shares are there when the game is over; points before are interim.
    """
    from engine.scoring import Leaving, points, results

    position = reached.position
    row, rules, facts = position.variant, position.rules, position.facts
    gone = [seat for seat, owned in enumerate(rules.seats) if set(owned) <= reached.left]
    leavings = [Leaving(seat, "abandoned", order) for order, seat in enumerate(gone)]
    found = results(row.id, rules, facts, leavings, reached.over)
    return {
        **_position_document(reached),
        "scoring": rules.scoring,
        "colours": [
            {
                "colour": name,
                "cells_placed": fact.cells_placed,
                "all_placed": fact.all_placed,
                "single_last": fact.single_last,
                "points": {table: points(table, row.id, fact) for table in SCORINGS},
                "pieces_left": position.pieces_left(number),
                "can_move": reached.mobility(number) > 0,
            }
            for number, (name, fact) in enumerate(zip(row.colours, facts, strict=True))
        ],
        "seats": [
            {
                "seat": seat + 1,
                "colours": [row.colours[colour] for colour in rules.seats[seat]],
                "points": result.total,
                "place": result.place,
                "share": result.share,
            }
            for seat, result in enumerate(found)
        ],
    }


def standings_document(found: Standings) -> Document:
    """The table of an event."""
    document: dict[str, Any] = _plain(
        {
            "event": found.event,
            "points": str(found.table),
            "tie_breaks": list(found.tie_breaks),
            "bye_points": found.bye_points,
            "rounds": found.rounds,
            "standings": [asdict(row) for row in found.rows],
            "games": found.games,
            "byes": found.byes,
            "not_counted": found.not_counted,
            "reason": None if found.rows else "no game of the event counts",
        }
    )
    return document


def _plain(value: Any) -> Any:
    """Fractions as numbers."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
