"""Record the curves and the last map of each task's recipe: `python -m tools.recorded_trainings`.

Names of tasks after it record these alone. The page Training shows them before a visitor's first step.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.tasks import TASKS, Recipe, train
from core.tasks.training.run import every
from core.tasks.training.threads import one_thread_here
from pages.training import pictures
from pages.training.recorded import FILE

DIGITS = 4


def recorded(recipe: Recipe) -> dict[str, Any]:
    """A whole training, as the page reads it."""
    training, apart = train(recipe), every(recipe.steps)
    seen = [training.advance(0)]
    while seen[-1].step < recipe.steps:
        seen.append(training.advance(apart))
    block = pictures.blocks(seen[-1])[0]
    attention = getattr(seen[-1], block)
    mean = np.asarray(attention.weights[-1], np.float64).mean(0)
    return {
        "seed": recipe.seed,
        "steps": [one.step for one in seen],
        "curves": {
            what: [round(float(getattr(one, what)), DIGITS) for one in seen] for what in pictures.CURVES
        },
        "block": block,
        "queries": attention.queries,
        "keys": attention.keys,
        "weights": [[round(float(one), DIGITS) for one in row] for row in mean],
    }


def main(names: Sequence[str]) -> None:
    """Record these tasks, or all, in the file that lies beside the page."""
    one_thread_here()
    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in names or TASKS:
        found[name] = recorded(TASKS[name].recipe)  # type: ignore[index]
        kept = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        FILE.write_text(kept + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
