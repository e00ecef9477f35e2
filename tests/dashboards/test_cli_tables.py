"""Tables by the command line: import, columns of other names, export and back."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from notation.record import Move
from tests import records
from tests.dashboards.running import Cli
from tests.notation.reading import game
from tests.places import REPOSITORY

FRENCH = "Partie,Coup,Couleur,Case\nx,1,B,e10\nx,2,W,j5\n"
NAMES = "partie=game,coup=ply,couleur=colour,case=move"


def with_passes(text: str, colours: int) -> str:
    """A record as a table of turns: a row `pass` for every colour that is skipped."""
    rows, turn = ["variant,turn,colour,move"], 0
    record = game(text)
    for event in record.events:
        assert isinstance(event, Move)
        while turn % colours != event.colour:
            turn += 1
            rows.append(f"{record.variant},{turn},{(turn - 1) % colours + 1},pass")
        turn += 1
        rows.append(f'{record.variant},{turn},{event.colour + 1},"{event.text}"')
    return "\n".join(rows) + "\n"


def test_a2_and_a3_the_same_game_with_and_without_its_passes(cli: Cli) -> None:
    text = with_passes(records.O_A2_A, 4)
    assert text.count("pass") == 15 and text.splitlines()[-1].startswith("classic,81,1,")
    cli.put("in/a.blksgf", records.O_A2_A)
    cli.put("in/b.csv", text)
    cli.put("in/c.csv", records_as_moves(records.O_A2_A))
    summary = cli.json("import", cli.folder / "in")
    assert (summary["stored"], summary["duplicates"], summary["irregular"]) == (1, 2, 0)
    row = cli.only_game()
    assert (row["points"], row["plies"]) == ([20, -35, -30, -25], 66)


def records_as_moves(text: str) -> str:
    record = game(text)
    moves = ";".join(f"{e.colour + 1}:{e.text}" for e in record.events if isinstance(e, Move))
    return f'variant,moves\n{record.variant},"{moves}"\n'


def test_columns_of_other_names(cli: Cli) -> None:
    path = cli.put("jeux.csv", FRENCH)
    plain = cli("import", path, "--variant", "duo")
    assert plain.code == 0 and "files without game records" in plain.out
    summary = cli.json("import", path, "--variant", "duo", "--columns", NAMES)
    assert summary["stored"] == 1
    assert cli.only_game()["plies"] == 2
    checked = cli("check", path, "--variant", "duo", "--columns", NAMES.replace(",", ", "))
    assert "duo: unfinished: 2 plies" in checked.out
    legal = cli.json("legal", path, "--variant", "duo", "--columns", "partie=game", "--columns", NAMES[12:])
    assert legal["ply"] == 2


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ("zug=zuege", "none of our columns: game, ply"),
        ("zug", "THEIRS=OURS"),
        ("=move", "THEIRS=OURS"),
        ("a=move,b=move", "given twice"),
        ("a=move,A =ply", "given twice"),
    ],
)
def test_columns_that_make_no_sense_are_usage_errors(cli: Cli, columns: str, says: str) -> None:
    path = cli.put("x.csv", FRENCH)
    for command in ("import", "check", "legal"):
        result = cli(command, path, "--columns", columns)
        assert result.code == 2 and says in result.message


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_the_sample_games_leave_as_a_table_and_come_back(cli: Cli, form: str) -> None:
    cli.ok("import", REPOSITORY / "data" / "games")
    before = {row["id"]: (row["points"], row["players"], row["flags"]) for row in cli.games()}
    out = cli.folder / f"all.{form}"
    report = cli.json("export", "--to", form, "--out", out)
    assert (report["games"], report["files"], report["refused"]) == (len(before), 1, [])
    again = Cli(cli.folder / "again", cli._monkeypatch)
    summary = again.json("import", out)
    assert (summary["stored"], summary["refused"], summary["warnings"]) == (len(before), 0, 0)
    assert {row["id"]: (row["points"], row["players"], row["flags"]) for row in again.games()} == before


def test_a_table_to_standard_output_and_to_a_folder(cli: Cli) -> None:
    cli.ok("import", cli.put("a.blksgf", records.O_A1 + records.O_B4))
    text = cli.ok("export", "--to", "tsv", "--out", "-").out
    assert text.startswith("game\tvariant\tply\tcolour\t") and text.count("game\t") == 1
    cli.ok("export", "--to", "csv", "--out", cli.folder / "tables")
    files = sorted((cli.folder / "tables").iterdir())
    assert [path.stem for path in files] == sorted(row["id"] for row in cli.games())
    assert all(path.suffix == ".csv" and path.read_text().startswith("game,") for path in files)


def test_generated_games_as_a_table(cli: Cli) -> None:
    for name in ("g.csv", "g.parquet"):
        cli.ok("generate", "--variant", "duo", "--games", 30, "--seed", 5, "--out", cli.folder / name)
    summary = cli.json("import", cli.folder / "g.csv", cli.folder / "g.parquet")
    assert (summary["stored"], summary["duplicates"], summary["illegal"]) == (30, 30, 0)


def test_a_folder_of_tables_of_all_kinds(cli: Cli) -> None:
    import polars as pl

    folder = cli.folder / "in"
    cli.put("in/prices.csv", "date,amount\n2020-01-01,5\n")
    cli.put("in/bad.csv", 'variant,moves\nduo,e10,f10\nduo,"e10,f10"\n')
    cli.put("in/cut.parquet", b"PAR1 and so on")
    out = io.BytesIO()
    pl.DataFrame({"a": [1]}).write_parquet(out)
    cli.put("in/numbers.parquet", out.getvalue())
    summary = cli.json("import", folder)
    assert (summary["games"], summary["stored"], summary["refused"]) == (3, 1, 2)
    others = {Path(row["file"]).name for row in summary["details"]["other_files"]}
    assert others == {"prices.csv", "numbers.parquet"}
    quarantine = cli.json("quarantine")["quarantine"]
    assert {(Path(row["source"]).name, row["line"]) for row in quarantine} == {
        ("bad.csv", 2),
        ("cut.parquet", 1),
    }
