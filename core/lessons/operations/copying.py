"""A model that copies: random words said twice, the heads that foresee them, and a run without."""

from __future__ import annotations

import numpy as np

from ...measures.attention.copying import MEASURES
from ..expressions import BadExpression, Operation
from ..model_records import Records
from .arguments import IN_HEAD, Given, from_zero, parameters

_OF_TEXT = ("words: whole", "seed: whole")


def _text(records: Records, given: Given) -> str:
    return records.repeated(int(given["words"]), int(given["seed"]))


def _bits(records: Records, given: Given) -> float:
    """The mean surprise at the words of a half."""
    half, length = given["half"], int(given["words"])
    if half not in (1, 2):
        raise BadExpression("A text that is said twice has the halves 1 and 2.")
    text, count = _text(records, given), given.get("without", 0)
    score = records.without_copying(text, length, int(count)) if count else records.score(text)
    places = slice(-2 * length, -length) if half == 1 else slice(-length, None)
    return float(np.nanmean(score.bits[places], dtype=np.float64))


def _kind(given: Given) -> str:
    if given["kind"] not in MEASURES:
        raise BadExpression(
            f"There is no kind of head “{given['kind']}”: choose one of {', '.join(MEASURES)}."
        )
    kind: str = given["kind"]
    return kind


def _head(records: Records, given: Given) -> tuple[float, float]:
    found = records.copying(_text(records, given), int(given["words"]))
    layer, head = found.ranked(_kind(given))[0]
    return float(layer + 1), float(head + 1)


def _attends(records: Records, given: Given) -> float:
    values = getattr(records.copying(_text(records, given), int(given["words"])), _kind(given))
    layer = from_zero("layer", given["layer"], values.shape[0])
    return float(values[layer, from_zero("head", given["head"], values.shape[1])])


OPERATIONS = (
    Operation(
        "said twice",
        parameters(*_OF_TEXT),
        "A text of a first word, then so many random ones, then the same again.",
        _text,
    ),
    Operation(
        "surprise",
        parameters(*_OF_TEXT, "half: whole", "without: whole?"),
        "The mean surprise at the words of a half of such a text, in bits; or without so many of the "
        "heads that copy best.",
        _bits,
    ),
    Operation(
        "copying head",
        parameters(*_OF_TEXT, "kind: string"),
        f"The [layer, head] that does most of one kind in such a text: {', '.join(MEASURES)}.",
        _head,
    ),
    Operation(
        "copying weight",
        parameters(*_OF_TEXT, "kind: string", *IN_HEAD),
        "The mean attention weight of that kind in one head, over such a text.",
        _attends,
    ),
)
