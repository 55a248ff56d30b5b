"""Recipes in one word, examples in words, and word vectors in a plane."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.errors import SettingError
from core.tasks import TASKS, TaskName
from core.tasks.languages import readable
from core.tasks.training import recipe_code
from core.tasks.training.plane import plane


@pytest.mark.parametrize("name", TASKS)
def test_a_recipe_goes_through_a_word(name: TaskName) -> None:
    usual = TASKS[name].recipe
    assert recipe_code.write(usual) == name
    other = dataclasses.replace(
        usual, seed=7, steps=31, learning_rate=1e-5, decay="cosine", norm_first=not usual.norm_first
    )
    assert recipe_code.read(recipe_code.write(other)) == other
    assert set(recipe_code.write(other)) <= set("abcdefghijklmnopqrstuvwxyz0123456789~-.")


@pytest.mark.parametrize(
    "typed",
    [
        *("", "x", "<b>", "reverse~", "reverse~zz1", "reverse~n0", "reverse~nmany", "reverse~sd1.5"),
        *("reverse~pre2", "reverse~lrnan", "reverse~d63", "reverse~en0", "reverse~dcup"),
        "reverse" + "~n1" * 99,
    ],
)
def test_what_is_no_recipe_is_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(SettingError, match=r"\.$"):
        recipe_code.read(typed)


def test_examples_in_words() -> None:
    found = {name: readable.text_of(task, task.probe()) for name, task in TASKS.items()}
    assert found["reverse"] == ("polysemant", "tnamesylop")
    assert found["sort"] == ("polysemant", "aelmnopsty")
    assert found["induction"] == ("polysemantpolyseman", "olysemant")
    assert found["bank"] == ("near the river the old bank [MASK] .", "flooded")
    assert found["translation"] == ("i am a student", "je suis étudiant")
    assert readable.examples(TASKS["reverse"], 2)[1] == ("kghxz", "zxhgk")


def test_the_words_that_are_shown() -> None:
    words = readable.words(TASKS["translation"])
    assert {name for name, probe in zip(words.names, words.of_probe, strict=True) if probe} == {
        "i",
        "am",
        "a",
        "student",
    }
    letters = readable.words(TASKS["copy"])
    assert "".join(letters.names) == "abcdefghijklmnopqrstuvwxyz"
    assert letters.ids[:2] == TASKS["copy"].target.ids("ab")
    assert {"bank", "river", "cake"} <= {*readable.words(TASKS["bank"]).names}


def test_a_plane_has_the_largest_spread_and_turns_as_little_as_can_be() -> None:
    table = np.array([[3, 0, 0], [-3, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]], np.float32)
    found = plane(table + 5)
    assert found.share == pytest.approx(26 / 28)
    np.testing.assert_allclose(
        np.abs(found.coordinates), [[3, 0], [3, 0], [0, 2], [0, 2], [0, 0], [0, 0]], atol=1e-6
    )
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    before = found._replace(coordinates=found.coordinates @ turn)
    np.testing.assert_allclose(plane(table, before).coordinates, before.coordinates, atol=1e-5)
