"""What the page says of two prompts, from numbers that can be read off."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np

from core.records.prediction import Expectation
from pages.next_word.prompts import captions, nearby
from tests.records.test_patching import FLOWS, patching


def test_where_it_sits_and_from_when_on_at_the_last_word() -> None:
    assert captions.headline(patching(FLOWS)) == (
        "Up to layer 1, all of the difference sits at *red*/*blue*; from layer 2 on it sits at the "
        "last word, *cat*."
    )


def test_another_token_in_between_is_named() -> None:
    some = [[-1, 3, -1], [3, -1, -1], [3, -1, -1], [-1, -1, 3]]
    assert captions.headline(patching(some)) == (
        "At the input, all of the difference sits at *red*/*blue*; from layer 1 to 2 at *The* and only "
        "after the last layer it sits at the last word, *cat*."
    )


def test_tokens_that_share_it_in_between_are_named() -> None:
    some = [[-1, 3, -1], [-1, 1, 1], [-1, 0.6, 2], [-1, -1, 3]]
    assert captions.headline(patching(some)) == (
        "At the input, all of the difference sits at *red*/*blue*; then it is shared by *red*/*blue* "
        "and *cat* (layers 1 to 2), the largest part at *cat* from layer 2 on; only "
        "after the last layer it sits at the last word, *cat*."
    )
    late = [[-1, 3, -1], [-1, 2, -1.2], [-1, 2, -0.7], [-1, 1, 1.4], [-1, -1, 3]]
    said = captions.headline(patching(late))
    assert "*red*/*blue* (layers 1 to 3) and *cat* (layer 3), the largest part at *cat* from" in said
    alone = [[-1, 3, -1], [-1, 1, -1], [-1, -1, 3]]
    assert "share" not in captions.headline(patching(alone))


def test_a_word_that_holds_less_than_all_is_said_with_how_much() -> None:
    some = [[-1, 3, -1], [-1, 2.66, -1], [-1, -1, 3], [-1, -1, 3]]
    said = captions.headline(patching(some))
    assert said.startswith("Up to layer 1, at least 91 % of the difference sits at *red*/*blue*;")


def test_no_single_word_is_said_with_the_shares() -> None:
    some = [[0, 1, -1], [-1, -1, -1], [-1, -1, 3]]
    found = patching(
        some,
        words=np.array([0.0, 1.0, -1.0]),
        tokens=(("The", "Ġred", "Ġcat"), ("A", "Ġblue", "Ġcat")),
        texts=("The red cat", "A blue cat"),
        offsets=(((0, 3), (3, 7), (7, 11)), ((0, 1), (1, 6), (6, 10))),
    )
    assert captions.headline(found) == (
        "No single word holds all of the difference at the input: *red*/*blue* 50 % and *The*/*A* "
        "25 %; only after the last layer it sits at the last word, *cat*."
    )


def test_the_last_word_itself_may_differ() -> None:
    found = patching([[-1, -1, 3], [-1, -1, 3]], words=np.array([-1.0, -1.0, 3.0]))
    assert captions.headline(found) == (
        "From the input on, all of the difference sits at the last word, *cat*."
    )


def test_heads_in_either_direction() -> None:
    found = patching([[-1, 1.2], [-2, -1]], by="head", at=2)
    assert captions.headline(found) == (
        "Put in at the last word, head 2 of layer 1 alone brings 55 % back; head 1 of layer 2 (−25 %) "
        "works against it."
    )
    both = captions.headline(patching([[-1, 1.2], [-2, 0.2]], by="head", at=2))
    assert "; next comes head 2 of layer 2 (30 %); head 1 of layer 2 (−25 %) works against it." in both
    other = captions.headline(patching([[-3, -1], [-1, 0]], by="head", at=1))
    assert "pushes away by 50 %; head 2 of layer 2 (25 %) brings a part back." in other
    away = captions.headline(patching([[-3, -1], [-1, -1]], by="head", at=1))
    assert away == "Put in at *red*/*blue*, head 1 of layer 1 alone pushes away by 50 %."
    none = captions.headline(patching([[-1, -1.02]], by="head"))
    assert none == (
        "Put in at all tokens, no single head brings as much as 1 % of the difference back."
    )


def test_what_is_measured_has_its_numbers_and_one_run_its_share() -> None:
    found = patching(FLOWS, answers=(" <b>", "\n"))
    assert (
        "the logit of *\\<b\\>* is 3.00 above that of *\\(line break\\)*, after B 1.00 below it"
        in captions.ends(found)
    )
    said = captions.cell(found, 1, 1)
    assert "the state of A at *red*/*blue*, after layer 1: 110 % comes back" in said
    assert "+3.40 logits" in said
    assert "at the input: 0 %" in captions.cell(found, 0, 0)


def test_a_slash_in_a_text_stays() -> None:
    found = patching(
        FLOWS,
        texts=("a / cat", "a b cat"),
        tokens=(("a", "/", "cat"), ("a", "b", "cat")),
        offsets=(((0, 1), (1, 3), (3, 7)), ((0, 1), (1, 3), (3, 7))),
    )
    assert captions.names_of(found)[1] == "*\\/*/*b*"


def test_the_answers_and_the_colours_are_said_above_the_grid() -> None:
    found = patching(FLOWS, answers=(" Mary", " John"))
    said = captions.colours(found, _expected(found.ids))
    assert said.startswith("After A the model says *Mary*, after B *John*.")
    assert found.a > found.b  # A's answer is nearer to *Mary*: that is green
    assert (
        said.index("**Green**") < said.index("*Mary*, at 100 %") < said.index("further towards *John*")
    )
    other = captions.colours(found, _expected(found.ids[::-1]))  # answers that somebody has named
    assert other.startswith("Two answers are compared: *Mary* for A, *John* for B.")


def _expected(ids: tuple[int, int]) -> tuple[Expectation, Expectation]:
    """Each with its likeliest token alone."""
    one, other = (SimpleNamespace(ids=(i,)) for i in ids)
    return cast(tuple[Expectation, Expectation], (one, other))


def test_prompts_that_fit_have_one_word_of_the_other_the_last_of_a_phrase_first() -> None:
    some = [*nearby.with_one_word("The dog sat on the", "My small cat sat on a")]
    assert some[0] == "The cat sat on the"
    assert {"The dog sat on a", "My dog sat on the"} <= {*some}
    assert not [*nearby.with_one_word("The dog sat", "The dog sat")]
    assert not [*nearby.with_one_word("The dog sat", "The old dog sat")]
    assert not [*nearby.with_one_word("", "")]
