"""What an outsider's SQL may do: ask one question. Nothing else gets to the database.

The database itself is shut first: `SETTINGS` are the reader's. That alone is not enough, for DuckDB lets a
query write what it may read, even from inside a WITH clause; so the parse tree is looked at as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb

from pipeline.errors import QueryFailed, QueryRefused
from pipeline.store.catalogue import one_row
from pipeline.store.files import reason

SETTINGS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
"""After them the connection reads the files allowed before, and nothing can widen that again."""

TABLE_FUNCTIONS = frozenset(
    [
        "range",
        "generate_series",
        "unnest",
        "repeat",
        "repeat_row",
        "json_each",
        "json_tree",
        "duckdb_columns",
        "duckdb_functions",
        "duckdb_keywords",
        "duckdb_tables",
        "duckdb_types",
        "duckdb_views",
        "pragma_table_info",
        "pragma_version",
        "summary",
    ]
)
"""Table functions that neither read files nor change anything."""

_REFUSED_FUNCTIONS = frozenset({"write_log", "nextval", "setval", "sleep_ms"})
_EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)


def check_question(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    """Let one SELECT (or EXPLAIN of one) pass.

    Raises:
        QueryRefused: anything else.
        QueryFailed: not SQL.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QueryFailed("the question holds bytes that are no UTF-8") from None
    try:
        statements = connection.extract_statements(text)
    except duckdb.Error as error:
        raise QueryFailed(reason(error)) from error
    if len(statements) != 1:
        raise QueryRefused(f"one question at a time, not {len(statements)} statements")
    if statements[0].type == duckdb.StatementType.MULTI:
        raise QueryRefused(
            "PIVOT needs the values: PIVOT games ON variant IN ('duo', 'classic') USING count(*)"
        )
    for node in _nodes(_tree(connection, _EXPLAIN.sub("", text, count=1))):
        _check_node(node)


def _tree(connection: duckdb.DuckDBPyConnection, text: str) -> Any:
    try:
        tree = json.loads(one_row(connection, "SELECT json_serialize_sql(?)", [text])[0])
    except (duckdb.Error, ValueError, RecursionError) as error:
        raise QueryRefused(f"only SELECT is allowed: {reason(error)}") from error
    if tree.get("error"):
        raise QueryRefused("only SELECT is allowed: the library is read-only")
    return tree


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)


def _check_node(node: dict[str, Any]) -> None:
    kind = str(node.get("type", ""))
    if kind.endswith("_QUERY_NODE"):
        raise QueryRefused(f"{kind.removesuffix('_QUERY_NODE')} inside a query: the library is read-only")
    if kind == "TABLE_FUNCTION":
        name = str((node.get("function") or {}).get("function_name", "")).lower()
        if name not in TABLE_FUNCTIONS:
            raise QueryRefused(
                f"the table function {name!r} is not allowed: queries read the library's tables alone"
            )
    elif str(node.get("function_name", "")).lower() in _REFUSED_FUNCTIONS:
        raise QueryRefused(f"the function {node['function_name']!r} is not allowed")
