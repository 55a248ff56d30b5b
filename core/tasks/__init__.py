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

from typing import TYPE_CHECKING

from .. import lazy
from .languages.catalogue import TASKS
from .languages.grammar import Sentence
from .languages.task import Goal, Task
from .languages.vocabulary import Vocabulary
from .training.recipe import BOUNDS, Bound, Recipe, TaskName

# These import torch; the tasks themselves and their recipes must not, so that light pages open at once.
if TYPE_CHECKING:
    from .trained.decoding import Decoding
    from .trained.files import dump, load
    from .trained.shipping import Figures, shipped
    from .trained.trained import Trained
    from .trained.writing import Chance, Written
    from .training.loop import Training, train
    from .training.snapshot import Snapshot
else:
    __getattr__, __dir__ = lazy.exports(__name__)

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
