"""Why a word's vector is what it is: what adds up to it, and what becomes of it after a change.

Two kinds of answer, each a record. `Contributions` is exact bookkeeping of one run: it says what a
number is the sum of. `Intervention` is a second run with something changed: it says what would be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .frozen import Array, Record
from .prediction import Expectation
from .trace import Trace


@dataclass(frozen=True)
class Cut:
    """One token no longer looks at another: its weight there is 0, and its others are shared out anew.

    Attributes:
        query: who looks: a word of the text, or the index of a token.
        key: who is looked at: as `query`.
        layer: in which layer, from 0; None: in all.
        head: in which head, from 0; None: in all.
    """

    query: str | int
    key: str | int
    layer: int | None = None
    head: int | None = None


@dataclass(frozen=True)
class Ablate:
    """One head is ablated: what it would hand on is multiplied by 0."""

    layer: int
    head: int


@dataclass(frozen=True)
class Mask:
    """The model's mask token stands for each token of this word, which are of no other word."""

    word: str
    occurrence: int = 0


@dataclass(frozen=True)
class Replace:
    """Another word stands in the place of exactly this one's characters: the text is read anew."""

    word: str
    by: str
    occurrence: int = 0


Change = Cut | Ablate | Mask | Replace


@dataclass(frozen=True, eq=False)
class Contributions(Record):
    """What a word's vector, measured along a direction, is the exact sum of.

    With the attention weights, the deviations inside each layer norm and the gates of the activation
    held at what they were in this run, a transformer is linear: what comes out is a sum of what each
    token brought, and of what the model's biases add. `whole` is the vector itself, measured; it is
    worked out by the run, and not by the sum.

    Attributes:
        tokens: the tokens of the text.
        word: (pieces,) the tokens of the word; where there are several, their mean is measured.
        layer: behind which layer, from 0.
        direction: (d_model,) what is measured along; `whole` = vector · direction.
        whole: the word's vector · direction.
        pushes: (layers + 1, tokens), what the vector that stands at each token brings: row 0, what the
            embeddings bring; row i, what stands there behind layer i. Each row adds up, with its
            bias, to `whole`.
        biases: (layers + 1,) what the biases behind each row add.
        carried: (layers, heads, tokens), the part of `pushes[layer]` that a head carries away from a
            token. The rest goes around the heads, or comes from their biases.
        fetched: (layers, heads, tokens), the part of `carried` that is brought to the word itself: what
            each of its own looks brings.

    Raises:
        ValueError: the shapes do not fit the tokens.
    """

    tokens: tuple[str, ...]
    word: tuple[int, ...]
    layer: int
    direction: Array
    whole: float
    pushes: Array
    biases: Array
    carried: Array
    fetched: Array

    def __post_init__(self) -> None:
        self._freeze("direction", "pushes", "biases", "carried", "fetched")
        n, layers = len(self.tokens), self.layer + 1
        if self.pushes.shape != (layers + 1, n) or self.biases.shape != (layers + 1,):
            raise ValueError(f"pushes has the shape {self.pushes.shape} for {n} tokens.")
        for name in ("carried", "fetched"):
            if (shape := getattr(self, name).shape)[::2] != (layers, n):
                raise ValueError(f"{name} has the shape {shape} for {n} tokens.")

    @property
    def by_token(self) -> Array:
        """(tokens,): what each token of the text brings, through all layers."""
        sources: Array = self.pushes[0]
        return sources

    @property
    def bias(self) -> float:
        """What no token brings."""
        return float(self.biases[0])

    @property
    def error(self) -> float:
        """How far the sum is from the whole, at the worst of the layers: rounding, and nothing else."""
        sums = self.pushes.sum(axis=1, dtype=np.float64) + self.biases
        return float(np.abs(sums - self.whole).max())


@dataclass(frozen=True, eq=False)
class Expected(Record):
    """What a model expects at one mask, as the text is and with the changes.

    The mask may stand at another place afterwards, where a word before it was replaced.
    """

    before: Expectation
    after: Expectation


@dataclass(frozen=True, eq=False)
class Intervention(Record):
    """Two runs: as it is, and with the changes.

    A change that replaces a word can give `after` other tokens than `before`.

    Attributes:
        before: as it is.
        after: with the changes.
        changes: what they are.
        expected: of each mask that stands in both, from left to right, what the model expects there;
            None where it predicts no words behind a mask.
    """

    before: Trace
    after: Trace
    changes: tuple[Change, ...]
    expected: tuple[Expected, ...] | None = None
