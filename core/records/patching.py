"""Activation patching: how much of the difference between two prompts comes back, state by state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import data_frames
from .frozen import Array, Record
from .pieces import pieces_of

if TYPE_CHECKING:
    import pandas as pd

By = Literal["position", "head"]
Half = Literal["", "encoder", "decoder", "cross"]
LEAST = 0.01  # logits: prompts that differ by less have nothing that could come back


@dataclass(frozen=True, eq=False)
class Patching(Record):
    """Runs of prompt B, each with one state or one head's output of the run of prompt A.

    What is measured is the logit of A's answer less that of B's, behind the last token. `a` and `b` are
    its values in the two runs themselves, `differences` those of the patched runs. A cell that has not
    been computed yet is NaN.

    Attributes:
        by: "position", the residual stream at one depth and one token; "head", the output of one head.
        tokens: the names of the tokens of A and of B; both have L.
        offsets: where each token stands in its text.
        texts: the two prompts.
        answers: A's answer and B's, as they are written in a text.
        ids: their ids.
        a: the difference of the two logits in run A.
        b: the same in run B.
        words: (L,), the difference if only the input at one token is exchanged, before the first layer.
        differences: (layers + 1, L) by position, row 0 for the input and row i for what layer i
            returns; (layers, heads) by head.
        at: by head, the one token at which the output is exchanged; None for all.
        model: the name of the model.
        block: in an encoder–decoder, what is exchanged: states of the encoder, where the tokens are
            those of two sources; states of the decoder, or heads of its cross-attention, where both
            runs have read the same target; "" elsewhere.

    Raises:
        ValueError: the fields do not fit each other, or the prompts have the same difference.
    """

    by: By
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    offsets: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    texts: tuple[str, str]
    answers: tuple[str, str]
    ids: tuple[int, int]
    a: float
    b: float
    words: Array
    differences: Array
    at: int | None
    model: str
    block: Half = ""

    def __post_init__(self) -> None:
        self._freeze("words", "differences")
        n = len(self.tokens[0])
        lengths = {len(self.tokens[1]), *map(len, self.offsets), len(self.words)}
        if lengths != {n} or self.words.ndim != 1 or not n:
            raise ValueError(
                "There must be one number for each of the tokens, equally many in A and B."
            )
        if self.by not in ("position", "head") or self.differences.ndim != 2:
            raise ValueError("What is exchanged is a state by position, or the output of a head.")
        if self.by == "position" and self.differences.shape[1] != n:
            raise ValueError(f"differences has the shape {self.differences.shape} for {n} tokens.")
        if self.at is not None and not 0 <= self.at < n:
            raise ValueError(f"There is no token {self.at}.")
        if not (math.isfinite(self.a) and math.isfinite(self.b)) or abs(self.a - self.b) < LEAST:
            raise ValueError(f"From {self.b} to {self.a} nothing can come back.")

    @property
    def recovered(self) -> Array:
        """How much comes back, (patched − B) / (A − B), shaped as `differences`: 0 nothing, 1 all."""
        return self._share(self.differences)

    @property
    def recovered_by_word(self) -> Array:
        """(L,): how much comes back if only the input at one token is exchanged."""
        return self._share(self.words)

    def _share(self, differences: Array) -> Array:
        share: Array = (differences.astype(np.float64) - self.b) / (self.a - self.b)
        return share.astype(np.float32)

    @property
    def done(self) -> float:
        """The share of cells that have been computed."""
        return float(np.isfinite(self.differences).mean())

    @property
    def differ(self) -> tuple[int, ...]:
        """The positions at which the two prompts have different tokens."""
        pairs = enumerate(zip(*self.tokens, strict=True))
        return tuple(i for i, (one, other) in pairs if one != other)

    @property
    def pieces(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Each token of A and of B as it stands in its text (`records.pieces`)."""
        a, b = (
            pieces_of(text, names, offsets)
            for text, names, offsets in zip(self.texts, self.tokens, self.offsets, strict=True)
        )
        return a, b

    def to_frame(self) -> pd.DataFrame:
        """A pandas table with one row for each patched run.

            depth, position     (by position) depth 0 is the input, i what layer i returns
            token_a, token_b    (by position) the two tokens there
            layer, head         (by head) counted from 0
            difference          logit of A's answer less that of B's
            recovered           (difference − B) / (A − B)

        Raises:
            NotSupported: pandas is not installed.
        """
        rows, columns = (part.ravel() for part in np.indices(self.differences.shape))
        named: dict[str, Any] = {"layer": rows, "head": columns}
        if self.by == "position":
            a, b = ([of[i] for i in columns] for of in self.tokens)
            named = {"depth": rows, "position": columns, "token_a": a, "token_b": b}
        numbers = {"difference": self.differences.ravel(), "recovered": self.recovered.ravel()}
        return data_frames.frame(named | numbers)
