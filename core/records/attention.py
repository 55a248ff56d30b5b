"""Attention weights of one block, and the scores of one head before softmax."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from . import data_frames
from .frozen import Array, Record, frozen
from .indices import index
from .notebook_display import Shown
from .own_weights import as_weights, numbers

if TYPE_CHECKING:
    import pandas as pd

ROW_SUM_TOLERANCE = 1e-4
# The share of a row that goes to none of its keys goes to a learned sink (gpt-oss); to the other text
# of an encoder–decoder with one softmax over both (T5Gemma 2); or to a learned prompt before every
# text (CPM-Ant).
Outside = Literal["sink", "source", "target", "prompt"]


class Scores(NamedTuple):
    """One head before softmax.

    `values` is (queries, keys) float32: q·k as the model scales it, position bias included; always
    finite. `masked` is (queries, keys) bool: cells that the head may not see. Their weight is 0,
    whatever their score. A softmax over the unmasked cells of a row gives its weights.
    """

    values: Array
    masked: Array


@dataclass(frozen=True, eq=False)
class Attention(Shown, Record):
    """Attention weights: how much each query attends to each key, in every layer and head.

    A row may be *missing*: all of it is NaN. This is true of the rows of a layer without attention (in
    a hybrid model), and of a row that has nothing left once some of its keys are hidden. Means leave
    missing rows out, and pictures hatch them.

    As the last value of a notebook cell, it is displayed as a picture: of all heads, or of its layer if
        there is only one.

    Attributes:
        queries: row labels, one for each token that attends.
        keys: column labels, one for each token that is attended to.
        weights: (layers, heads, queries, keys) float32; each row is missing, or sums to 1 within 1e-4
            together with its `sink`, if there is one. Accepts anything that `as_weights` reads: an
                array, a tensor, lists, or the tuple of layers that transformers returns; (heads,
                queries, keys) is one layer.
        sink: (layers, heads, queries), the share of each row that goes to none of these keys, if heads
            have learned a sink (gpt-oss) or attend to other tokens as well; otherwise None.
        outside: the destination of that share.

    Raises:
        ValueError: a label is not a string, or the labels do not fit the weights; or a row is not a
            distribution.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Array
    sink: Array | None = None
    outside: Outside = "sink"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        self._freeze("weights")
        self._label(self.queries, self.keys)
        if self.sink is not None:
            object.__setattr__(self, "sink", numbers(self.sink, "The sink"))
        self._freeze("sink")
        if self.sink is not None and self.sink.shape != self.weights.shape[:3]:
            raise ValueError(f"sink has the shape {self.sink.shape}, not {self.weights.shape[:3]}.")
        with np.errstate(invalid="ignore"):
            # float32 is enough for the tolerance, and takes a third of the time of float64.
            sums = self.weights @ np.ones(self.weights.shape[-1], np.float32)
            if self.sink is not None:
                sums += self.sink
        there = ~self.missing
        # `not (… <= …)`, so that NaN is refused too.
        # Without a missing row, which is NaN, one number says it, in a tenth of the time.
        whole = bool(self.weights.size) and bool(self.weights.min() >= 0)
        if not whole and not self.weights.min(initial=0, where=there[..., None]) >= 0:
            raise ValueError("Attention weights must be numbers of at least 0.")
        off = np.abs(sums[there] - 1).max(initial=0)
        if not off <= ROW_SUM_TOLERANCE:
            raise ValueError(
                f"A row of attention weights differs from a sum of 1 by {off:.2g}. If the "
                "weights are in half precision, divide each row by its sum first."
            )

    def _label(self, queries: Sequence[str], keys: Sequence[str]) -> None:
        try:
            object.__setattr__(self, "queries", tuple(queries))
            object.__setattr__(self, "keys", tuple(keys))
        except TypeError as error:
            raise ValueError("The labels of queries and keys must be lists of strings.") from error
        if not all(isinstance(label, str) for label in (*self.queries, *self.keys)):
            raise ValueError("The labels of queries and keys must be strings.")
        if self.weights.ndim != 4 or self.weights.shape[2:] != (len(self.queries), len(self.keys)):
            raise ValueError(
                f"weights have the shape {self.weights.shape}; they must be (layers, heads, "
                f"{len(self.queries)} queries, {len(self.keys)} keys)."
            )

    def labelled(self, queries: Sequence[str], keys: Sequence[str]) -> Attention:
        """The same weights (not a copy) with other labels.

        Raises:
            ValueError: as above, for the labels; the weights are not checked again.
        """
        attention = copy.copy(self)
        attention._label(queries, keys)
        return attention

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The number of layers, heads, queries and keys."""
        layers, heads, queries, keys = self.weights.shape
        return layers, heads, queries, keys

    def head_weights(self, layer: int, head: int) -> Array:
        """(queries, keys): the weights of one head, counted from 0.

        Raises:
            OutOfRange: there is no such layer or head (an IndexError).
        """
        layers, heads = self.weights.shape[:2]
        weights: Array = self.weights[index(layer, layers, "layer"), index(head, heads, "head")]
        return weights

    def to_frame(self, *, layer: int | None = None, head: int | None = None) -> pd.DataFrame:
        """A pandas table with one row for each weight.

        The columns, all counted from 0:

            layer, head     of the weight
            query, key      the positions of the two tokens
            query_token, key_token      their labels
            weight          the share of the query's row that goes to the key, 0 to 1; NaN in a row that
                            is missing
            sink            the share that goes to none of the keys; only if there is a sink

        Args:
            layer: only this layer; None for all.
            head: only this head; None for all.

        Raises:
            OutOfRange: there is no such layer or head (an IndexError).
            NotSupported: pandas is not installed.
        """
        (layers, heads), shape = self.shape[:2], self.shape[2:]
        chosen = [
            np.arange(count) if one is None else np.array([index(one, count, what)])
            for one, count, what in ((layer, layers, "layer"), (head, heads, "head"))
        ]
        grids = np.meshgrid(*chosen, *map(np.arange, shape), indexing="ij")
        at = [grid.ravel() for grid in grids]
        i, j, query, key = at
        columns = {
            "layer": i,
            "head": j,
            "query": query,
            "query_token": np.array(self.queries, object)[query],
            "key": key,
            "key_token": np.array(self.keys, object)[key],
            "weight": self.weights[i, j, query, key],
        }
        if self.sink is not None:
            columns["sink"] = self.sink[i, j, query]
        return data_frames.frame(columns)

    @property
    def missing(self) -> Array:
        """(layers, heads, queries) bool: the rows that are missing."""
        # For nearly all rows, the first column alone shows that they are not missing.
        missing: Array = np.asarray(np.isnan(self.weights[..., :1]).all(axis=-1))
        missing[missing] = np.isnan(self.weights[missing]).all(axis=-1)
        return missing


def scaled(query: Array, key: Array, scale: float, softcap: float | None = None) -> Array:
    """The scores of queries and keys as attention has them before masks and biases: a new array.

    Args:
        query: (…, queries, d_head).
        key: (…, keys, d_head).
        scale: the factor of the product.
        softcap: c, if the scaled product x becomes c·tanh(x/c); None or 0 for none.

    Returns:
        (…, queries, keys).
    """
    values: Array = query @ np.swapaxes(key, -1, -2)
    values *= np.float32(scale)
    if softcap:
        values = np.float32(softcap) * np.tanh(values / np.float32(softcap))
    return values


def before_softmax(
    query: Array,
    key: Array,
    *,
    scale: float | None,
    bias: Array | None,
    causal: bool,
    masked: Array | None = None,
    softcap: float | None = None,
) -> Scores:
    """The scores of one head: query·key · scale + bias. Vaswani et al. 2017, equation 1.

    Args:
        query: (queries, d_head).
        key: (keys, d_head).
        scale: the factor of the product; None means 1/√d_head.
        bias: (queries, keys), added after scaling (Raffel et al. 2020, section 2.1); None for none.
        causal: whether a token sees only itself and earlier tokens.
        masked: (queries, keys) bool, the cells that may not be seen; None follows `causal`.
        softcap: c, if the scaled product x becomes c·tanh(x/c) (Gemma Team 2024, section 2).
    """
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    values = scaled(query, key, factor, softcap)
    if bias is not None:
        values = values + bias
    if masked is None:
        masked = np.triu(np.ones(values.shape, bool), k=1) if causal else np.zeros(values.shape, bool)
    return Scores(frozen(values), frozen(masked, bool))
