"""The parts of one logit, or of the difference of two: by what the model wrote, and by what it read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from . import data_frames
from .contributions import Contributions
from .frozen import Array, Record

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class LogitParts(Record):
    """Why one next token, or one rather than another: two exact sums behind the same number.

    By source (`sources`): with attention weights, norms and gates held as they were, the number is what
    each token of the text brings through all layers, and what the biases add. By part: every head and
    every feed-forward network adds its output to the residual stream, and with the deviation of the
    final norm held the number is what each adds to it directly. A norm behind a sub-layer, and a cap on
    the logits, are held in the same way.

    Attributes:
        token: the next token, spelled as in the text.
        other: the one whose logit is subtracted; None if none is.
        sources: the sum by source, and how much of it stands in each token after each layer.
        embedding: what the vector of the token at which the model predicts adds before the first layer.
        heads: (layers, heads, tokens), what each head adds that it has read from each token.
        feed_forward: (layers,), what each feed-forward network adds, with its biases.
        biases: (layers,), what the biases of each attention add.
        final_bias: what the biases behind the last layer add: that of the final norm, and of the head.
        logits: the logit of the token, and of the other one; the model's own, to compare with.

    Raises:
        ValueError: the shapes do not fit.
    """

    token: str
    other: str | None
    sources: Contributions
    embedding: float
    heads: Array
    feed_forward: Array
    biases: Array
    final_bias: float
    logits: tuple[float, ...]

    def __post_init__(self) -> None:
        self._freeze("heads", "feed_forward", "biases")
        layers, tokens = self.sources.layer + 1, len(self.sources.tokens)
        if self.heads.ndim != 3 or self.heads.shape[::2] != (layers, tokens):
            raise ValueError(f"heads has the shape {self.heads.shape} for {tokens} tokens.")
        for name in ("feed_forward", "biases"):
            if (shape := getattr(self, name).shape) != (layers,):
                raise ValueError(f"{name} has the shape {shape} for {layers} layers.")
        if len(self.logits) != 1 + (self.other is not None):
            raise ValueError("There is one logit for each of the tokens.")

    @property
    def whole(self) -> float:
        """The logit, or the difference of both."""
        return self.sources.whole

    @property
    def by_head(self) -> Array:
        """(layers, heads): what each head adds."""
        added: Array = self.heads.sum(-1, dtype=np.float64)
        return added

    @property
    def by_layer(self) -> Array:
        """(layers,): what each layer adds, its heads, its network and its biases together."""
        added: Array = self.by_head.sum(-1) + self.feed_forward + self.biases
        return added

    @property
    def constant(self) -> float:
        """What the biases of all attentions and of the final norm add."""
        return float(self.biases.sum(dtype=np.float64)) + self.final_bias

    @property
    def error(self) -> float:
        """The largest difference between the number and either sum: only rounding."""
        direct = self.embedding + float(self.by_layer.sum()) + self.final_bias
        return max(self.sources.error, abs(direct - self.whole))

    def less(self, before: LogitParts) -> LogitParts:
        """This sum less that of another model of the same architecture, part by part.

        Both name the same tokens in the same text. The parts of the difference add up to the difference
        of the two numbers, as the parts of each add up to its own.

        Raises:
            ValueError: they are of other tokens, or of other shapes.
        """
        asked = self.token, self.other, self.sources.tokens
        if asked != (before.token, before.other, before.sources.tokens):
            raise ValueError("Both sums must be about the same tokens.")
        if self.heads.shape != before.heads.shape:
            raise ValueError(f"{self.heads.shape} heads and tokens do not fit {before.heads.shape}.")
        return LogitParts(
            self.token,
            self.other,
            self.sources.less(before.sources),
            self.embedding - before.embedding,
            self.heads - before.heads,
            self.feed_forward - before.feed_forward,
            self.biases - before.biases,
            self.final_bias - before.final_bias,
            tuple(a - b for a, b in zip(self.logits, before.logits, strict=True)),
        )

    def to_frame(self, by: Literal["source", "part", "head"] = "source") -> pd.DataFrame:
        """A pandas table. All indices count from 0; the unit is that of logits.

        Args:
            by: "source": `position`, `token`, `contribution`; the biases stand last and have no
                position (<NA>). If the first token is a decoder's sink (`sources.sink`), a column
                `sink` tells it from the words. "part": `part` ("embedding", "head", "feed-forward",
                "biases", "final norm"), `layer`, `head`, `contribution`; both add up to `whole`.
                "head": `layer`, `head`, `position`, `token`, `contribution`, one row for each token
                that a head reads, and `sink` as above.

        Raises:
            ValueError: `by` is none of these.
            NotSupported: pandas is not installed.
        """
        tokens = self.sources.tokens
        if by == "source":
            n = len(tokens)
            table = data_frames.frame(
                {
                    "position": np.arange(n + 1),
                    "token": np.array([*tokens, "(biases)"], object),
                    **self.sources.of_sink(np.arange(n + 1)),
                    "contribution": np.append(self.sources.by_token, self.sources.bias),
                }
            )
            table["position"] = table["position"].astype("Int64").mask(table["position"] == n)
            return table
        if by == "head":
            layer, head, at = (grid.ravel() for grid in np.indices(self.heads.shape))
            return data_frames.frame(
                {
                    "layer": layer,
                    "head": head,
                    "position": at,
                    "token": np.array(tokens, object)[at],
                    **self.sources.of_sink(at),
                    "contribution": self.heads.ravel(),
                }
            )
        if by != "part":
            raise ValueError(f"The parts are by source, part or head, not by {by!r}.")
        layers, heads = self.heads.shape[:2]
        rows: list[tuple[str, int | None, int | None, float]] = [
            ("embedding", None, None, self.embedding)
        ]
        for i in range(layers):
            rows += [("head", i, h, float(self.by_head[i, h])) for h in range(heads)]
            rows.append(("feed-forward", i, None, float(self.feed_forward[i])))
            rows.append(("biases", i, None, float(self.biases[i])))
        rows.append(("final norm", None, None, self.final_bias))
        parts, layer_of, head_of, added = zip(*rows, strict=True)
        table = data_frames.frame(
            {"part": [*parts], "layer": [*layer_of], "head": [*head_of], "contribution": [*added]}
        )
        return table.astype({"layer": "Int64", "head": "Int64"})
