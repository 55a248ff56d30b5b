"""The answers of lessons, computed by the live models from records that all pages share, and cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from threading import Lock, Thread
from typing import Any, TypeVar

from core import localization, settings
from core.comparison.source import Source
from core.errors import PolyseeError
from core.lessons import Answer, OfModel, Records, TaskRecords, TranslatorRecords, answer, find
from core.lessons.pictured import Pictured, pictured
from core.localization import _, gettext
from core.memory import cached
from core.pretrained import limit_threads
from core.records.sense_axis import SenseAxis
from core.records.trace import Trace
from core.tasks import TASKS
from core.tasks.training import recipe_code
from ui import text
from ui.comparison import Cached
from ui.models import answers, calibrations, model_cache, translators
from ui.query import TextQuery

TRANSLATOR, TASK = "translator", "task "  # their names in a lesson
Texts = tuple[tuple[str, str], ...]
T = TypeVar("T")


class _OfApp(OfModel):
    """The records of a model, with texts and axes from the caches that pages share."""

    def __init__(self, name: str) -> None:
        super().__init__(
            lambda: model_cache.model(name), model_cache.title(name), calibrations.of(name)
        )
        self._called = name

    def once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """See `OfModel.once`; kept for all steps, for paper, and for all languages."""
        made: T = _once(self._called, key, make)
        return made

    def _traced(self, text: str, second: str | None) -> Trace:
        model_cache.reader(self._called)
        traced = answers.answer(TextQuery(self._called, text, second))
        assert isinstance(traced, Trace)  # a reader has one half
        return traced

    def axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        """See `OfModel.axis`."""
        return answers.axis(self._called, word, low, high)

    def source(self) -> Source:
        """See `OfModel.source`."""
        return Cached(self._called)


@cached(key=lambda model, key, make: (model, key))
def _once(model: str, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    return make()


def is_text_model(model: str) -> bool:
    """Whether a lesson's model can be chosen in the sidebar."""
    return model != TRANSLATOR and not model.startswith(TASK)


def grid_of(model: str) -> tuple[int, int] | None:
    """How many layers a model that reads texts has, and heads in each; None for another model."""
    return model_cache.shape_if_loaded(model) if is_text_model(model) else None


# Quotation marks inside others: “bank” becomes ‘bank’, and German „bank“ becomes ‚bank‘.
_SINGLE = str.maketrans("„“”", "‚‘’")


def called(model: str) -> str:
    """The name of a lesson's model in a sentence; where a language has cases, after “with”."""
    if model == TRANSLATOR:
        return _("our small translator")
    if model.startswith(TASK):
        task = TASKS[recipe_code.read(_recipe(model)).task]
        inside = gettext(task.title).translate(_SINGLE)
        return _("a small model that learns the task “{task}”").format(task=inside)
    return model_cache.title(model)


def answer_of(lesson: str, step: int, model: str, texts: Texts) -> Answer:
    """The answer to a step's question.

    Args:
        lesson: its name.
        step: from 0.
        model: the lesson's model, or the one on the page.
        texts: the lesson's texts, as the page has them.

    Raises:
        PolyseeError: as `core.lessons.answer`, and as `model_cache.model`.
    """
    if is_text_model(model):
        model_cache.reader(model)  # first, so that its progress is drawn for this visitor
    return _answer(lesson, step, model, texts, localization.current())


class Learning:
    """An answer that a training has to reach first, computed beside the page.

    Args:
        model: the name of the lesson's model, which is trained.
        compute: computes the answer, and keeps it in the cache.
    """

    def __init__(self, model: str, compute: Callable[[], object]) -> None:
        self._records = _training(_recipe(model))
        self._began, self._from = time.monotonic(), self._records.made
        self._thread = Thread(target=self._run, args=(compute,), daemon=True, name="lesson training")
        self._thread.start()

    def _run(self, compute: Callable[[], object]) -> None:
        # Whoever asks next computes it again, and so hears what went wrong.
        with suppress(PolyseeError):
            compute()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it is over."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def step(self) -> int:
        """The number of steps so far."""
        return self._records.made

    @property
    def steps(self) -> int:
        """The number of steps of the whole training."""
        return self._records.steps

    @property
    def seconds_left(self) -> float | None:
        """How long the steps that are left take at the pace so far; None before there is a pace."""
        made, passed = self.step - self._from, time.monotonic() - self._began
        return (self.steps - self.step) * passed / made if made > 0 and passed > _PACE else None


_MOST = 16  # answers that wait for a training at the same time
_PACE = 2.0  # seconds of steps that say how fast the next ones will be
_learning: dict[tuple[object, ...], Learning] = {}
_learning_lock = Lock()


def learning(lesson: str, step: int, model: str, texts: Texts) -> Learning | None:
    """The training that an answer waits for, begun if nobody has; None where the answer is there.

    A model that is not trained for a lesson answers at once, or shows its own progress. One training
    serves all who ask. Arguments as of `answer_of`.
    """
    if not model.startswith(TASK):
        return None
    asked = lesson, step, model, texts, localization.current()
    if _answer.cache.peek(_answer.cache_key(*asked)) is not None:
        return None
    with _learning_lock:
        over = {one for one, waits in _learning.items() if waits.wait(0)}
        for one in over:
            del _learning[one]
        if asked in over:  # and yet without an answer: whoever computes it again hears what is wrong
            return None
        if asked not in _learning:
            if len(_learning) >= _MOST:
                return None  # so many with texts of their own: this one waits for its turn in its page
            _learning[asked] = Learning(model, partial(_answer, *asked))
        return _learning[asked]


@cached()
def _answer(lesson: str, step: int, model: str, texts: Texts, language: str) -> Answer:
    with localization.spoken(language):
        found = find(lesson)
        assert found is not None
        return answer(found.steps[step], _records(model), dict(texts), text.plain)


def pictured_of(lesson: str, step: int, model: str, texts: Texts) -> Pictured | None:
    """The picture of the answer to a step's question; None where paper has none.

    Arguments and errors as of `answer_of`, which is to be called first.
    """
    return _pictured(lesson, step, model, texts, localization.current())


@cached()
def _pictured(lesson: str, step: int, model: str, texts: Texts, language: str) -> Pictured | None:
    with localization.spoken(language):
        found = find(lesson)
        assert found is not None
        return pictured(found.steps[step], _records(model), dict(texts))


def _records(model: str) -> Records:
    if model == TRANSLATOR:
        return _translator()
    if model.startswith(TASK):
        return _training(_recipe(model))
    return _OfApp(model)


def _recipe(model: str) -> str:
    return model.removeprefix(TASK).strip()


@cache
def _translator() -> Records:
    return TranslatorRecords(translators.shipped("translation"))


@cache
def _training(recipe: str) -> TaskRecords:
    return TaskRecords(recipe, lambda: limit_threads(settings.read().threads))
