"""Heat maps of a library against sums over sets, and after everything that can change what they count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.areas import PHASES, phase_ends
from engine.boards import cells
from engine.position import Position
from engine.variants import variant
from notation.record import GameRecord, Move
from pipeline.aliases import Alias, set_aliases
from pipeline.edit_fields import Change
from pipeline.editing import edit_game
from pipeline.errors import NoFeatures, NoSuchPlayer, PipelineError
from pipeline.features.compute import compute_features
from pipeline.heat_maps import MEASURES, heat_map
from pipeline.store import Reader, check_library, measure_sums, open_reader, open_writer
from tests.pipeline.measured import generated, imported, records, with_repeat

Seen = list[tuple[int, list[set[int]], list[set[int]]]]
"""(ply, cells by colour, reach by colour) of every position of a game."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heat")
    games = generated("duo", 9)
    for number, game in enumerate(games):
        game["players"] = [["Ada", "Ben"], ["Ben", "Ada"], ["Clara", None]][number % 3]
    made = imported(folder, folder / "L", [*games, with_repeat(generated("duo", 1, 7)[0], 5)])
    imported(
        folder, made, [{**game, "players": ["Dora", "Emil", "Fay"]} for game in generated("trigon_3", 2)]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure_sums, "PORTION_GAMES", 4)
        patch.setattr("pipeline.features.compute.TASK_PLIES", 150)
        compute_features(made, jobs=1)
    return made


def seen(record: GameRecord) -> Seen:
    """The positions of a record, by what is legal in them."""
    position = Position(record.variant)
    colours = range(len(variant(record.variant).colours))

    def here(ply: int) -> tuple[int, list[set[int]], list[set[int]]]:
        board = position.board
        own = [set(np.flatnonzero(board == colour).tolist()) for colour in colours]
        return ply, own, [{c for _, move in position.legal_moves(k) for c in move} for k in colours]

    out = [here(0)]
    for event in record.events:
        if isinstance(event, Move):
            position.play(event.colour, event.cells)
            out.append(here(len(out)))
    return out


def views(
    reader: Reader, variant_id: str, colour: int | None, player: str | None
) -> Iterator[tuple[int, Seen]]:
    """(colour from 0, positions of its game) of every colour that counts."""
    for number, record in records(reader).items():
        row = reader.table("SELECT illegal FROM games WHERE game_no = ?", [number]).to_pylist()[0]
        if record.variant != variant_id or row["illegal"]:
            continue
        positions = seen(record)
        for owner in range(len(variant(variant_id).colours)):
            name = record.players[owner] if owner < len(record.players) else None
            if colour in (None, owner + 1) and player in (None, name):
                yield owner, positions


def naive(
    reader: Reader, variant_id: str, measure: str, colour: int | None, player: str | None, phase: str | None
) -> tuple[list[float], int]:
    """Values by cell, and how many positions or games they are of."""
    every = set(range(len(cells(variant(variant_id).board))))
    ends = (*phase_ends(variant_id), math.inf)
    counts: Counter[int] = Counter()
    plies: Counter[int] = Counter()
    of = 0
    for owner, positions in views(reader, variant_id, colour, player):
        if measure == "first_contact":
            of += 1
            covered: set[int] = set()
            for ply, own, _ in positions:
                counts.update(own[owner] - covered)
                plies.update(dict.fromkeys(own[owner] - covered, ply))
                covered |= own[owner]
            continue
        for ply, own, reach in positions:
            if phase is not None and PHASES.index(phase) != sum(ply > end for end in ends):
                continue
            of += 1
            others = set().union(*(reach[k] for k in range(len(reach)) if k != owner))
            everywhere = others | reach[owner]
            counts.update(
                {
                    "occupied": own[owner],
                    "reach": reach[owner],
                    "contested": reach[owner] & others,
                    "dead": every - everywhere.union(*own),
                }[measure]
            )
    if measure == "first_contact":
        return [plies[c] / counts[c] if counts[c] else math.nan for c in sorted(every)], of
    return [counts[c] / of if of else math.nan for c in sorted(every)], of


