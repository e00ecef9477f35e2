"""What a reader sees, and what its questions may not do."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pipeline.errors import QueryFailed, QueryRefused
from pipeline.store import Reader, check_library, open_reader, open_writer
from pipeline.store.catalogue import script
from tests.pipeline.factory import Found, add, game_id

ROOT = Path(__file__).parents[2]
ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE (a.range * b.range) % 7 = 3"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    with open_writer(path) as writer:
        add(writer, Found("a"), Found("b", record=2))
    return path


@pytest.fixture
def reader(folder: Path) -> Reader:
    return open_reader(folder)


@pytest.mark.parametrize(
    "question",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('library.lock')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('https://example.com/x.parquet')",
        "SELECT * FROM query('SELECT 1')",
        "FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH 'other.duckdb'",
        "COPY games TO 'x.csv'",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO 'x.csv'",
        "EXPLAIN (ANALYZE) COPY (SELECT 1) TO 'x.csv'",
        "WITH x AS (COPY (SELECT 1) TO 'x.csv') SELECT * FROM x",
        "EXPLAIN ANALYZE WITH x AS (COPY (SELECT 1) TO 'x.csv') SELECT * FROM x",
        "WITH x AS (INSERT INTO scorings VALUES ('x', 1, 1, 1, 1) RETURNING *) FROM x",
        "EXPORT DATABASE 'x'",
        "PREPARE p AS COPY (SELECT 1) TO 'x.csv'",
        "CREATE TABLE t (a INT)",
        "CREATE TEMP MACRO m() AS TABLE FROM read_text('/etc/passwd')",
        "INSERT INTO library.games (id) VALUES ('x')",
        "UPDATE scorings SET single_last = 0",
        "DELETE FROM scorings",
        "DROP VIEW games",
        "SET threads = 1",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "CALL enable_logging()",
        "CHECKPOINT",
        "BEGIN TRANSACTION",
        "SELECT write_log('x')",
        "SELECT 1; SELECT 2",
        "",
        "PIVOT games ON variant USING count(*)",
    ],
)
def test_more_than_a_question_is_refused(reader: Reader, folder: Path, question: str) -> None:
    before = sorted(folder.rglob("*"))
    with pytest.raises(QueryRefused):
        reader.ask(question)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "question",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_blob('{folder}/library.duckdb')",
        "SELECT * FROM read_csv('https://example.com/x.csv')",
        "SELECT * FROM '/etc/passwd'",
        "ATTACH '{folder}/library.duckdb' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "COPY (SELECT 1) TO '/tmp/cornerwise-never.csv'",
        "COPY (SELECT 1) TO '{folder}/x.csv'",
        "EXPORT DATABASE '{folder}/x'",
        "INSERT INTO library.games (id) VALUES ('x')",
        "SET enable_external_access = true",
        "SET allowed_paths = ['/etc/passwd']",
        "SELECT * FROM python_variable",
    ],
)
def test_the_database_itself_is_locked_as_well(reader: Reader, folder: Path, question: str) -> None:
    python_variable = reader.table("SELECT 1")
    assert python_variable.num_rows == 1
    with pytest.raises(QueryFailed):
        reader.table(question.replace("{folder}", str(folder)))
    assert not (folder / "x.csv").exists() and not os.path.exists("/tmp/cornerwise-never.csv")


@pytest.mark.parametrize(
    "question",
    [
        "SELECT count(*) FROM games",
        "-- a remark\nSELECT 1;",
        "FROM moves",
        "VALUES (1)",
        "DESCRIBE moves",
        "SHOW TABLES",
        "SUMMARIZE games",
        "EXPLAIN SELECT * FROM moves",
        "EXPLAIN ANALYZE FROM passes",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) FROM t",
        "PIVOT games ON variant IN ('duo', 'classic') USING count(*)",
        "SELECT unnest(players) FROM games_view",
        "SELECT headers->>'$.event' FROM sightings",
        "SELECT colour_name, name FROM colour_names JOIN variants USING (variant)",
    ],
)
def test_questions_are_answered(reader: Reader, question: str) -> None:
    assert reader.ask(question).table.num_columns > 0


def test_mistakes_are_told_in_the_databases_words(reader: Reader) -> None:
    with pytest.raises(QueryFailed, match="nonsense"):
        reader.ask("SELECT nonsense FROM games")
    with pytest.raises(QueryFailed, match="syntax error"):
        reader.ask("SELEC 1")
    with pytest.raises(QueryFailed, match="no UTF-8"):
        reader.ask("SELECT '\udcff'")


def test_an_answer_can_be_cut(reader: Reader) -> None:
    cut = reader.ask("FROM range(100000)", max_rows=5)
    assert (cut.table.num_rows, cut.complete) == (5, False)
    whole = reader.ask("FROM range(5)", max_rows=5)
    assert (whole.table.num_rows, whole.complete) == (5, True)


def test_position_keys_are_hexadecimal(reader: Reader, folder: Path) -> None:
    question = "SELECT position_key FROM moves JOIN games USING (game_no) WHERE id = ? AND ply = 2"
    (row,) = reader.table(question, [game_id("b")]).to_pylist()
    assert row["position_key"] == f"{(1 << 20) + 1:016x}{2:016x}"


def test_a_reader_moves_on_when_asked_again(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer, open_reader(tmp_path) as reader:
        old = reader.cursor()
        add(writer, Found("a"))
        assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 1}]
        assert old.execute("SELECT count(*) FROM games").fetchall() == [(0,)]
        assert not reader.refresh()


def test_another_thread_can_stop_a_question(reader: Reader) -> None:
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            reader.ask(ENDLESS)
        except QueryFailed as error:
            failures.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while thread.is_alive():
        reader.interrupt()
        thread.join(0.02)
    assert len(failures) == 1


def test_ctrl_c_stops_a_question(folder: Path) -> None:
    program = (
        "import sys\nfrom pipeline.store import open_reader\nreader = open_reader(sys.argv[1])\n"
        f"try:\n    print('ready', flush=True)\n    reader.ask({ENDLESS!r})\n"
        "except KeyboardInterrupt:\n    print('stopped')"
    )
    command = [sys.executable, "-c", program, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\n"


READING = """
import sys, threading
from pipeline.store import open_reader
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
reader, seen = open_reader(sys.argv[1], threads=1), []
print("ready", flush=True)
while True:
    last = ended.is_set()
    row = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM moves), (SELECT count(*) FROM passes)"
    ((games, moves, passes),) = (tuple(r.values()) for r in reader.table(row).to_pylist())
    assert moves == 3 * games and passes == games, (games, moves, passes)
    seen.append(games)
    if last:
        break
