"""Query, key and value out of `transformers`, without hooks.

`transformers` lets anyone register an attention function by name. Ours computes exactly what its
eager one does and, while a recorder is set in the current context, also hands over what it saw. The
context belongs to one thread, so that two requests on one model never mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

ATTENTION = "polysee_recorded"


class Site(NamedTuple):
    """One call of attention: one layer of one forward pass.

    `scores` are scaled, with the position bias and without the mask. A key or value that several
    heads share stands once for each of them.
    """

    query_BHLK: Tensor
    key_BHMK: Tensor
    value_BHMK: Tensor
    scores_BHLM: Tensor
    weights_BHLM: Tensor
    scale: float
    bias_BHLM: Tensor | None


_recorder: ContextVar[list[Site] | None] = ContextVar("polysee_recorder", default=None)


@contextmanager
def recording() -> Iterator[list[Site]]:
    """Inside, every call of the recorded attention in this context appends a `Site` to the list."""
    sites: list[Site] = []
    token = _recorder.set(sites)
    try:
        yield sites
    finally:
        _recorder.reset(token)


def recorded_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_bias: Tensor | None = None,
    **_: Any,
) -> tuple[Tensor, Tensor]:
    """Eager attention of `transformers`, recorded. Its argument names; (B, H, L, K) tensors.

    `key` and `value` may have fewer heads than `query`: each is then shared by several in a row
    (Ainslie et al. 2023). `position_bias` is T5's.
    """
    shared = query.shape[1] // key.shape[1]
    if shared > 1:
        key, value = (t.repeat_interleave(shared, dim=1) for t in (key, value))
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    scores = query @ key.transpose(-2, -1) * scale
    if position_bias is not None:
        scores = scores + position_bias
    masked = scores if attention_mask is None else scores + attention_mask
    weights = torch.softmax(masked, dim=-1)
    sites = _recorder.get()
    if sites is not None:
        sites.append(Site(query, key, value, scores, weights, scale, position_bias))
    kept = nn.functional.dropout(weights, p=dropout, training=module.training)
    return (kept @ value).transpose(1, 2).contiguous(), weights


@cache
def register() -> str:
    """Make the recorded attention known to `transformers`, once; its name."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionInterface.register(ATTENTION, recorded_attention)
    AttentionMaskInterface.register(ATTENTION, eager_mask)
    return ATTENTION
