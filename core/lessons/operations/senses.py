"""The senses of a word: its position between two of them, and the verdict on two sentences."""

from __future__ import annotations

from ...records.frozen import Array
from ...records.trace import Trace
from ..expressions import BadExpression, Operation
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


def _word(given: Given) -> str:
    word = given["word"]
    if not isinstance(word, str):
        raise BadExpression("What a sentence adds is known for words, not for the number of a token.")
    return word


def _alone(records: Records, given: Given) -> float:
    return records.moved(given["text"], _word(given)).alone


def _by_word(records: Records, given: Given) -> dict[str, float]:
    """What each other word adds; of a word that occurs several times, all occurrences together."""
    found: dict[str, float] = {}
    for text, number in records.moved(given["text"], _word(given)).others:
        found[text.casefold()] = found.get(text.casefold(), 0.0) + number
    return found


def _adds(records: Records, given: Given) -> float:
    other = given["by"]
    if other.casefold() == _word(given).partition(":")[0].casefold():
        return records.moved(given["text"], _word(given)).own
    found = _by_word(records, given)
    if other.casefold() not in found:
        raise BadExpression(f"“{other[:40]}” is no other word of the text.")
    return found[other.casefold()]


def _adds_most(records: Records, given: Given) -> str:
    found = _by_word(records, given)
    most = max(found, key=lambda one: abs(found[one]), default="")
    others = records.moved(given["text"], _word(given)).others
    return next((text for text, _ in others if text.casefold() == most), "")


def _carries(records: Records, given: Given) -> float:
    values = records.by_head(given["text"], _word(given), given["by"])
    trace = trace_of(records, given)
    return float(values[layer_of(trace, given), head_of(trace, given)])


def _carried_most(records: Records, given: Given) -> tuple[float, float]:
    values = records.by_head(given["text"], _word(given), given["by"])
    best = int(abs(values).argmax())
    return float(best // values.shape[1] + 1), float(best % values.shape[1] + 1)


def _without_word(records: Records, given: Given) -> float:
    cut = records.without_word(given["text"], given["word"], given["by"])
    return float(_coordinates(records, given, cut)[-1])


_BY = "by: string"
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
    Operation(
        "alone",
        parameters(TEXT, "word: word"),
        "The position of a word of a text if the text holds nothing else, after the last layer.",
        _alone,
    ),
    Operation(
        "adds",
        parameters(TEXT, "word: word", _BY),
        "What another word, or its own vector, adds to the position of a word, counted from it alone.",
        _adds,
    ),
    Operation(
        "adds most",
        parameters(TEXT, "word: word"),
        "The other word that moves a word farthest from where it is alone; an empty string for none.",
        _adds_most,
    ),
    Operation(
        "head adds",
        parameters(TEXT, "word: word", _BY, *IN_HEAD),
        "What one head adds to the position of a word by carrying another word to it directly.",
        _carries,
    ),
    Operation(
        "head adds most",
        parameters(TEXT, "word: word", _BY),
        "The [layer, head] that adds most by carrying another word to a word directly.",
        _carried_most,
    ),
    Operation(
        "without word",
        parameters(TEXT, "word: word", _BY),
        "The position of the word when it attends to another word in no layer.",
        _without_word,
    ),
)
