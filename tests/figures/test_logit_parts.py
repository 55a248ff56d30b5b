"""The pictures of why a token comes next: all bars together make the number."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures import bare, why_parts, why_text, why_words
from core.records.contributions import Contributions
from core.records.logit_parts import LogitParts

VALUES = np.array([5.0, 1.0, -2.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, -3.0], np.float32)


def parts(values: np.ndarray = VALUES, bias: float = 0.5, other: str | None = " John") -> LogitParts:
    n = len(values)
    whole = float(values.sum()) + bias
    depth = np.stack([values, np.eye(n, dtype=np.float32)[-1] * (whole - bias)])
    rows = np.zeros((1, 2, n))
    sources = Contributions(
        tuple("abcdefghijklmnop"[:n]),
        (n - 1,),
        0,
        np.ones(2),
        whole,
        depth,
        np.full(2, bias),
        rows,
        rows,
    )
    heads = np.zeros((1, 2, n))
    heads[0, 0, 0] = whole - 1
    logits = (whole,) if other is None else (whole, 0.0)
    return LogitParts(
        " Mary", other, sources, 0.25, heads, np.array([0.5]), np.array([0.25]), 0.0, logits
    )


def test_the_bars_add_up_and_the_first_token_stands_apart() -> None:
    picture = why_words(parts(), list("abcdefghijk"))
    numbers = np.frombuffer(picture.numbers().payload, "<f4")
    assert numbers.sum() == pytest.approx(parts().whole, abs=1e-5)
    labels = list(picture.header["labels"])
    assert labels[-2:] == ["a (the first token)", "biases"]
    assert labels[-3] == "3 others"
    assert labels[:7] == ["b", "c", "g", "h", "i", "j", "k"]  # in the order of the text
    assert "“Mary” − logit of “John”" in picture.header["unit"]


def test_words_that_are_alike_have_a_number() -> None:
    picture = why_words(parts(np.array([0.0, 1.0, 2.0], np.float32)), ["When", "John", "John"])
    assert list(picture.header["labels"])[:2] == ["John (1)", "John (2)"]


def test_a_text_of_one_token_and_no_bias() -> None:
    picture = why_words(parts(np.array([2.0], np.float32), 0.0, None), ["a"])
    assert list(picture.header["labels"]) == ["a"]
    assert picture.header["unit"] == "logit of “Mary”"


def test_the_text_and_the_grid() -> None:
    shown = why_text(parts(), [f" {one}" for one in "abcdefghijk"])
    np.testing.assert_array_equal(np.frombuffer(shown.numbers().payload, "<f4"), VALUES)
    # The first token, 5, does not set the end of the shades: the largest of the others is 3.
    assert shown.header["scale"]["bound"] == 3
    assert "1 number beyond" in shown.header["scale"]["notes"][0]
    grid = why_parts(parts())
    assert list(grid.header["columns"]) == ["1", "2", "feed-forward", "whole layer"]
    cells = np.frombuffer(grid.numbers().payload, "<f4")
    assert cells[:3].sum() + 0.25 == pytest.approx(cells[3])  # with the biases


@pytest.mark.parametrize(("token", "shown"), [(" Mary", "Mary"), ("\n", "↵"), (" ", "␣")])
def test_a_token_by_its_name(token: str, shown: str) -> None:
    assert bare(token) == shown
