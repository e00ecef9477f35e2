"""Generic syntax, with pysgf as a second opinion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysgf import GoGame

from notation.sgf import escaped, main_line, properties, simple_text_of, text_of
from notation.trees import tree_spans

IDS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=2).filter(lambda name: name != "GM")
"""Not GM: a nested node that begins with it is taken for a new game (see `notation.trees`)."""
TEXTS = st.text("abc[]()\\;: \n", max_size=8)


@st.composite
def trees(draw, depth=2):
    """A game tree as (nodes, children); no property twice in a node."""
    nodes = draw(
        st.lists(
            st.dictionaries(IDS, st.lists(TEXTS, min_size=1, max_size=2), max_size=3), min_size=1, max_size=3
        )
    )
    children = draw(st.lists(trees(depth=depth - 1), max_size=3)) if depth else []
    return nodes, children


def sgf(tree) -> str:
    nodes, children = tree
    text = "".join(
        ";" + "".join(name + "".join(f"[{escaped(v)}]" for v in values) for name, values in node.items())
        for node in nodes
    )
    return "(" + text + "".join(sgf(child) for child in children) + ")"


def line_of(tree):
    nodes, children = tree
    return nodes + (line_of(children[0]) if children else [])


@given(trees())
def test_the_main_line_of_any_tree(tree):
    line = main_line(sgf(tree))
    assert [
        {name: [text_of(v) for v in values] for name, values in properties(node)} for node in line.nodes
    ] == line_of(tree)
    assert (line.junk, line.tail) == ([], -1)


@given(trees())
def test_nothing_of_a_tree_is_lost(tree):
    text = sgf(tree)
    line = main_line(text)
    kept = sum(map(len, line.nodes)) + sum(len(branch) for _, branch in line.branches)
    brackets = len(text) - kept
    depth, at = 1, tree
    while at[1]:
        depth, at = depth + 1, at[1][0]
    assert brackets == 2 * depth


@given(st.lists(trees(), max_size=4), st.sampled_from(["", " ", "\n\n"]))
def test_trees_of_a_file_are_found(found, between):
    texts = [sgf(tree).encode() for tree in found]
    data = between.encode().join(texts)
    assert [data[start:end] for start, end, closed in tree_spans(data) if closed] == texts


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[1]C[a\\]b];B[aa];W[bb])",
        "(;GM[1](;B[aa];W[bb](;B[cc])(;B[dd]))(;B[ee]))",
        "(;GM [1]\n C [x] ; B [aa][bb] )",
        "(;GM[1]C[(;not a node)];B[aa])",
        "(;GM[1];B[];W[cc])",
    ],
)
def test_the_same_main_line_as_another_reader(text):
    node = GoGame.from_string(text).root
    theirs = []
    while node is not None:
        theirs.append(dict(node.properties))
        node = node.children[0] if node.children else None
    ours = [
        {name: [text_of(v) for v in values] for name, values in properties(node)}
        for node in main_line(text).nodes
    ]
    assert ours == theirs


def test_texts():
    assert text_of("a\\\r\nb\r\nc\rd") == "ab\nc\nd"
    assert simple_text_of(" a\tb\nc\\]\\\\ ") == "a b c]\\"
    assert text_of(escaped("x]\\[y\\")) == "x]\\[y\\"
