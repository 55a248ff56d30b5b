"""The effect of a change on predictions, by hand."""

from __future__ import annotations

import numpy as np

from core.measures.contributions.expectation_shifts import shift
from core.records.interventions import Expected
from core.records.prediction import Expectation, likeliest


def expects(*chances: float) -> Expectation:
    logits = np.log(np.array(chances, np.float32))
    ids = likeliest(logits)
    names = tuple("abcde"[i] for i in ids)
    return Expectation(3, "masked", logits, ids, names, tuple(f" {name}" for name in names))


def test_the_likeliest_of_both_runs_by_hand() -> None:
    before, after = expects(0.5, 0.2, 0.1, 0.15, 0.05), expects(0.1, 0.2, 0.05, 0.05, 0.6)
    found = shift(Expected(before, after), 2)
    assert found.tokens == ("a", "b", "e")  # the two first of each run, by the first run
    assert found.texts == (" a", " b", " e")
    assert found.position == 3
    np.testing.assert_allclose(found.before, [0.5, 0.2, 0.05], atol=1e-6)
    np.testing.assert_allclose(found.after, [0.1, 0.2, 0.6], atol=1e-6)
    np.testing.assert_allclose(found.difference, [-0.4, 0, 0.55], atol=1e-6)
    assert not shift(Expected(before, before), 3).difference.any()
