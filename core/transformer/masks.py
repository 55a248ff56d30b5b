"""Masks: no token attends to padding, and in a decoder none attends to later tokens.

Vaswani et al. (2017), section 3.2.3. A mask is true where a query may attend to a key. It acts as a
bias that is added to the scores before softmax.
"""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor


def causal_mask(
    length: int, n_past: int = 0, device: torch.device | None = None, window: int = 0
) -> Tensor:
    """True where query i may attend to key j, which is at the query's position or before it.

    Args:
        length: the number of queries, L.
        n_past: the number of keys before the first query's own; all queries may attend to them.
        device: the device of the mask.
        window: to how many keys a query may attend at most, its own and those just before it: sliding
            window attention (Jiang et al. 2023, section 2); 0: to all of them.

    Returns:
        (L, M), with M = n_past + length.
    """
    mask_LM = torch.ones(length, n_past + length, dtype=torch.bool, device=device)
    mask_LM = mask_LM.tril(diagonal=n_past)
    return mask_LM.triu(diagonal=n_past - window + 1) if window else mask_LM


def window_mask(length: int, window: int, device: torch.device | None = None) -> Tensor:
    """True where query i may attend to key j: at most `window` positions apart, on either side.

    Local attention in an encoder (Beltagy et al. 2020, "Longformer", section 3.1).

    Returns:
        (L, L).
    """
    mask_LL = torch.ones(length, length, dtype=torch.bool, device=device)
    return mask_LL.tril(diagonal=window).triu(diagonal=-window)


def mask_bias(mask: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The additive bias of a mask, of any shape: 0 where it is true, otherwise the lowest number.

    The paper writes −∞. With the lowest number, a row in which everything is hidden becomes uniform
    instead of NaN; in every other row, the hidden weights are exactly 0 as well.
    """
    return (~mask.bool()).to(dtype) * torch.finfo(dtype).min


def padding_bias(mask_BM: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The additive bias that hides padding: 0 where `mask_BM` is true, else the lowest number.

    Returns:
        (B, 1, 1, M), to be added to the scores of every head and query.
    """
    return mask_bias(mask_BM, dtype)[:, None, None, :]


def total_bias(*biases_BHLM: Tensor | None) -> Tensor | None:
    """The sum of the biases that are not None, broadcast, never below the lowest number; else None.

    Two lowest numbers would add up to −∞.
    """
    there = [bias_BHLM for bias_BHLM in biases_BHLM if bias_BHLM is not None]
    if len(there) < 2:
        return there[0] if there else None
    total_BHLM = reduce(torch.add, there)
    return total_BHLM.clamp(min=torch.finfo(total_BHLM.dtype).min)
