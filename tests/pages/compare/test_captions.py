from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.measures import Agreement, HeadMap, WordPath
from core.records.trace import frozen
from pages.compare import captions, legends
from tests.sentences import bold, emphasised, numbers


def look(dropped: list[float], renormalised: bool = True) -> HeadMap:
    tokens = ("a", "##b", "<c>")
    weights = np.array([[0.7, 0.25, 0.05], [0.1, 0.15, 0.75], [0, 1, 0]])
    return HeadMap(
        tokens,
        tokens,
        weights,
        renormalised=renormalised,
        dropped=np.array(dropped),
        tokens=np.array([1, 2, 3]),
    )


def test_who_looks_at_whom_most() -> None:
    said = captions.strongest_attention(look([0.5, 0.25, 0.125]), (1,), "ab")
    assert bold(said) == ["ab"]
    assert emphasised(said) == [r"\<c\>", "·b", "a"]
    assert numbers(said) == [0.75, 0.15, 0.10, 0.25, 1]
    assert "special tokens" in said


def test_a_mean_of_heads_says_that_each_was_scaled_first() -> None:
    said = captions.strongest_attention(replace(look([0.5, 0.25, 0.125]), averaged=True), (1,), "ab")
    (hidden,) = (one for one in said.split(". ") if "special tokens" in one)
    assert "0.25" in hidden
    assert "each head’s rows" in said
    assert "averaged" in said


def test_a_row_that_is_missing_is_said_to_be() -> None:
    some = look([1, 0.25, np.nan])
    weights = some.weights.copy()
    weights[0], weights[2] = np.nan, np.nan
    view = replace(some, weights=weights)
    assert "all of its weight on special tokens" in captions.strongest_attention(view, (0,), "ab")
    assert "no attention" in captions.strongest_attention(view, (2,), "ab")
    assert "no attention" in captions.strongest_attention(replace(view, renormalised=False), (0,), "ab")
    both = captions.strongest_attention(view, (0, 1), "ab")  # of two pieces, the one that has a row
    assert r"*\<c\>* 0.75" in both
    assert both.startswith("Row **ab**")


def test_who_looks_with_special_tokens_shown_hides_nothing() -> None:
    said = captions.strongest_attention(look([0, 0, 0], renormalised=False), (0,), "a")
    assert said == r"Row **a** attends most to *a* 0.70, *·b* 0.25, *\<c\>* 0.05."


def test_who_looks_of_a_word_of_two_pieces_is_their_mean() -> None:
    said = captions.strongest_attention(look([0.5, 0.25, 0]), (0, 1), "ab")
    assert bold(said) == ["ab"]
    assert emphasised(said) == ["a", r"\<c\>", "·b"]
    assert numbers(said)[:5] == [2, 0.40, 0.40, 0.20, 0.38]


def test_without_a_word_the_picture_is_explained() -> None:
    for rows, word in (((), "a"), ((0,), None)):
        assert (
            captions.strongest_attention(look([0, 0, 0]), rows, word)
            == "Rows are queries, columns are keys."
        )


def test_first_numbers_as_the_article_prints_them() -> None:
    vectors = {
        "learned": frozen([-0.034, -0.058, 0.014, 0.1, 1, 9]),
        "in A": frozen([0.126, -1.5, 0, 0, -0.25, 9]),
    }
    assert captions.first_numbers(vectors) == (
        "learned [-0.03, -0.06, 0.01, 0.10, 1.00]\nin A    [0.13, -1.50, 0.00, 0.00, -0.25]"
    )
    assert captions.first_numbers({"v": frozen([1, 2])}) == "v [1.00, 2.00]"


def test_about_vectors_counts_numbers_layers_and_pieces() -> None:
    one = captions.about_vectors(
        {"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 1)}
    )
    assert one.startswith("The first of 7 numbers.")
    assert "layer 3" in one
    assert "pieces" not in one
    two = captions.about_vectors(
        {"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 2)}
    )
    assert "“bank” into 2 pieces" in two
    assert "mean" in two
    paths = {name: WordPath((frozen([0] * 7),) * 5, n) for name, n in (("A", 2), ("B", 2))}
    both = captions.about_vectors({"A": "bankers", "B": "shores"}, paths)
    assert "“bankers” into 2 pieces" in both
    assert "“shores” into 2 pieces" in both
    assert "the same in every sentence" not in both


def agreement(worst: float, numbers: int = 617) -> Agreement:
    return Agreement({"hidden": worst, "query": 0.0}, numbers)


def test_agreed_to_the_last_bit() -> None:
    said = captions.agreed([agreement(0), agreement(0, 1000)], 1e-5)
    assert "All **1,617** numbers" in said
    assert "largest difference is **0**." in said
    assert "do not agree" not in said


def test_agreed_within_the_bound() -> None:
    said = captions.agreed([agreement(1.23e-7), agreement(0)], 1e-5)
    assert "they agree: over 1,234 numbers" in said
    assert numbers(said)[-2:] == [1.2e-7, 1e-5]
    assert "they agree" in captions.agreed([agreement(1e-5)], 1e-5)


def test_not_agreed_beyond_the_bound() -> None:
    said = captions.agreed([agreement(0), agreement(2e-5)], 1e-5)
    assert "they **do not agree**" in said
    assert "**2.0·10⁻⁵**" in said


BANK = ("bank", "bank")


def test_a_plain_projection_says_its_shares_and_that_it_shows_depth() -> None:
    said = legends.of_projection(BANK, frozen([0.714, 0.1]))
    assert numbers(said) == [2, 71, 10]
    assert "depth, not meaning" in said


def test_legends_name_what_the_word_is_held_against() -> None:
    assert "“bank” alone" in legends.of_cosine(BANK)
    assert "“bank” and “shore” alone" in legends.of_cosine(("bank", "shore"))
