"""The translation models that come with Polysee, one a direction, and their measured accuracy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import NotSupported
from ..languages.catalogue import TASKS
from ..languages.directions import DIRECTIONS
from ..languages.to_english import ToEnglish
from ..languages.translation import Translation
from ..training.batches import collate
from ..training.measuring import measure
from ..training.recipe import TaskName
from . import files
from .trained import Trained

FOLDER = Path(__file__).parent / "shipped"
COUNT = 500


class Figures(NamedTuple):
    """What the translation model does on sentences that training never showed. Shares from 0 to 1.

    Attributes:
        exact: of `COUNT` unseen sentences, how many are translated without a mistake.
        alignment: of their words, how many attend across to the word that they translate.
        exact_pairs: of `COUNT` sentences with an adjective that training never showed describing its
            noun, how many are translated without a mistake.
    """

    exact: float
    alignment: float
    exact_pairs: float


def weights(task: TaskName = "translation") -> Path:
    """The file of the model of a direction."""
    return FOLDER / f"{task}.safetensors"


def description(task: TaskName = "translation") -> Path:
    """The file that says how it was made, and what it does."""
    return FOLDER / f"{task}.json"


def shipped(task: TaskName = "translation") -> Trained:
    """The translation model that comes with Polysee: "translation" into French, or "to-english".

    Raises:
        NotSupported: none is shipped for this task.
        ModelBroken: the file in the package is not the one that was shipped.
    """
    if task not in DIRECTIONS:
        raise NotSupported(f"No model for the task “{task}” comes with Polysee.")
    return files.load(weights(task).read_bytes())


def figures(trained: Trained) -> Figures:
    """Measure a translation model, greedily; about a second."""
    task = TASKS[trained.recipe.task]
    assert isinstance(task, Translation | ToEnglish)
    seen = measure(trained.net, task, collate(task.held_out(COUNT)))
    pairs = DIRECTIONS[task.name].unseen_pairs(COUNT)
    on_pairs = measure(trained.net, task, collate([task.example(sentence) for sentence in pairs]))
    return Figures(seen.accuracy, seen.pattern, on_pairs.accuracy)


def published(task: TaskName = "translation") -> dict[str, Any]:
    """The description beside the shipped weights: the same figures, and how they were made."""
    about: dict[str, Any] = json.loads(description(task).read_text("utf-8"))
    return about
