"""A text in a batch with a longer one: what the padding behind it does, with a mask and without.

Our own transformer, whose mask can be left out: no published model is ever run without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..records.frozen import Array, Record, frozen
from ..transformer import Encoder, padding_bias

Pieces = tuple[Sequence[int], Sequence[int]]  # the ids of a text, and the segment of each


@dataclass(frozen=True, eq=False)
class InBatch(Record):
    """The shorter of two texts in one batch.

    Attributes:
        tokens: how many tokens it has itself, n.
        weights: (layers, heads, n, L) float32: its own tokens down, all L of the batch across.
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
        """(layers, heads, n): what each row of weights spends on padding."""
        spent: Array = self.weights[..., self.tokens :].sum(axis=-1, dtype=np.float64)
        return spent


@torch.inference_mode()
def in_batch(encoder: Encoder, texts: Sequence[Pieces], pad_id: int, *, masked: bool) -> InBatch:
    """Run two texts as one batch, the shorter one filled up behind its last token.

    Args:
        encoder: the model.
        texts: ids and segments of the two; the shorter one is looked at, the first of two equal ones.
        pad_id: the token that fills it up.
        masked: whether the padding is hidden, as it is wherever a model runs a batch.
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
