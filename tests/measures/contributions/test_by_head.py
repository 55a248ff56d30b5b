"""The row of a word in one head: by hand."""

from __future__ import annotations

import numpy as np

from core.measures.contributions.by_head import head_why, words_to_cut_for_head
from tests.measures.contributions.test_by_word import sums, trace


def test_by_hand() -> None:
    # The head moves 6 to 11, half of it to the word: 3, 3.5, 4 + 4.5, 5, 5.5.
    cuts = {(0,): 0.5, (1,): -3.5, (2, 3): -8.0, (5,): -6.0}
    found = head_why(sums(), trace(), 0, 1, cuts)
    assert (found.layer, found.head) == (0, 1)
    assert found.words == ("[CLS]", "the", "embankment", "bank", "[SEP]")
    assert found.own == (3,)
    assert found.adds.tolist() == [3, 3.5, 8.5, 5, 5.5]
    assert found.elsewhere == 25.5  # of 51
    np.testing.assert_allclose(found.attention, [0.1, 0.1, 0.2, 0.5, 0.1], atol=1e-6)
    assert found.shown == (0, 1, 2, 4)
    # Only [CLS] contributes 3, although cutting it raises the word by .5.
    assert [found.words[i] for i in found.at_odds] == ["[CLS]"]


def test_which_looks_are_cut() -> None:
    # The largest contribution comes from both pieces of “embankment”; the word itself is always
    # included.
    assert words_to_cut_for_head(sums(), trace(), 0, 1, 2) == ((2, 3), (4,))
    assert len(words_to_cut_for_head(sums(), trace(), 0, 1, 9)) == 5
