"""Score a text by a model of the next token: one run, then the head on a few positions at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ..errors import NotSupported
from ..records.frozen import Array
from ..records.score import Score, surprise

if TYPE_CHECKING:
    from .tokenizer.reader import Encoded, TextReader

_NUMBERS = 4_000_000  # logits at once: 16 MB, and a few times that to sort them out


def score(
    encoded: Encoded,
    vectors_LD: Tensor,
    logits: Callable[[Tensor], Array],
    reader: TextReader,
    *,
    vocabulary: int,
    top: int,
    model: str,
) -> tuple[Score, Array]:
    """The record of a text whose vectors a model has computed; and (V,), the logits at its end.

    The head reads all of its weights for each call: the last token goes with the others.

    Args:
        encoded: the tokens.
        vectors_LD: (L, D), the input of the head at each position.
        logits: the head: (n, D) to (n, V).
        reader: names the tokens.
        vocabulary: the size of the vocabulary, V.
        top: how many likeliest tokens to name at each position.
        model: the name of the model.
    """
    n, k = len(encoded), min(top, vocabulary)
    bits = np.full(n, np.nan)
    entropy, ranks = bits.copy(), np.full(n, -1)
    shares, ids = np.full((n, k), np.nan), np.full((n, k), -1)
    step = max(1, _NUMBERS // vocabulary)
    came = np.array(encoded.ids)
    for start in range(0, n, step):
        rows = logits(vectors_LD[start : start + step])
        then = slice(start + 1, min(start + len(rows), n - 1) + 1)
        behind, rows = rows[-1], rows[: then.stop - then.start]
        if not len(rows):
            continue
        bits[then], entropy[then], ranks[then] = surprise(rows, came[then])
        ids[then], shares[then] = _likeliest(rows, k)
    named = {int(number) for number in ids[ids >= 0]}
    written = {number: reader.surface_form(number) for number in named}
    found = Score(
        encoded.tokens,
        encoded.ids,
        encoded.offsets,
        bits,
        entropy,
        ranks,
        tuple(tuple(written[i] for i in row if i >= 0) for row in ids.tolist()),
        shares,
        model,
        encoded.texts[0],
        encoded.left_out_by_text[0],
    )
    return found, behind


def followed(before: Score, encoded: Encoded, logits: Array, reader: TextReader) -> Score:
    """The record of a text with more tokens behind it, out of the logits under which they were written.

    Args:
        before: the record of the text without them.
        encoded: the tokens, with them.
        logits: (n, V), those of the last n tokens, each before it came.
        reader: names the tokens.
    """
    n, k = len(logits), before.probabilities.shape[1]
    bits, entropy, ranks = surprise(logits, np.array(encoded.ids[-n:]))
    ids, shares = _likeliest(logits, k)
    return Score(
        encoded.tokens,
        encoded.ids,
        encoded.offsets,
        np.concatenate([before.bits, bits.astype(np.float32)]),
        np.concatenate([before.entropy, entropy.astype(np.float32)]),
        np.concatenate([before.ranks, ranks]),
        (*before.likeliest, *(tuple(reader.surface_form(i) for i in row) for row in ids.tolist())),
        np.concatenate([before.probabilities, shares.astype(np.float32)]),
        before.model,
        encoded.texts[0],
        encoded.left_out_by_text[0],
    )


def refuse(predicts: str | None, why: str, name: str) -> None:
    """Raise NotSupported unless a model predicts the next token."""
    if predicts != "next":
        raise NotSupported(
            why or f"“{name}” predicts masked words; a model that predicts the next one scores a text."
        )


def _likeliest(logits: Array, k: int) -> tuple[Array, Array]:
    """The k likeliest of each row, (n, k): ids, of equal ones the lower first; probabilities."""
    some = torch.topk(torch.from_numpy(np.ascontiguousarray(logits)), k, sorted=False).indices.numpy()
    some.sort(axis=1)
    of_some = np.take_along_axis(logits, some, axis=1)
    least = of_some.min(axis=1, keepdims=True)
    for row in np.flatnonzero((logits >= least).sum(axis=1) > k):  # torch takes any of equal ones
        among = np.flatnonzero(logits[row] >= least[row])
        some[row] = np.sort(among[np.argsort(-logits[row, among], kind="stable")[:k]])
        of_some[row] = logits[row, some[row]]
    order = np.argsort(-of_some, axis=1, kind="stable")
    ids = np.take_along_axis(some, order, axis=1)
    largest = logits.max(axis=1, keepdims=True).astype(np.float64)
    sums = np.exp(logits - largest).sum(axis=1, keepdims=True)
    return ids, np.exp(np.take_along_axis(of_some, order, axis=1) - largest) / sums
