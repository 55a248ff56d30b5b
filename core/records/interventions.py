"""Why a word's vector is what it is: what adds up to it, and what becomes of it after a change.

Two kinds of answer, each a record. `Contributions` is exact bookkeeping of one run: it says what a
number is the sum of. `Intervention` is a second run with something changed: it says what would be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..deprecated import field
from .frozen import Array, Record
from .prediction import Expectation
from .trace import Trace


@dataclass(frozen=True)
class Cut:
    """One token no longer attends to another: its weight there is 0, and the others share it.

    Attributes:
        query: which token attends: a word of the text, or the index of a token.
        key: which token is attended to: as `query`.
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
    """Another word replaces exactly this one's characters: the text is read anew."""

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
        by_depth: (layers + 1, tokens), the contributions of the vectors at each depth: row 0, of the
            embeddings; row i, of what stands at each token behind layer i. Each row adds up, with its
            bias, to `whole`.
        biases: (layers + 1,) what the biases behind each row add.
        by_head: (layers, heads, tokens), the contributions of each head: the part of `by_depth[layer]`
            that it takes from a token to any other. The rest goes around the heads, or comes from
            their biases.
        by_head_direct: (layers, heads, tokens), the part of `by_head` that the word's own attention
            brings to it.

    Raises:
        ValueError: the shapes do not fit the tokens.
    """

    tokens: tuple[str, ...]
    word: tuple[int, ...]
    layer: int
    direction: Array
    whole: float
    by_depth: Array
    biases: Array
    by_head: Array
    by_head_direct: Array

    pushes = field("pushes", "by_depth")
    carried = field("carried", "by_head")
    fetched = field("fetched", "by_head_direct")

    def __post_init__(self) -> None:
        self._freeze("direction", "by_depth", "biases", "by_head", "by_head_direct")
        n, layers = len(self.tokens), self.layer + 1
        if self.by_depth.shape != (layers + 1, n) or self.biases.shape != (layers + 1,):
            raise ValueError(f"by_depth has the shape {self.by_depth.shape} for {n} tokens.")
        for name in ("by_head", "by_head_direct"):
            if (shape := getattr(self, name).shape)[::2] != (layers, n):
                raise ValueError(f"{name} has the shape {shape} for {n} tokens.")

    @property
    def by_token(self) -> Array:
        """(tokens,): what each token of the text brings, through all layers."""
        sources: Array = self.by_depth[0]
        return sources

    @property
    def bias(self) -> float:
        """What no token brings."""
        return float(self.biases[0])

    @property
    def error(self) -> float:
        """How far the sum is from the whole, at the worst of the layers: rounding, and nothing else."""
        sums = self.by_depth.sum(axis=1, dtype=np.float64) + self.biases
        return float(np.abs(sums - self.whole).max())


@dataclass(frozen=True, eq=False)
class Expected(Record):
    """What a model expects at one mask, as the text is and with the changes.

    The mask may stand at another position afterwards, where a word before it was replaced.
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
