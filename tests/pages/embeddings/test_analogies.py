"""The view of analogies: its numbers against the model's own table, its switch, and refused input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.examples.analogies import ANALOGIES, WORDS
from core.figures import style
from core.measures.similarity import cosine
from pages.embeddings import analogies
from tests.pages.embeddings.test_page import state, visit
from tests.pages.reading import drawn
from tests.sentences import bold, numbers, saying
from tests.visits import said
from ui.page import prose

pytestmark = pytest.mark.check


def shown(app: Any, which: str) -> tuple[list[str], np.ndarray]:
    header, numbers = bars_of(app)[f"analogy-{which}"]
    return header["labels"], numbers


def bars_of(app: Any) -> dict[str, Any]:
    return {
        header["file"].removeprefix("polysee-"): (header, np.frombuffer(sent, "<f4"))
        for header, sent in drawn(app)
    }


@pytest.mark.fuzz
def test_the_queen_is_the_answer_only_where_the_king_is_left_out(minilm: core.Model) -> None:
    table = {
        word: minilm.trace(f"the {word} .").learned[2] for word in ("king", "man", "woman", "queen")
    }
    vector = table["king"] - table["man"] + table["woman"]
    labels, numbers = shown(visit(v="2", p="analogy"), "learned")
    assert labels[0] == "queen"
    assert numbers[0] == pytest.approx(cosine(vector[None], table["queen"][None])[0, 0], abs=1e-5)
    assert not any("in the sum" in label for label in labels)
    labels, numbers = shown(visit(v="2", p="analogy", ao="0"), "learned")
    assert labels[:2] == ["king (in the sum)", "queen"]
    assert numbers[0] == pytest.approx(cosine(vector[None], table["king"][None])[0, 0], abs=1e-5)
    stated = {item.label: item.look_for for item in more()}
    assert f"{numbers[1]:.2f}"[1:] in stated["King and queen"]
    assert f"{numbers[0]:.2f}"[1:] in stated["The cheat"]


def more() -> tuple[prose.Try, ...]:
    return prose.read(str(Path(analogies.__file__).parent / "page.py"), "analogy").tries


@pytest.mark.fuzz
def test_contextual_vectors_are_those_of_the_last_layer(minilm: core.Model) -> None:
    last = {word: minilm.trace(f"the {word} .").contextual[2] for word in WORDS}
    vector = last["king"] - last["man"] + last["woman"]
    near = {word: float(cosine(vector[None], last[word][None])[0, 0]) for word in WORDS}
    labels, numbers = shown(visit(v="2", p="analogy", ao="0"), "contextual")
    expected = sorted(WORDS, key=lambda word: -near[word])[: len(labels)]
    assert [label.removesuffix(" (in the sum)") for label in labels] == expected
    np.testing.assert_allclose(numbers, [near[word] for word in expected], atol=1e-5)


@pytest.mark.fuzz
def test_how_often_it_works_is_counted_over_all_of_ours(minilm: core.Model) -> None:
    rows = {word: minilm.trace(f"the {word} .").learned[2] for one in ANALOGIES for word in one}
    counts = np.zeros(3, int)
    for a, b, c, d in ANALOGIES:

        def near(vector: np.ndarray, asked: tuple[str, ...] = ()) -> str:
            found = [one.text.strip() for one in minilm.nearest_words(vector, k=20)]
            return next(word for word in found if word not in asked)

        vector = rows[a] - rows[b] + rows[c]
        alone = near(rows[a], (a, b, c)), near(rows[c], (a, b, c))
        counts += [near(vector, (a, b, c)) == d, near(vector) == d, d in alone]
    assert analogies.right("minilm", "learned") == tuple(counts)
    line = next(text for text in said(visit(v="2", p="analogy")).split("\n") if "How often" in text)
    found = [int(number) for number in re.findall(r"\d+", line)]
    contextual = analogies.right("minilm", "contextual")
    assert found == [len(ANALOGIES), *counts, len(WORDS), *contextual]


def test_a_sum_of_ones_own_is_in_the_link(minilm: core.Model) -> None:
    app = visit(v="2", p="analogy", an="paris - france + Zzyzx", ao="0")
    assert state(app)["an"] == "paris - france + Zzyzx"
    pieces = minilm.trace("the Zzyzx .").tokens[2:-2]
    assert len(pieces) > 1  # a word of several tokens
    told = saying(said(app).replace("\\", ""), "Its vector here")
    assert numbers(told) == [len(pieces)]
    assert told.rstrip(".").endswith(", ".join(map(style.token_name, pieces)))
    assert any("zzyzx" in label for label in shown(app, "contextual")[0])
    assert {*bars_of(app)} == {"analogy-learned", "analogy-contextual"}


@pytest.mark.parametrize("typed", ["king - king", "king − man + man − king"])
def test_a_sum_that_is_zero_is_near_to_nothing(typed: str) -> None:
    app = visit(v="2", p="analogy", an=typed)
    assert not bars_of(app)
    assert bold(said(app)).count("zero vector") == 2
    assert "nearest to **" not in said(app)


def test_a_word_without_a_token_is_refused() -> None:
    app = visit(v="2", p="analogy", an="king + 😀")
    assert not bars_of(app)
    assert "😀" in saying(said(app), "no token for")


def test_the_scale_begins_at_zero() -> None:
    for header, numbers_shown in bars_of(visit(v="2", p="analogy")).values():
        assert header["fromZero"] is True
        assert numbers_shown.min() > 0


def test_what_is_no_sum_is_said() -> None:
    app = visit(v="2", p="analogy", an="king queen")
    assert "such as king − man" in said(app)
    assert not bars_of(app)


def test_the_answers_are_among_the_words() -> None:
    assert len({*WORDS}) == len(WORDS)
    assert {one.answer for one in ANALOGIES} <= {*WORDS}
