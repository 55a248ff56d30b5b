"""Word vectors learned by skip-gram (word2vec): each word predicts the words around it.

Mikolov et al. (2013), "Distributed Representations of Words and Phrases", equations 1 and 2. In a toy
language, the softmax over all words is cheap: no negative samples are needed, and every step uses every
pair of words at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..records.frozen import Array, Record, frozen

STEPS = 300
LEARNING_RATE = 0.05


@dataclass(frozen=True, eq=False)
class SkipGram(Record):
    """Vectors before and after training.

    Attributes:
        before: (V, d) float32: the random initialisation, N(0, 1/d).
        vectors: (V, d) float32: the vectors of centre words, as in word2vec.
        losses: (steps + 1,): the mean loss per predicted word in nats, before the first step and after
            each.
    """

    before: Array
    vectors: Array
    losses: Array

    def __post_init__(self) -> None:
        self._freeze("before", "vectors", "losses")


def pair_counts(sentences: Sequence[Sequence[int]], n_vocabulary: int, window: int) -> Array:
    """(V, V) int64: how often the column's word is within the window around the row's word.

    Args:
        sentences: the ids of their words; a window never crosses the end of a sentence.
        n_vocabulary: V.
        window: the number of words to either side.

    Raises:
        ValueError: if the window is empty.
    """
    if window < 1:
        raise ValueError(f"A window reaches 1 word or more to either side, not {window}.")
    counts = np.zeros((n_vocabulary, n_vocabulary), np.int64)
    for ids in sentences:
        read = np.asarray(ids)
        for distance in range(1, min(window, len(read) - 1) + 1):
            np.add.at(counts, (read[:-distance], read[distance:]), 1)
            np.add.at(counts, (read[distance:], read[:-distance]), 1)
    return frozen(counts, np.int64)


def skip_gram(counts: Array, width: int, *, steps: int = STEPS, seed: int = 0) -> SkipGram:
    """Learn vectors from pair counts, with Adam on the mean of −ln p(context | word).

    Args:
        counts: see `pair_counts`.
        width: d.
        steps: the steps of the optimizer, each on all pairs.
        seed: the seed of the initial vectors.

    Raises:
        ValueError: if there are no pairs.
    """
    pairs_VV = torch.tensor(np.asarray(counts), dtype=torch.float32)
    if not pairs_VV.any():
        raise ValueError("There is no pair of words to learn from.")
    share_VV = pairs_VV / pairs_VV.sum()
    chance = torch.Generator().manual_seed(seed)
    shape = len(pairs_VV), width
    drawn_VD = torch.randn(shape, generator=chance) * width**-0.5
    words_VD = drawn_VD.clone().requires_grad_()
    contexts_VD = torch.zeros(shape, requires_grad=True)
    optimizer = torch.optim.Adam([words_VD, contexts_VD], LEARNING_RATE)
    losses = []
    with torch.enable_grad():
        for step in range(steps + 1):
            loss = -(share_VV * torch.log_softmax(words_VD @ contexts_VD.T, dim=1)).sum()
            losses.append(float(loss.detach()))
            if step < steps:
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
    return SkipGram(drawn_VD.numpy(), words_VD.detach().numpy(), np.array(losses))
