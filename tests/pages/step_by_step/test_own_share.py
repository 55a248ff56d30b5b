"""The captions of the view without weights: the numbers and names of each case."""

from __future__ import annotations

import re

import numpy as np
import pytest

import core
from core.walkthroughs.steps.own_share import OwnShare, own_share
from pages.step_by_step.own_share import said as says
from pages.step_by_step.own_share import why
from tests.pages.steps_reading import visit
from tests.sentences import bold, emphasised, numbers, sentences
from tests.visits import said

POEM = "Write a poem about a man fishing on a river bank."
NAMES = ("a", "bank", "river")


def of(*rows: list[float], token: int = 0) -> OwnShare:
    return own_share(np.array(rows, float), token)


def weights(text: str) -> list[float]:
    """The weights in bold: ".98" is 0.98."""
    return [float(one) for one in bold(text)]


def test_bank_keeps_most_and_fishing_comes_below_write(minilm: core.Model) -> None:
    page = said(visit(p="plain", t=POEM, q="11"))
    found = own_share(minilm.trace(POEM).embedded, 11)
    kept, others = sentences(page[page.index("*bank* keeps") :])[:2]
    assert weights(kept) == [0.98]
    assert emphasised(others) == ["river", "write", "poem", "fishing"]
    shown = numbers(others)
    np.testing.assert_allclose(shown[0::2], np.sort(found.weights)[::-1][1:5], atol=5e-5)
    np.testing.assert_allclose(shown[1::2], found.cosines[list(found.others[:4])], atol=5e-3)
    reason = page[page.index("**Why?**") :]
    assert [float(one) for one in bold(reason)[1:3]] == [132, 6.74]
    for number in (384, 5, 134):
        assert number in numbers(reason)
    assert r"\lVert x\rVert^2/\sqrt d" in reason


@pytest.mark.parametrize("which", ["embedded", "learned"])
@pytest.mark.parametrize("text", [POEM, "the cat ate the mouse", "the the the", "On the river bank"])
def test_every_word_of_other_sentences(minilm: core.Model, text: str, which: str) -> None:
    trace = minilm.trace(text)
    for token in range(len(trace.tokens)):
        found = own_share(getattr(trace, which), token)
        text_said = says(found, trace.tokens)
        assert weights(text_said)[0] == pytest.approx(found.own, abs=6e-3)
        best = float(found.weights[found.others[0]])
        if "gives more" in text_said:
            assert best > found.own
        elif "as much goes" in text_said:
            assert best == pytest.approx(found.own)
        else:
            assert best < found.own
        if "spread almost evenly" in text_said:
            assert found.own < 1.5 / len(trace.tokens)
        reason = why(found)
        assert float(bold(reason)[1]) == pytest.approx(found.squared_length, rel=0.01)
        longer = float(found.products[list(found.others)].max()) > found.squared_length
        assert ("a longer one wins" in reason) == ("the winner" in reason) == longer


def test_each_case_by_hand() -> None:
    most = says(of([9, 0], [0, 1], [1, 0]), NAMES)
    assert weights(most) == [1.0]
    more = says(of([1, 0], [9, 0], [0, 1]), NAMES)  # a longer vector in the same direction
    assert emphasised(more)[:2] == ["a", "bank"]
    assert weights(more)[1] > weights(more)[0]
    assert "most similar to itself" not in why(of([1, 0], [9, 0], [0, 1]))
    assert "most similar to itself" in why(of([9, 0], [0, 1], [1, 0]))
    same = says(of([1, 1], [0, 0], [1, 1]), NAMES)
    assert emphasised(same)[:2] == ["a", "river"]
    assert 3 in numbers(same)  # its position
    even = says(of([0.1, 0], [0, 0.1], [0, 0]), NAMES)
    assert weights(even) == [pytest.approx(1 / 3, abs=0.01)]
    some = says(of([1.2, 0], [0.2, 1], [0, 1]), ("a", "b", "c"))
    assert 0.34 < weights(some)[0] < 0.5 or "evenly" in some
    alone = of([1, 2])
    assert not bold(says(alone, ["a"]))
    assert why(alone) == ""


def test_shares_are_written_as_all_numbers_are() -> None:
    told = says(of([1.0, 0.0], [0.5, 0.5], [-4.0, 1.0]), tuple("abc"))
    assert "0.33" in told
    assert not re.search(r"(?<!\d)\.\d", told)


def test_of_the_tiny_model_and_the_paper_s_size() -> None:
    for url in ({"ti": "1"}, {"ti": "1", "x": "learned"}, {"ti": "paper"}, {"ti": "1", "tt": "more"}):
        app = visit(p="plain", **url)
        assert not [*app.error, *app.warning]
        if url.get("tt") != "more":
            width = 512 if url["ti"] == "paper" else 6
            assert width in numbers(said(app)[said(app).index("**Why?**") :])


def test_where_a_longer_vector_wins_length_is_said_to_count() -> None:
    found = of([1, 0], [3, 1])
    assert found.products[1] > found.squared_length
    assert "lengths" in says(found, ("a", "bank"))
    assert numbers(bold(why(found))[1]) == [1]  # its own product, not the winner's 3
