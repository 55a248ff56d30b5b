"""How a next token is drawn: temperature, then top-k, top-p and min-p, then a number from 0 to 1.

Each step keeps the likeliest tokens and renormalises, in the order of `transformers`. All of them keep
a beginning of one list, the tokens by their probability; how many are left is all that they decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..errors import SettingError
from ..records.frozen import Array, Record, frozen
from ..records.prediction import probabilities

_MASK = 2**64 - 1


@dataclass(frozen=True)
class Sampling:
    """What reshapes a distribution before a token is drawn from it.

    Attributes:
        temperature: the logits are divided by it: below 1, the likely become likelier; above 1, all
            become more equal; 0 takes the likeliest token, and nothing is drawn.
        top_k: only the k likeliest tokens (Fan et al. 2018, section 5.2); None: all.
        top_p: only the likeliest tokens that together reach this share, and always one (Holtzman et al.
            2020, section 3.1, the "nucleus"); None: all.
        min_p: only tokens at least this share as likely as the likeliest (Nguyen et al. 2024,
            section 3); None: all.

    Raises:
        SettingError: a value is out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __post_init__(self) -> None:
        if not (_is_number(self.temperature) and 0 <= self.temperature < math.inf):
            raise SettingError(f"The temperature is {self.temperature}; it must be 0 or more.")
        k = self.top_k
        if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
            raise SettingError(f"top_k is {k}; it must be a whole number, 1 or more.")
        if self.top_p is not None and not (_is_number(self.top_p) and 0 < self.top_p <= 1):
            raise SettingError(f"top_p is {self.top_p}; it must be above 0, and 1 at most.")
        if self.min_p is not None and not (_is_number(self.min_p) and 0 <= self.min_p <= 1):
            raise SettingError(f"min_p is {self.min_p}; it must be a number from 0 to 1.")


@dataclass(frozen=True, eq=False)
class Shaped(Record):
    """The distribution of the next token at a temperature, and how much of it is left to draw from.

    Attributes:
        ids: (V,), all tokens, the likeliest first; of equal ones the lower id.
        probabilities: (V,) float64, softmax(logits / temperature) in that order; sums to 1.
        kept: how many of them, from the first, can be drawn.
    """

    ids: Array
    probabilities: Array
    kept: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", frozen(self.ids, np.int64))
        object.__setattr__(self, "probabilities", frozen(self.probabilities, np.float64))
        if not 1 <= self.kept <= len(self.ids) == len(self.probabilities):
            raise ValueError(f"{self.kept} of {len(self.ids)} tokens cannot be kept.")

    @property
    def drawable(self) -> Array:
        """(kept,) float64: the probabilities of what is left, made to sum to 1."""
        left = self.probabilities[: self.kept]
        renormalised: Array = left / left.sum()
        return renormalised


@dataclass(frozen=True)
class Drawn:
    """One token that was drawn.

    Attributes:
        id: the token.
        rank: its place among all tokens by probability, from 0.
        probability: how likely it was to be drawn, among what was left.
        number: the number from 0 to 1 that chose it; None where the likeliest was taken.
    """

    id: int
    rank: int
    probability: float
    number: float | None


def shaped(logits: Array, sampling: Sampling) -> Shaped:
    """The distribution that a token is drawn from.

    Args:
        logits: (V,), −inf for a token that is forbidden; at least one is finite.
        sampling: see `Sampling`. At temperature 0, the probabilities are those at 1, and one is kept.
    """
    order = np.argsort(-logits, kind="stable")
    p = probabilities(logits[order], sampling.temperature or 1.0)
    left = int(np.count_nonzero(p))  # a forbidden token is never drawn
    if sampling.temperature == 0:
        return Shaped(order, p, 1)
    if sampling.top_k is not None:
        left = min(left, int(sampling.top_k))
    if sampling.top_p is not None and sampling.top_p < 1:
        reached = np.cumsum(p[:left]) / p[:left].sum()
        left = 1 + int(np.searchsorted(reached[:-1], sampling.top_p, side="left"))
    if sampling.min_p is not None:
        left = int(np.count_nonzero(p[:left] >= sampling.min_p * p[0]))
    return Shaped(order, p, left)


def draw(distribution: Shaped, number: float) -> Drawn:
    """The token at a number from 0 to 1 on the stretch that the drawable tokens cover.

    The likeliest covers the beginning, as long as its probability, and so on. `number`: 0 ≤ number < 1.
    """
    ends = np.cumsum(distribution.drawable)
    # Rounding could otherwise put a number behind the last token.
    place = min(int(np.searchsorted(ends, number * ends[-1], side="right")), distribution.kept - 1)
    return Drawn(
        int(distribution.ids[place]), place, float(distribution.drawable[place]), float(number)
    )


def choose(logits: Array, sampling: Sampling, seed: int, position: int) -> Drawn:
    """The next token: the likeliest at temperature 0, else drawn.

    Args:
        logits: see `shaped`.
        sampling: see `Sampling`.
        seed: together with `position`, determines the number that is drawn.
        position: the number of tokens before. Ten steps in one call thus equal ten calls of one step.
    """
    if sampling.temperature == 0:  # without sorting the whole vocabulary; of equal ones the lower id
        likeliest = int(np.argmax(logits))
        return Drawn(likeliest, 0, float(probabilities(logits, 1.0)[likeliest]), None)
    return draw(shaped(logits, sampling), uniform(seed, position))


def uniform(seed: int, position: int) -> float:
    """A number from 0 (included) to 1 (excluded), the same wherever seed and position are the same.

    SplitMix64 (Steele, Lea and Flood 2014): short enough to be the same in a browser, where NumPy's
    generators are not. 53 bits, as a float has.
    """
    state = (_mixed(seed & _MASK) + (position + 1) * 0x9E3779B97F4A7C15) & _MASK
    return (_mixed(state) >> 11) / 2**53


def _mixed(state: int) -> int:
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return state ^ (state >> 31)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.floating) and not isinstance(value, bool)
