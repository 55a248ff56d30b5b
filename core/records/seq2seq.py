"""One run of an encoder–decoder: the traces of source and target, and the cross-attention."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import NotSupported
from .attention import Attention, Scores, before_softmax
from .frozen import Array, Record
from .indices import index
from .trace import Trace


@dataclass(frozen=True, eq=False, repr=False)
class Seq2SeqTrace(Record):
    """A source through the encoder, a target through the decoder, and the cross-attention between.

    The decoder reads the target as in training (teacher forcing): shifted by one, after its start
    token and without its last token, which it only has to predict. `decoder.tokens` are the tokens
    that it reads: position i predicts token i of the target.

    Attributes:
        encoder: the source.
        decoder: the shifted target; causal.
        cross: the cross-attention; its queries are the decoder's tokens, its keys the encoder's.
        query: (layers, heads, decoder tokens, d_head) of the cross-attention.
        key, value: (layers, heads, encoder tokens, d_head) of the cross-attention.
        scale: for each layer, the factor of query·key; None means 1/√d_head in all layers.
        products: whether the model exposes query and key.
        why_no_products: why it does not, as a sentence; "" if it does.
        softcap: see `core.Trace`.

    Anything that `Model.trace(..., keep=...)` left out is None.

    Raises:
        ValueError: a shape does not fit the tokens, or a number is not finite.
    """

    encoder: Trace
    decoder: Trace
    cross: Attention | None
    query: Array | None = None
    key: Array | None = None
    value: Array | None = None
    scale: tuple[float, ...] | None = None
    products: bool = True
    why_no_products: str = ""
    softcap: float | None = None

    def __post_init__(self) -> None:
        self._freeze("query", "key", "value")
        reads, source = self.decoder.tokens, self.encoder.tokens
        cross = self.cross
        if cross is not None and not (cross.queries == reads and cross.keys == source):
            raise ValueError(
                "The rows of the cross-attention are not the decoder's tokens, or its columns not "
                "the encoder's."
            )
        for name, tokens in (("query", reads), ("key", source), ("value", source)):
            array = getattr(self, name)
            if array is None:
                continue
            grid = array.shape[:2] if cross is None else cross.weights.shape[:2]
            if array.ndim != 4 or array.shape[:3] != (*grid, len(tokens)):
                raise ValueError(
                    f"{name} has the shape {array.shape}, not {(*grid, len(tokens), 'd_head')}."
                )
            if not np.isfinite(array).all():
                raise ValueError(f"{name} contains numbers that are not finite.")

    def scores(self, layer: int, head: int) -> Scores:
        """One head of the cross-attention before softmax, (decoder tokens, encoder tokens).

        Nothing is masked: the decoder sees the whole source. Indices from 0.

        Raises:
            NotSupported: the trace has no query and key.
            OutOfRange: there is no such layer or head (an IndexError).
        """
        if not self.products:
            raise NotSupported(
                f"The cross-attention of “{self.decoder.model}” provides no query and key: "
                + (
                    self.why_no_products
                    or "transformers computes it in a way that Polysee cannot record."
                )
                + " Its weights are available."
            )
        if self.query is None or self.key is None:
            raise NotSupported("This trace has no query and key. Ask for keep='all'.")
        layer = index(layer, len(self.query), "layer")
        head = index(head, self.query.shape[1], "head")
        return before_softmax(
            self.query[layer, head],
            self.key[layer, head],
            scale=None if self.scale is None else self.scale[layer],
            bias=None,
            causal=False,
            softcap=self.softcap,
        )

    def __repr__(self) -> str:
        return f"<core.Seq2SeqTrace of {self.encoder!r} and {self.decoder!r}>"
