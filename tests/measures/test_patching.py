"""Where the difference is held, from numbers that can be read off."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures import Holder, holders, leads_from, most_apart, sharers, strongest_heads
from core.records.prediction import Expectation, likeliest
from tests.records.test_patching import FLOWS, patching


def test_stretches_of_depths_at_one_token() -> None:
    assert holders(patching(FLOWS)) == (Holder(1, 0, 1), Holder(2, 2, 3))


def test_where_no_token_has_it_all_there_is_a_gap() -> None:
    some = [[-1, 3, -1], [-1, 1, 1], [-1, 2.7, -1], [-1, -1, 3]]
    assert holders(patching(some)) == (Holder(1, 0, 0), Holder(1, 2, 2), Holder(2, 3, 3))


def test_what_overshoots_in_both_directions_sits_in_no_one_place() -> None:
    some = [[-1, 3, -1], [-3.5, 5, -1], [0.5, 3, -1], [1.5, 3, -1], [-1, -1, 3]]
    assert holders(patching(some)) == (Holder(1, 0, 0), Holder(1, 2, 2), Holder(2, 4, 4))


def test_who_has_a_part_and_from_where_on_one_has_the_largest() -> None:
    found = patching([[-1, 3, -1], [-1, 2, -1.2], [-1, -0.8, 1], [-1, 1, 1.4], [-1, -1, 3]])
    assert sharers(found, 1, 4) == {1: ((1, 1), (3, 3)), 2: ((2, 3),)}
    assert leads_from(found, 2, 4) == 2
    assert leads_from(found, 1, 2) == 0
    assert sharers(found, 2, 2) == {}


def test_only_a_complete_patching_by_position_says_so() -> None:
    with pytest.raises(ValueError, match="complete"):
        holders(patching([[np.nan, 1, 1]]))
    with pytest.raises(ValueError, match="complete"):
        holders(patching([[0, 1]], by="head"))


def test_the_strongest_heads_in_either_direction() -> None:
    found = patching([[-1, 0], [2, -4], [np.nan, -1]], by="head")
    assert strongest_heads(found, 3) == ((1, 0), (1, 1), (0, 1))
    with pytest.raises(ValueError, match="by position"):
        strongest_heads(patching(FLOWS), 1)


NAMES = (" the", " Paris", " Rome", ".", " a")


def expects(*shares: float) -> Expectation:
    """What follows a prompt, by the probabilities of `NAMES`."""
    logits = np.log(np.array(shares, np.float32))
    ids = likeliest(logits)
    names = tuple(NAMES[i] for i in ids)
    return Expectation(3, "next", logits, ids, names, names)


def test_two_prompts_with_one_answer_differ_most_in_two_other_words() -> None:
    a, b = expects(0.5, 0.2, 0.02, 0.08, 0.2), expects(0.5, 0.01, 0.2, 0.01, 0.28)
    assert most_apart(a, b) == (1, 2)
    assert most_apart(b, a) == (2, 1)
    assert most_apart(a, b, lambda token: token != 1) == (3, 2)
    assert most_apart(a, b, lambda token: token == 1) is None
    assert most_apart(a, a) is None


def test_what_is_no_answer_to_its_own_prompt_is_not_named() -> None:
    a, b = expects(0.6, 0.0005, 0.2, 0.0995, 0.1), expects(0.5, 1e-9, 0.2, 0.1, 0.2)
    assert most_apart(a, b) == (0, 4)
