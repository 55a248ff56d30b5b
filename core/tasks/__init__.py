"""Small languages to learn, the training loop, and the models that come of it.

    from core.tasks import TASKS, train
    training = train(TASKS["reverse"].recipe)
    for snapshot in training:
        print(snapshot.step, snapshot.accuracy, snapshot.pattern)
    training.trained().translate("transformer")

Order of the modules: `recipe`, `vocabulary` and `batches` are what all tasks share, `task` is what one
must have; `letters`, `induction`, `senses` and `bank`, `french`, `agreement`, `grammar` and
`translation` are the tasks, `catalogue` names them. So far there is no torch. `models`, `loss`,
`measuring`, `snapshot`, `learner` and `training` teach; `reading`, `tracing`, `writing`, `decoding`,
`explained` and `trained` use what was learned; `oracle` knows what the grammar says of a sentence;
`files` keeps a model, `shipping` has what comes with Polysee, and `ship` makes it. For pages, `short`
writes a recipe in one word, `showing` says what is learned, `plane` shows word vectors, and `workshop`
trains a `run` in one of its `threads`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.tasks.catalogue import TASKS
from core.tasks.grammar import Sentence
from core.tasks.recipe import BOUNDS, Bound, Recipe, TaskName
from core.tasks.task import Goal, Task
from core.tasks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.tasks.decoding import Decoding
    from core.tasks.files import dump, load
    from core.tasks.shipping import Figures, shipped
    from core.tasks.snapshot import Snapshot
    from core.tasks.trained import Trained
    from core.tasks.training import Training, train
    from core.tasks.writing import Chance, Written

# These bring torch; the tasks themselves and their recipes must not, so that light pages open at once.
_HOME = {
    "Chance": "writing",
    "Decoding": "decoding",
    "Figures": "shipping",
    "Snapshot": "snapshot",
    "Trained": "trained",
    "Training": "training",
    "Written": "writing",
    "dump": "files",
    "load": "files",
    "shipped": "shipping",
    "train": "training",
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
    return getattr(import_module(f"core.tasks.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
