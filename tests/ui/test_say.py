from __future__ import annotations

import numpy as np
import pytest

from core.figures import style
from core.measures import Agreement, HeadMap, PlaceRange, SenseRange, Spread, WordPath
from core.trace import frozen
from ui import legends, say


def claim(a: list[float], b: list[float], word: str = "bank") -> str:
    return say.claim((word, word), frozen(a), frozen(b), low="money", high="river")


def test_claim_of_one_start_and_two_ends() -> None:
    assert claim([-0.62, -0.5, 0.1, -0.17], [-0.62, -0.5, -0.3, -0.66]) == (
        "In both sentences **bank** starts at **−.62**, on the side of *money*. After 2 layers it "
        "stands at :blue[**−.17**] in A and at :orange[**−.66**] in B: .49 apart. Sentence A has "
        "pulled **bank** away from *money*, towards *river*."
    )


def test_claim_of_two_words() -> None:
    said = say.claim(
        ("bank", "<shore>"), frozen([0.3, 0, 0]), frozen([-0.2, 0, 0.5]), low="money", high="river"
    )
    assert said.startswith(
        r"**bank** starts at **.30** in A and **\<shore\>** at **−.20** in B. After 1 layer they stand"
    )
    assert said.endswith("in B: .50 apart, with B nearer to *river*.")


@pytest.mark.parametrize(
    ("start", "side"),
    [
        (0.04, "halfway between *money* and *river*"),
        (-0.049, "halfway between *money* and *river*"),
        (0.06, "on the side of *river*"),
        (-1.5, "on the side of *money*"),
    ],
)
def test_claim_of_a_side(start: float, side: str) -> None:
    assert f", {side}. After" in claim([start, 0, 0.5], [start, 0, 0])


def test_claim_of_hardly_apart_names_no_winner() -> None:
    said = claim([0.3, 0, 0.51], [0.3, 0, 0.47])
    assert said.endswith(":blue[**.51**] in A and at :orange[**.47**] in B: hardly apart.")
    assert "nearer" not in said


def test_claim_takes_words_as_text() -> None:
    assert r"**\<b\>** starts" in claim([0, 0, 1], [0, 0, 0], word="<b>")


def test_path_legend_names_three_words_of_each_sense_as_text() -> None:
    said = legends.of_path(BANK, ("money", "<b>"), ("river", "shore", "*x*", "fourth"))
    assert said.startswith(
        r"Up is towards words like *river\, shore\, \*x\**, down towards *money\, \<b\>*."
    )
    assert "fourth" not in said


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
    said = say.who_looks(look([0.5, 0.25, 0.125]), (1,), "ab")
    assert said == (
        r"Row **ab** looks most at *\<c\>* .75, *·b* .15, *a* .10. Hidden: the .25 of its weight on "
        "[CLS] and [SEP]; the rest is scaled to add up to 1."
    )


def test_who_looks_with_special_tokens_shown_hides_nothing() -> None:
    said = say.who_looks(look([0, 0, 0], renormalised=False), (0,), "a")
    assert said == r"Row **a** looks most at *a* .70, *·b* .25, *\<c\>* .05."


def test_who_looks_of_a_word_of_two_pieces_is_their_mean() -> None:
    said = say.who_looks(look([0.5, 0.25, 0]), (0, 1), "ab")
    assert said.startswith(
        r"On average the 2 rows of **ab** look most at *a* .40, *\<c\>* .40, *·b* .20. "
        "Hidden: the .38 of their weight"
    )


def test_without_a_word_the_picture_is_explained() -> None:
    for rows, word in (((), "a"), ((0,), None)):
        assert say.who_looks(look([0, 0, 0]), rows, word) == "Rows look, columns are looked at."


def test_first_numbers_as_the_article_prints_them() -> None:
    vectors = {
        "learned": frozen([-0.034, -0.058, 0.014, 0.1, 1, 9]),
        "in A": frozen([0.126, -1.5, 0, 0, -0.25, 9]),
    }
    assert say.first_numbers(vectors) == (
        "learned [-0.03, -0.06, 0.01, 0.10, 1.00]\nin A    [0.13, -1.50, 0.00, 0.00, -0.25]"
    )
    assert say.first_numbers({"v": frozen([1, 2])}, count=1) == "v [1.00]"


