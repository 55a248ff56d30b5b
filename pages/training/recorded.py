"""What each task's own recipe comes to, recorded: shown in grey before a visitor's first step.

`python -m tools.recorded_trainings` writes the file, out of trainings like those of the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.memory import cached
from core.records.attention import Attention
from core.tasks import TASKS

FILE = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True, eq=False)
class Recorded:
    """One training that was recorded.

    Attributes:
        seed: of its recipe.
        steps: of its snapshots.
        curves: for each name of a curve, its value at each of these steps.
        block: the attention block that the task is about.
        after: its attention of the probe after the last step, the mean of the last layer's heads.
    """

    seed: int
    steps: tuple[int, ...]
    curves: Mapping[str, tuple[float, ...]]
    block: str
    after: Attention


def of(written: str) -> Recorded | None:
    """The recorded training of a recipe (see `core.tasks.training.recipe_code`), if there is one."""
    from core.tasks.training import recipe_code

    recipe = recipe_code.read(written)
    return _every().get(recipe.task) if recipe == TASKS[recipe.task].recipe else None


@cached()
def _every() -> dict[str, Recorded]:
    return {name: _read(one) for name, one in json.loads(FILE.read_text("utf-8")).items()}


def _read(one: Mapping[str, Any]) -> Recorded:
    weights = np.array(one["weights"], np.float64)
    weights /= weights.sum(-1, keepdims=True)  # they were rounded
    after = Attention(tuple(one["queries"]), tuple(one["keys"]), weights[None, None].astype(np.float32))
    curves = {name: tuple(row) for name, row in one["curves"].items()}
    return Recorded(one["seed"], tuple(one["steps"]), curves, one["block"], after)
