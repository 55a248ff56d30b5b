"""Positions as numbers: sinusoidal, learned and rotary positions as frozen arrays.

Vaswani et al. (2017), section 3.5; Devlin et al. (2019), Figure 2; Su et al. (2021), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from ..records.frozen import Array, Record, frozen
from ..transformer import LanguageModel, rotary, sinusoidal
from ..transformer.positions import BASE, rates

APART = 0.25  # of a mean cosine: a row that far below what is usual between neighbours stands out


@dataclass(frozen=True, eq=False)
class Waves(Record):
    """A table of sinusoidal positions.

    Attributes:
        base: the base of the wavelengths.
        table: (positions, dimensions) float32, as added in a model.
        rates: (⌈dimensions / 2⌉,) float64: the radians by which each pair rotates per position.
    """

    base: float
    table: Array
    rates: Array

    def __post_init__(self) -> None:
        self._freeze("table")
        object.__setattr__(self, "rates", frozen(self.rates, np.float64))

    def wavelength(self, dimension: int) -> float:
        """The number of positions after which a dimension repeats."""
        return 2 * math.pi / float(self.rates[dimension // 2])

    def at(self, positions: Array, dimension: int) -> Array:
        """The values of a dimension at any positions, including fractional ones; float64."""
        angles = np.asarray(positions, float) * self.rates[dimension // 2]
        wave: Array = np.cos(angles) if dimension % 2 else np.sin(angles)
        return wave

    def misses(self, dimension: int) -> float:
        """The largest difference of a dimension after one wavelength: only rounding."""
        positions = np.arange(len(self.table))
        later = self.at(positions + self.wavelength(dimension), dimension)
        return float(np.abs(later - self.at(positions, dimension)).max())


@dataclass(frozen=True, eq=False)
class Moved(Record):
    """All positions shifted by the same offset, computed in two ways.

    Attributes:
        offset: the number of positions.
        there: (positions, 2 · pairs) float32, the rows of the table at the shifted positions.
        turned: (positions, 2 · pairs) float64, the original rows of the table times one matrix.
    """

    offset: int
    there: Array
    turned: Array

    def __post_init__(self) -> None:
        self._freeze("there")
        object.__setattr__(self, "turned", frozen(self.turned, np.float64))

    @property
    def residual(self) -> float:
        """The largest difference between the two; 0 if there is no pair."""
        return float(np.abs(self.there - self.turned).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Distances(Record):
    """The products of all pairs of positions, by their distance.

    Attributes:
        products: (positions, positions) float64.
        mean: (positions,) float64: the mean over all pairs at each distance.
        low: the smallest at each distance.
        high: the largest at each distance.
    """

    products: Array
    mean: Array
    low: Array
    high: Array

    def __post_init__(self) -> None:
        for name in ("products", "mean", "low", "high"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    @property
    def spread(self) -> float:
        """The largest range of products at the same distance."""
        return float((self.high - self.low).max())

    def after(self, start: int) -> Array:
        """The products of one position with those after it, by distance; NaN beyond the last."""
        products = np.full(len(self.mean), np.nan)
        products[: len(self.mean) - start] = self.products[start, start:]
        return products


@dataclass(frozen=True, eq=False)
class Turned(Record):
    """A query and a key, rotated by rotary positions.

    Attributes:
        queries: (positions, d_head) float32, the query at each position.
        keys: (positions, d_head) float32, the key at each position.
        products: (positions, positions) float64: rows are the query's positions, columns the key's.
        rates: (d_head / 2,) float64: the radians by which each pair rotates per position.
    """

    queries: Array
    keys: Array
    products: Array
    rates: Array

    def __post_init__(self) -> None:
        self._freeze("queries", "keys")
        for name in ("products", "rates"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    @property
    def spread(self) -> float:
        """The largest range of products at the same distance, which form a diagonal."""
        n = len(self.products)
        return max(float(np.ptp(np.diagonal(self.products, i))) for i in range(1 - n, n))


@dataclass(frozen=True, eq=False)
class Angles(Record):
    """How the positions of a published model turn its queries and keys.

    Attributes:
        base: θ of its settings.
        rates: (d_head / 2,) float64: the radians by which each pair turns per position.
        unscaled: the same without the scaling for longer texts; equal to `rates` if there is none.
        factor: by how much slow pairs are slowed down; 1 if there is no scaling.
    """

    base: float
    rates: Array
    unscaled: Array
    factor: float

    def __post_init__(self) -> None:
        for name in ("rates", "unscaled"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    @property
    def wavelengths(self) -> Array:
        """(d_head / 2,): the positions after which each pair has turned once around."""
        return 2 * math.pi / self.rates


def angles_of(decoder: LanguageModel) -> Angles | None:
    """The angles of a decoder, in its first layer that turns; None if none does."""
    every: list[Any] = [layer.attention for layer in decoder.stack.layers]
    attention = next((one for one in every if one.rotation is not None), every[0])
    rotation = attention.rotation
    if rotation is None:
        return None
    one = torch.tensor([1])
    found = [
        turns.angles(one, attention.d_head)[0].double().numpy()
        for turns in (rotation, replace(rotation, stretch=None))
    ]
    factor = 1.0 if rotation.stretch is None else rotation.stretch.factor
    return Angles(rotation.base, found[0], found[1], factor)


def waves(length: int, width: int, base: float = BASE) -> Waves:
    """The sinusoidal positions 0 … length − 1 in `width` dimensions.

    Raises:
        ValueError: if there are no positions or dimensions, or the base is not above 0.
    """
    if min(length, width) < 1:
        raise ValueError(f"A table of {length} × {width} has no numbers.")
    return Waves(base, sinusoidal(length, width, base).numpy(), rates(width, base).numpy())


def moved(table: Waves, offset: int) -> Moved:
    """Shift every position by an offset: by the formula, and by one matrix for all of them.

    Each pair (sin a, cos a) is rotated by the same angle t, whatever a is: sin(a + t) = cos t · sin a +
    sin t · cos a, and cos(a + t) = cos t · cos a − sin t · sin a. If the width is odd, the last sine
    has no partner for a rotation, and is left out.
    """
    length, width = table.table.shape
    even = width - width % 2
    there = sinusoidal(length, width, table.base, start=offset).numpy()[:, :even]
    angles = offset * table.rates[: even // 2]
    sin, cos = table.table[:, :even:2].astype(float), table.table[:, 1:even:2].astype(float)
    turned = np.empty((length, even))
    turned[:, 0::2] = np.cos(angles) * sin + np.sin(angles) * cos
    turned[:, 1::2] = np.cos(angles) * cos - np.sin(angles) * sin
    return Moved(offset, there, turned)


def distances(table: Array, *, cosine: bool = False) -> Distances:
    """The products of all rows of a table with each other, by the distance of the rows.

    Args:
        table: (positions, dimensions).
        cosine: whether to divide by the lengths of the two; the cosine with a zero row is 0.
    """
    rows = np.asarray(table, float)
    if cosine:
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    products = rows @ rows.T
    by = [np.diagonal(products, distance) for distance in range(len(rows))]
    return Distances(
        products,
        np.array([d.mean() for d in by]),
        np.array([d.min() for d in by]),
        np.array([d.max() for d in by]),
    )


def strongest_wave(values: Array) -> tuple[float, float] | None:
    """The wave with the largest share of a dimension's variance, by the Fourier transform.

    Args:
        values: (positions,); the first one is left out, because it resembles no other.

    Returns:
        Its wavelength in positions and its share of the squared distances from the mean, 0 to 1; None
            if there are too few numbers, or all are equal.
    """
    rest = np.asarray(values, float)[1:]
    power = np.abs(np.fft.rfft(rest - rest.mean())) ** 2 if len(rest) > 3 else np.zeros(1)
    if len(rest) % 2 == 0:
        power[1:-1] *= 2  # all but the last also stand for the negative rate
    else:
        power[1:] *= 2
    if not power[1:].sum() > 1e-20 * len(rest) ** 2:
        return None
    best = int(power[1:].argmax()) + 1
    return len(rest) / best, float(power[best] / power[1:].sum())


def clearest_wave(table: Array) -> tuple[int, float, float] | None:
    """The dimension with the largest share of one wave.

    Args:
        table: (positions, dimensions).

    Returns:
        Its number from 0, and its wavelength and share as in `strongest_wave`; None if no dimension has
            a wave.
    """
    found = [(i, strongest_wave(column)) for i, column in enumerate(np.asarray(table).T)]
    waves = [(i, *wave) for i, wave in found if wave is not None]
    return max(waves, key=lambda one: one[2]) if waves else None


def row_apart(similarities: Array) -> tuple[int, float, float] | None:
    """The row that resembles its two neighbours least, if it stands far apart from them.

    Args:
        similarities: (positions, positions), the cosines of a table's rows.

    Returns:
        Its number from 0, the mean of its cosines with the rows before and after it, and the median
            of that mean over all rows; None if no row is more than `APART` below it. The first two
            rows and the last two are left out: beside an end, another position is usual.
    """
    beside = np.diagonal(np.asarray(similarities, float), 1)
    of_row = (beside[:-1] + beside[1:]) / 2  # that of row i + 1
    if len(of_row) < 5:
        return None
    usual = float(np.median(of_row))
    at = 1 + int(np.argmin(of_row[1:-1]))
    found = float(of_row[at])
    return (at + 1, found, usual) if usual - found > APART else None


def turned(query: Sequence[float], key: Sequence[float], length: int, base: float = BASE) -> Turned:
    """A query and a key at each of the positions 0 … length − 1, in float32 as in a model.

    Raises:
        ValueError: if the two differ in width, or the width is odd; or if there are no positions.
    """
    if len(query) != len(key) or length < 1:
        raise ValueError(f"A query of {len(query)} and a key of {len(key)} at {length} positions.")
    positions = torch.arange(length)
    vectors = (torch.tensor([[*v]] * length, dtype=torch.float32) for v in (query, key))
    q, k = (rotary(vector, positions, base).numpy() for vector in vectors)
    return Turned(q, k, q.astype(float) @ k.T.astype(float), rates(len(query), base).numpy())
