"""The learned position table of a model, wherever its implementation stores it."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

from ..records.frozen import Array, frozen
from ..transformer import LearnedPositions

# The names of position tables in `transformers`.
_TABLES = ("position_embeddings", "wpe", "embed_positions")


def position_table(modules: Iterable[object]) -> Array | None:
    """The learned positions, (positions, d_model); None if the model learned none.

    Rows that no text uses are left out (RoBERTa's positions start after its padding index). Fixed
    sinusoids (Marian), rotations and distance biases are not learned position tables.

    Args:
        modules: the parts of a model; the first table counts, in an encoder–decoder the encoder's.
            Anything that is not a module is skipped.
    """
    for whole in (part for part in modules if isinstance(part, nn.Module)):
        for name, part in whole.named_modules():
            if isinstance(part, LearnedPositions):
                return frozen(part.table.weight.detach().cpu().numpy()[part.first :].copy())
            if name.split(".")[-1] in _TABLES and isinstance(part, nn.Embedding):
                return None if "Sinusoidal" in type(part).__name__ else _used(part)
    return None


def _used(table: nn.Embedding) -> Array:
    """The rows from the first token's position onwards."""
    padding = table.padding_idx
    first = getattr(table, "offset", 0 if padding is None else padding + 1)
    return frozen(table.weight.detach().cpu().numpy()[int(first) :].copy())
