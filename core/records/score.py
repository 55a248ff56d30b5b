"""How surprised a model is by each token of a text, given the tokens before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .frozen import Array, Record, frozen

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Score(Record):
    """The surprise at each token of a text, in bits: −log₂ of the probability that it was given.

    A token has one only where something stands before it: the first has none, in a model without a
    sign for the beginning. Its number is NaN, and its rank −1.

    Attributes:
        tokens: the names of the tokens, L of them.
        ids: their ids.
        offsets: where each stands in the text.
        bits: (L,) float32, its surprise.
        entropy: (L,) float32, bits: the surprise that the model expected there, over its vocabulary.
        ranks: (L,) int64, how many tokens were likelier than it.
        likeliest: for each token the `k` tokens that were likeliest there, as they are written in a
            text; empty for the first.
        probabilities: (L, k) float32, theirs; NaN for the first.
        model: the name of the model.
        text: the text.
        left_out: the characters that did not fit the model; None if all did.

    Raises:
        ValueError: the fields do not fit each other.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    bits: Array
    entropy: Array
    ranks: Array
    likeliest: tuple[tuple[str, ...], ...]
    probabilities: Array
    model: str
    text: str
    left_out: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._freeze("bits", "entropy", "probabilities")
        object.__setattr__(self, "ranks", frozen(self.ranks, np.int64))
        n = len(self.tokens)
        lengths = {len(self.ids), len(self.offsets), len(self.likeliest)}
        shapes = {self.bits.shape, self.entropy.shape, self.ranks.shape}
        if lengths != {n} or shapes != {(n,)} or self.probabilities.shape[:1] != (n,):
            raise ValueError("There must be one number for each token.")
        known = self.ranks >= 0
        if not (np.isfinite(self.bits[known]).all() and (self.bits[known] >= 0).all()):
            raise ValueError("A surprise is a finite number of bits, 0 or more.")

    @property
    def pieces(self) -> tuple[str, ...]:
        """Each token as it stands in the text; see `pieces`."""
        return pieces(self.text, self.tokens, self.offsets)

    @property
    def scored(self) -> int:
        """How many tokens have a surprise."""
        return int((self.ranks >= 0).sum())

    @property
    def total(self) -> float:
        """The surprise at the whole text, in bits: the sum; 0 if no token has one."""
        return float(np.nansum(self.bits, dtype=np.float64))

    @property
    def per_token(self) -> float:
        """Bits a token, the mean over the scored ones: the cross-entropy; NaN if there are none."""
        return self.total / self.scored if self.scored else float("nan")

    @property
    def first_scored(self) -> int:
        """Where the first token that has a surprise begins in the text; its end if none has."""
        some = [start for (start, _), rank in zip(self.offsets, self.ranks, strict=True) if rank >= 0]
        return min(some, default=len(self.text))

    @property
    def words(self) -> int:
        """How many words have a surprise: what stands between spaces, the first token left out."""
        return len(self._read[self.first_scored :].split())

    @property
    def letters(self) -> int:
        """How many characters the scored tokens spell, spaces and signs included."""
        return len(self._read) - self.first_scored

    @property
    def per_word(self) -> float:
        """Bits a word: the sum over the number of words; NaN if there are none."""
        return self.total / self.words if self.words else float("nan")

    @property
    def per_letter(self) -> float:
        """Bits a character; it compares models and texts that are split into tokens differently."""
        return self.total / self.letters if self.letters else float("nan")

    @property
    def _read(self) -> str:
        """The text up to where it was truncated."""
        return self.text[: self.left_out[0]] if self.left_out else self.text

    @property
    def perplexity(self) -> float:
        """2 to the power of `per_token`: among how many equal tokens it would be as uncertain."""
        return float(2**self.per_token)

    def to_frame(self) -> pd.DataFrame:
        """One row for each token: token, start, end, bits, entropy, rank, likeliest, probability."""
        import pandas as pd

        return pd.DataFrame(
            {
                "token": self.tokens,
                "start": [start for start, _ in self.offsets],
                "end": [end for _, end in self.offsets],
                "bits": self.bits,
                "entropy": self.entropy,
                "rank": pd.array([r if r >= 0 else None for r in self.ranks], dtype="Int64"),
                "likeliest": [some[0] if some else None for some in self.likeliest],
                "probability": self.probabilities[:, 0],
            }
        )


def pieces(text: str, tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Each token as it stands in a text, with the spaces before it; a special one by its name.

    The first token of a character that takes several stands for it, and "…" for the others.
    """
    found, end = [], 0
    for token, (start, stop) in zip(tokens, offsets, strict=True):
        found.append((text[end:stop] or "…") if stop > start else token)
        end = max(end, stop)
    return tuple(found)


def surprise(logits: Array, ids: Array) -> tuple[Array, Array, Array]:
    """Bits, expected bits and ranks of tokens, each under its own logits.

    Args:
        logits: (n, V), finite.
        ids: (n,), the token that came.

    Returns:
        Three arrays, (n,): −log₂ p of the token; the entropy, Σ −p · log₂ p; and how many tokens were
        likelier.
    """
    below = logits - logits.max(axis=1, keepdims=True).astype(np.float64)
    log_p = (below - np.log(np.exp(below).sum(axis=1, keepdims=True))) / np.log(2)
    came = np.take_along_axis(log_p, ids[:, None], axis=1)
    ranks = (log_p > came).sum(axis=1)
    return np.maximum(-came[:, 0], 0.0), -(np.exp2(log_p) * log_p).sum(axis=1), ranks
