"""A text in a batch with a longer one: the effect of the padding after it, with and without a mask.

This uses our own transformer, whose mask can be omitted: no published model ever runs without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..records.frozen import Array, Record, frozen
from ..transformer import Encoder, padding_bias

Pieces = tuple[Sequence[int], Sequence[int]]  # the ids of a text, and their segments


@dataclass(frozen=True, eq=False)
class InBatch(Record):
    """The shorter of two texts in one batch.

    Attributes:
        tokens: n, the number of its own tokens.
        weights: (layers, heads, n, L) float32: rows are its own tokens, columns all L positions of the
            batch.
        apart: (layers,) float64: the largest difference of its vectors after each layer from those of
            the same text alone.
    """

    tokens: int
    weights: Array
    apart: Array

    def __post_init__(self) -> None:
        self._freeze("weights")
        object.__setattr__(self, "apart", frozen(self.apart, np.float64))

    @property
    def on_padding(self) -> Array:
        """(layers, heads, n): the share of each row of weights that goes to padding."""
        spent: Array = self.weights[..., self.tokens :].sum(axis=-1, dtype=np.float64)
        return spent


@torch.inference_mode()
def in_batch(encoder: Encoder, texts: Sequence[Pieces], pad_id: int, *, masked: bool) -> InBatch:
    """Run two texts as one batch, with padding after the shorter one.

    Args:
        encoder: the model.
        texts: ids and segments of the two; the shorter one is measured, or the first if they are
            equally long.
        pad_id: the padding token.
        masked: whether the padding is hidden, as in every normal batch.
    """
    lengths = [len(ids) for ids, _ in texts]
    at, n = int(np.argmin(lengths)), min(lengths)
    ids_BL = torch.full((len(texts), max(lengths)), pad_id)
    segments_BL = torch.zeros_like(ids_BL)
    mask_BL = torch.zeros(ids_BL.shape, dtype=torch.bool)
    for row, (ids, segments) in enumerate(texts):
        ids_BL[row, : len(ids)] = torch.tensor(list(ids))
        segments_BL[row, : len(ids)] = torch.tensor(list(segments))
        mask_BL[row, : len(ids)] = True
    device = encoder.tokens.weight.device
    bias = padding_bias(mask_BL).to(device) if masked else None
    batch = encoder(ids_BL.to(device), segments_BL.to(device), bias)
    alone = encoder(ids_BL[[at], :n].to(device), segments_BL[[at], :n].to(device))
    weights = [layer.attention.weights_BHLM[at, :, :n].cpu().numpy() for layer in batch.layers]
    pairs = zip(batch.layers, alone.layers, strict=True)
    apart = [_largest(one.output_BLD[at, :n] - other.output_BLD[0]) for one, other in pairs]
    return InBatch(n, np.stack(weights), np.array(apart))


def _largest(difference: Tensor) -> float:
    return float(difference.abs().max())
