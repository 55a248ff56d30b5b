"""Train the translation models again, and write the files that ship with Polysee.

python -m core.tasks.trained.ship [to-english …]
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence

import torch

from ..languages.catalogue import TASKS
from ..languages.directions import DIRECTIONS
from ..training.loop import train
from ..training.recipe import Recipe, TaskName
from . import files
from .shipping import COUNT, FOLDER, description, figures, weights


def recipe(task: TaskName) -> Recipe:
    """The default recipe with more steps: these models may take longer."""
    return dataclasses.replace(TASKS[task].recipe, steps=4000, learning_rate=3e-3)


def main(tasks: Sequence[str]) -> None:
    """Train on one thread, write the weights in float16, and measure the written model."""
    torch.set_num_threads(1)
    for task in DIRECTIONS:
        if not tasks or task in tasks:
            ship(task)


def ship(task: TaskName) -> None:
    """Train one direction and write its files."""
    training = train(recipe(task), every=500)
    for seen in training:
        print(f"step {seen.step}: exact {seen.accuracy:.1%}, alignment {seen.pattern:.1%}", flush=True)
    data = files.dump(training.trained(), half=True)
    measured = figures(files.load(data))
    FOLDER.mkdir(exist_ok=True)
    weights(task).write_bytes(data)
    about = {
        "written_by": "python -m core.tasks.trained.ship",
        "bytes": len(data),
        "sentences": COUNT,
        **measured._asdict(),
        "recipe": recipe(task).to_dict(),
    }
    description(task).write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    print(f"written: {weights(task)} ({len(data) / 1e6:.2f} MB)")
    print(
        f"of {COUNT} unseen sentences {measured.exact:.1%} are exact, and {measured.alignment:.1%} of "
        f"their words attend to the word that they translate; with adjectives that training never "
        f"showed describing their nouns {measured.exact_pairs:.1%} are exact."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
