"""The answers of lessons, computed by the live models from records that all pages share, and cached."""

from __future__ import annotations

from functools import cache

from core import localization, settings
from core.comparison.source import Source
from core.lessons import Answer, OfModel, Records, TaskRecords, TranslatorRecords, answer, find
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


class _OfApp(OfModel):
    """The records of a model, with texts and axes from the caches that pages share."""

    def __init__(self, name: str) -> None:
        super().__init__(
            lambda: model_cache.model(name), model_cache.title(name), calibrations.of(name)
        )
        self._called = name

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


@cached()
def _answer(lesson: str, step: int, model: str, texts: Texts, language: str) -> Answer:
    with localization.spoken(language):
        found = find(lesson)
        assert found is not None
        return answer(found.steps[step], _records(model), dict(texts), text.plain)


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
def _training(recipe: str) -> Records:
    return TaskRecords(recipe, lambda: limit_threads(settings.read().threads))
