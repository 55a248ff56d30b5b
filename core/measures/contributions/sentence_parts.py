"""A sentence split into words and the text between them, with the contribution of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...records.contributions import Contributions
from ...records.sense_axis import SenseAxis
from ...records.trace import Array, Trace, frozen
from ...records.words import split

LEFT_OUT = "…"


@dataclass(frozen=True)
class Part:
    """Some characters of a sentence, `text[start:end]`; `text` is what the screen shows.

    A stretch that is not shown has the text `LEFT_OUT`.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Sums:
    """How a sentence moves a word from where it stands alone, in the units of each layer's axis.

    alone + parts + special + bias is the position, to the rounding of float32.

    Attributes:
        alone: (layers,) float32, the position of the word in a text that holds nothing else.
        parts: (layers, parts) float32, what each part of the sentence adds; NaN for a part that has no
            token. At the word itself, what its own vector adds more than alone: the sentence sets the
            attention weights, the norms and the gates that let it through.
        special: (layers,) float32, what the tokens that are none of the words (`Trace.apart`) add more
            than alone: those that the model's template added, or the sink.
        bias: (layers,) float32, the same of the model's biases.
    """

    alone: Array
    parts: Array
    special: Array
    bias: Array


def parts(trace: Trace, start: int, end: int, most: int) -> tuple[tuple[Part, ...], int]:
    """The sentence in parts, and which of them is the chosen word.

    Args:
        trace: the trace of the sentence alone.
        start: the first character of the chosen word.
        end: the end of the chosen word.
        most: the largest number of words shown; in a longer sentence, those around the chosen one. Each
            omitted stretch is one part.
    """
    text = trace.texts[0]
    read = text[: trace.left_out[0]] if trace.left_out else text
    spans = [(w.start, w.end) for w in split(read) if w.end <= start or w.start >= end]
    spans = sorted([*spans, (start, end)])
    chosen = spans.index((start, end))
    first = max(0, min(chosen - most // 2, len(spans) - most))
    shown = spans[first : first + most]
    pieces: list[Part] = []
    at = shown[0][0] if first else 0
    if first:
        pieces += [Part(LEFT_OUT, 0, at), Part(" ", at, at)]
    for one in shown:
        if one[0] > at:
            pieces.append(Part(read[at : one[0]], at, one[0]))
        pieces.append(Part(read[slice(*one)], *one))
        at = one[1]
    if first + most < len(spans):
        pieces += [Part(" ", at, at), Part(LEFT_OUT, at, len(read))]
    elif at < len(read):
        pieces.append(Part(read[at:], at, len(read)))
    return tuple(pieces), next(i for i, p in enumerate(pieces) if (p.start, p.end) == (start, end))


def sums(trace: Trace, shown: Sequence[Part], axis: SenseAxis, layers: Sequence[Contributions]) -> Sums:
    """The contribution of each part, layer by layer.

    Args:
        trace: the sentence.
        shown: its `parts`.
        axis: the axis along which the contributions were measured.
        layers: the contributions to the position after each layer, along `axis.direction`, counted from
            the word alone (`Contributions.from_alone`).

    Raises:
        ValueError: they are counted from another zero.
    """
    alone = [one.alone for one in layers]
    if None in alone:
        raise ValueError("What a sentence adds is counted from the word alone.")
    own = layers[0].word
    of = [_part_of(trace, i, shown, own) for i in range(len(trace.tokens))]
    rows = np.full((len(layers), len(shown)), np.nan)
    special = np.zeros(len(layers))
    for row, one in zip(rows, layers, strict=True):
        for token, part in enumerate(of):
            if part is not None:
                row[part] = np.nan_to_num(row[part]) + one.by_token[token]
    for layer, one in enumerate(layers):
        special[layer] = sum(one.by_token[i] for i, part in enumerate(of) if part is None)
    offsets = [axis.offset(layer) for layer in range(len(layers))]
    return Sums(
        frozen(np.add(np.array(alone, float), offsets)),
        frozen(rows),
        frozen(special),
        frozen([one.bias for one in layers]),
    )


def _part_of(trace: Trace, token: int, shown: Sequence[Part], own: Sequence[int]) -> int | None:
    """The part that contains a token's first visible character; None for one that is none of the words.

    A first token that is the sink is none, unless it belongs to the chosen word.
    """
    start, end = trace.offsets[token]
    sink = trace.apart[token] and not (trace.first_is_sink and token in own)
    if sink or start == end:
        return None
    text = trace.texts[0][start:end]
    at = start + len(text) - len(text.lstrip())
    return next((i for i, part in enumerate(shown) if part.start <= min(at, end - 1) < part.end), None)
