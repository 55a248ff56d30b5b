"""Disentangled attention: content and position as two vectors, whose products are three terms.

He et al. (2021), "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", section 3.1; and
He et al. (2023), "DeBERTaV3". A token has no position of its own. Each distance between two tokens has
a vector, one table for all layers, and a score is the sum of content · content, content · position and
position · content.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from .attention import MultiHeadAttention
from .masks import total_bias


class Disentangled(NamedTuple):
    """How a model knows positions by distances alone.

    Attributes:
        span: the rows of the table in either direction, k; greater distances have the row of the last.
        buckets: if above 0, distances up to half of it have rows of their own, and greater ones share
            rows by their logarithm, up to `longest` (DeBERTa-v2).
        longest: the distance that has the last of these.
        content_to_position: whether the query of a token meets the keys of distances.
        position_to_content: whether the queries of distances meet the key of a token.
        shared: whether distances get their queries and keys from the matrices of the tokens.
        normed: whether the table passes a layer norm.
    """

    span: int
    buckets: int = 0
    longest: int = 0
    content_to_position: bool = True
    position_to_content: bool = True
    shared: bool = True
    normed: bool = True

    @property
    def terms(self) -> int:
        """How many terms a score has."""
        return 1 + self.content_to_position + self.position_to_content

    def rows(self, length: int) -> Tensor:
        """(L, M): the row of the table for each query and key, by the distance query − key."""
        at_L = torch.arange(length)
        distance_LM = at_L[:, None] - at_L[None, :]
        if self.buckets:
            distance_LM = _bucketed(distance_LM, self.buckets // 2, self.longest)
        return (distance_LM + self.span).clamp(0, 2 * self.span - 1)


def _bucketed(distance_LM: Tensor, half: int, longest: int) -> Tensor:
    """Distances of at most `half` as they are; greater ones as half + ⌈log of the excess⌉ (float32)."""
    far_LM = distance_LM.abs().clamp(min=half)
    share_LM = torch.log(far_LM / half) / torch.log(torch.tensor((longest - 1) / half))
    steps_LM = (torch.ceil(share_LM * (half - 1)) + half).long()
    return torch.where(distance_LM.abs() <= half, distance_LM, steps_LM * distance_LM.sign())


class RelativePositions(nn.Module):
    """The vector of each distance, −span … span − 1, which all layers share."""

    def __init__(self, d_model: int, how: Disentangled, norm_eps: float) -> None:
        super().__init__()
        self.how = how
        self.table = nn.Embedding(2 * how.span, d_model)
        self.norm = nn.LayerNorm(d_model, norm_eps) if how.normed else None

    def forward(self) -> Tensor:
        """(2 · span, D)."""
        table: Tensor = self.table.weight
        return table if self.norm is None else self.norm(table)


class PositionTerms(NamedTuple):
    """The two terms that positions add to the scores, (B, H, L, M), scaled; None: there is none."""

    content_to_position: Tensor | None
    position_to_content: Tensor | None


class DisentangledAttention(MultiHeadAttention):
    """Attention whose scores are (q · k + q · k_δ + q_δ · k) / √(3 · d_head), δ the distance.

    Equation 4 of the paper. With two terms, the factor is 1/√(2 · d_head).
    """

    def __init__(self, d_model: int, n_heads: int, relative: RelativePositions) -> None:
        how, d_head = relative.how, d_model // max(n_heads, 1)
        factor = 1 / math.sqrt(max(d_head, 1) * how.terms)
        super().__init__(d_model, n_heads, scale=factor)
        self._factor = factor
        self._relative = (relative,)  # no submodule: it belongs to all layers
        own_key, own_query = (
            wanted and not how.shared for wanted in (how.content_to_position, how.position_to_content)
        )
        self.position_key = nn.Linear(d_model, d_model) if own_key else None
        self.position_query = nn.Linear(d_model, d_model) if own_query else None

    def position_terms(self, query_BHLK: Tensor, key_BHMK: Tensor) -> PositionTerms:
        """Content · position and position · content, for queries and keys of the same tokens."""
        (relative,) = self._relative
        how = relative.how
        rows_LM = how.rows(query_BHLK.shape[2]).to(query_BHLK.device)
        vectors_1RD = relative()[None]
        to_position = to_content = None
        if how.content_to_position:
            keys_1HRK = self._split((self.position_key or self.key)(vectors_1RD))
            products_BHLR = query_BHLK @ keys_1HRK.transpose(-2, -1) * self._factor
            to_position = products_BHLR.gather(-1, rows_LM.expand(*products_BHLR.shape[:2], -1, -1))
        if how.position_to_content:
            queries_1HRK = self._split((self.position_query or self.query)(vectors_1RD))
            products_BHMR = key_BHMK @ queries_1HRK.transpose(-2, -1) * self._factor
            of_keys_ML = rows_LM.T.expand(*products_BHMR.shape[:2], -1, -1)
            to_content = products_BHMR.gather(-1, of_keys_ML).transpose(-2, -1)
        return PositionTerms(to_position, to_content)

    def every_term(self, query_BHLK: Tensor, key_BHMK: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Content · content, content · position, position · content, each (B, H, L, M), scaled.

        A term that the model does not have is 0.
        """
        content_BHLM = query_BHLK @ key_BHMK.transpose(-2, -1) * self._factor
        first, second = self.position_terms(query_BHLK, key_BHMK)
        none_BHLM = torch.zeros_like(content_BHLM)
        return (
            content_BHLM,
            none_BHLM if first is None else first,
            none_BHLM if second is None else second,
        )

    def _weighted(
        self, query_BHLK: Tensor, key_BHMK: Tensor, value_BHMK: Tensor, bias_BHLM: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        bias_BHLM = total_bias(*self.position_terms(query_BHLK, key_BHMK), bias_BHLM)
        return super()._weighted(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)

    def mixed(
        self, query_BHLK: Tensor, key_BHMK: Tensor, value_BHMK: Tensor, bias_BHLM: Tensor | None
    ) -> Tensor:
        """See `MultiHeadAttention.mixed`."""
        bias_BHLM = total_bias(*self.position_terms(query_BHLK, key_BHMK), bias_BHLM)
        return super().mixed(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)
