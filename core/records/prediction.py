"""The prediction of a model at one position of a text: a logit for each token of its vocabulary.

The model runs once and returns an `Expectation`. Predictions at any temperature, and lists of any
length, come from that record without another run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import SettingError
from ..settings import MOST_PREDICTIONS
from .frozen import Array, Record

PredictionKind = Literal["masked", "next"]


@dataclass(frozen=True, eq=False)
class Prediction(Record):
    """The likeliest tokens at one position.

    Attributes:
        position: the index of the mask (`masked`), or of the last token, whose vector predicts the next
            one (`next`).
        kind: `masked`, the token hidden by a mask, or `next`, the token that would follow.
        ids: the likeliest tokens, in descending order.
        tokens: their names in the tokenizer ("Ġbank").
        texts: their spelling within a text (" bank").
        probabilities: (k,) float32, softmax(logits / temperature) over the whole vocabulary.
        entropy: the entropy of that distribution over the whole vocabulary, in bits.
        temperature: the divisor of the logits; 1 leaves them unchanged.

    Raises:
        ValueError: the fields do not fit each other, or the probabilities are not probabilities.
    """

    position: int
    kind: PredictionKind
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    texts: tuple[str, ...]
    probabilities: Array
    entropy: float
    temperature: float

    def __post_init__(self) -> None:
        self._freeze("probabilities")
        _check_position(self.position, self.kind)
        _check_names(self.ids, self.tokens, self.texts)
        p = self.probabilities
        if p.shape != (len(self.ids),):
            raise ValueError(f"probabilities has the shape {p.shape} for {len(self.ids)} tokens.")
        if not ((p >= 0).all() and (p[1:] <= p[:-1]).all() and p.sum(dtype=np.float64) <= 1 + 1e-5):
            raise ValueError("There must be probabilities, the largest first.")
        if not (math.isfinite(self.entropy) and self.entropy >= 0):
            raise ValueError(f"The entropy is {self.entropy}; it must be finite, 0 or more.")
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"The temperature is {self.temperature}; it must be above 0.")

    @property
    def rest(self) -> float:
        """The probability that all other tokens share."""
        return max(0.0, 1.0 - float(self.probabilities.sum(dtype=np.float64)))


@dataclass(frozen=True, eq=False)
class Expectation(Record):
    """The full prediction of a model at one position: its logits, before softmax.

    Attributes:
        position, kind: see `Prediction`.
        logits: (vocabulary,) float32, as the model's head returns them.
        ids: the tokens with the largest logits, in descending order, at most
            `settings.MOST_PREDICTIONS`. The order is the same at every temperature.
        tokens, texts: names and spellings of `ids`, see `Prediction`.

    Raises:
        ValueError: the fields do not fit each other, or a logit is not finite.
    """

    position: int
    kind: PredictionKind
    logits: Array
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        self._freeze("logits")
        _check_position(self.position, self.kind)
        _check_names(self.ids, self.tokens, self.texts)
        if self.logits.ndim != 1 or not self.logits.size or not np.isfinite(self.logits).all():
            raise ValueError("logits is not one finite number for each token of the vocabulary.")
        if likeliest(self.logits) != self.ids:
            raise ValueError("ids must be the tokens with the largest logits, in descending order.")

    def top(self, k: int = 10, temperature: float = 1.0) -> Prediction:
        """The `k` likeliest tokens at a temperature, with their exact probabilities.

        softmax(logits / temperature), over the whole vocabulary (Hinton et al. 2015, equation 1).

        Args:
            k: the number of tokens, from 1 to `settings.MOST_PREDICTIONS`; a smaller vocabulary
                returns fewer.
            temperature: above 0; below 1 the likeliest tokens gain, above 1 the others do.

        Raises:
            SettingError: `k` or `temperature` is out of range.
        """
        check_top(k, temperature)
        p = probabilities(self.logits, temperature)
        some = p[p > 0]
        k = min(k, len(self.ids))
        return Prediction(
            self.position,
            self.kind,
            self.ids[:k],
            self.tokens[:k],
            self.texts[:k],
            p[list(self.ids[:k])],
            max(0.0, float(-(some * np.log2(some)).sum())),
            float(temperature),
        )


def probabilities(logits: Array, temperature: float) -> Array:
    """softmax(logits / temperature), float64; a logit of −inf has probability 0."""
    below = logits.astype(np.float64) - logits.max()
    with np.errstate(over="ignore"):  # near temperature 0, smaller logits become −∞
        raised = np.exp(below / temperature)
    shared: Array = raised / raised.sum()
    return shared


def likeliest(logits: Array) -> tuple[int, ...]:
    """The ids of the `settings.MOST_PREDICTIONS` largest logits; ties by the lower id."""
    k = min(MOST_PREDICTIONS, logits.size)
    least = np.partition(logits, logits.size - k)[logits.size - k]  # sorting all would be slow
    among = np.flatnonzero(logits >= least)
    return tuple(among[np.argsort(-logits[among], kind="stable")[:k]].tolist())


def check_top(k: int, temperature: float) -> None:
    """Raise SettingError if the number of tokens or the temperature is out of range."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= MOST_PREDICTIONS:
        raise SettingError(
            f"The number of tokens is {k}; it must be a whole number from 1 to {MOST_PREDICTIONS}."
        )
    if not (math.isfinite(temperature) and temperature > 0):
        raise SettingError(f"The temperature is {temperature}; it must be a number above 0.")


def _check_position(position: int, kind: str) -> None:
    if position < 0:
        raise ValueError(f"The position is {position}; tokens count from 0.")
    if kind not in ("masked", "next"):
        raise ValueError(f"The kind is “{kind}”; it must be “masked” or “next”.")


def _check_names(ids: tuple[int, ...], tokens: tuple[str, ...], texts: tuple[str, ...]) -> None:
    if not len(ids) == len(tokens) == len(texts) >= 1:
        raise ValueError(f"There are {len(ids)} ids, {len(tokens)} tokens and {len(texts)} texts.")
    if len(set(ids)) != len(ids) or min(ids) < 0:
        raise ValueError("A token occurs twice, or its id is negative.")
