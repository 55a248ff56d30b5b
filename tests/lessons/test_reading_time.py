"""A lesson takes ten minutes at most: what a student reads in it is counted, in every language."""

from __future__ import annotations

import re

import pytest

from core import localization
from core.lessons import Choice, Lesson, lessons
from core.lessons.parsing import MOST_MINUTES

WORDS_A_MINUTE = 200
A_PREDICTION = 0.5  # minutes, to think and to choose
BOTH_QUESTIONS = 1.0  # minutes, to answer before and after the lesson
WAITING = 1.0  # minutes, for the page and for a look around in its pictures
VALUE = re.compile(r"\{[^}]*\}")  # what the model computes: a word or a number each
ADDRESS = re.compile(r"\]\([^)]*\)")


def words(lesson: Lesson, text: str) -> int:
    """How many words of a text a student reads, the lesson's own sentences in it."""
    for name, value in lesson.texts.items():
        text = text.replace(f"{{{name}}}", value)
    return len(ADDRESS.sub("", VALUE.sub("value", text)).split())


def read(lesson: Lesson) -> list[str]:
    """All that the card of a lesson shows from its first step to its last; the question twice."""
    found: list[str] = []
    for step in lesson.steps:
        found += [step.title, step.text, step.question, step.reveal, *(one.name for one in step.scale)]
        if isinstance(step.prediction, Choice):
            found += step.prediction.options
    if check := lesson.check:
        found += 2 * [check.question, *check.answers] + [check.because]
    return found


def minutes(lesson: Lesson) -> float:
    count = sum(words(lesson, one) for one in read(lesson))
    return count / WORDS_A_MINUTE + A_PREDICTION * len(lesson.steps) + BOTH_QUESTIONS


def test_words_are_counted_as_they_are_read() -> None:
    lesson = next(one for one in lessons() if one.name == "next-word")
    assert words(lesson, "It has read “{t}”.") == 3 + len(lesson.texts["t"].split())
    assert words(lesson, "*{first}* has {key%}, see [the page](next-word?t=A+b).") == 6


@pytest.mark.parametrize("language", [one.code for one in localization.languages()])
def test_a_lesson_fits_ten_minutes(language: str) -> None:
    with localization.spoken(language):
        taken = {one.name: round(minutes(one), 1) for one in lessons()}
    assert len(taken) >= 14
    assert {name: each for name, each in taken.items() if each > MOST_MINUTES - WAITING} == {}
    assert min(taken.values()) > 5  # it counts what there is
