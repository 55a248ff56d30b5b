"""A step's answer: its key and its reveal, computed on the records of a model.

The texts of a lesson are bound to the page: where a step's link says `a={a}`, the text {a} is what the
page now has under the key `a`. If a visitor types another sentence, the answer changes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..localization import _
from .expressions import (
    BadExpression,
    Call,
    Value,
    counted,
    evaluate,
    filled,
    names_in,
    used_in,
    written,
)
from .model_records import Records
from .parsing import Choice, Click, Lesson, Number, Prediction, Step

Bindings = Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """The answer to a step's question.

    Attributes:
        key: its value.
        options: the choices in words; empty if there are none.
        reveal: the text that appears with it.
    """

    key: Value
    options: tuple[str, ...]
    reveal: str

    @property
    def in_words(self) -> str:
        """The key as it appears in a sentence."""
        return counted(self.key)


def state(step: Step, texts: Bindings) -> dict[str, str]:
    """The query of a step's link, with the texts filled in."""
    return {key: filled(value, texts) for key, value in step.state}


def texts_on(lesson: Lesson, step: Step, page: Mapping[str, str], texts: Bindings) -> Bindings:
    """The lesson's texts as the page has them now.

    Args:
        lesson: the lesson.
        step: its step.
        page: the page's link, or those of its keys that have a value.
        texts: the first or the second texts of the lesson.
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


def sentences(lesson: Lesson, step: Step, texts: Bindings) -> tuple[str, ...]:
    """The lesson's sentences in a step's page: two boxes are A and B, as on the page.

    Args:
        lesson: the lesson.
        step: its step.
        texts: the lesson's texts.
    """
    boxes = [
        filled(value, texts).splitlines()
        for _, value in step.state
        if any(f"{{{name}}}" in value and " " in texts[name] for name in lesson.texts)
    ]
    if len(boxes) > 1:
        pairs = zip("ABCDEFGH", boxes, strict=False)
        return tuple(f"{name}: {_quoted(' '.join(lines))}" for name, lines in pairs)
    return tuple(_quoted(line) for lines in boxes for line in lines)


def _quoted(words: str) -> str:
    return _("“{word}”").format(word=words)


def reads_texts(lesson: Lesson, step: Step) -> bool:
    """Whether a step is about a text that *Another sentence* exchanges."""
    formulas = (step.key, *(one for _, one in step.values))
    offered = step.prediction.options if isinstance(step.prediction, Choice) else ()
    said = (step.text, step.question, step.reveal, *offered, *(value for _, value in step.state))
    names = set().union(*map(used_in, said), *map(names_in, formulas))
    return any(lesson.texts[name] != lesson.with_second()[name] for name in names & {*lesson.texts})


def says_key(step: Step) -> bool:
    """Whether the reveal itself says the key: nothing then needs to say it before."""
    used = used_in(step.reveal)
    if isinstance(step.key, Call) and step.key.operation == "value":  # a value under its own name
        return bool({"key", *names_in(step.key)} & used)
    return "key" in used


def answer(
    step: Step, records: Records, texts: Bindings, encode: Callable[[str], str] | None = None
) -> Answer:
    """Compute a step's key and its reveal.

    Args:
        step: the step.
        records: the records of the model.
        texts: the lesson's texts, as the page has them.
        encode: applied to each value in the reveal, for example to escape Markdown.

    Raises:
        BadExpression: the key does not answer the question, or cannot be computed.
        PolyseeError: an error of the model, such as NotSupported or WordNotFound.
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
        prediction: the kind of answer.
        answered: the answer.
        predicted: the text of a choice, a number, or the clicked values as in a link.
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
