"""Batches of one length from texts of different lengths, and the limit on the size of a trace."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal, get_args

import numpy as np
import torch

from ...errors import NotSupported, SettingError, TooLarge
from ..tokenizer.reader import Encoded
from .engine import Batch, Keep


def check_keep(keep: str) -> None:
    """Raise SettingError for an unknown value of `keep`."""
    if keep not in get_args(Keep):
        raise SettingError(f"keep is “{keep}”; it must be one of {', '.join(get_args(Keep))}.")


Together = Literal["padded", "equal", "alone"]
"""Which texts may share a batch: any, padded to one length; only those of equal length; none."""


def batches(
    encodings: Sequence[Encoded],
    size: int,
    *,
    most: Callable[[int], int],
    together: Callable[[], Together],
) -> Iterator[list[int]]:
    """Indices of texts of similar length, the longest first: if memory runs out, it does so at once.

    Args:
        encodings: the texts.
        size: the largest batch.
        most: returns how many texts of a length, in tokens, fit into memory.
        together: returns which texts may share a batch; called only if several texts could.
    """
    if size < 1:
        raise SettingError(f"batch_size is {size}; it must be 1 or more.")
    order = sorted(range(len(encodings)), key=lambda i: -len(encodings[i]))
    may = together() if size > 1 and len(encodings) > 1 else "padded"
    groups = [order]
    if may != "padded":
        groups = [list(some) for _, some in groupby(order, lambda i: len(encodings[i]))]
    if may == "alone":
        size = 1
    for group in groups:
        start = 0
        while start < len(group):
            end = start + min(size, most(len(encodings[group[start]])))
            yield group[start:end]
            start = end


def most(count: Callable[[int], int], limit: int, highest: int) -> int:
    """The largest number up to `highest` for which the increasing `count` is within a limit."""
    return bisect_right(range(highest + 1), limit, key=count) - 1


def padded(encodings: Sequence[Encoded], pad_id: int, device: str) -> Batch:
    """One batch, padded on the right.

    The right side also suits decoders: each token keeps its position, and none sees what comes after
    it. The results at the padding are discarded.
    """
    longest = max(len(encoded) for encoded in encodings)
    ids = np.full((len(encodings), longest), pad_id, dtype=np.int64)
    segments, mask = np.zeros_like(ids), np.zeros(ids.shape, dtype=bool)
    for row, encoded in enumerate(encodings):
        ids[row, : len(encoded)] = encoded.ids
        segments[row, : len(encoded)] = encoded.types
        mask[row, : len(encoded)] = True
    ids_BL, segments_BL, mask_BL = (torch.from_numpy(a).to(device) for a in (ids, segments, mask))
    return Batch(ids_BL, segments_BL, None if mask.all() else mask_BL)


def refuse_empty(encoded: Encoded, model: str) -> None:
    """Raise NotSupported for a text without any token."""
    if not len(encoded):
        raise NotSupported(
            "“{model}” finds nothing to read in this text: its tokenizer produces no token "
            "from it and adds none. Write a word.",
            model=model,
        )


def refuse_large(numbers: int, tokens: int, limit: int) -> None:
    """Raise TooLarge for a trace of so many float32 `numbers` above a `limit` in bytes."""
    if 4 * numbers > limit:
        raise TooLarge(
            f"A trace of these {tokens} tokens would take {4 * numbers / 1e6:.0f} MB, and "
            f"the limit is {limit / 1e6:.0f} MB (POLYSEE_TRACE_MB). Shorten the text, or "
            "ask for less with keep='hidden' or keep='attention'."
        )
