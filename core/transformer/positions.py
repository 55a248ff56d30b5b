"""Where a token stands: without it, a sentence would be a bag of words.

Vaswani et al. (2017), section 3.5.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """One learned vector for each place in the text, as in BERT (Devlin et al. 2019, Figure 2)."""

    def __init__(self, n_positions: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(n_positions, d_model)

    def forward(self, length: int) -> Tensor:
        """The vectors of the places 0 … length − 1, (L, D)."""
        table: Tensor = self.table(torch.arange(length, device=self.table.weight.device))
        return table
