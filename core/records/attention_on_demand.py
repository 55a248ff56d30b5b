"""`AttentionOnDemand`: attention whose weights are computed when somebody reads them.

The weights of 270 heads on 512 tokens are 283 MB, and whoever traces a text often reads one head, or
none. They follow from query and key, which the trace has: equation 1 of Vaswani et al. 2017.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .attention import Attention, scaled
from .frozen import Array
from .indices import index

ROWS = 32  # queries at once: the scores of a block stay within the processor's caches


class AttentionOnDemand(Attention):
    """The attention of a text under a causal mask, out of its queries and keys.

    It is an `Attention` in all else: `weights` has the numbers of all heads, which are computed at the
    first use and kept; `head_weights` computes those of one head alone.

    Args:
        tokens: the tokens, L.
        query: (layers, heads, L, d_head), frozen, as they enter the product.
        key: the same shape.
        scale: for each layer, the factor of query · key; None: 1/√d_head.
        softcap: c, if scores are squashed to c · tanh(score / c).

    Raises:
        ValueError: the shapes do not fit each other.
    """

    _query: Array
    _key: Array
    _scale: tuple[float, ...]
    _softcap: float | None

    def __init__(
        self,
        tokens: tuple[str, ...],
        query: Array,
        key: Array,
        scale: tuple[float, ...] | None = None,
        softcap: float | None = None,
    ) -> None:
        layers, _, n, width = query.shape
        if key.shape != query.shape or n != len(tokens) or len(scale or query) != layers:
            raise ValueError("Tokens, queries, keys and scales do not fit each other.")
        made = {
            "queries": tokens,
            "keys": tokens,
            "sink": None,
            "outside": "sink",
            "_query": query,
            "_key": key,
            "_scale": scale or (width**-0.5,) * layers,
            "_softcap": softcap,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @cached_property
    def weights(self) -> Array:
        """(layers, heads, L, L): see `Attention`."""
        weights = np.zeros(self.shape, np.float32)
        for layer, into in enumerate(weights):
            self._write(into, layer, slice(None))
        weights.flags.writeable = False
        return weights

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """See `Attention.shape`; it computes no weight."""
        layers, heads, n, _ = self._query.shape
        return layers, heads, n, n

    @property
    def missing(self) -> Array:
        """See `Attention.missing`: none is."""
        return np.zeros(self.shape[:3], bool)

    def head_weights(self, layer: int, head: int) -> Array:
        """See `Attention.head_weights`; it computes those of no other head."""
        if "weights" in vars(self):
            return super().head_weights(layer, head)
        layers, heads, n, _ = self.shape
        layer, head = index(layer, layers, "layer"), index(head, heads, "head")
        weights = np.zeros((1, n, n), np.float32)
        self._write(weights, layer, slice(head, head + 1))
        weights.flags.writeable = False
        own: Array = weights[0]
        return own

    @property
    def nbytes(self) -> int:
        """See `Record.nbytes`, the weights included, read or not; query and key are the trace's."""
        return 4 * int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes_to_come(self) -> int:
        """The bytes that it will take beside those it has, once its weights are read."""
        return 0 if "weights" in vars(self) else self.nbytes

    def _write(self, into_HLL: Array, layer: int, heads: slice) -> None:
        """Write the weights of some heads into zeros. A token sees itself and those before it."""
        query_HLK, key_HLK = self._query[layer, heads], self._key[layer, heads]
        n, scale = len(self.queries), self._scale[layer]
        later_RR = np.triu(np.ones((ROWS, ROWS), bool), k=1)
        for start in range(0, n, ROWS):
            stop = min(n, start + ROWS)
            query, key = query_HLK[:, start:stop], key_HLK[:, :stop]
            scores_HRM = scaled(query, key, scale, self._softcap)
            scores_HRM[..., start:][:, later_RR[: stop - start, : stop - start]] = -np.inf
            scores_HRM -= scores_HRM.max(axis=-1, keepdims=True)
            np.exp(scores_HRM, out=scores_HRM)
            sums_HR1 = scores_HRM.sum(axis=-1, keepdims=True)
            np.divide(scores_HRM, sums_HR1, out=into_HLL[:, start:stop, :stop])
