"""The words of a step in the language of the screen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import localization
from core.localization.catalogues import ENGLISH
from core.walkthroughs.steps.descriptions import ALONE, STEPS, Words
from core.walkthroughs.steps.record import Groups, Matrix, Step
from core.walkthroughs.steps.spoken import spoken

ONE = Matrix("K", np.zeros((1, 1), np.float32), ("the",), ("1",))


def made(name: str, words: Words, *notes: str) -> Step:
    return Step(name, words.title, words.formula, words.why, (), ONE, "pieces", notes=notes)


@pytest.mark.parametrize(("head", "said"), [(4, "Heads 4 to 6 share it"), (0, "Heads 1 to 3 share it")])
def test_a_key_that_heads_share_says_which(head: int, said: str) -> None:
    step = replace(made("key", ALONE["key"]), groups=Groups(9, 3, head))
    told = spoken(step).why
    assert told.startswith(ALONE["key"].why)
    assert f"{said}: 9 heads of queries have 3 heads" in told
    assert spoken(replace(step, groups=Groups(4, 2, 1))).why.count("Heads 1 and 2 share it") == 1
    assert spoken(replace(step, name="query")).why == ALONE["key"].why  # each head has its own query


def test_in_english_it_is_as_it_was() -> None:
    for name, words in STEPS.items():
        step = made(name, words)
        assert spoken(step).formula == words.formula
        assert (spoken(step).title, spoken(step).why) == (words.title, words.why)


def test_in_another_language_its_formula_speaks_it_too_and_its_notes_are_those_given() -> None:
    step = made("pieces", STEPS["pieces"], "the whole word “the”")
    assert spoken(step).notes == step.notes
    for one in localization.languages():
        if one.code == ENGLISH:
            continue
        with localization.spoken(one.code):
            told = spoken(step, ("given",))
            assert told.notes == ("given",)
            assert told.title != step.title
            assert told.why != step.why
            assert r"\text{pieces}" not in told.formula
            assert told.formula.count(r"\text{") == step.formula.count(r"\text{") == 3
            assert spoken(made("scores", STEPS["scores"]), ("given",)).notes == ()
