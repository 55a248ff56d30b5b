"""Branches that were tried: their tree, and two of them on Compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import core
from core.records.score import Score
from pages.next_word.continuing import tree
from tests.pages.next_word.test_page import TEXT, visit
from tests.visits import said

Made = Callable[..., Path]


@pytest.mark.parametrize(
    ("a", "b", "word"),
    [
        ("I went to the bank of the river", "I went to the bank by the river", "river"),
        ("I went to the bank and slept", "I went to the bank to buy", "bank"),
        ("The crane lifted", "The crane flew", "crane"),
        ("One Bank failed", "Two bank clerks", "Bank"),
        ("the of", "the to", ""),
        ("", "", ""),
        ("😀 1", "😀 2", ""),
    ],
)
def test_the_word_that_two_branches_share(a: str, b: str, word: str) -> None:
    assert tree.shared_word(a, b) == word


def test_a_fork_is_where_a_word_begins() -> None:
    assert tree.fork_of("the river bank", "the riddle") == 4
    assert tree.fork_of("same", "same") == 0
    assert tree.fork_of("a b", "a b c") == 2


def test_two_leaves_lead_to_compare(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    ids = model.next_token(TEXT).ids
    paths = [(ids[0],), (ids[1],), (ids[2], ids[0])]
    written = "_".join(".".join(map(str, path)) for path in paths)
    app = visit(m=folder.name, t=TEXT, br=written, lv="0.2")
    texts = [model.score(TEXT, more=path).text for path in paths]
    word = tree.shared_word(texts[0], texts[2])
    assert word == "bank" or texts[0][len(TEXT) :][:1].isalnum()
    if word:
        line = next(one for one in said(app).split("\n") if "](" in one and "ompare “" in one)
        query = parse_qs(urlsplit(line.partition("](")[2].rstrip(")")).query)
        assert (query["a"], query["b"], query["w"]) == ([texts[0]], [texts[2]], [word])
    found = tree.made(folder.name, TEXT, tuple(paths))
    assert found is not None
    assert found.texts == tuple(texts)
    # the probability of each is the model's own
    for node, path in zip(found.nodes[1:], found.paths[1:], strict=True):
        (expected,) = model.predict(TEXT, more=path[:-1], top_k=256)
        if path[-1] in expected.ids:
            p = expected.probabilities[expected.ids.index(path[-1])]
            np.testing.assert_allclose(node.probability, p, rtol=1e-4)


@pytest.mark.check
def test_links_of_others_open(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    for leaves in ("9.9", "x", "1", "99.0", "1.2.3"):
        assert not visit(m=folder.name, t=TEXT, br="5_6", lv=leaves).exception


def test_a_character_of_several_tokens_stands_once() -> None:
    text = "a 😀"
    two = Score(
        ("a", "Ġð", "Ł"),
        (1, 2, 3),
        ((0, 1), (2, 3), (2, 3)),
        np.array([np.nan, 1, 2]),
        np.array([np.nan, 1, 2]),
        np.array([-1, 0, 0]),
        ((), ("b",), ("b",)),
        np.array([[np.nan], [0.5], [0.5]]),
        "model",
        text,
    )
    assert list(two.pieces) == ["a", " 😀", "…"]


def test_a_branch_that_grows_has_its_new_name_in_the_list(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser keeps the name of a list's choice: other names are another list."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    keys = []
    for written in ("5_6", "5_6.7"):
        app = visit(m=folder.name, t=TEXT, br=written)
        keys.append(next(one.key for one in app.selectbox if one.label == "Branch B"))
    assert keys[0] != keys[1]
