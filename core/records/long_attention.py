"""`LongAttention`: the attention of a long text, without its weights.

The weights of 270 heads on 2,048 tokens are 4.5 GB, and nobody looks at all of them. Query, key and the
log-sum of each row are a thirtieth of that, and any weight follows from them as exp(score − log-sum)
(Dao et al. 2022, "FlashAttention", section 3.1, keeps the same for its backward pass).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .attention import Attention, scaled
from .frozen import Array, Record
from .indices import index

LARGEST = 2**24  # weights at once: 64 MB
# The kinds of positions that are added to the scores: there, query and key alone give no weight.
BIASES = ("linear bias", "relative bias")


@dataclass(frozen=True, eq=False)
class LongAttention(Record):
    """Query, key and row log-sums of every head on a text, and each head's map in small.

    Attributes:
        tokens: the tokens of the text, L.
        query: (layers, heads, L, d_head), as they enter the product.
        key: (layers, heads of keys, L, d_head); neighbouring heads share one where there are fewer.
        log_sums: (layers, heads, L), the log of each row's sum of exp(score).
        scale: for each layer, the factor of query · key.
        windows: for each layer, to how many tokens one attends, itself and those before it; 0: to all.
        softcap: c, if scores are squashed to c · tanh(score / c); 0: they are not.
        largest: (layers, heads, cells, cells), the largest weight of each block of the map.
        block: how many queries, and keys, are in a cell; the last of a row may have fewer.
        model: the model's name.
        left_out: `(start, end)`, the characters that were truncated; None if none were.
        pieces: the tokens as they stand in the text, see `core.records.pieces`; by default `tokens`.

    Raises:
        ValueError: the shapes do not fit each other.
    """

    tokens: tuple[str, ...]
    query: Array
    key: Array
    log_sums: Array
    scale: tuple[float, ...]
    windows: tuple[int, ...]
    softcap: float
    largest: Array
    block: int
    model: str
    left_out: tuple[int, int] | None = None
    pieces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", self.pieces or self.tokens)
        self._freeze("query", "key", "log_sums", "largest")
        layers, heads, n = self.log_sums.shape
        cells = -(-n // self.block)
        if (
            self.query.shape[:3] != (layers, heads, n)
            or self.key.shape != (layers, self.key.shape[1], n, self.query.shape[3])
            or heads % self.key.shape[1]
            or (len(self.tokens), len(self.pieces)) != (n, n)
            or (len(self.scale), len(self.windows)) != (layers, layers)
            or self.largest.shape != (layers, heads, cells, cells)
        ):
            raise ValueError("Queries, keys, log-sums and maps do not fit each other.")

    @property
    def grid(self) -> tuple[int, int]:
        """The number of layers and of heads."""
        layers, heads, _ = self.log_sums.shape
        return layers, heads

    def tile(self, layer: int, head: int, rows: slice, columns: slice) -> Array:
        """The weights of one head for some queries and keys, exact to rounding.

        Args:
            layer: from 0.
            head: from 0.
            rows: the queries; a slice of whole numbers, as of a list.
            columns: the keys.

        Raises:
            OutOfRange: there is no such layer or head (an IndexError).
            ValueError: it would be more than `LARGEST` weights.
        """
        layers, heads = self.grid
        layer, head = index(layer, layers, "layer"), index(head, heads, "head")
        n = len(self.tokens)
        at_rows, at_columns = np.arange(n)[rows], np.arange(n)[columns]
        if len(at_rows) * len(at_columns) > LARGEST:
            raise ValueError(f"{len(at_rows)} × {len(at_columns)} weights are too many at once.")
        shared = head // (heads // self.key.shape[1])
        query, key = self.query[layer, head, at_rows], self.key[layer, shared, at_columns]
        scores = scaled(query, key, self.scale[layer], self.softcap)
        weights: Array = np.exp(scores - self.log_sums[layer, head, at_rows, None])
        back = at_rows[:, None] - at_columns
        window = self.windows[layer] or n
        weights[(back < 0) | (back >= window)] = 0
        return weights

    def row(self, layer: int, head: int, query: int) -> Array:
        """(L,): how much one token attends to each. Raises as `tile`."""
        query = index(query, len(self.tokens), "token")
        found: Array = self.tile(layer, head, slice(query, query + 1), slice(None))[0]
        return found

    def attention(self, layer: int, head: int) -> Attention:
        """One head whole, as of a short text. Raises as `tile`."""
        weights = self.tile(layer, head, slice(None), slice(None))
        return Attention(self.tokens, self.tokens, weights[None, None])

    def __repr__(self) -> str:
        layers, heads = self.grid
        return (
            f"<core.LongAttention of {len(self.tokens)} tokens by {self.model!r}, {layers} × {heads}>"
        )
