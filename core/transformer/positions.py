"""Positional encodings: without them, a sentence would be a bag of words.

Vaswani et al. (2017), section 3.5; Su et al. (2021), "RoFormer", for rotations.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

BASE = 10_000.0


def rates(width: int, base: float = BASE) -> Tensor:
    """The radians by which each pair of dimensions turns per position: base^(−2i/width).

    Returns:
        (⌈width / 2⌉,), float64: pair i is the dimensions 2i and 2i + 1. The first turns by 1.

    Raises:
        ValueError: the base is not above 0.
    """
    if not base > 0:
        raise ValueError(f"The base of the wavelengths must be above 0, not {base}.")
    return base ** -(torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoidal(length: int, d_model: int, base: float = BASE, start: int = 0) -> Tensor:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos of the same: section 3.5.

    Args:
        length: the number of positions, L.
        d_model: the width; if it is odd, the last sine has no cosine.
        base: the wavelengths reach from 2π to almost base · 2π.
        start: the first position.

    Returns:
        (L, D): the positions start … start + length − 1. Computed in float64 and rounded once.
    """
    positions_L = torch.arange(start, start + length, dtype=torch.float64)
    angles = positions_L[:, None] * rates(d_model, base)  # (L, ⌈D / 2⌉)
    table_LD = torch.empty(length, d_model)
    table_LD[:, 0::2] = angles.sin()
    table_LD[:, 1::2] = angles.cos()[:, : d_model // 2]
    return table_LD


def rotary(x_BHLK: Tensor, positions_L: Tensor, base: float = BASE) -> Tensor:
    """Turn each pair (2i, 2i + 1) of a query or a key by its position · base^(−2i/d_head).

    After that, q at position m and k at position n have a product that depends on m − n alone.
    Su et al. (2021), equations 14–16 and 34.

    Args:
        x_BHLK: queries or keys; leading dimensions are free.
        positions_L: the position of each; any numbers.
        base: as in `sinusoidal`.

    Returns:
        The same shape, and the same lengths.

    Raises:
        ValueError: the width of a head is odd: one dimension would have no partner.
    """
    d_head = x_BHLK.shape[-1]
    if d_head % 2:
        raise ValueError(f"Rotary positions turn pairs of dimensions; a head of {d_head} is odd.")
    angles = positions_L[:, None].double() * rates(d_head, base).to(x_BHLK.device)  # (L, K / 2)
    cos, sin = angles.cos().to(x_BHLK), angles.sin().to(x_BHLK)
    even, odd = x_BHLK[..., 0::2], x_BHLK[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


class SinusoidalPositions(nn.Module):
    """`sinusoidal` as a module: no parameters, and no last position."""

    def __init__(self, d_model: int, base: float = BASE) -> None:
        super().__init__()
        self.d_model = d_model
        self.base = base

    def forward(self, length: int, start: int = 0) -> Tensor:
        """The vectors of the positions start … start + length − 1, (L, D)."""
        return sinusoidal(length, self.d_model, self.base, start)


class LearnedPositions(nn.Module):
    """One learned vector for each position in the text, as in BERT (Devlin et al. 2019, Figure 2)."""

    def __init__(self, n_positions: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(n_positions, d_model)

    def forward(self, length: int, start: int = 0) -> Tensor:
        """The vectors of the positions start … start + length − 1, (L, D).

        Raises:
            IndexError: a position is beyond the table.
        """
        table: Tensor = self.table(torch.arange(start, start + length, device=self.table.weight.device))
        return table
