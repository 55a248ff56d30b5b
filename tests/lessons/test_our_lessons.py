"""The lessons themselves: every key on its model and on a random one, and with the second sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import core
from core.errors import NotSupported, SettingError
from core.lessons import (
    Answer,
    Lesson,
    OfModel,
    Records,
    TaskRecords,
    TranslatorRecords,
    answer,
    lessons,
)
from core.lessons.parsing import FOLDER, MOST_LINES, MOST_MINUTES
from core.measures import shipped
from core.tasks import TASKS, Snapshot, Trained, train
from core.tasks import shipped as shipped_translator
from tests import left_to_right

pytestmark = pytest.mark.check

OURS = lessons()
EACH = pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)


@cache
def _task(model: str) -> Records:
    return TaskRecords(model.removeprefix("task "))


@cache
def _speaks() -> Records:
    model = left_to_right.real()
    return OfModel(lambda: model, "SmolLM2")


Of = Callable[[str], Records]


@pytest.fixture
def records(minilm: core.Model) -> Of:
    """The records of a step's model."""

    def of(model: str) -> Records:
        if model == "translator":
            return TranslatorRecords(shipped_translator())
        if model.startswith("task "):
            return _task(model)
        if model == "smollm2":
            return _speaks()
        assert model == "minilm"
        return OfModel(lambda: minilm, "MiniLM", shipped("minilm"))

    return of


def answers(lesson: Lesson, own: Of, *, second: bool = False) -> list[Answer]:
    texts = lesson.with_second() if second else lesson.texts
    return [answer(step, own(step.model), texts) for step in lesson.steps]


def test_the_lessons_lie_at_the_top_and_are_numbered_from_1() -> None:
    assert Path(__file__).parents[2] / "lessons" == FOLDER
    assert [one.number for one in OURS] == list(range(1, len(OURS) + 1))


def test_together_they_teach_every_concept_of_the_source_texts() -> None:
    assert len(OURS) >= 10
    assert {number for one in OURS for number in one.concepts} >= {*range(1, 26)}


@EACH
def test_a_lesson_is_short(lesson: Lesson) -> None:
    lines = (FOLDER / f"{lesson.number:02}-{lesson.name}.md").read_text("utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 130  # a line is for eyes, too
    assert lesson.minutes <= MOST_MINUTES
    assert len(lesson.steps) >= 4 or lesson.number > 10  # a teacher’s own may be shorter


@pytest.mark.few(5)
@EACH
def test_every_key_is_computed_on_its_model(lesson: Lesson, records: Of) -> None:
    for step, made in zip(lesson.steps, answers(lesson, records), strict=True):
        if made.options:
            assert made.key in made.options, step.title
        assert "{" not in made.reveal, step.title


@pytest.mark.fuzz
@pytest.mark.few(1)
@EACH
def test_with_the_second_sentence_half_of_the_keys_change(lesson: Lesson, records: Of) -> None:
    first, second = answers(lesson, records), answers(lesson, records, second=True)
    pairs = [*zip(first, second, strict=True)]
    changed = [a.in_words != b.in_words for a, b in pairs]
    assert sum(changed) >= len(changed) / 2
    assert all(a.reveal != b.reveal for (a, b), new in zip(pairs, changed, strict=True) if new)
    for made, step in zip(second, lesson.steps, strict=True):
        if made.options:
            assert made.key in made.options, step.title


@pytest.mark.few(1)
@EACH
def test_every_key_can_be_computed_on_a_random_model(
    lesson: Lesson, make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    """A random BERT or Llama for a published model; otherwise our untrained translator and task."""

    @cache
    def own(model: str) -> Records:
        if model == "translator":
            training = train(TASKS["translation"].recipe)
            next(training)
            return TranslatorRecords(training.trained())
        if model.startswith("task "):
            return _Unlearned(model.removeprefix("task "))
        if model == "smollm2":
            speaks = left_to_right.deep(tmp_path)
            return OfModel(lambda: speaks, "random")
        # With as many layers and heads as the lessons mention, and one seed.
        sizes = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 36}
        reads = core.load(str(make_folder("bert", seed=3, **sizes)))
        return OfModel(lambda: reads, "random")

    for second in (False, True):
        texts = lesson.with_second() if second else lesson.texts
        for step in lesson.steps:
            try:
                made = answer(step, own(step.model), texts)
            except (NotSupported, SettingError):
                if lesson.name != "why-this-word":  # few tokens begin both names alike, and cut "is"
                    raise
                continue
            assert "{" not in made.reveal
            assert not re.search(r"\b(nan|inf)\b", made.reveal)


class _Unlearned(TaskRecords):
    """A task's model before its first step, whichever step is requested."""

    def _after(self, steps: int | None) -> tuple[Snapshot, Trained]:
        return super()._after(0)
