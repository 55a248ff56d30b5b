"""A step's answer: its key and its reveal, computed on the records of a model.

The texts of a lesson are bound to the page: where a step's link says `a={a}`, the text {a} is what the
page has under the key `a` now. So the answer follows a visitor who types another sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .expressions import BadExpression, Value, evaluate, filled, written
from .parsing import Choice, Click, Lesson, Number, Prediction, Step
from .records import Records

Bindings = Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What a step's question has for an answer.

    Attributes:
        key: its value.
        options: the choices in words; empty where there are none.
        reveal: the words.
    """

    key: Value
    options: tuple[str, ...]
    reveal: str

    @property
    def in_words(self) -> str:
        """The key as a sentence has it."""
        return written(self.key)


def state(step: Step, texts: Bindings) -> dict[str, str]:
    """The query of a step's link, with the texts filled in."""
    return {key: filled(value, texts) for key, value in step.state}


def texts_on(lesson: Lesson, step: Step, page: Mapping[str, str], texts: Bindings) -> Bindings:
    """The lesson's texts as the page has them now.

    Args:
        lesson: the lesson.
        step: its step.
        page: the page's link, or as much of it as has a value.
        texts: as the lesson has them, its first or its second.
    """
    bound = {
        name: page[key]
        for key, value in step.state
        for name in lesson.texts
        if value == f"{{{name}}}" and page.get(key)
    }
    return MappingProxyType({**texts, **bound})


def options(prediction: Prediction, texts: Bindings) -> tuple[str, ...]:
    """The choices in words."""
    if not isinstance(prediction, Choice):
        return ()
    return tuple(filled(one, texts) for one in prediction.options)


def answer(
    step: Step, records: Records, texts: Bindings, encode: Callable[[str], str] | None = None
) -> Answer:
    """Compute a step's key and its reveal.

    Args:
        step: the step.
        records: of the model that is asked.
        texts: the lesson's texts, as the page has them.
        encode: applied to what is filled into the reveal, as to escape Markdown.

    Raises:
        BadExpression: the key is no answer to the question, or cannot be computed.
        PolyseeError: what the model says, such as NotSupported and WordNotFound.
    """
    names: dict[str, Value] = dict(texts)
    for name, expression in step.values:
        names[name] = evaluate(expression, records, names)
    key = evaluate(step.key, records, names)
    _check(step.prediction, key)
    names["key"] = key
    return Answer(key, options(step.prediction, texts), filled(step.reveal, names, encode))


def _check(prediction: Prediction, key: Value) -> None:
    if isinstance(prediction, Choice) and not isinstance(key, str):
        raise BadExpression("The key of a choice is a string.")
    if isinstance(prediction, Number) and (isinstance(key, bool) or not isinstance(key, float)):
        raise BadExpression("The key of a number is a number.")
    if isinstance(prediction, Click):
        count = len(prediction.keys)
        if not isinstance(key, tuple | float) or (isinstance(key, tuple) and len(key) != count):
            raise BadExpression(f"The key of this click is a list of {count}.")


def holds(prediction: Prediction, answered: Answer, predicted: Value) -> bool:
    """Whether a visitor's prediction agrees with the key.

    Args:
        prediction: how the question is answered.
        answered: the answer.
        predicted: the text of a choice, a number, or the values of what is clicked as a link has them.
    """
    if isinstance(prediction, Number):
        if isinstance(predicted, bool) or not isinstance(predicted, float):
            return False
        assert isinstance(answered.key, float)
        return abs(predicted - answered.key) <= prediction.tolerance + 1e-9
    if isinstance(prediction, Click):
        key = answered.key if isinstance(answered.key, tuple) else (answered.key,)
        return predicted == tuple(written(one) for one in key)
    return predicted == answered.key
