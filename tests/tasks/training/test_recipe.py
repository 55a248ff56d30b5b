"""Recipes come from links and files: nothing in them is trusted."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any, get_args

import pytest

from core.errors import SettingError
from core.tasks import BOUNDS, TASKS, Recipe, TaskName
from core.tasks.training.recipe import Decay, Positions
from core.transformer import config

SORT = TASKS["sort"].recipe


def test_every_task_has_its_name_and_a_default_recipe() -> None:
    assert set(TASKS) == set(get_args(TaskName))
    for name, task in TASKS.items():
        assert task.name == task.recipe.task == name


def test_positions_are_those_of_the_transformer() -> None:
    # core.tasks.training.recipe does not import core.transformer, which imports torch.
    # It has none that only published models have: biases for distances, and another order of sines.
    published = {"linear bias", "relative bias", "sinusoidal halves"}
    wanted = [one for one in get_args(config.Positions) if one not in published]
    assert [*get_args(Positions)] == wanted


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_a_recipe_survives_json(task: Any) -> None:
    assert Recipe.from_dict(json.loads(json.dumps(task.recipe.to_dict()))) == task.recipe


def test_the_rate_rises_and_falls() -> None:
    def rates(decay: Decay) -> list[float]:
        recipe = dataclasses.replace(SORT, steps=6, warm_up=2, learning_rate=0.8, decay=decay)
        return [recipe.rate(step) for step in range(1, 7)]

    assert rates("none") == pytest.approx([0.4, 0.8, 0.8, 0.8, 0.8, 0.8])
    # After the warm-up: 4 steps, of which each takes a quarter; none is at 0.
    assert rates("linear") == pytest.approx([0.4, 0.8, 0.8, 0.6, 0.4, 0.2])
    halves = [0.8 * (1 + math.cos(math.pi * part / 4)) / 2 for part in range(4)]
    assert rates("cosine") == pytest.approx([0.4, 0.8, *halves])


def test_a_warm_up_longer_than_the_training_only_rises() -> None:
    recipe = dataclasses.replace(SORT, steps=3, warm_up=10, learning_rate=1.0)
    assert [recipe.rate(step) for step in (1, 3)] == pytest.approx([0.1, 0.3])


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("bad", ["7", None, True, [1], math.nan, math.inf, -1, 10**400])
def test_numbers_are_checked(name: str, bad: object) -> None:
    with pytest.raises(SettingError, match=rf"^{name} in a recipe is .*; it must be a "):
        dataclasses.replace(SORT, **{name: bad})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(set(BOUNDS) - {"learning_rate", "guidance"}))
def test_whole_numbers_are_whole(name: str) -> None:
    with pytest.raises(SettingError, match="whole number"):
        dataclasses.replace(SORT, **{name: 4.0})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "multiply"}, "task in a recipe is “multiply”; it must be one of copy, reverse"),
        ({"task": ["copy"]}, r"task in a recipe is \['copy'\]"),
        ({"decay": "exponential"}, "none, linear, cosine"),
        ({"positions": None}, "positions in a recipe is None"),
        ({"norm_first": 1}, "norm_first in a recipe is 1; it must be true or false"),
        ({"d_model": 10, "n_heads": 4}, "d_model 10 does not divide into 4 heads"),
        ({"d_model": 10, "n_heads": 5, "n_cross_heads": 4}, "into 4 heads.*n_cross_heads"),
        ({"d_model": 12, "n_heads": 4, "positions": "rotary"}, "a head of 3 is odd"),
        ({"n_encoder_layers": 0}, "“sort” has 0 encoder layers in this recipe; its model needs"),
        ({"task": "bank"}, "“bank” has 1 decoder layers in this recipe; its model has no decoder"),
        ({"task": "x" * 10_000}, "xxx…"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message) as refused:
        dataclasses.replace(SORT, **changes)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("bad", [None, [], "copy", 3, {}])
def test_what_is_no_recipe_is_refused(bad: object) -> None:
    with pytest.raises(SettingError, match="A recipe"):
        Recipe.from_dict(bad)


def test_unknown_and_missing_values_are_named() -> None:
    values = SORT.to_dict()
    with pytest.raises(SettingError, match="does not know “dropout”"):
        Recipe.from_dict(values | {"dropout": 0.1})
    with pytest.raises(SettingError, match="does not know 5"):
        Recipe.from_dict(values | {5: 0.1})
    del values["batch"]
    with pytest.raises(SettingError, match="needs batch"):
        Recipe.from_dict(values)
