"""The shipped translation models, one per direction, and their measured accuracy."""

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
    """The results of a translation model on held-out sentences, as shares from 0 to 1.

    Attributes:
        exact: the share of `COUNT` unseen sentences translated without an error.
        alignment: the share of their words whose cross-attention is on the word that they translate.
        exact_pairs: the share, translated without an error, of `COUNT` sentences with a pair of
            adjective and noun that is not in the training data.
    """

    exact: float
    alignment: float
    exact_pairs: float


def weights(task: TaskName = "translation") -> Path:
    """The weight file of the model for a direction."""
    return FOLDER / f"{task}.safetensors"


def description(task: TaskName = "translation") -> Path:
    """The file that describes how the model was made, and its results."""
    return FOLDER / f"{task}.json"


def shipped(task: TaskName = "translation") -> Trained:
    """The shipped translation model: "translation" into French, or "to-english".

    Raises:
        NotSupported: if none is shipped for this task.
        ModelBroken: if the file in the package is not the one that was shipped.
    """
    if task not in DIRECTIONS:
        raise NotSupported(f"No model for the task “{task}” comes with Polysee.")
    return files.load(weights(task).read_bytes())


def figures(trained: Trained) -> Figures:
    """Measure a translation model with greedy decoding; takes about a second."""
    task = TASKS[trained.recipe.task]
    assert isinstance(task, Translation | ToEnglish)
    seen = measure(trained.net, task, collate(task.held_out(COUNT)))
    pairs = DIRECTIONS[task.name].unseen_pairs(COUNT)
    on_pairs = measure(trained.net, task, collate([task.example(sentence) for sentence in pairs]))
    return Figures(seen.accuracy, seen.pattern, on_pairs.accuracy)


def published(task: TaskName = "translation") -> dict[str, Any]:
    """The description beside the shipped weights: the same results, and how the model was made."""
    about: dict[str, Any] = json.loads(description(task).read_text("utf-8"))
    return about
