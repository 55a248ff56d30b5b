"""Attention: every token asks, every token answers, and what is answered is mixed.

Vaswani et al. (2017), section 3.2.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def scaled_dot_product_attention(
    query_BHLK: Tensor,
    key_BHMK: Tensor,
    value_BHMK: Tensor,
    bias_BHLM: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """softmax(Q·Kᵀ / √d_head + bias) · V: equation 1, Figure 2 (left).

    Args:
        query_BHLK: what each token looks for.
        key_BHMK: what each token offers to be found by.
        value_BHMK: what each token hands over when it is found.
        bias_BHLM: added to the scores, broadcast; a large negative number hides a cell.

    Returns:
        The mixed values, (B, H, L, K), and the weights, (B, H, L, M), whose rows sum to 1.
    """
    # Times 1/√d_head, as everyone computes it: dividing by √d_head rounds differently.
    scores_BHLM = query_BHLK @ key_BHMK.transpose(-2, -1) * query_BHLK.shape[-1] ** -0.5
    if bias_BHLM is not None:
        scores_BHLM = scores_BHLM + bias_BHLM
    weights_BHLM = torch.softmax(scores_BHLM, dim=-1)
    return weights_BHLM @ value_BHMK, weights_BHLM


def padding_bias(mask_BM: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The additive bias that hides padding: 0 where `mask_BM` is true, else the lowest number.

    The lowest number and not −∞: a row in which everything is hidden is then even, not NaN; in every
    other row its weight is exactly 0 all the same.

    Returns:
        (B, 1, 1, M), to be added to the scores of every head and query.
    """
    lowest = torch.finfo(dtype).min
    return (~mask_BM.bool())[:, None, None, :].to(dtype) * lowest


class AttentionOutput(NamedTuple):
    """What one multi-head attention did. `weights_BHLM` is None where it was not asked for."""

    output_BLD: Tensor
    query_BHLK: Tensor
    key_BHMK: Tensor
    value_BHMK: Tensor
    weights_BHLM: Tensor | None


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in its own projection: section 3.2.2, Figure 2 (right).

    d_model is split among the heads: d_head = d_model / n_heads.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"d_model {d_model} does not divide into {n_heads} heads.")
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(
        self,
        query_BLD: Tensor,
        memory_BMD: Tensor,
        bias_BHLM: Tensor | None = None,
        head_mask_H: Tensor | None = None,
        *,
        need_weights: bool = True,
    ) -> AttentionOutput:
        """Project, split, attend, silence, concatenate, project.

        Args:
            query_BLD: the tokens that look.
            memory_BMD: the tokens that are looked at; the same ones in self-attention.
            bias_BHLM: see `scaled_dot_product_attention`.
            head_mask_H: what each head's result is multiplied by: 1 keeps it, 0 silences it.
            need_weights: False takes torch's fused attention, which never builds the weights; its
                output is the same to within rounding.
        """
        query_BHLK = self._split(self.query(query_BLD))
        key_BHMK = self._split(self.key(memory_BMD))
        value_BHMK = self._split(self.value(memory_BMD))
        weights_BHLM = None
        if need_weights:
            mixed_BHLK, weights_BHLM = scaled_dot_product_attention(
                query_BHLK, key_BHMK, value_BHMK, bias_BHLM
            )
        else:
            mixed_BHLK = F.scaled_dot_product_attention(
                query_BHLK, key_BHMK, value_BHMK, attn_mask=bias_BHLM
            )
        if head_mask_H is not None:
            mixed_BHLK = mixed_BHLK * head_mask_H[:, None, None]
        concatenated_BLD = mixed_BHLK.transpose(1, 2).flatten(2)
        output_BLD = self.output(concatenated_BLD)
        return AttentionOutput(output_BLD, query_BHLK, key_BHMK, value_BHMK, weights_BHLM)

    def _split(self, x_BLD: Tensor) -> Tensor:
        """(B, L, D) to (B, H, L, K): each head gets its share of the width."""
        batch, length, d_model = x_BLD.shape
        return x_BLD.view(batch, length, self.n_heads, d_model // self.n_heads).transpose(1, 2)
