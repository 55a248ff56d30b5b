"""The senses of a word: its position between two of them, and the verdict on two sentences."""

from __future__ import annotations

from ...records.frozen import Array
from ...records.trace import Trace
from ..expressions import Operation
from ..model_records import Between, Records, tokens_of
from .arguments import IN_HEAD, TEXT, Given, from_zero, head_of, layer_of, parameters, trace_of


def _between(records: Records, given: Given) -> Between:
    return records.between(given["word"].partition(":")[0], (given["text"],))


def _coordinates(records: Records, given: Given, trace: Trace) -> Array:
    return _between(records, given).axis.coordinates(trace, tokens_of(trace, given["word"]))


def _on_axis(records: Records, given: Given) -> float:
    along = _coordinates(records, given, trace_of(records, given))
    layer = given.get("layer")
    return float(along[-1 if layer is None else from_zero("layer", layer, len(along))])


def _side(records: Records, given: Given) -> str:
    return _between(records, given).names[int(_on_axis(records, given) > 0)]


def _without_head(records: Records, given: Given) -> float:
    layer, head = layer_of(trace_of(records, given), given), head_of(trace_of(records, given), given)
    ablated = records.without_head(given["text"], layer, head)
    return float(_coordinates(records, given, ablated)[-1])


OPERATIONS = (
    Operation(
        "on axis",
        parameters(TEXT, "word: word", "layer: whole?"),
        "The position of one of the app’s ambiguous words between its two senses, at −1 and +1.",
        _on_axis,
    ),
    Operation(
        "side",
        parameters(TEXT, "word: word", "layer: whole?"),
        "The name of the sense on whose side of the middle the word is.",
        _side,
    ),
    Operation(
        "verdict",
        parameters("word: string", "a: string", "b: string"),
        "The app’s verdict: “one meaning”, “two meanings”, “not clear” or “no verdict”.",
        lambda r, g: r.verdict(g["word"], g["a"], g["b"]),
    ),
    Operation(
        "without head",
        parameters(TEXT, "word: word", *IN_HEAD),
        "The position of the word between its two senses when one head is ablated.",
        _without_head,
    ),
)
