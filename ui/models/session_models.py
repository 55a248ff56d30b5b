"""The queue in which all visitors train, and the runs and models of each session.

The queue belongs to the server; a `SessionModels` belongs to the session of a visitor and ends with it,
as do the runs and models in it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import settings
from core.errors import ModelNotFound, NotSupported, SettingError
from core.localization import N_, _, gettext
from core.memory import Cache
from ui import session

if TYPE_CHECKING:
    from core.own_text import Learned, TextFinished, TextRecipe, TextRun
    from core.pretrained import TextModel
    from core.tasks import Recipe, Trained
    from core.tasks.training.queue import TrainingQueue
    from core.tasks.training.queued import Queued
    from core.tasks.training.run import Finished, Run

MOST_RUNS = 6  # in one session: at most a few megabytes each
MOST_MODELS = 8
GONE = N_(
    "This model was trained in another session, and does not outlast it. The same recipe "
    "gives the same numbers again."
)
OWN = "yours-"  # the prefix of the names of session models
_KEY = "session models"
# For work that is done after the script, and therefore without a session, such as making a file. A run
# is here while its session lasts.
_all: WeakValueDictionary[str, Run] = WeakValueDictionary()
_models: WeakValueDictionary[str, Trained | OwnText] = WeakValueDictionary()
_all_texts: WeakValueDictionary[str, TextRun] = WeakValueDictionary()
MOST_FINISHED = 24  # runs of all visitors, each a few megabytes
# What finished runs have left, by recipe. The same recipe gives the same numbers to anybody, so that a
# page that was loaded anew, or a link, shows a run again without training.
_finished: Cache[str, Finished] = Cache(most=MOST_FINISHED)
# The same of models that learned a text: by text and recipe if the text is ours, else by the name of
# the run, which only links of its visitor's have.
_finished_texts: Cache[str, TextFinished] = Cache(most=MOST_FINISHED)
OWN_TEXT = "own"  # in a name, for a text that a visitor brought
_TEXT = "text"  # begins what a name says of a model that learned a text


@dataclass(eq=False)
class OwnText:
    """A model of a visitor's that learned a text, opened when a page first asks for it.

    Attributes:
        learned: the model.
        source: the name of a text of ours; `OWN_TEXT` for any other.
        title: what it is called on the screen.
    """

    learned: Learned
    source: str
    title: str

    @cached_property
    def opened(self) -> TextModel:
        """As any other model."""
        from core import own_text

        return own_text.opened(self.learned, self.title)


class SessionModel(NamedTuple):
    """A model of a session, and its title on the screen."""

    model: Trained | OwnText
    title: str


@dataclass
class SessionModels:
    """The models that one visitor has trained or loaded, by name, the newest last.

    A name ends in the recipe, so that a link contains it; the beginning cannot be guessed. Those of one
    session begin alike, except where a visitor's own text is learned. `numbers` counts the runs, for
    display: a run keeps its number when older ones are dropped. `before` has, for a model that learned
    a text, the one that it was before its first step, if somebody has asked for it.
    """

    token: str = field(default_factory=lambda: secrets.token_hex(4))
    runs: dict[str, Run] = field(default_factory=dict)
    models: dict[str, SessionModel] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    count: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    begun: int = 0
    texts: dict[str, TextRun] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)

    def name(self, recipe: Recipe) -> str:
        """A new name for a run or a model of this recipe."""
        from core.tasks.training import recipe_code

        return self._name(recipe_code.write(recipe))

    def _name(self, about: str) -> str:
        self.count += 1
        return f"{self.token}-{self.count}~{about}"

    def _text_name(self, source: str, recipe: str) -> str:
        """A new name for a run or a model that learns a text.

        Whoever has the name of a run of a visitor's own text gets the text with it. The other names of
        the session, which stand in links that are passed on, must therefore not lead to it.
        """
        about = f"{_TEXT}~{source}~{recipe}"
        return f"{secrets.token_hex(16)}~{about}" if source == OWN_TEXT else self._name(about)

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
        every: dict[str, Queued] = {**self.runs, **self.texts}
        if name not in every:
            return
        for other in every.values():
            if other.active and other.name != name:
                training_queue().pause(other)
        training_queue().go(every[name], snapshots)

    def begin_text(self, text: str, title: str, recipe: TextRecipe, source: str) -> TextRun:
        """Start to learn a text; pause any other run that is under way.

        Args:
            text: the text.
            title: what it is called on the screen.
            recipe: the settings.
            source: the name of a text of ours; `OWN_TEXT` for any other.

        Raises:
            SettingError: the text is too short or too long.
        """
        from core.own_text import TextRun
        from core.own_text import recipe as recipes

        name = self._text_name(source, recipes.code(recipe))
        finished = _finished_texts.get(_text_key(name))
        if finished is not None and finished.learned.text == text:
            run = TextRun.again(name, title, finished, presence())
        else:
            run = TextRun(text, title, recipe, name, presence())
        self._add_text(run)
        self.go(run.name)
        return run

    def restore_text(self, name: str) -> TextRun | None:
        """The same as `restore` for a run that learns a text."""
        if name in self.texts:
            return self.texts[name]
        run = _all_texts.get(name)
        if run is not None and run.adopt(presence()):
            return self._add_text(run)
        finished = _finished_texts.get(_text_key(name))
        if finished is None:
            return None
        from core.own_text import TextRun

        return self._add_text(TextRun.again(name, finished.title, finished, presence()))

    def _add_text(self, run: TextRun) -> TextRun:
        self.texts[run.name] = _all_texts[run.name] = run
        self.begun += 1
        self.numbers[run.name] = self.begun
        while len(self.texts) > MOST_RUNS:
            oldest = next(iter(self.texts))
            training_queue().pause(self.texts[oldest])
            del self.texts[oldest], self.numbers[oldest]
        return run

    def take_text(self, run: TextRun, title: str) -> str:
        """Add the model of a run that has ended, once; returns its name."""
        name = model_of(run.name)
        if run.name not in self.taken:
            self._put(name, OwnText(run.learned(), source_of(run.name), title), title)
            self.taken.add(run.name)  # not before: a run that has no model yet is asked again
            finished = run.finished
            if finished is not None:
                with suppress(ValueError):  # larger than the budget
                    _finished_texts[_text_key(run.name)] = finished
        return name

    def keep_text(self, learned: Learned, title: str) -> str:
        """Add a model from a file; returns its name."""
        from core.own_text import recipe as recipes

        name = OWN + self._text_name(OWN_TEXT, recipes.code(learned.recipe))
        self._put(name, OwnText(learned, OWN_TEXT, title), title)
        return name

    def before_training(self, name: str) -> str:
        """Add the model of this name as it was before its first step; returns the name of that.

        Raises:
            ModelNotFound: there is no such model of a text in this session.
        """
        from core import own_text
        from core.own_text import recipe as recipes

        known = self.before.get(name, "")
        if known in self.models:
            return known
        after = self.models.get(name)
        if after is None or not isinstance(after.model, OwnText):
            raise ModelNotFound(gettext(GONE))
        learned = own_text.before_training(after.model.learned)
        # No link finds a text by this name: those of its model’s training do not stand in it.
        first = OWN + self._name(f"{_TEXT}~{after.model.source}~{recipes.code(learned.recipe)}")
        title = _("{title}, before its training").format(title=after.title)
        del self.models[name]
        self._put(first, OwnText(learned, after.model.source, title), title)
        self.models[name] = after  # the trained one stays the newest
        self._drop_oldest()
        self.before[name] = first
        return first

    def keep(self, model: Trained, title: str) -> str:
        """Add a model to the session, for all pages; returns its name. The same model has one name.

        A second model with the same title gets a number, because a browser distinguishes list entries
        only by title.
        """
        for name, existing in self.models.items():
            if existing.model is model:
                return name
        name = OWN + self.name(model.recipe)
        self._put(name, model, title)
        return name

    def _put(self, name: str, model: Trained | OwnText, title: str) -> None:
        """Add a model under a name, and drop the oldest if there are too many."""
        titles = {existing.title for existing in self.models.values()}
        title = next(
            one for one in chain((title,), (f"{title} ({i})" for i in count(2))) if one not in titles
        )
        self.models[name], _models[name] = SessionModel(model, title), model
        self._drop_oldest()

    def _drop_oldest(self) -> None:
        while len(self.models) > MOST_MODELS:
            del self.models[next(iter(self.models))]

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


def _text_key(name: str) -> str:
    """Under what a finished run is found again: what is ours by text and recipe, for everybody."""
    return name if source_of(name) == OWN_TEXT else recipe_of(name)


def model_of(run: str) -> str:
    """The name of the model of a run that learns a text.

    A link to that model on another page must not give away the name of a run that brings the text.
    """
    if source_of(run) != OWN_TEXT:
        return OWN + run
    return f"{OWN}{sha256(run.encode()).hexdigest()[:32]}~{recipe_of(run)}"


def source_of(name: str) -> str:
    """The text that a run or a model learned, by the name of either; "" if it learned none."""
    kind, _, rest = recipe_of(name).partition("~")
    return rest.partition("~")[0] if kind == _TEXT else ""


def this_session() -> SessionModels:
    """The models of this visitor; the same object throughout the session."""
    return session.own(_KEY, SessionModels)


def find(name: str) -> Run | None:
    """Find a run of any session, for a file that is made after its script."""
    return _all.get(name)


def find_text(name: str) -> TextRun | None:
    """Find a run of any session that learns a text, for a file that is made after its script."""
    return _all_texts.get(name)


def find_model(name: str) -> Trained | None:
    """Find a model of any session, for a file that is made after its script."""
    found = _models.get(name)
    return None if isinstance(found, OwnText) else found


def find_own_text(name: str) -> OwnText | None:
    """Find a model that learned a text, of any session, for a file that is made after its script."""
    found = _models.get(name)
    return found if isinstance(found, OwnText) else None


def is_own(name: str) -> bool:
    """Whether this is the name of a session model, of any session."""
    return name.startswith(OWN)


def own_titles(kind: str = "") -> dict[str, str]:
    """The models of this session, or those of one kind: name -> title.

    Args:
        kind: that of a `Task`; "decoder" for those that learned a text; "" for all.
    """
    models = this_session().models.items()
    return {name: one.title for name, one in models if kind in ("", _kind(one.model))}


def _kind(model: Trained | OwnText) -> str:
    return "decoder" if isinstance(model, OwnText) else model.task.kind


def title(name: str) -> str:
    """The name of a session model in a sentence; its id outside any session."""
    nobody = get_script_run_ctx(suppress_warning=True) is None
    return name if nobody else own_titles().get(name, name)


def own(name: str) -> Trained:
    """A model of this session that learned a task.

    Raises:
        ModelNotFound: if it belongs to another session, perhaps an earlier one.
        NotSupported: if it learned a text.
    """
    found = _own(name)
    if isinstance(found, OwnText):
        raise NotSupported(_("This model goes on with a text: Next word and Heads show it."))
    return found


def _own(name: str) -> Trained | OwnText:
    if get_script_run_ctx(suppress_warning=True) is None:
        # A file that a visitor requested is made after the script, outside any session.
        found = _models.get(name)
    else:
        session_model = this_session().models.get(name)
        found = None if session_model is None else session_model.model
    if found is None:
        raise ModelNotFound(gettext(GONE))
    return found


def own_model(name: str) -> TextModel:
    """The same model, or one that learned a text, for a page.

    Raises:
        ModelNotFound: see `own`.
    """
    from ui.models.trained_model import TrainedModel

    found = _own(name)
    return found.opened if isinstance(found, OwnText) else TrainedModel(found)


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
