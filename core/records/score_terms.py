"""The three terms of a score in disentangled attention (DeBERTa)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..localization import N_
from .frozen import Array, Record

TERMS = (N_("content → content"), N_("content → position"), N_("position → content"))


@dataclass(frozen=True, eq=False)
class ScoreTerms(Record):
    """The scores of one head before the softmax, term by term; all are scaled, and add up.

    He et al. (2021), "DeBERTa", equation 4. The first word of a term is about the token that attends,
    the second about the one that is attended to.

    Attributes:
        tokens: the tokens of the text.
        layer: the layer, from 0.
        head: the head, from 0.
        content: (L, M): the query of one token times the key of the other, whatever their distance.
        to_position: (L, M): the query of a token times the key of the distance; 0 where a model has no
            such term.
        to_content: (L, M): the query of the distance times the key of the token attended to; likewise.

    Raises:
        ValueError: a shape does not fit the tokens.
    """

    tokens: tuple[str, ...]
    layer: int
    head: int
    content: Array
    to_position: Array
    to_content: Array

    def __post_init__(self) -> None:
        self._freeze("content", "to_position", "to_content")
        n = len(self.tokens)
        for one in self.each:
            if one.shape != (n, n):
                raise ValueError(f"A term has the shape {one.shape} for {n} tokens.")

    @property
    def each(self) -> tuple[Array, Array, Array]:
        """The terms, in the order of `TERMS`."""
        return self.content, self.to_position, self.to_content

    @property
    def scores(self) -> Array:
        """(L, M): their sum, whose softmax is the attention."""
        made: Array = self.content.astype(np.float64) + self.to_position + self.to_content
        return made.astype(np.float32)

    @property
    def spread(self) -> tuple[float, float, float]:
        """How much each term tells the keys of a row apart: its standard deviation, averaged over rows.

        What a term adds to all keys of a row alike, the softmax takes away again.
        """
        first, second, third = (float(one.std(axis=1, dtype=np.float64).mean()) for one in self.each)
        return first, second, third
