"""Attention: each token receives a weighted mean of the values of all tokens.

Vaswani et al. (2017), section 3.2. A bias hides what a token must not attend to: see `masks`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .positions import Rotation, turned, turns

QueryKeyNorms = Literal["none", "each head", "all heads"]


def scaled_dot_product_attention(
    query_BHLK: Tensor,
    key_BHMK: Tensor,
    value_BHMK: Tensor,
    bias_BHLM: Tensor | None = None,
    *,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """softmax(Q·Kᵀ / √d_head + bias) · V: equation 1, Figure 2 (left).

    Args:
        query_BHLK: one query for each token that attends.
        key_BHMK: one key for each token that is attended to.
        value_BHMK: one value for each key.
        bias_BHLM: added to the scores, broadcast; a large negative number hides a cell.
        scale: the factor of Q·Kᵀ; None for 1/√d_head, 1 to see softmax saturate without it.

    Returns:
        The weighted means of the values, (B, H, L, K), and the weights, (B, H, L, M); rows sum to 1.
    """
    # Multiplied by 1/√d_head, as in other implementations: dividing by √d_head rounds differently.
    scale = query_BHLK.shape[-1] ** -0.5 if scale is None else scale
    scores_BHLM = query_BHLK @ key_BHMK.transpose(-2, -1)
    scores_BHLM *= scale  # in place: the scores of a long text are large
    if bias_BHLM is not None:
        scores_BHLM += bias_BHLM
    weights_BHLM = torch.softmax(scores_BHLM, dim=-1)
    mixed_BHLK = weights_BHLM @ value_BHMK
    return mixed_BHLK, weights_BHLM


def soft_capped_attention(
    query_BHLK: Tensor,
    key_BHMK: Tensor,
    value_BHMK: Tensor,
    bias_BHLM: Tensor | None = None,
    *,
    cap: float,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """`scaled_dot_product_attention` with scores between ±cap: cap · tanh(score / cap), then the bias.

    Gemma Team (2024), "Gemma 2", section 2, "Logit soft-capping".
    """
    scale = query_BHLK.shape[-1] ** -0.5 if scale is None else scale
    scores_BHLM = soft_capped(query_BHLK @ key_BHMK.transpose(-2, -1) * scale, cap)
    if bias_BHLM is not None:
        scores_BHLM = scores_BHLM + bias_BHLM
    weights_BHLM = torch.softmax(scores_BHLM, dim=-1)
    return weights_BHLM @ value_BHMK, weights_BHLM


def soft_capped(numbers: Tensor, cap: float) -> Tensor:
    """Each number x as cap · tanh(x / cap): nearly x where it is small, and never beyond ±cap."""
    return cap * torch.tanh(numbers / cap)


class QueryKeyNorm(nn.RMSNorm):
    """RMSNorm of queries or keys before their product (Henry et al. 2020; Dehghani et al. 2023).

    Of each head by itself, with one γ of d_head numbers for all (Qwen 3, Gemma 3); or of all heads
    together, with a γ of all their numbers (OLMo 2).
    """

    def forward(self, x_BHLK: Tensor) -> Tensor:
        """The same shape."""
        x_BLHK = x_BHLK.transpose(1, 2)
        normed = super().forward(x_BLHK.reshape(*x_BLHK.shape[:2], -1, *self.normalized_shape))
        return normed.view(x_BLHK.shape).transpose(1, 2)


class AttentionOutput(NamedTuple):
    """The output of one multi-head attention, and its queries, keys, values and weights.

    M counts the keys of the past as well. `weights_BHLM` is None without `need_weights`. Query and key
    are already rotated, if positions are. A key and a value that several heads share are there once.
    """

    output_BLD: Tensor
    query_BHLK: Tensor
    key_BHMK: Tensor
    value_BHMK: Tensor
    weights_BHLM: Tensor | None


class MultiHeadAttention(nn.Module):
    """Several attention heads in parallel, each on its own projection: section 3.2.2, Figure 2 (right).

    d_model is split among the heads: d_head = d_model / n_heads, if it is not given. With a `rotation`,
    queries and keys are turned by their positions (`positions.rotary`), which is for self-attention
    only. With fewer heads of keys and values, n_heads / n_kv_heads adjacent heads share each of them:
    grouped-query attention (Ainslie et al. 2023, Figure 2), whose cache is smaller by this factor.

    `query_key_norm`: over which numbers queries and keys are normed before they are turned, and
    `norm_eps`, its ε. `scale` and `score_cap`: see `scaled_dot_product_attention`, also for 0 as None,
    and `soft_capped_attention`.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        rotation: Rotation | None = None,
        *,
        n_kv_heads: int = 0,
        d_head: int = 0,
        bias: bool = True,
        output_bias: bool = True,
        query_key_norm: QueryKeyNorms = "none",
        norm_eps: float = 1e-5,
        scale: float = 0.0,
        score_cap: float = 0.0,
    ) -> None:
        super().__init__()
        n_kv_heads = n_kv_heads or n_heads
        if not d_head and d_model % n_heads:
            raise ValueError(f"d_model {d_model} does not divide into {n_heads} heads.")
        if n_heads % n_kv_heads:
            raise ValueError(f"{n_heads} heads cannot share {n_kv_heads} keys evenly.")
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.d_head = d_head or d_model // n_heads
        self.rotation = rotation
        self.query = nn.Linear(d_model, n_heads * self.d_head, bias)
        self.key = nn.Linear(d_model, n_kv_heads * self.d_head, bias)
        self.value = nn.Linear(d_model, n_kv_heads * self.d_head, bias)
        self.output = nn.Linear(n_heads * self.d_head, d_model, output_bias)
        self.scale = scale or None
        self.score_cap = score_cap
        self.query_norm: QueryKeyNorm | None = None
        self.key_norm: QueryKeyNorm | None = None
        if query_key_norm != "none":
            heads, kv_heads = (n_heads, n_kv_heads) if query_key_norm == "all heads" else (1, 1)
            self.query_norm = QueryKeyNorm(heads * self.d_head, norm_eps)
            self.key_norm = QueryKeyNorm(kv_heads * self.d_head, norm_eps)

    def forward(
        self,
        query_BLD: Tensor,
        memory_BMD: Tensor | None,
        bias_BHLM: Tensor | None = None,
        head_mask_H: Tensor | None = None,
        *,
        past: AttentionOutput | None = None,
        need_weights: bool = True,
    ) -> AttentionOutput:
        """Project, split, attend, ablate, concatenate, project.

        Args:
            query_BLD: the tokens that attend.
            memory_BMD: the tokens that are attended to; the same ones in self-attention. None: only the
                past, for cross-attention to a source whose keys and values are cached.
            bias_BHLM: see `scaled_dot_product_attention`.
            head_mask_H: a factor on the output of each head: 1 keeps it, 0 ablates it. (B, H) where
                the texts of a batch differ in it.
            past: the output of this attention for the tokens before; its keys and values come first.
            need_weights: False takes torch's fused attention, which never builds the weights; its
                output is the same to within rounding.
        """
        query_BHLK = self._split(self.query(query_BLD))
        query_BHLK, key_BHMK, value_BHMK = self._read(query_BHLK, memory_BMD, past)
        weights_BHLM = None
        if need_weights:
            mixed_BHLK, weights_BHLM = self._weighted(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)
        else:
            mixed_BHLK = self.mixed(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)
        if head_mask_H is not None:
            mixed_BHLK = mixed_BHLK * head_mask_H[..., None, None]
        concatenated_BLD = mixed_BHLK.transpose(1, 2).flatten(2)
        output_BLD = self.output(concatenated_BLD)
        return AttentionOutput(output_BLD, query_BHLK, key_BHMK, value_BHMK, weights_BHLM)

    def projected(self, x_BLD: Tensor, start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of tokens that attend to themselves, as they enter the product.

        `start` is the position of the first of them.
        """
        return self._read(self._split(self.query(x_BLD)), x_BLD, None, start)

    def _read(
        self,
        query_BHLK: Tensor,
        memory_BMD: Tensor | None,
        past: AttentionOutput | None,
        start: int = 0,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The query, normed and rotated if it is; keys and values: the past's, then the memory's."""
        if self.query_norm is not None:
            query_BHLK = self.query_norm(query_BHLK)
        if memory_BMD is None:
            if past is None:
                raise ValueError("There is nothing to attend to: neither a memory nor a past.")
            return query_BHLK, past.key_BHMK, past.value_BHMK
        key_BHMK = self._split(self.key(memory_BMD))
        value_BHMK = self._split(self.value(memory_BMD))
        if self.key_norm is not None:
            key_BHMK = self.key_norm(key_BHMK)
        if self.rotation is not None:
            start = start if past is None else past.key_BHMK.shape[2]
            cos_sin_LP = turns(self.rotation, self.d_head, start, query_BHLK.shape[2])
            query_BHLK = turned(query_BHLK, cos_sin_LP, self.rotation.pairs)
            key_BHMK = turned(key_BHMK, cos_sin_LP, self.rotation.pairs)
        if past is not None:
            key_BHMK = torch.cat([past.key_BHMK, key_BHMK], dim=2)
            value_BHMK = torch.cat([past.value_BHMK, value_BHMK], dim=2)
        return query_BHLK, key_BHMK, value_BHMK

    def _weighted(
        self, query_BHLK: Tensor, key_BHMK: Tensor, value_BHMK: Tensor, bias_BHLM: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The means of the values, and the weights, by one of the two formulas."""
        each = query_BHLK, self.for_each_head(key_BHMK), self.for_each_head(value_BHMK)
        if self.score_cap:
            return soft_capped_attention(*each, bias_BHLM, cap=self.score_cap, scale=self.scale)
        return scaled_dot_product_attention(*each, bias_BHLM, scale=self.scale)

    def mixed(
        self, query_BHLK: Tensor, key_BHMK: Tensor, value_BHMK: Tensor, bias_BHLM: Tensor | None
    ) -> Tensor:
        """(B, H, L, K): the means of the values, the output of each head, by torch's fused attention.

        The arguments are those of `AttentionOutput` and `scaled_dot_product_attention`. It has no cap:
        capped scores take our own formula.
        """
        if self.score_cap:
            return self._weighted(query_BHLK, key_BHMK, value_BHMK, bias_BHLM)[0]
        one_row = query_BHLK.shape[2] == 1 and (bias_BHLM is None or bias_BHLM.shape[1] == 1)
        if one_row and self.n_kv_heads < self.n_heads:
            # The heads that share a key stand in its rows: while a text is written, nothing is
            # repeated.
            rows_BHLK = query_BHLK.view(len(query_BHLK), self.n_kv_heads, -1, self.d_head)
            mixed_BHLK = F.scaled_dot_product_attention(
                rows_BHLK, key_BHMK, value_BHMK, attn_mask=bias_BHLM, scale=self.scale
            )
            return mixed_BHLK.reshape(query_BHLK.shape)
        each = query_BHLK, self.for_each_head(key_BHMK), self.for_each_head(value_BHMK)
        return F.scaled_dot_product_attention(*each, attn_mask=bias_BHLM, scale=self.scale)

    def for_each_head(self, shared_BHMK: Tensor) -> Tensor:
        """Keys or values once for each head of the queries: shared ones are repeated."""
        times = self.n_heads // self.n_kv_heads
        if times == 1:
            return shared_BHMK
        return shared_BHMK[:, :, None].expand(-1, -1, times, -1, -1).flatten(1, 2)

    def _split(self, x_BLD: Tensor) -> Tensor:
        """(B, L, H · K) to (B, H, L, K): each head gets its share of the width."""
        return x_BLD.view(*x_BLD.shape[:2], -1, self.d_head).transpose(1, 2)
