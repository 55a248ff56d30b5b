"""Two texts by their surprise: bits a token, a word and a letter, by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.records.score import Score
from pages.next_word import captions
from pages.next_word.continuing import beside
from pages.next_word.state import OPENING
from tests.pages.next_word.test_page import shown, visit
from tests.visits import said

Made = Callable[..., Path]
WORDS = (Path(beside.__file__).parents[1] / "page.md").read_text("utf-8")
STORY = "Once upon a time, there was a"


def score(text: str, tokens: list[str], bits: list[float]) -> Score:
    ends = np.cumsum([len(one) for one in tokens]).tolist()
    count = len(tokens)
    return Score(
        tuple(tokens),
        tuple(sum(map(ord, one)) for one in tokens),
        tuple(zip([0, *ends[:-1]], ends, strict=True)),
        np.array(bits),
        np.array(bits),
        np.array([-1, *([0] * (count - 1))]),
        ((), *(("a",) for _ in range(count - 1))),
        np.array([[np.nan], *([[0.5]] * (count - 1))]),
        "model",
        text,
    )


def test_sums_by_hand() -> None:
    found = score("The cat sat.", ["The", " cat", " s", "at", "."], [np.nan, 8, 3, 1, 2])
    assert (found.total, found.scored) == (14, 4)
    assert (found.words, found.letters) == (2, 9)  # "cat", "sat."; " cat sat."
    assert (found.per_token, found.per_word) == (3.5, 7)
    assert found.per_letter == pytest.approx(14 / 9)
    assert captions.sums(found) == (
        "14.0 bits in all: 3.50 a token, 7.00 a word, 1.56 a letter (4 tokens, 2 words, 9 letters)"
    )


def test_one_token_alone_has_no_means() -> None:
    alone = score("The", ["The"], [np.nan])
    assert (alone.words, alone.letters, alone.total) == (0, 0, 0)
    assert np.isnan(alone.per_word)
    assert np.isnan(alone.per_letter)
    assert "nothing was expected" in captions.sums(alone)
    other = score("The cat", ["The", " cat"], [np.nan, 8])
    assert "no surprise" in captions.beside(alone, other)


def test_the_one_with_fewer_bits_a_letter_surprises_less() -> None:
    # In all, A has more bits: it is longer.
    a = score("The cat sat on it", ["The", " cat sat on it"], [np.nan, 28])
    b = score("The dog", ["The", " dog"], [np.nan, 16])
    found = captions.beside(a, b)
    assert found.startswith("**A surprises the model less**: 2.00 against 4.00 bits a letter")
    assert "a factor of 2.0; in all 28.0 against 16.0 bits" in found
    assert captions.beside(b, a).startswith("**B surprises")
    assert captions.beside(a, a) == "To the model, the two texts are the same."


def test_the_page_shows_both_on_one_scale(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    app = visit(m=folder.name, t="The river bank", o="Bank river the 😀", bd="1")
    texts = {"a": "The river bank", "b": "Bank river the 😀"}
    scales = []
    for which, text in texts.items():
        header, sent = shown(app, f"surprise-{which}")
        np.testing.assert_allclose(np.frombuffer(sent, "<f4"), model.score(text).bits, rtol=1e-4)
        scales.append(header["scale"]["most"])
    assert scales[0] == scales[1]
    assert captions.beside(*map(model.score, texts.values())) in said(app)
    table = beside.table({"A": model.score(texts["a"]), "B": model.score(texts["b"])})
    assert table.loc["B"]["bits"].sum() == pytest.approx(model.score(texts["b"]).total, rel=1e-5)
    assert "The other text" in said(visit(m=folder.name, t="The river bank", o="", bd="1"))


@pytest.mark.fuzz
@pytest.mark.check
def test_the_examples_of_the_page() -> None:
    model = core.load("smollm2")
    order, disorder = map(model.score, ("The cat sat on the mat.", "Mat the on sat cat the."))
    assert captions.beside(order, disorder).startswith("**A surprises the model less**")
    assert f"{disorder.per_letter:.2f} bits a letter against {order.per_letter:.2f}" in WORDS
    cost = model.cache_cost()
    count = len(model.read(OPENING)) + 1
    assert f"{cost.kept:,} numbers of each token" in WORDS
    # eleven of twelve
    assert round(cost.without_cache(count) / cost.with_cache(count)) == 12
    found = [*model.generate(STORY, 20, temperature=0, stop=".")]
    assert found[-1].end
    assert "".join(one.added for one in found).endswith(".")
