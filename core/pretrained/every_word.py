"""The vectors of every word of many texts at once, without a record of each text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..records.frozen import Array, Record
from ..records.words import Word, coverage
from .engines.batches import Together, batches
from .engines.engine import Keep, Run
from .tokenizer.reader import Encoded


@dataclass(frozen=True, eq=False)
class TextWords(Record):
    """The words of one text that reached the model, from left to right, as in `Trace.occurrences`.

    Attributes:
        words: the words, and their characters.
        vectors: (layers, words, d_model), for each word the mean of its tokens.
        left_out: `(start, end)`, the characters that did not fit the model; None if all did.

    Raises:
        ValueError: a number is not finite.
    """

    words: tuple[Word, ...]
    vectors: Array
    left_out: tuple[int, int] | None

    def __post_init__(self) -> None:
        self._freeze("vectors")
        if not np.isfinite(self.vectors).all():
            raise ValueError("The vectors contain numbers that are not finite.")


def every_word(
    encodings: Sequence[Encoded],
    layers: Sequence[int],
    run: Callable[[Sequence[Encoded], Keep], Run],
    *,
    size: int,
    together: Callable[[], Together],
    most: Callable[[int], int],
) -> list[TextWords]:
    """The words of each text, computed in batches of texts of similar length.

    Args:
        encodings: the texts.
        layers: which layers, from 0.
        run: runs a batch of texts.
        size: the number of texts that run at once.
        together: returns which texts may share a batch, see `batches`.
        most: returns the number of texts of a length that fit into memory.
    """
    result: dict[int, TextWords] = {}
    for batch in batches(encodings, size, together=together, most=most):
        hidden_BLD = run([encodings[i] for i in batch], "hidden").hidden_BLD
        hidden = [hidden_BLD[layer].cpu().numpy() for layer in layers]
        for row, i in enumerate(batch):
            result[i] = _words(encodings[i], [of[row, : len(encodings[i])] for of in hidden])
    return [result[i] for i in range(len(encodings))]


def _words(encoded: Encoded, hidden: Sequence[Array]) -> TextWords:
    """The words of one text; `hidden` are its layers, each (tokens, d_model)."""
    text, cut = encoded.texts[0], encoded.left_out_by_text[0]
    spans = np.array(encoded.offsets, np.int64).reshape(-1, 2)
    words, covers = coverage(text, spans, end=cut[0] if cut else len(text))
    mean = covers / covers.sum(axis=1, keepdims=True, dtype=np.float32)
    vectors = np.empty((len(hidden), len(words), hidden[0].shape[1]), np.float32)
    for of, into in zip(hidden, vectors, strict=True):
        np.matmul(mean, of, out=into)
    return TextWords(words, vectors, cut)
