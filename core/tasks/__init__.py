"""Toy languages to learn, the training loop, and the models that result from it.

    from core.tasks import TASKS, train
    training = train(TASKS["reverse"].recipe)
    for snapshot in training:
        print(snapshot.step, snapshot.accuracy, snapshot.pattern)
    training.trained().translate("transformer")

`languages` holds the tasks (`languages.task` defines what a task provides, `languages.catalogue` lists
them); they import no torch. `training` turns a recipe into a model. `trained` holds what the model can
then do: translate, trace, attribute, save.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .languages.catalogue import TASKS
from .languages.grammar import Sentence
from .languages.task import Goal, Task
from .languages.vocabulary import Vocabulary
from .training.recipe import BOUNDS, Bound, Recipe, TaskName

if TYPE_CHECKING:
    from .trained.decoding import Decoding
    from .trained.files import dump, load
    from .trained.shipping import Figures, shipped
    from .trained.trained import Trained
    from .trained.writing import Chance, Written
    from .training.loop import Training, train
    from .training.snapshot import Snapshot

# These import torch; the tasks themselves and their recipes must not, so that light pages open at once.
_HOME = {
    "Chance": ".trained.writing",
    "Decoding": ".trained.decoding",
    "Figures": ".trained.shipping",
    "Snapshot": ".training.snapshot",
    "Trained": ".trained.trained",
    "Training": ".training.loop",
    "Written": ".trained.writing",
    "dump": ".trained.files",
    "load": ".trained.files",
    "shipped": ".trained.shipping",
    "train": ".training.loop",
}

__all__ = [
    "BOUNDS",
    "TASKS",
    "Bound",
    "Chance",
    "Decoding",
    "Figures",
    "Goal",
    "Recipe",
    "Sentence",
    "Snapshot",
    "Task",
    "TaskName",
    "Trained",
    "Training",
    "Vocabulary",
    "Written",
    "dump",
    "load",
    "shipped",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'core.tasks' has no attribute {name!r}")
    return getattr(import_module(_HOME[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
