"""How long what a head writes is, from the head's own numbers: W_Oᵀ W_O, head by head.

A head adds W_O u to the residual stream, u a weighted mean of its values. The length of that vector,
|W_O u|² = uᵀ (W_Oᵀ W_O) u, needs d_head numbers instead of d_model. Kobayashi et al. 2020, "Attention
is Not Only a Weight", section 3: only the weight times this length says how much a head takes from a
token.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from ..transformer.attention import MultiHeadAttention


@torch.no_grad()
def output_gram(attentions: Iterable[MultiHeadAttention]) -> Tensor:
    """(N, H, K, K), W_Oᵀ W_O of each head of each attention; float32."""
    each = [one.output.weight.float().view(-1, one.n_heads, one.d_head) for one in attentions]
    return torch.stack([torch.einsum("dhk,dhl->hkl", weight, weight) for weight in each])
