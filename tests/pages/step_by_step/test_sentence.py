"""How Step by step reads a text, and writes a step into a file."""

from __future__ import annotations

import numpy as np
import pytest

from core.walkthroughs import tiny, tiny_numbers
from core.walkthroughs.steps.ablations import reordered
from pages.step_by_step import computed, shown_step
from pages.step_by_step.sentence import Sentence


@pytest.mark.parametrize(
    ("ids", "special", "backwards"),
    [
        ((101, 7, 8, 9, 102), (True, False, False, False, True), (101, 9, 8, 7, 102)),
        ((7, 8, 9), (False, False, False), (9, 8, 7)),  # as GPT-2 reads: no marks
        ((7, 8, 2), (False, False, True), (8, 7, 2)),
        ((7,), (False,), (7,)),
    ],
)
def test_back_to_front_the_marks_stay(
    ids: tuple[int, ...], special: tuple[bool, ...], backwards: tuple[int, ...]
) -> None:
    names = tuple(map(str, ids))
    read = Sentence("", names, ids, tuple(0 for _ in ids), names, special, cut=False)
    assert read.backwards == backwards
    assert reordered(ids, read.backwards) is not None


def test_the_tiny_model_says_what_it_leaves_out() -> None:
    assert computed.left_out("The more, the merrier!") == ""
    said = computed.left_out("the more the merrier better less")
    assert "four positions" in said
    assert "“better less” are left out" in said
    assert computed.left_out("the more the merrier, better").endswith("“better” is left out.")


def test_the_file_says_that_hidden_scores_are_infinite() -> None:
    ids = tiny_numbers.read_words("the more, the merrier!")
    steps = {one.name: one for one in tiny.tiny_steps(ids, tiny_numbers.NUMBERS, causal=True)}
    mask, weights = (
        shown_step.table(steps[name].result, steps[name].kind).to_numpy()
        for name in ("mask", "weights")
    )
    above = np.triu(np.ones((4, 4), bool), 1)
    assert (mask[above] == -np.inf).all()
    assert np.isfinite(mask[~above]).all()
    assert (weights[above] == 0).all()