assert seen == sorted(seen), seen
print(seen[-1])
"""


def test_a_reader_sees_whole_batches_and_no_error_while_others_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.store.merge.MANY", 4)
    with open_writer(tmp_path) as writer:
        command = [sys.executable, "-c", READING, str(tmp_path)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            for number in range(12):
                add(writer, *(Found(f"{number} {n}", source=str(number), record=n) for n in range(50)))
            process.stdin.close()
            assert process.stdout.read() == "600\n"
        assert process.returncode == 0


def test_check_names_what_is_wrong(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(
            writer,
            Found("a"),
            Found("b", record=2, extra={"plies": 7}),
            Found("c", record=3, extra={"illegal": True}),
        )
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == [
            "illegal games that are not in the quarantine: 1",
            "games whose moves are not their plies, once each: 1",
        ]
        (tmp_path / "moves" / "000000001.parquet").unlink()
        assert check_library(reader) == [f"{tmp_path / 'moves' / '000000001.parquet'} is missing"]


def test_remarks_in_our_scripts_may_say_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("reader", "undo", "catalogue"):
        monkeypatch.setattr(
            f"pipeline.store.{module}.script",
            lambda name: "-- it's a remark;\n" + script(name) + "\n-- the end;\n",
        )
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        assert writer.undo(1).games_removed == 1
    with open_reader(tmp_path) as reader:
        assert reader.table("FROM games_view").num_rows == 0
