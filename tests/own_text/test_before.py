"""The first weights of a model of a text, found again without the text."""

from __future__ import annotations

import numpy as np
import pytest

from core import own_text
from core.measures import model_difference

TEXT = own_text.ready()["garden"].text
RECIPE = own_text.TextRecipe("pairs", 30, layers=1, heads=2, width=16, window=16, steps=6, seed=5)


def test_a_model_before_its_first_step_is_the_one_that_the_training_began_with() -> None:
    training = own_text.TextTraining(TEXT, RECIPE)
    first = training.result()
    training.learn(RECIPE.steps)
    after = own_text.load(own_text.dump(training.result()))  # a file has no text, and needs none
    before = own_text.before_training(after)
    assert before.steps == 0
    assert before.weights.keys() == first.weights.keys()
    for name, one in before.weights.items():
        np.testing.assert_array_equal(one, first.weights[name])
    found = model_difference(own_text.opened(after), own_text.opened(before), "The rose is red")
    assert found.heads.max() > 0
    assert found.expected is not None
    alike = model_difference(own_text.opened(before), own_text.opened(first), "The rose is red")
    assert alike.heads == pytest.approx(0, abs=1e-6)
