"""What is shown before a visitor's first step was recorded from the recipe that the form shows."""

from __future__ import annotations

import json

import pytest

from core.tasks import TASKS
from core.tasks.training import recipe_code
from core.tasks.training.run import every
from pages.training import pictures, recorded

RECORDED = json.loads(recorded.FILE.read_text("utf-8"))


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_training_has_the_steps_of_its_recipe_and_reaches_its_goal(name: str) -> None:
    task = TASKS[name]  # type: ignore[index]
    found = recorded.of(recipe_code.write(task.recipe.to_dict()))
    assert found is not None
    apart = every(task.recipe.steps)
    assert found.steps == (*range(0, task.recipe.steps, apart), task.recipe.steps)
    assert found.seed == task.recipe.seed
    assert all(len(row) == len(found.steps) for row in found.curves.values())
    assert found.curves["accuracy"][-1] >= task.goal.accuracy
    assert found.curves["pattern"][-1] >= task.goal.pattern


def test_it_begins_where_the_untrained_model_of_the_page_stands() -> None:
    found, seen = recorded.of("reverse"), pictures.untrained("reverse")
    assert found is not None
    assert found.block == pictures.blocks(seen.snapshots[0])[0]
    for what in pictures.CURVES:
        assert found.curves[what][0] == pytest.approx(pictures.points(seen, what)[0][1], abs=2e-3)


@pytest.mark.parametrize("other", ["reverse~sd4", "reverse~n40"])
def test_other_settings_have_no_recorded_training(other: str) -> None:
    assert recorded.of(other) is None
