"""Positional encodings: without them, a sentence would be a bag of words.

Vaswani et al. (2017), section 3.5; Su et al. (2021), "RoFormer", for rotations; Press et al. (2022),
"Train Short, Test Long", for a bias that grows with the distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

BASE = 10_000.0


def rates(width: int, base: float = BASE, dtype: torch.dtype = torch.float64) -> Tensor:
    """The radians by which each pair of dimensions turns per position: base^(−2i/width).

    Returns:
        (⌈width / 2⌉,): pair i is the dimensions 2i and 2i + 1. The first turns by 1.

    Raises:
        ValueError: the base is not above 0.
    """
    if not base > 0:
        raise ValueError(f"The base of the wavelengths must be above 0, not {base}.")
    return 1 / base ** (torch.arange(0, width, 2, dtype=dtype) / width)


def sinusoidal(
    length: int, d_model: int, base: float = BASE, start: int = 0, *, halves: bool = False
) -> Tensor:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos of the same: section 3.5.

    Args:
        length: the number of positions, L.
        d_model: the width; if it is odd, the last sine has no cosine.
        base: the wavelengths reach from 2π to almost base · 2π.
        start: the first position.
        halves: whether all sines come first, then all cosines, as in tensor2tensor and Marian
            (Junczys-Dowmunt et al. 2018); otherwise they alternate.

    Returns:
        (L, D): the positions start … start + length − 1. Computed in float64 and rounded once.
    """
    positions_L = torch.arange(start, start + length, dtype=torch.float64)
    angles = positions_L[:, None] * rates(d_model, base)  # (L, ⌈D / 2⌉)
    if halves:
        return torch.cat([angles.sin(), angles.cos()[:, : d_model // 2]], dim=1).float()
    table_LD = torch.empty(length, d_model)
    table_LD[:, 0::2] = angles.sin()
    table_LD[:, 1::2] = angles.cos()[:, : d_model // 2]
    return table_LD


class Stretch(NamedTuple):
    """Slower rotations, for texts longer than those of the first training.

    With `factor` alone, every pair turns `factor` times slower: position interpolation (Chen et al.
    2023, equation 4). With `trained_length`, only pairs with long wavelengths do (Llama 3.1, Dubey et
    al. 2024, section 3.4.3): a pair that turns `high` times or more within that length keeps its rate,
    one that turns `low` times or fewer is slowed down, and those between are interpolated.
    """

    factor: float
    trained_length: int = 0
    low: float = 1.0
    high: float = 4.0

    def of(self, rates_P: Tensor) -> Tensor:
        """The slower rates, (P,), of `rates`."""
        slower_P = rates_P / self.factor
        if not self.trained_length:
            return slower_P
        turns_P = self.trained_length / (2 * math.pi / rates_P)
        kept_P = ((turns_P - self.low) / (self.high - self.low)).clamp(0, 1)
        return (1 - kept_P) * slower_P + kept_P * rates_P


@dataclass(frozen=True)
class Rotation:
    """How positions turn queries and keys.

    Attributes:
        base: as in `sinusoidal`; called θ in published models.
        pairs: which dimensions turn together: "adjacent", (2i, 2i + 1), as in the paper; or "halves",
            (i, i + d_head / 2), as in the published weights of Llama. The rows of the query's and key's
            matrices, in another order, turn one into the other.
        stretch: how the rates are changed for longer texts; None: they are not.
        dtype: of the angles. The sines of published models are those of angles in float32.
        width: how many of a head's dimensions turn, the first ones; 0: all. The others carry no
            position (Black et al. 2022, "GPT-NeoX-20B", section 2.1.1).
    """

    base: float = BASE
    pairs: Literal["adjacent", "halves"] = "adjacent"
    stretch: Stretch | None = None
    dtype: torch.dtype = torch.float64
    width: int = 0

    def angles(self, positions_L: Tensor, d_head: int) -> Tensor:
        """(L, P): the radians by which each pair turns at each position."""
        rates_P = rates(self.width or d_head, self.base, self.dtype)
        if self.stretch is not None:
            rates_P = self.stretch.of(rates_P)
        return positions_L[:, None].to(self.dtype) * rates_P.to(positions_L.device)


def rotary(x_BHLK: Tensor, positions_L: Tensor, rotation: Rotation | float = BASE) -> Tensor:
    """Turn each pair of dimensions of a query or a key by its position · base^(−2i/d_head).

    After that, q at position m and k at position n have a product that depends on m − n alone.
    Su et al. (2021), equations 14–16 and 34.

    Args:
        x_BHLK: queries or keys; leading dimensions are free.
        positions_L: the position of each; any numbers.
        rotation: the rates, and which dimensions make a pair; or the base alone, as in the paper.

    Returns:
        The same shape, and the same lengths.

    Raises:
        ValueError: the width of a head is odd: one dimension would have no partner.
    """
    d_head = x_BHLK.shape[-1]
    if d_head % 2:
        raise ValueError(f"Rotary positions turn pairs of dimensions; a head of {d_head} is odd.")
    rotation = rotation if isinstance(rotation, Rotation) else Rotation(rotation)
    angles = rotation.angles(positions_L, d_head)  # (L, K / 2)
    return turned(x_BHLK, (angles.cos(), angles.sin()), rotation.pairs)


@lru_cache(maxsize=4)
def turns(rotation: Rotation, d_head: int, start: int, length: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the angles at the positions start … start + length − 1, each (L, P).

    All layers of a text turn by the same ones: they are computed once.
    """
    with torch.inference_mode(False):  # they outlive the run, and the next one may need gradients
        angles = rotation.angles(torch.arange(start, start + length), d_head)
        return angles.cos(), angles.sin()


def turned(
    x_BHLK: Tensor, cos_sin_LP: tuple[Tensor, Tensor], pairs: Literal["adjacent", "halves"]
) -> Tensor:
    """`rotary` with the cosines and sines of the angles, each (L, P)."""
    cos, sin = (each.to(x_BHLK) for each in cos_sin_LP)
    halves = pairs == "halves"
    if (width := 2 * cos.shape[-1]) < x_BHLK.shape[-1]:
        part, rest = turned(x_BHLK[..., :width], cos_sin_LP, pairs), x_BHLK[..., width:]
        return torch.cat([part, rest], dim=-1)
    first, second = x_BHLK.chunk(2, -1) if halves else (x_BHLK[..., 0::2], x_BHLK[..., 1::2])
    both = first * cos - second * sin, first * sin + second * cos
    return torch.cat(both, dim=-1) if halves else torch.stack(both, dim=-1).flatten(-2)


def slopes(n_heads: int) -> Tensor:
    """(H,): the slope of each head's bias in ALiBi, 2^(−8/H), 2^(−16/H), …: Press et al. (2022), 3.

    If H is no power of 2, those of the power below it come first, then every second one of the power
    above it, as in the authors' code.
    """
    whole = 2 ** math.floor(math.log2(n_heads))
    first = [2 ** (-8 * (i + 1) / whole) for i in range(whole)]
    between = [2 ** (-8 * (i + 0.5) / whole) for i in range(n_heads - whole)]
    return torch.tensor(first + between)


def linear_bias(n_heads: int, length: int, start: int = 0) -> Tensor:
    """(H, L, M): what ALiBi adds to the score of query i and key j, slope · (j − i); 0 on the diagonal.

    The queries stand at the positions start … start + length − 1, the keys at 0 … start + length − 1.
    """
    key_M = torch.arange(start + length)
    return slopes(n_heads)[:, None, None] * (key_M - key_M[start:, None])


class SinusoidalPositions(nn.Module):
    """`sinusoidal` as a module: no parameters, and no last position."""

    def __init__(self, d_model: int, base: float = BASE, *, halves: bool = False) -> None:
        super().__init__()
        self.d_model = d_model
        self.base = base
        self.halves = halves

    def forward(self, length: int, start: int = 0) -> Tensor:
        """The vectors of the positions start … start + length − 1, (L, D)."""
        return sinusoidal(length, self.d_model, self.base, start, halves=self.halves)


class LearnedPositions(nn.Module):
    """One learned vector for each position in the text, as in BERT (Devlin et al. 2019, Figure 2).

    With a `padding_id`, as in RoBERTa (Liu et al. 2019), that row is the vector of padding, positions
    start behind it, and padding does not count as a position.
    """

    def __init__(self, n_positions: int, d_model: int, padding_id: int | None = None) -> None:
        super().__init__()
        self.padding_id = padding_id
        self.table = nn.Embedding(n_positions, d_model)

    @property
    def first(self) -> int:
        """The row of the first position."""
        return 0 if self.padding_id is None else self.padding_id + 1

    def forward(self, length: int, start: int = 0, *, ids_BL: Tensor | None = None) -> Tensor:
        """The vectors of the positions start … start + length − 1, (L, D).

        Args:
            length: the number of positions.
            start: the first position.
            ids_BL: the tokens there, if padding may be among them; the vectors are (B, L, D) then.

        Raises:
            IndexError: a position is beyond the table.
        """
        start += self.first
        rows = torch.arange(start, start + length, device=self.table.weight.device)
        if self.padding_id is not None and ids_BL is not None:
            counted_BL = ids_BL != self.padding_id
            rows = counted_BL.cumsum(dim=-1) * counted_BL + start - 1
        table: Tensor = self.table(rows)
        return table
