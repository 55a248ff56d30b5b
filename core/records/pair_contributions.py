"""`PairContributions`: what source and target add to one number of an encoder–decoder's run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .frozen import Array, Record


@dataclass(frozen=True, eq=False)
class PairContributions(Record):
    """The exact sum behind a vector of the decoder, measured along a direction.

    Attention weights, deviations of norms, and gates are held at their values in this run: see
    `core.Contributions`, which is this for a single text. The decoder is then a sum over its own
    tokens, and over the source, which it reads through its cross-attention.

    Attributes:
        source: the tokens that the encoder read, S.
        target: the tokens that the decoder read, L.
        at: the tokens of the target whose vectors are measured, and averaged.
        layer: the layer of the decoder whose output is measured, from 0.
        direction: (d_model,), of the measurement. For a logit, the row of the matrix that predicts.
        whole: the measured number.
        by_depth: (layers + 1, L), what the target's vectors contribute at each depth of the decoder.
        from_source: (layers + 1, S), what the cross-attention of the layers behind each depth takes
            from the encoder's output. With `biases`, row i of the three adds up to `whole`.
        biases: (layers + 1,), what the biases of the decoder behind each depth add.
        source_by_depth: (encoder layers + 1, S), what the source's vectors contribute at each depth of
            the encoder. Each row with its bias adds up to row 0 of `from_source`.
        source_biases: (encoder layers + 1,), what the biases of the encoder behind each depth add.
        by_head: (layers, heads, L), the part of `by_depth` that heads of the self-attention move.
        by_cross_head: (layers, heads, S), what each head of the cross-attention takes.
        by_source_head: (encoder layers, heads, S), the part of `source_by_depth` that heads move.
        final: whether it is measured behind the decoder's final norm.

    Raises:
        ValueError: the shapes do not fit the tokens.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    at: tuple[int, ...]
    layer: int
    direction: Array
    whole: float
    by_depth: Array
    from_source: Array
    biases: Array
    source_by_depth: Array
    source_biases: Array
    by_head: Array
    by_cross_head: Array
    by_source_head: Array
    final: bool = False

    def __post_init__(self) -> None:
        arrays = ("by_depth", "from_source", "biases", "source_by_depth", "source_biases")
        heads = ("by_head", "by_cross_head", "by_source_head")
        self._freeze("direction", *arrays, *heads)
        depths, n, m = self.layer + 2, len(self.target), len(self.source)
        ends = {"by_depth": n, "from_source": m, "source_by_depth": m}
        ends |= {"by_head": n, "by_cross_head": m, "by_source_head": m}
        for name, count in ends.items():
            if getattr(self, name).shape[-1] != count:
                raise ValueError(f"{name} has the shape {getattr(self, name).shape}; {count} tokens.")
        rows = {len(self.by_depth), len(self.from_source), len(self.biases)}
        if rows != {depths} or len(self.source_by_depth) != len(self.source_biases):
            raise ValueError("The sums have other depths than the layers.")

    @property
    def by_source_token(self) -> Array:
        """(S,): what each token of the source adds, through both stacks."""
        found: Array = self.source_by_depth[0]
        return found

    @property
    def by_target_token(self) -> Array:
        """(L,): what each token that the decoder read adds."""
        found: Array = self.by_depth[0]
        return found

    @property
    def bias(self) -> float:
        """What the biases of both stacks add, which belongs to no token."""
        return float(self.biases[0] + self.source_biases[0])

    @property
    def error(self) -> float:
        """The largest difference between a sum and the whole, at any depth: only rounding."""
        read = self.by_depth.sum(1, dtype=np.float64) + self.biases
        decoder = read + self.from_source.sum(1, dtype=np.float64)
        encoder = read[0] + self.source_by_depth.sum(1, dtype=np.float64) + self.source_biases
        return float(np.abs(np.concatenate([decoder, encoder]) - self.whole).max())
