"""What Next word says of its numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.records.prediction import Prediction
from core.records.score import Score
from pages.next_word import captions
from ui import text


def top(*shares: float, names: tuple[str, ...] = (" Mary", " the", "\n", "<b>")) -> Prediction:
    count = len(shares)
    return Prediction(
        3, "next", tuple(range(count)), names[:count], names[:count], np.array(shares, "f4"), 1.0, 1.0
    )


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.9234, 0.02), "It gives **Mary** 92.3 %."),
        (
            (0.3, 0.2, 0.1, 0.1),
            "It leans to **Mary** (30 %), before *the* 20 %, "
            "*\\(line break\\)* 10 % and *\\<b\\>* 10 %.",
        ),
        (
            (0.1, 0.05, 0.04),
            "Nothing leads clearly: *Mary* 10 %, *the* 5 % and *\\(line break\\)* 4 %, and many more.",
        ),
    ],
)
def test_how_sure_it_is(shares: tuple[float, ...], said: str) -> None:
    assert captions.headline(top(*shares), ends=frozenset()) == said


def test_an_end_is_said_as_an_end() -> None:
    said = captions.headline(top(0.8, 0.1), ends=frozenset({0}))
    assert said == "It gives 80 % to this: **the text ends here**."
    said = captions.headline(top(0.4, 0.3), ends=frozenset({1}))
    assert "before *the end of the text* 30 %" in said


def score(bits: list[float], ranks: list[int]) -> Score:
    count = len(bits)
    words = ("The", " cat", " sat")[:count]
    offsets = tuple((i * 4, i * 4 + 3) for i in range(count))
    return Score(
        words,
        tuple(range(count)),
        offsets,
        np.array(bits),
        np.array(bits),
        np.array(ranks),
        ((), *((" dog", " cat") for _ in range(count - 1))),
        np.array([[np.nan, np.nan], *([[0.5, 0.25]] * (count - 1))]),
        "model",
        "The cat sat",
    )


def test_what_was_expected_stands_with_its_rank() -> None:
    found = score([np.nan, 2.0, 9.5], [-1, 1, 1_200])
    assert captions.expected(found, 0) == "nothing stands before it: nothing was expected"
    assert captions.expected(found, 1) == "place 2; expected: ␣dog 50 %, ␣cat 25 %"
    assert captions.expected(found, 2).startswith("place 1,201; expected: ")
    assert captions.expected(score([np.nan, 1.0], [-1, 0]), 1).startswith("the likeliest; ")
    signs = replace(found, likeliest=((), (",", " and"), ("-", "\n")))
    assert captions.expected(signs, 1).endswith("expected: “,” 50 %, ␣and 25 %")
    assert captions.expected(signs, 2).endswith("expected: “-” 50 %, ↵ 25 %")


def test_the_most_surprising_token_and_the_mean() -> None:
    said = captions.surprise(score([np.nan, 2.0, 9.5], [-1, 1, 1_200]), 0)
    assert "**sat**, 9.5 bits" in said
    assert "The mean is 5.75 bits a token." in said
    assert "it wrote itself" not in said
    assert "The last 2 it wrote itself." in captions.surprise(score([np.nan, 2.0, 9.5], [-1, 1, 1]), 2)


def test_the_second_token_stands_apart_where_only_a_sink_stands_before_it() -> None:
    found = score([np.nan, 20.0, 9.5], [-1, 900, 1_200])
    said = captions.surprise(found, 0, 1024)
    assert "most at **sat**, 9.5 bits" in said
    assert "The mean is 14.75 bits a token." in said
    assert (
        "*cat*, stands apart, with 20.0 bits, more than a blind guess among 1,024 tokens (10.0)" in said
    )
    assert "Without it the mean is 9.50." in said
    few = captions.surprise(score([np.nan, 9.8, 9.5], [-1, 900, 1_200]), 0, 1024)
    assert "*cat*, stands apart, with 9.8 bits: one token" in few
    assert "apart" not in captions.surprise(score([np.nan, 2.0, 9.5], [-1, 1, 1_200]), 0, 1024)
    assert "most at **cat**, 20.0 bits" in captions.surprise(found, 0)
    assert "apart" not in captions.surprise(score([20.0, 2.0, 9.5], [5, 1, 1_200]), 0, 1024)


def test_one_token_alone_has_no_surprise() -> None:
    assert captions.surprise(score([np.nan], [-1]), 0) == ""


@pytest.mark.parametrize("token", ["Mary", "and", "↵␣", "3rd"])
def test_a_word_stands_as_it_is(token: str) -> None:
    assert captions.quoted(token) == token


@pytest.mark.parametrize(
    ("token", "said"),
    [("↵", "(line break)"), ("↵↵", "(2 line breaks)"), ("␣", "(space)"), ("␣␣␣", "(3 spaces)")],
)
def test_a_space_or_a_line_break_alone_is_read_aloud(token: str, said: str) -> None:
    assert captions.quoted(token) == text.plain(said)


@pytest.mark.parametrize("token", [",", ".", "-", "...", "3"])
def test_signs_and_digits_stand_in_quotation_marks(token: str) -> None:
    assert captions.quoted(token) == f"“{text.plain(token)}”"


def test_who_draws_out_of_all_tokens_is_told_why_the_text_goes_astray() -> None:
    whole = {"temperature": 1.0, "topK": 0, "topP": 1.0, "minP": 0.0}
    assert captions.noise(20, whole, 49_152).startswith("Drawn out of all 49,152 tokens.")
    assert captions.noise(1, whole, 49_152) == ""
    for cut in ({"temperature": 0.0}, {"topK": 5}, {"topP": 0.9}, {"minP": 0.1}):
        assert captions.noise(20, {**whole, **cut}, 49_152) == ""
