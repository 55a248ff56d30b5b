from __future__ import annotations

from core.comparison.numbers import about_vectors, agreed, first_numbers
from core.measures import Agreement, WordPath
from core.records.trace import frozen
from tests.sentences import numbers


def test_first_numbers_as_the_article_prints_them() -> None:
    vectors = {
        "learned": frozen([-0.034, -0.058, 0.014, 0.1, 1, 9]),
        "in A": frozen([0.126, -1.5, 0, 0, -0.25, 9]),
    }
    assert first_numbers(vectors) == (
        "learned [-0.03, -0.06, 0.01, 0.10, 1.00]\nin A    [0.13, -1.50, 0.00, 0.00, -0.25]"
    )
    assert first_numbers({"v": frozen([1, 2])}) == "v [1.00, 2.00]"


def test_about_vectors_counts_numbers_layers_and_pieces() -> None:
    one = about_vectors({"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 1)})
    assert one.startswith("The first of 7 numbers.")
    assert "layer 3" in one
    assert "pieces" not in one
    two = about_vectors({"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 2)})
    assert "“bank” into 2 pieces" in two
    assert "mean" in two
    paths = {name: WordPath((frozen([0] * 7),) * 5, n) for name, n in (("A", 2), ("B", 2))}
    both = about_vectors({"A": "bankers", "B": "shores"}, paths)
    assert "“bankers” into 2 pieces" in both
    assert "“shores” into 2 pieces" in both
    assert "the same in every sentence" not in both
    # One word, but the first token of B: two learned vectors.
    paths["B"] = WordPath((frozen([1] * 7), *(frozen([0] * 7),) * 4), 1)
    assert "another token in A than in B" in about_vectors({"A": "bank", "B": "bank"}, paths)


def agreement(worst: float, numbers: int = 617) -> Agreement:
    return Agreement({"hidden": worst, "query": 0.0}, numbers)


def test_agreed_to_the_last_bit() -> None:
    said = agreed([agreement(0), agreement(0, 1000)], 1e-5)
    assert "All **1,617** numbers" in said
    assert "largest difference is **0**." in said
    assert "do not agree" not in said


def test_agreed_within_the_bound() -> None:
    said = agreed([agreement(1.23e-7), agreement(0)], 1e-5)
    assert "they agree: over 1,234 numbers" in said
    assert numbers(said)[-2:] == [1.2e-7, 1e-5]
    assert "they agree" in agreed([agreement(1e-5)], 1e-5)


def test_not_agreed_beyond_the_bound() -> None:
    said = agreed([agreement(0), agreement(2e-5)], 1e-5)
    assert "they **do not agree**" in said
    assert "**2.0·10⁻⁵**" in said


BANK = ("bank", "bank")