def test_about_vectors_counts_numbers_layers_and_pieces() -> None:
    one = say.about_vectors(
        {"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 1)}
    )
    assert one.startswith("The first of 7 numbers.")
    assert "what layer 3 makes of it" in one
    assert "pieces" not in one
    two = say.about_vectors(
        {"A": "bank"}, {"A": WordPath((frozen([0] * 11), *(frozen([0] * 7),) * 4), 2)}
    )
    assert two.endswith("cuts “bank” into 2 pieces; its numbers are their mean.")
    paths = {name: WordPath((frozen([0] * 7),) * 5, n) for name, n in (("A", 2), ("B", 2))}
    both = say.about_vectors({"A": "bankers", "B": "shores"}, paths)
    assert "“bankers” into 2 pieces" in both
    assert "“shores” into 2 pieces" in both
    assert "the same in every sentence" not in both


def agreement(worst: float, numbers: int = 617) -> Agreement:
    return Agreement({"hidden": worst, "query": 0.0}, numbers)


def test_agreed_to_the_last_bit() -> None:
    said = say.agreed([agreement(0), agreement(0, 1000)], 1e-5)
    assert "All **1,617** numbers" in said
    assert "largest difference is **0**." in said
    assert "do not agree" not in said


def test_agreed_within_the_bound() -> None:
    said = say.agreed([agreement(1.23e-7), agreement(0)], 1e-5)
    assert "they agree: over 1,234 numbers" in said
    assert "largest difference is **1.2e-07** (they should stay below 1e-05)." in said
    assert "they agree" in say.agreed([agreement(1e-5)], 1e-5)


def test_not_agreed_beyond_the_bound() -> None:
    said = say.agreed([agreement(0), agreement(2e-5)], 1e-5)
    assert "they **do not agree**" in said
    assert "**2.0e-05**" in said


def spread(low: float, high: float) -> Spread:
    least, middle, most = (np.array([1.0, edge]) for edge in (low, (low + high) / 2, high))
    return Spread(least, least, middle, most, most, 56)


BANK = ("bank", "bank")
KNOWN = say.Known(
    SenseRange(spread(0.78, 0.91), spread(0.64, 0.87)),
    PlaceRange({}, spread(0.0, 0.39)),
)


@pytest.mark.parametrize(
    ("cosine", "gap", "said"),
    [
        (0.85, 0.49, ("within that", "more than that")),
        (0.78, 0.39, ("within that", "no more than that")),
        (0.95, 0.06, ("above that", "no more than that")),
        (0.9149, 0.4, ("within that", "**more than that")),
        (0.6, 0.5, ("below that", "**more than that")),
    ],
)
def test_read_cosine_beside_what_one_sense_shows(
    cosine: float, gap: float, said: tuple[str, str]
) -> None:
    found = say.read_cosine(BANK, frozen([1, cosine]), gap, KNOWN)
    assert f"from 1.00 to **{style.signed(cosine)}**" in found
    assert ".78 to .91" in found
    assert "up to .39 apart" in found
    for part in said:
        assert part in found


def test_read_cosine_without_labelled_sentences_claims_nothing() -> None:
    found = say.read_cosine(BANK, frozen([1, 0.85]), 0.49, None)
    assert ".85" in found
    assert "tells little" in found
    assert "apart" not in found


def test_two_equal_vectors_do_not_fall() -> None:
    assert "point the same way" in say.read_cosine(BANK, frozen([1, 0.99999]), 0.0, KNOWN)


def test_read_cosine_of_two_words_names_both_and_where_they_start() -> None:
    said = say.read_cosine(("bank", "shore"), frozen([0.3, 0.5, 0.7]), 0.2, KNOWN)
    assert said.startswith(
        "The cosine similarity of **bank** in A and **shore** in B goes from .30 to **.70**."
    )
    assert "sentences" not in said


def test_without_senses_the_start_is_told_all_the_same() -> None:
    assert say.start_without_axis(BANK) == "In both sentences **bank** starts from one learned vector."
    assert "two learned vectors" in say.start_without_axis(("bank", "shore"))


def test_a_plain_projection_says_its_shares_and_that_it_shows_depth() -> None:
    said = legends.of_projection(BANK, frozen([0.714, 0.1]))
    assert "The 2 directions" in said
    assert "71 %, 10 % of their spread" in said
    assert "depth, not meaning" in said


def test_legends_name_what_the_word_is_held_against() -> None:
    assert "“bank” alone" in legends.of_cosine(BANK)
    assert "“bank” and “shore” alone" in legends.of_cosine(("bank", "shore"))
    assert "17 %" in legends.of_plane(BANK, 0.171)


def test_the_gap_is_the_difference_of_the_printed_numbers() -> None:
    a, b = frozen([-0.6, 0, -0.414]), frozen([-0.6, 0, -0.846])  # −.41 and −.85
    assert say.apart(a, b) == pytest.approx(0.44)
    assert ".44 apart" in say.claim(BANK, a, b, low="money", high="river")


def test_a_gap_within_one_sense_is_told_as_such_and_names_no_winner() -> None:
    said = say.claim(
        BANK, frozen([0, 0, -0.3]), frozen([0, 0, -0.4]), low="money", high="river", same=0.104
    )
    assert said.endswith(".10 apart, **no more than within one sense**.")
    assert "pulled" not in said


def test_what_pulled_is_the_sentence_that_took_the_word_further() -> None:
    said = say.claim(BANK, frozen([0.2, 0, 0.3]), frozen([0.2, 0, -0.6]), low="money", high="river")
    assert said.endswith("Sentence B has pulled **bank** away from *river*, towards *money*.")
