"""T5's positions: the distance of two tokens adds a learned number to the score of each head.

Raffel et al. (2020), "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer", section 2.1, "Model": a scalar for each distance, shared by all layers; near distances
have one each, far ones share it in buckets that grow with the logarithm. How far is in the authors'
code alone, as is that keys in front and behind have buckets of their own where a token sees both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Buckets(NamedTuple):
    """How many buckets there are, and the distance from which on all share the last."""

    number: int = 32
    longest: int = 128


DISTANCES = Buckets()  # those of T5


def bucket_of(distance: Tensor, buckets: Buckets, *, both_sides: bool) -> Tensor:
    """The bucket of each distance, key − query, of any shape.

    Args:
        distance: in tokens; without `both_sides`, keys behind the query count as at 0.
        buckets: their number, half of them for either side if there are two.
        both_sides: whether a query sees keys behind it.
    """
    count = buckets.number // 2 if both_sides else buckets.number
    far = distance.abs() if both_sides else (-distance).clamp(min=0)
    exact = count // 2
    # In float32, as in published models: another rounding would move the edges of buckets.
    share = torch.log(far.clamp(min=1).float() / exact) / math.log(buckets.longest / exact)
    shared = (exact + (share * (count - exact)).long()).clamp(max=count - 1)
    found = torch.where(far < exact, far, shared)
    return found + count * (distance > 0) if both_sides else found


class RelativeBias(nn.Module):
    """What distance adds to the scores of each head, in all layers of a stack."""

    def __init__(self, n_heads: int, buckets: Buckets, *, both_sides: bool) -> None:
        super().__init__()
        self.buckets = buckets
        self.both_sides = both_sides
        self.table = nn.Embedding(buckets.number, n_heads)

    def forward(self, length: int, start: int = 0) -> Tensor:
        """(1, H, L, M) for queries at start … start + length − 1, and keys from 0 on."""
        key_M = torch.arange(start + length, device=self.table.weight.device)
        bucket_LM = bucket_of(key_M - key_M[start:, None], self.buckets, both_sides=self.both_sides)
        bias_LMH: Tensor = self.table(bucket_LM)
        return bias_LMH.permute(2, 0, 1)[None]


class RelativeBiases(nn.ModuleList):
    """A `RelativeBias` for each layer of a stack: Chung et al. (2023), "UniMax", section 4 (umT5)."""

    def __init__(self, n_layers: int, n_heads: int, buckets: Buckets, *, both_sides: bool) -> None:
        super().__init__(RelativeBias(n_heads, buckets, both_sides=both_sides) for _ in range(n_layers))

    def forward(self, length: int, start: int = 0) -> list[Tensor]:
        """(1, H, L, M) for each layer: see `RelativeBias.forward`."""
        return [each(length, start) for each in self]
