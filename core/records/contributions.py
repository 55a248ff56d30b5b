"""Contributions: the exact parts that add up to a word's vector in one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..settings import BEGINNING
from . import data_frames
from .frozen import Array, Record

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Contributions(Record):
    """The exact sum behind a word's vector, measured along a direction.

    Hold the attention weights, the standard deviations inside each layer norm and the gates of the
    activation at their values in this run. The transformer is then linear: its output is a sum of
    contributions from each token, and of what the biases add. `whole` is measured on the vector that
    the run produced, not computed from the sum.

    Attributes:
        tokens: the tokens of the text, as the tokenizer names them.
        word: (pieces,) the tokens of the word; the vectors of several tokens are averaged.
        layer: the layer whose output is measured, from 0.
        direction: (d_model,), the direction of the measurement.
        whole: the dot product of the word's vector and `direction`.
        by_depth: (layers + 1, tokens), the contributions of the vectors at each depth: row 0 for the
            embeddings, row i for the vectors after layer i. With its bias, each row adds up to `whole`.
        biases: (layers + 1,) what the biases after each row add.
        by_head: (layers, heads, tokens), the contributions of each head: the part of `by_depth[layer]`
            that it moves from a token to any other. The rest bypasses the heads, or comes from their
            biases.
        by_head_direct: (layers, heads, tokens), the part of `by_head` that the word's own attention
            moves to it.
        final: whether the vector is measured behind the final norm, as a logit is; its deviation is
            held too, and what its bias adds is in every number of `biases`.
        sink: whether the first token is a decoder's attention sink (`Trace.first_is_sink`), and not
            the word: what it contributes is a part of its own, and not that of a word of the text.
        alone: if the sum is counted from the word alone (`from_alone`), the dot product of its vector
            alone and `direction`; otherwise None.

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
    alone: float | None = None
    final: bool = False
    sink: bool = False

    def __post_init__(self) -> None:
        self._freeze("direction", "by_depth", "biases", "by_head", "by_head_direct")
        n, layers = len(self.tokens), self.layer + 1
        if self.by_depth.shape != (layers + 1, n) or self.biases.shape != (layers + 1,):
            raise ValueError(f"by_depth has the shape {self.by_depth.shape} for {n} tokens.")
        for name in ("by_head", "by_head_direct"):
            if (shape := getattr(self, name).shape)[::2] != (layers, n):
                raise ValueError(f"{name} has the shape {shape} for {n} tokens.")

    def less(self, before: Contributions) -> Contributions:
        """This sum less that of another model, token by token; its direction is the first model's.

        Raises:
            ValueError: they are sums to other tokens, or of other depths.
        """
        if (self.tokens, self.word, self.layer) != (before.tokens, before.word, before.layer):
            raise ValueError("Both sums must be of the same tokens, after one layer.")
        return replace(
            self,
            whole=self.whole - before.whole,
            by_depth=self.by_depth - before.by_depth,
            biases=self.biases - before.biases,
            by_head=self.by_head - before.by_head,
            by_head_direct=self.by_head_direct - before.by_head_direct,
        )

    def from_alone(self, alone: Contributions, *, causal: bool = False) -> Contributions:
        """The same sum, counted from the word alone: what the sentence around it changes.

        Each contribution is that in this text less that in the other; `whole` is how far the text moves
        the word. The other tokens of the text have nothing to be subtracted. What the word's own vector
        and the template's special tokens contribute depends on the text as well, since it sets the
        attention weights, the norms and the gates that let them through.

        The first token of a model that reads from left to right draws attention whatever it is, and the
        word alone would be that token. There, the word stands behind a neutral beginning instead: all
        that adds is subtracted from the first token here, which has the same part.

        Args:
            alone: the contributions to the same word in a text that holds nothing else, or in a causal
                model a neutral beginning and the word; with the same direction and layer. If the word
                has another number of pieces there, each piece here has an equal share of what is
                subtracted.
            causal: whether the model reads from left to right.

        Raises:
            ValueError: the other text holds more than the word and the special tokens that are also at
                both ends of this one; or another direction or layer was measured.
        """
        if alone.layer != self.layer or not np.array_equal(alone.direction, self.direction):
            raise ValueError("Both sums must be measured along one direction, after one layer.")
        around = [0] if causal else self._around(alone)

        def less(here: Array, there: Array) -> Array:
            left = here.astype(np.float64)
            rest = np.delete(there, alone.word, axis=-1)
            left[..., around] -= rest.sum(axis=-1, keepdims=True) if causal else rest
            own = there[..., list(alone.word)]
            if len(alone.word) != len(self.word):
                own = own.sum(axis=-1, keepdims=True) / len(self.word)
            left[..., list(self.word)] -= own
            return left

        return replace(
            self,
            whole=self.whole - alone.whole,
            by_depth=less(self.by_depth, alone.by_depth),
            biases=self.biases - alone.biases,
            by_head=less(self.by_head, alone.by_head),
            by_head_direct=less(self.by_head_direct, alone.by_head_direct),
            alone=alone.whole,
        )

    def _around(self, alone: Contributions) -> list[int]:
        """The tokens here that are those around the word alone: special tokens at both ends."""
        before, after = alone.word[0], len(alone.tokens) - 1 - alone.word[-1]
        ends = [*range(before)], [*range(len(self.tokens) - after, len(self.tokens))]
        around = [*ends[0], *ends[1]]
        rest = [token for i, token in enumerate(alone.tokens) if i not in alone.word]
        if [self.tokens[i] for i in around] != rest or {*around} & {*self.word}:
            raise ValueError(f"{rest} is more than the word, or not around it in {[*self.tokens]}.")
        return around

    def to_frame(self, by: Literal["depth", "head"] = "depth") -> pd.DataFrame:
        """A pandas table with one row for each contribution.

        A contribution has the unit of `direction`: along `SenseAxis.direction`, half the distance
        between the two ends. After `from_alone`, every number is counted from the word alone. The
        columns, all counted from 0:

            depth           (by depth) 0 for the embeddings, i for the vectors after layer i
            layer, head     (by head) of the head that moves the contribution to other tokens
            position, token of the source, as the tokenizer names it ("Ġbank" where a space is part
                            of it); a bias, "(bias)", belongs to none and has no position (<NA>)
            in_word         whether the source is a token of the word itself
            sink            whether the source is the sink, a part of its own; only if there is one
            contribution    what it adds to `whole`; with its bias, each depth adds up to `whole`
            direct          (by head) the part that the word's own attention moves to it

        Args:
            by: "depth" for `by_depth` and `biases`, "head" for `by_head` and `by_head_direct`.

        Raises:
            ValueError: `by` is neither.
            NotSupported: pandas is not installed.
        """
        if by not in ("depth", "head"):
            raise ValueError(f"Contributions are by depth or by head, not by {by!r}.")
        n = len(self.tokens)
        inside = np.isin(np.arange(n + 1), self.word)
        if by == "head":
            layers, heads = self.by_head.shape[:2]
            layer, head, at = (grid.ravel() for grid in np.indices((layers, heads, n)))
            return data_frames.frame(
                {
                    "layer": layer,
                    "head": head,
                    "position": at,
                    "token": np.array(self.tokens, object)[at],
                    "in_word": inside[at],
                    **self.of_sink(at),
                    "contribution": self.by_head.ravel(),
                    "direct": self.by_head_direct.ravel(),
                }
            )
        table = np.concatenate([self.by_depth, self.biases[:, None]], axis=1)
        depth, at = (grid.ravel() for grid in np.indices(table.shape))
        whole = data_frames.frame(
            {
                "depth": depth,
                "position": at,
                "token": np.array([*self.tokens, "(bias)"], object)[at],
                "in_word": inside[at],
                **self.of_sink(at),
                "contribution": table.ravel(),
            }
        )
        whole["position"] = whole["position"].astype("Int64").mask(at == n)
        return whole

    def of_sink(self, positions: Array) -> dict[str, Array]:
        """The column of a table that says which sources are the sink; none if there is no sink."""
        return {"sink": positions == 0} if self.sink else {}

    @property
    def by_token(self) -> Array:
        """(tokens,): the contribution of each token of the text, through all layers."""
        sources: Array = self.by_depth[0]
        return sources

    @property
    def bias(self) -> float:
        """The contribution of the biases, which belongs to no token."""
        return float(self.biases[0])

    @property
    def error(self) -> float:
        """The largest difference between the sum and the whole over the layers: only rounding."""
        return rounding(self.by_depth, self.biases, self.whole)


def beginning(*, causal: bool) -> str:
    """The neutral beginning behind which a word stands alone in a causal model; "" in any other."""
    return BEGINNING.partition("{word}")[0].strip() if causal else ""


def rounding(rows: Array, constants: Array, whole: float) -> float:
    """The largest difference between `whole` and the sum of a row of contributions with its constant.

    Args:
        rows: (depths, contributors).
        constants: (depths,), the part of each sum that belongs to no contributor.
        whole: the number that each row and its constant should add up to.
    """
    return float(np.abs(rows.sum(axis=1, dtype=np.float64) + constants - whole).max())
