"""The table of positions that a model has learned, wherever its program keeps it."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

from ..records.frozen import Array, frozen
from ..transformer import LearnedPositions

# The names that `transformers` gives to a table of positions.
_TABLES = ("position_embeddings", "wpe", "embed_positions")


def position_table(modules: Iterable[object]) -> Array | None:
    """The learned positions, (positions, d_model); None where the model learned none.

    Rows that no text uses (RoBERTa counts from behind its padding) are left out. Fixed waves (Marian),
    rotations and biases by distance are no such table.

    Args:
        modules: the parts of a model, of which the first table counts: of an encoder–decoder the
            encoder's. What is no module is passed over.
    """
    for whole in (part for part in modules if isinstance(part, nn.Module)):
        for name, part in whole.named_modules():
            if isinstance(part, LearnedPositions):
                return frozen(part.table.weight.detach().cpu().numpy().copy())
            if name.split(".")[-1] in _TABLES and isinstance(part, nn.Embedding):
                return None if "Sinusoidal" in type(part).__name__ else _used(part)
    return None


def _used(table: nn.Embedding) -> Array:
    """The rows from the one of the first token on."""
    padding = table.padding_idx
    first = getattr(table, "offset", 0 if padding is None else padding + 1)
    return frozen(table.weight.detach().cpu().numpy()[int(first) :].copy())
