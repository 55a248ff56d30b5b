"""The lessons of another language: each is the English one in other words, and asks the same."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from core import localization
from core.lessons import Choice, Lesson, Step, courses, find, lessons, misconceptions, readable, route
from core.lessons.expressions import Call, Expression, Literally, used_in
from core.lessons.parsing import FOLDER

OTHERS = [one.code for one in localization.languages() if one.code != localization.ENGLISH]


def both(language: str) -> list[tuple[Lesson, Lesson]]:
    """Each English lesson, the route among them, with its translation."""
    english = [*filter(None, [route()]), *lessons()]
    with localization.spoken(language):
        return [(one, find(one.name)) for one in english]  # type: ignore[misc]


@pytest.mark.parametrize("language", OTHERS)
def test_every_lesson_is_translated_and_none_is_left_over(language: str) -> None:
    with localization.spoken(language):
        found, wrong = readable()
    assert wrong == ()
    names = {path.name for path in FOLDER.glob("*.md")}
    assert {path.name for path in (FOLDER / language).glob("*.md")} == names
    for english, translated in both(language):
        assert translated is not english
        assert translated.aim != english.aim
    assert [one.name for one in found] == [one.name for one in lessons()]


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_steps_of_its_lesson(language: str) -> None:
    for english, translated in both(language):
        assert len(translated.steps) == len(english.steps), english.name
        words = {"title", "aim", "steps", "check"}
        for name in english.__dataclass_fields__.keys() - words:
            assert getattr(translated, name) == getattr(english, name), (english.name, name)
        for i, (one, other) in enumerate(zip(english.steps, translated.steps, strict=True), 1):
            assert of_structure(other) == of_structure(one), (english.name, i)
            assert named(other) == named(one), (english.name, i)
            assert other.text != one.text or not one.text, (english.name, i)


@pytest.mark.parametrize("language", OTHERS)
def test_the_question_before_and_after_is_the_same(language: str) -> None:
    for english, translated in both(language):
        one, other = english.check, translated.check
        if one is None or other is None:
            assert one is other
            continue
        assert (len(other.answers), other.right) == (len(one.answers), one.right), english.name
        assert other.misconceptions == one.misconceptions, english.name
        assert len(other.rubric) == len(one.rubric), english.name
        said = (other.question, *other.answers, other.because)
        assert used_in(" ".join(said)) == used_in(" ".join((one.question, *one.answers, one.because)))


@pytest.mark.parametrize("language", OTHERS)
def test_courses_and_misconceptions_are_the_same(language: str) -> None:
    english, ideas = courses()[0], misconceptions()
    with localization.spoken(language):
        translated, wrong = courses()
        other_ideas = misconceptions()
    assert wrong == ()
    assert [*other_ideas] == [*ideas]
    for name, idea in ideas.items():
        assert other_ideas[name].says != idea.says
        assert len(other_ideas[name].sources) == len(idea.sources)
    for one, other in zip(english, translated, strict=True):
        assert one.title != other.title
        for session, its in zip(one.sessions, other.sessions, strict=True):
            assert [x.name for x in its.lessons] == [x.name for x in session.lessons]
            assert [x.name for x in its.home] == [x.name for x in session.home]
            assert len(its.can) == len(session.can)
            assert [where for _, where in its.links] == [where for _, where in session.links]


def test_a_translation_that_asks_something_else_would_be_found() -> None:
    step = lessons()[0].steps[0]
    assert of_structure(replace(step, covers=())) != of_structure(step)
    assert of_structure(replace(step, key=step.values[0][1])) != of_structure(step)
    assert named(replace(step, reveal="nothing")) != named(step)


def of_structure(step: Step) -> Any:
    """All of a step that no translation changes; strings in its formulas stand for their kind."""
    kept = {"page", "state", "covers", "hides", "model", "own"}
    prediction: Any = step.prediction
    options: tuple[str, ...] = ()
    if isinstance(prediction, Choice):
        options = prediction.options
        prediction = len(options)
    return (
        {name: getattr(step, name) for name in kept},
        prediction,
        [one.at for one in step.scale],
        [(name, formula(one, options)) for name, one in step.values],
        formula(step.key, options),
    )


def formula(one: Expression, options: tuple[str, ...]) -> Any:
    """A formula, in which a choice stands for its index, and what an “if” says for a sentence."""
    if isinstance(one, Literally):
        return options.index(one.value) if one.value in options else one.value
    assert isinstance(one, Call)
    return one.operation, [
        (
            name,
            said(part) if one.operation == "if" and is_said(part, options) else formula(part, options),
        )
        for name, part in one.arguments
    ]


def is_said(part: Expression, options: tuple[str, ...]) -> bool:
    """Whether this is a text for the reveal, and no name of a text, and no choice."""
    return isinstance(part, Literally) and isinstance(part.value, str) and part.value not in options


def said(part: Expression) -> tuple[str, frozenset[str]]:
    assert isinstance(part, Literally)
    return "words", frozenset(used_in(str(part.value)))


def named(step: Step) -> tuple[set[str], set[str]]:
    """What the reveal, and what the words before it, fill in, each as it is written."""
    asked = " ".join((step.text, step.question))
    return places(step.reveal), {one.strip("{}").split(":")[0] for one in places(asked)}


def places(words: str) -> set[str]:
    return set(re.findall(r"\{[a-z_0-9]+(?::[0-9,]|%)?\}", words))
