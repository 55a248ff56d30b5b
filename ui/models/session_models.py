"""The queue in which all visitors train, and the runs and models of each session.

The queue belongs to the server; a `SessionModels` belongs to the session of a visitor and ends with it,
as do the runs and models in it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import settings
from core.errors import ModelNotFound, SettingError
from core.memory import Cache
from ui import session

if TYPE_CHECKING:
    from core.tasks import Recipe, Trained
    from core.tasks.training.queue import TrainingQueue
    from core.tasks.training.run import Finished, Run
    from ui.models.trained_model import TrainedModel

MOST_RUNS = 6  # in one session: at most a few megabytes each
MOST_MODELS = 8
GONE = (
    "This model was trained in another session, and does not outlast it. The same recipe "
    "gives the same numbers again."
)
OWN = "yours-"  # the prefix of the names of session models
_KEY = "session models"
# For work that is done after the script, and therefore without a session, such as making a file. A run
# is here while its session lasts.
_all: WeakValueDictionary[str, Run] = WeakValueDictionary()
_models: WeakValueDictionary[str, Trained] = WeakValueDictionary()
MOST_FINISHED = 24  # runs of all visitors, each a few megabytes
# What finished runs have left, by recipe. The same recipe gives the same numbers to anybody, so that a
# page that was loaded anew, or a link, shows a run again without training.
_finished: Cache[str, Finished] = Cache(most=MOST_FINISHED)


class SessionModel(NamedTuple):
    """A model of a session, and its title on the screen."""

    model: Trained
    title: str


@dataclass
class SessionModels:
    """The models that one visitor has trained or loaded, by name, the newest last.

    A name ends in the recipe, so that a link contains it; the beginning cannot be guessed. `numbers`
    counts the runs, for display: a run keeps its number when older ones are dropped.
    """

    token: str = field(default_factory=lambda: secrets.token_hex(4))
    runs: dict[str, Run] = field(default_factory=dict)
    models: dict[str, SessionModel] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    count: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    begun: int = 0

    def name(self, recipe: Recipe) -> str:
        """A new name for a run or a model of this recipe."""
        from core.tasks.training import recipe_code

        self.count += 1
        return f"{self.token}-{self.count}~{recipe_code.write(recipe)}"

    def begin(self, recipe: Recipe) -> Run:
        """Start a new run; pause any other that is under way."""
        from core.tasks.training.run import Run

        run = self._add(Run(recipe, self.name(recipe), presence()))
        self.go(run.name)
        return run

    def restore(self, name: str) -> Run | None:
        """The run of a link from a session that has ended, as after a reload; None if it is gone.

        Either it still exists, and its visitor has left: whoever has the name has the link. Or a run of
        the same recipe has come to its end; this session then gets a copy.
        """
        if name in self.runs:
            return self.runs[name]
        run = _all.get(name)
        if run is not None and run.adopt(presence()):
            return self._add(run)
        finished = _finished.get(_canonical(recipe_of(name)))
        if finished is None:
            return None
        from core.tasks.training.run import Run

        return self._add(Run.again(name, finished, presence()))

    def _add(self, run: Run) -> Run:
        self.runs[run.name] = _all[run.name] = run
        self.begun += 1
        self.numbers[run.name] = self.begun
        while len(self.runs) > MOST_RUNS:
            oldest = next(iter(self.runs))
            del self.runs[oldest], self.numbers[oldest]
        return run

    def go(self, name: str, snapshots: int | None = None) -> None:
        """Continue training a run; pause any other that is under way. See `TrainingQueue.go`."""
        if name not in self.runs:
            return
        for other in self.runs.values():
            if other.active and other.name != name:
                training_queue().pause(other)
        training_queue().go(self.runs[name], snapshots)

    def keep(self, model: Trained, title: str) -> str:
        """Add a model to the session, for all pages; returns its name. The same model has one name.

        A second model with the same title gets a number, because a browser distinguishes list entries
        only by title.
        """
        for name, existing in self.models.items():
            if existing.model is model:
                return name
        titles = {existing.title for existing in self.models.values()}
        title = next(
            one for one in chain((title,), (f"{title} ({i})" for i in count(2))) if one not in titles
        )
        name = OWN + self.name(model.recipe)
        self.models[name], _models[name] = SessionModel(model, title), model
        while len(self.models) > MOST_MODELS:
            del self.models[next(iter(self.models))]
        return name

    def take(self, run: Run, title: str) -> None:
        """Add the model of a finished run, but only once: a visitor may remove it from the list."""
        if run.name in self.taken:
            return
        self.taken.add(run.name)
        self.keep(run.trained(), title)
        finished = run.finished
        if finished is not None:
            with suppress(ValueError):  # larger than the budget
                _finished[_canonical(recipe_of(run.name))] = finished

    def drop(self, name: str) -> None:
        """Drop a model of the session."""
        self.models.pop(name, None)


def _canonical(written: str) -> str:
    """The code of a recipe as `recipe_code.write` has it; what is no recipe stays as it is."""
    from core.tasks.training import recipe_code

    try:
        return recipe_code.write(recipe_code.read(written))
    except SettingError:
        return written


def this_session() -> SessionModels:
    """The models of this visitor; the same object throughout the session."""
    return session.own(_KEY, SessionModels)


def find(name: str) -> Run | None:
    """Find a run of any session, for a file that is made after its script."""
    return _all.get(name)


def find_model(name: str) -> Trained | None:
    """Find a model of any session, for a file that is made after its script."""
    return _models.get(name)


def is_own(name: str) -> bool:
    """Whether this is the name of a session model, of any session."""
    return name.startswith(OWN)


def own_titles(kind: str = "") -> dict[str, str]:
    """The models of this session, or those of one `Task.kind`: name -> title."""
    models = this_session().models.items()
    return {name: one.title for name, one in models if kind in ("", one.model.task.kind)}


def title(name: str) -> str:
    """The name of a session model in a sentence; its id outside any session."""
    nobody = get_script_run_ctx(suppress_warning=True) is None
    return name if nobody else own_titles().get(name, name)


def own(name: str) -> Trained:
    """A model of this session.

    Raises:
        ModelNotFound: if it belongs to another session, perhaps an earlier one.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        # A file that a visitor requested is made after the script, outside any session.
        trained = find_model(name)
    else:
        session_model = this_session().models.get(name)
        trained = None if session_model is None else session_model.model
    if trained is None:
        raise ModelNotFound(GONE)
    return trained


def own_model(name: str) -> TrainedModel:
    """The same model, for a page. Raises the errors of `own`."""
    from ui.models.trained_model import TrainedModel

    return TrainedModel(own(name))


def recipe_of(name: str) -> str:
    """The recipe at the end of a name, in the format of `core.tasks.training.recipe_code`."""
    return name.partition("~")[2]


@cache
def training_queue() -> TrainingQueue:
    """The training queue of this server."""
    from core.tasks.training.queue import TrainingQueue

    return TrainingQueue(settings.read().trainings)


def busy() -> tuple[int, int]:
    """How many visitors are training, and how many wait in the queue."""
    # nobody has trained yet: the question must not import torch
    if not training_queue.cache_info().currsize:
        return 0, 0
    return training_queue().at_work, training_queue().waiting


def presence() -> Callable[[], bool]:
    """Returns whether this visitor's page is open; can be called from another thread."""
    context = get_script_run_ctx(suppress_warning=True)
    session = "" if context is None else context.session_id

    def there() -> bool:
        # Without a server, no visitor can leave.
        return not runtime.exists() or bool(runtime.get_instance().is_active_session(session))

    return there
