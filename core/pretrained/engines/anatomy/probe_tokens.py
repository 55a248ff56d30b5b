"""The few ordinary tokens that a model reads while it is explored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from ....errors import NotSupported
from .forward import paired

# Lengths of source and target; having both identifies a cross-attention. The shorter ones are for
# models with few positions.
LENGTHS = (7, 5)
SHORT = (3, 2)


def probe(model: Any, name: str, lengths: tuple[int, int] = LENGTHS) -> dict[str, Tensor]:
    """A few ordinary tokens of the model: no padding, mask or image token.

    Raises:
        NotSupported: if it does not read text, or has no table of learned vectors.
    """
    reads = getattr(model, "main_input_name", "input_ids")
    if reads != "input_ids":
        raise NotSupported(
            "“{name}” is not a text model: it reads {reads}. Choose a text model.",
            name=name,
            reads=reads,
        )
    try:
        table = model.get_input_embeddings().weight
        if not isinstance(table, Tensor):
            raise TypeError(type(table).__name__)
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise NotSupported(
            "“{name}” has no table with a learned vector for each token. Polysee needs "
            "such a table, and does not read this model.",
            name=name,
        ) from error
    signs = set(_signs(model.config.to_dict()))
    plain = [i for i in range(len(table)) if i not in signs] or [0]
    step = max(1, len(plain) // sum(lengths))
    rows = [plain[i * step % len(plain)] for i in range(sum(lengths))]
    n = lengths[0]
    ids = {"input_ids": rows[:n]} | ({"decoder_input_ids": rows[n:]} if paired(model) else {})
    return {key: torch.tensor([row], device=table.device) for key, row in ids.items()} | {
        "attention_mask": torch.ones((1, n), dtype=torch.long, device=table.device)
    }


def _signs(settings: Mapping[str, Any]) -> Iterator[int]:
    """The ids to which a configuration gives a special meaning."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _signs(value)
        elif str(key).endswith(("_id", "_ids", "_index", "_indices")):
            listed = value if isinstance(value, list | tuple) else [value]
            yield from (one for one in listed if type(one) is int)
