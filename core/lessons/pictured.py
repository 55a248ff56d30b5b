"""What a step speaks of as a small picture for paper: bars, or lines over layers or steps of training.

The operations of its key say which, with those of the values that the key names: a row of weights, a
word between its two ends, what comes next, a training. What only the reveal names is not what is asked,
and has no picture. They are evaluated as the key is, so that the numbers of a picture are those of the
answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ..measures.attention.token_names import names
from .expressions import Call, Expression, Literally, Value, evaluate
from .keys import Bindings, state
from .model_records import Records, looks
from .operations.arguments import trace_of
from .parsing import Step

_WORDS = 6  # of those that may come next
_BETWEEN = {"on axis", "side", "alone"}
_TRAINED = {"loss", "accuracy", "found"}


class Bars(NamedTuple):
    """A bar for each name, from 0 to 1.

    Attributes:
        names: the names, as they stand in the text.
        values: a value for each.
        expected: whether they are the probabilities of words; otherwise, a row of attention.
    """

    names: tuple[str, ...]
    values: tuple[float, ...]
    expected: bool = False


class Lines(NamedTuple):
    """Some lines over the same places.

    Attributes:
        at: the places: layers, or steps of training.
        lines: (name, its values) of each; the name "" for a word alone.
        trained: whether the places are steps of training.
    """

    at: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    trained: bool = False


Pictured: TypeAlias = Bars | Lines


def pictured(step: Step, records: Records, texts: Bindings) -> Pictured | None:
    """The picture of a step's answer; None where paper has none for it.

    Args:
        step: the step.
        records: the records of its model.
        texts: the lesson's texts.

    Raises:
        PolyseeError: as `answer`.
    """
    values: dict[str, Value] = dict(texts)
    for name, expression in step.values:
        values[name] = evaluate(expression, records, values)
    drawing = _Drawing(step, records, values, state(step, texts))
    found = map(drawing.of, _calls(step))
    return next((one for one in found if one is not None), None)


def _calls(step: Step) -> Iterator[Call]:
    """The operations of a step's key, and those of the values that it names."""
    values = dict(step.values)

    def inside(one: Expression) -> Iterator[Call]:
        if not isinstance(one, Call):
            return
        yield one
        for name, argument in one.arguments:
            if (one.operation, name) == ("value", "name") and isinstance(argument, Literally):
                yield from inside(values.get(str(argument.value), argument))
            else:
                yield from inside(argument)

    yield from inside(step.key)


def _bare(word: Value) -> str:
    return str(word).strip()


class _Drawing:
    """Values of one step, as pictures need them."""

    def __init__(
        self, step: Step, records: Records, values: dict[str, Value], link: dict[str, str]
    ) -> None:
        self._page, self._records, self._names, self._link = step.page, records, values, link

    def of(self, call: Call) -> Pictured | None:
        """The picture that an operation calls for; None for one without."""
        name, given = call.operation, dict(call.arguments)
        if name in _BETWEEN and self._page == "compare":
            return self._between()
        if name in _TRAINED:
            return self._curve(name, given["after"])
        if name in ("weight", "weights") and not {"after", "second"} & {*given}:
            row = {key: one for key, one in given.items() if key != "to"}
            text = evaluate(row["text"], self._records, self._names)
            read = names(trace_of(self._records, {"text": text}))
            return self._bars(read, Call("weights", (*row.items(),)))
        if name in ("cross weights", "decoder weights"):
            source = self._value("source" if name == "cross weights" else "reads", text=given["text"])
            assert isinstance(source, tuple)
            return self._bars((*map(str, source),), call)
        if name in ("next words", "next probability"):
            return self._expected("next words", "next probability", given)
        if name in ("expected", "probability"):
            return self._expected("expected", "probability", given)
        return None

    def _value(self, operation: str, **given: Expression) -> Value:
        return evaluate(Call(operation, (*given.items(),)), self._records, self._names)

    def _number(self, operation: str, **given: Expression) -> float:
        value = self._value(operation, **given)
        assert isinstance(value, float)
        return value

    def _bars(self, read: tuple[str, ...], values: Call) -> Bars:
        row = evaluate(values, self._records, self._names)
        assert isinstance(row, tuple)
        return Bars(read, tuple(float(one) for one in row if isinstance(one, float)))

    def _expected(self, words: str, share: str, given: dict[str, Expression]) -> Bars:
        """The most probable words; at the temperature of the operation, if it has one."""
        there = {key: given[key] for key in ("text", "step") if key in given}
        every = self._value(words, **there)
        assert isinstance(every, tuple)
        warm = {"temperature": given["temperature"]} if "temperature" in given else {}
        first = every[:_WORDS]
        asked = evaluate(given["word"], self._records, self._names) if "word" in given else first[0]
        if isinstance(asked, str) and asked.strip() not in map(_bare, first):
            first = (*first[:-1], asked)  # the word in question is there, however improbable
        shares = (self._number(share, **there, **warm, word=Literally(one)) for one in first)
        return Bars(tuple(map(str, first)), tuple(shares), expected=True)

    def _between(self) -> Lines:
        """The word of Compare's link in its sentences, and alone."""
        word = self._link["w"]
        texts = [(name, self._link[key]) for name, key in (("A", "a"), ("B", "b")) if key in self._link]
        layers = int(self._number("layers", text=Literally(texts[0][1])))
        at = tuple(range(1, layers + 1))

        def line(text: str) -> tuple[float, ...]:
            found = {"text": Literally(text), "word": Literally(word)}
            return tuple(self._number("on axis", **found, layer=Literally(float(one))) for one in at)

        return Lines(at, (*((name, line(text)) for name, text in texts), ("", line(word))))

    def _curve(self, name: str, last: Expression) -> Lines | None:
        end = evaluate(last, self._records, self._names)
        assert isinstance(end, float)
        if not end:
            return None
        at = looks(end)
        values = tuple(self._number(name, after=Literally(float(one))) for one in at)
        return Lines(at, ((name, values),), trained=True)