CASES: list[tuple[int | None, str | None, str | None]] = [
    (None, None, None),
    (2, None, "middle"),
    (None, "Ada", "end"),
    (1, "Ben", None),
    (1, "Clara", "opening"),
]


@pytest.mark.parametrize("measure", MEASURES)
def test_against_sums_over_sets(library: Path, measure: str) -> None:
    with open_reader(library) as reader:
        for colour, player, phase in CASES:
            phase = None if measure == "first_contact" else phase
            found = heat_map(reader, "duo", measure, colour, player, phase)
            values, of = naive(reader, "duo", measure, colour, player, phase)
            np.testing.assert_allclose(found.values, values)
            assert found.of == of
        found = heat_map(reader, "trigon_3", measure, 3)
        np.testing.assert_allclose(found.values, naive(reader, "trigon_3", measure, 3, None, None)[0])


def test_a_name_in_other_case_is_the_same_player(library: Path) -> None:
    with open_reader(library) as reader:
        one, other = (heat_map(reader, "duo", "reach", player=name) for name in ("Ada", "aDA"))
        assert (one.values == other.values).all()


def test_what_there_is_not_is_said(library: Path, tmp_path: Path) -> None:
    with open_reader(library) as reader:
        with pytest.raises(NoFeatures, match="no game of classic"):
            heat_map(reader, "classic", "reach")
        with pytest.raises(NoSuchPlayer, match="'Zoe'"):
            heat_map(reader, "duo", "reach", player="Zoe")
        with pytest.raises(NoSuchPlayer, match=r"trigon_3.*'Ada'"):
            heat_map(reader, "trigon_3", "reach", player="Ada")
        for wrong in ({"measure": "heat"}, {"colour": 3}, {"phase": "start"}):
            with pytest.raises(PipelineError, match=r"choose one of|there are 1 to 2"):
                heat_map(reader, "duo", **({"measure": "reach"} | wrong))  # type: ignore[arg-type]
        with pytest.raises(PipelineError, match="whole game"):
            heat_map(reader, "duo", "first_contact", phase="end")
    imported(tmp_path, tmp_path / "L", generated("duo", 2))
    with open_reader(tmp_path / "L") as reader:
        with pytest.raises(NoFeatures, match="cornerwise features"):
            heat_map(reader, "duo", "reach")
        compute_features(tmp_path / "L", jobs=1)
        imported(tmp_path, tmp_path / "L", generated("duo", 3, seed=2))
        assert heat_map(reader, "duo", "reach").missing == 3


def test_edits_and_aliases_move_games_between_players_and_into_the_statistics(tmp_path: Path) -> None:
    games: list[dict[str, Any]] = generated("duo", 4)
    for game in games:
        game["players"] = ["Ada", "Ben"]
    games[3]["events"] = games[3]["events"][:8]
    library = imported(tmp_path, tmp_path / "L", games)
    compute_features(library, jobs=1)
    with open_reader(library) as reader:
        (first,) = (
            row["id"] for row in reader.table("SELECT id FROM games WHERE NOT unfinished LIMIT 1").to_pylist()
        )
        (broken_off,) = (
            row["id"] for row in reader.table("SELECT id FROM games WHERE unfinished").to_pylist()
        )
        assert heat_map(reader, "duo", "reach", player="Ada").games == 3
        with open_writer(library) as writer:
            edit_game(writer, first, [Change("player1", "Clara")])
        assert heat_map(reader, "duo", "reach", player="Ada").games == 2
        assert heat_map(reader, "duo", "reach", player="Clara").games == 1
        with open_writer(library) as writer:
            edit_game(writer, broken_off, [Change("result", "1+R")])
        assert heat_map(reader, "duo", "reach", player="Ada").games == 3
        assert heat_map(reader, "duo", "reach").games == 8
        with open_writer(library) as writer:
            set_aliases(writer, [Alias("Clara", "Ada")])
        assert heat_map(reader, "duo", "reach", player="Ada").games == 4
        assert check_library(reader) == []
