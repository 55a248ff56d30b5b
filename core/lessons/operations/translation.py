"""A translation, word by word: what is read, written, expected, and attended to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import NotSupported
from ..expressions import BadExpression, Operation
from ..model_records import Records
from .arguments import IN_HEAD, TEXT, Given, floats, from_zero, parameters


def _written_at(records: Records, given: Given) -> tuple[Any, int]:
    found = records.decoding(given["text"])
    return found, from_zero("step", given["step"], len(found.tokens))


def _expected(records: Records, given: Given) -> tuple[str, ...]:
    found, step = _written_at(records, given)
    return tuple(found.expectations[step].top(10).tokens)


def _probability(records: Records, given: Given) -> float:
    found, step = _written_at(records, given)
    expectation = found.expectations[step]
    temperature = given.get("temperature", 1.0)
    if not 0.01 <= temperature <= 100:
        raise BadExpression("A temperature must be from 0.01 to 100.")
    top = expectation.top(len(expectation.ids), temperature)
    word = given.get("word", found.likeliest(step))
    if word not in top.tokens:
        raise NotSupported(f"“{word}” is not a word that the model can write.")
    return float(top.probabilities[top.tokens.index(word)])


def _attended(block: str) -> Callable[[Records, Given], tuple[float, ...]]:
    def read(records: Records, given: Given) -> tuple[float, ...]:
        found, step = _written_at(records, given)
        attention = found.trace.cross if block == "cross" else found.trace.decoder.attention
        weights = attention.weights
        layer = from_zero("layer", given["layer"], weights.shape[0])
        head = from_zero("head", given["head"], weights.shape[1])
        return floats(weights[layer, head, step])

    return read


OPERATIONS = (
    Operation(
        "translation",
        parameters(TEXT),
        "The words that the translator writes, without its end sign.",
        lambda r, g: tuple(r.decoding(g["text"]).words),
    ),
    Operation(
        "source",
        parameters(TEXT),
        "The words that the translator’s encoder reads.",
        lambda r, g: r.decoding(g["text"]).trace.encoder.tokens,
    ),
    Operation(
        "reads",
        parameters(TEXT),
        "The words that the translator’s decoder reads, one for each step; the start sign first.",
        lambda r, g: r.decoding(g["text"]).trace.decoder.tokens,
    ),
    Operation(
        "expected",
        parameters(TEXT, "step: whole"),
        "The ten most probable words at a step, the most probable first.",
        _expected,
    ),
    Operation(
        "probability",
        parameters(TEXT, "step: whole", "word: string?", "temperature: number?"),
        "The probability of a word at a step; by default, of the most probable word, at temperature 1.",
        _probability,
    ),
    Operation(
        "cross weights",
        parameters(TEXT, "step: whole", *IN_HEAD),
        "The attention weights from a step to the words of the source.",
        _attended("cross"),
    ),
    Operation(
        "decoder weights",
        parameters(TEXT, "step: whole", *IN_HEAD),
        "The attention weights from a step to the words that the decoder has read; 0 where masked.",
        _attended("decoder"),
    ),
)
