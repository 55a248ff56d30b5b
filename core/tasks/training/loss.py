"""The losses that training minimises."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from ...records.frozen import Array
from ..languages.vocabulary import PAD_ID
from ..trained.models import Answer
from .batches import NOWHERE, Batch


def cross_entropy(answer: Answer, batch: Batch, counts_BL: Array | None = None) -> Tensor:
    """The weighted mean of −log p(label), in nats.

    Args:
        answer: of a model.
        batch: what it has read.
        counts_BL: the weight of each label; by default those of the batch.
    """
    labels = torch.from_numpy(batch.labels_BL).flatten()
    counts_BL = batch.counts_BL if counts_BL is None else counts_BL
    counts = torch.from_numpy(counts_BL.astype(np.float32)).flatten()
    losses = F.cross_entropy(
        answer.logits_BLV.flatten(0, 1), labels, ignore_index=PAD_ID, reduction="none"
    )
    return losses @ counts / counts.sum()


def guidance(answer: Answer, batch: Batch) -> Tensor:
    """The mean of −log of the weight on the token to attend to, in the last layer.

    Guided alignment (Chen et al. 2016, "Guided Alignment Training for Topic-Aware Neural Machine
    Translation", equation 8), for the mean of the heads. It *teaches* where to attend; pages must say
    so.
    """
    weights_BHLM = answer.shown[-1].weights_BHLM
    assert weights_BHLM is not None
    attend_to_BL = torch.from_numpy(batch.attend_to_BL)
    positions_BL1 = attend_to_BL.clamp(min=0)[..., None]
    on_BL = weights_BHLM.mean(dim=1).gather(-1, positions_BL1)[..., 0]
    return -(on_BL[attend_to_BL != NOWHERE] + 1e-6).log().mean()
