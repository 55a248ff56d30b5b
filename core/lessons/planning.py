"""A lesson of 45 minutes in front of a class, planned from the file of a lesson.

A student who works alone needs the minutes that the lesson's file states. In a class, each minute
becomes three: all predict in writing, all vote, and then the class discusses the revealed answer. The
rest of the time goes to the second sentence and to the class's own sentences. All minutes are whole and
add up to 45.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .parsing import Click, Lesson, Step

MINUTES = 45
STARTER = 7  # the question before the lesson, with a reason, takes most of it
WRAP_UP = 5
SECOND = 3
A_MINUTE_ALONE = 3  # minutes in a class
LEAST = 3  # of a step: one to predict, one to vote, one to talk
LEAST_OWN = 3  # minutes in which a class can try its own sentence
MOST_OWN = 10
FINDING = 30  # in words that could be read meanwhile: to find something in a picture, and open it

Kind: TypeAlias = Literal["starter", "step", "second", "own", "next", "wrap-up"]


@dataclass(frozen=True)
class Phase:
    """A part of the lesson.

    Attributes:
        kind: the activity.
        start: the minute in which it begins, from 0.
        minutes: its length.
        step: the number of the step, from 1; 0 for a phase without a step.
        predict: for a step, the minutes to read and to write a prediction.
        vote: for a step, the minutes of the vote; 0 if the vote is part of the discussion.
        talk: for a step, the minutes of the reveal and the discussion.
    """

    kind: Kind
    start: int
    minutes: int
    step: int = 0
    predict: int = 0
    vote: int = 0
    talk: int = 0

    @property
    def end(self) -> int:
        """The minute in which it ends."""
        return self.start + self.minutes


def plan(lesson: Lesson) -> tuple[Phase, ...]:
    """The phases of a lesson of 45 minutes, in order.

    Args:
        lesson: the lesson.
    """
    free = MINUTES - STARTER - WRAP_UP
    count = len(lesson.steps)
    second = SECOND if lesson.second and LEAST * count <= free - SECOND else 0
    wanted = max(LEAST * count, A_MINUTE_ALONE * lesson.minutes)
    in_steps = min(free - second, wanted)
    rest = free - second - in_steps
    own = min(rest, MOST_OWN) if rest >= LEAST_OWN and takes_sentences(lesson) else 0
    following = rest - own
    if following < LEAST_OWN:  # too short for anything new
        in_steps, following = in_steps + following, 0
    parts: list[tuple[Kind, int, int]] = [("starter", STARTER, 0)]
    shared = _shared(in_steps, [_weight(step) for step in lesson.steps])
    parts += [("step", minutes, i) for i, minutes in enumerate(shared, 1)]
    parts += [("second", second, 0), ("own", own, 0), ("next", following, 0), ("wrap-up", WRAP_UP, 0)]
    made: list[Phase] = []
    for kind, minutes, step in parts:
        if minutes:
            start = made[-1].end if made else 0
            made.append(Phase(kind, start, minutes, step, *(_split(minutes) if step else ())))
    return tuple(made)


def takes_sentences(lesson: Lesson) -> bool:
    """Whether a step's page has a sentence of the lesson, which a class can replace by its own."""
    return any(_is_sentence(lesson, value) for step in lesson.steps for _, value in step.state)


def _is_sentence(lesson: Lesson, value: str) -> bool:
    return any(value == f"{{{name}}}" and " " in text for name, text in lesson.texts.items())


def _weight(step: Step) -> int:
    """The length of a step, in words to read."""
    read = sum(len(one.split()) for one in (step.text, step.question, step.reveal))
    return read + (FINDING if isinstance(step.prediction, Click) else 0)


def _shared(minutes: int, weights: Sequence[int]) -> list[int]:
    """Whole minutes by weight, by largest remainders; each step gets the least, if there are enough."""
    least = min(LEAST, minutes // len(weights))
    spare = minutes - least * len(weights)
    exact = [spare * weight / sum(weights) for weight in weights]
    shared = [least + int(one) for one in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: int(exact[i]) - exact[i])
    for i in by_remainder[: minutes - sum(shared)]:
        shared[i] += 1
    return shared


def _split(minutes: int) -> tuple[int, int, int]:
    """(predict, vote, talk) of a step."""
    vote = 1 if minutes >= LEAST else 0
    predict = (minutes - vote) // 2
    return predict, vote, minutes - vote - predict
