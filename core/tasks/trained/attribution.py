"""Attribution for small models: exact contributions, and runs with interventions.

The counterpart of `core.pretrained.attribution` for a single encoder whose tokens see each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from ...attribution import adjoint, attention_masks
from ...errors import NotSupported, SettingError
from ...records.contributions import Contributions
from ...records.frozen import Array
from ...records.interventions import Change, Cut
from ...records.trace import Trace
from ...transformer import LanguageModel, Transformer
from ..languages.task import Task
from ..training.batches import NOWHERE, Example, collate
from . import tracing
from .reading import Reading


def bidirectional(net: LanguageModel | Transformer, name: str) -> LanguageModel:
    """The model. NotSupported: if its tokens do not all see each other, in a single text."""
    if isinstance(net, Transformer) or net.causal:
        raise NotSupported(
            "Contributions in “{name}” cannot be computed: they need a model in which "
            "every word attends to every other.",
            name=name,
        )
    return net


@torch.no_grad()
def contributions(
    net: LanguageModel, reading: Reading, tokens: Sequence[int], direction: npt.ArrayLike, layer: int
) -> Contributions:
    """See `core.pretrained.Model.contributions`; `tokens` are the tokens of the word."""
    layer = attention_masks.index_below(layer, len(net.stack.layers), "layer")
    along, width = np.asarray(direction, dtype=np.float32), net.config.d_model
    if along.shape != (width,) or not np.isfinite(along).all() or not along.any():
        raise SettingError(f"A direction must be {width} finite numbers, not all 0.")
    whole, shares = adjoint.contributions(
        list(net.stack.layers)[: layer + 1],
        net.embeddings(reading.ids_BL)[1][0],
        tokens,
        torch.tensor(along),
    )
    by_depth, biases, by_head, direct = (share.numpy() for share in shares)
    return Contributions(
        reading.tokens, tuple(tokens), layer, along, float(whole), by_depth, biases, by_head, direct
    )


@torch.no_grad()
def changed(
    net: LanguageModel, reading: Reading, changes: Sequence[Change], name: str
) -> tuple[Trace, Array]:
    """A text with attention cut and heads ablated: the trace, and the logits, (tokens, words).

    Cuts refer to tokens by position.
    """
    layers, heads = len(net.stack.layers), net.config.n_heads
    biases = attention_masks.biases([changes], [none], (layers, heads, len(reading.ids)))
    mask_NBH = attention_masks.head_mask([changes], layers, heads)
    stack = net.stack(net.embeddings(reading.ids_BL), biases, mask_NBH)
    logits: Array = net.logits(stack.final_BLD)[0].numpy()
    return tracing.record(stack, reading, name, normed=net.config.norm_first, causal=False), logits


@torch.no_grad()
def accuracy_without_pattern(net: LanguageModel, task: Task, examples: Sequence[Example]) -> float:
    """The accuracy when no row attends to the token that it should attend to; others share its weight.

    In every layer and head, so that nothing comes that way; see `Example.attend_to`.
    """
    layers, heads = len(net.stack.layers), net.config.n_heads
    batch = collate(examples)
    predicted_BL = np.zeros_like(batch.labels_BL)
    for row, example in enumerate(examples):
        cuts = [Cut(at, key) for at, key in enumerate(example.attend_to) if key != NOWHERE]
        ids_BL = torch.tensor([example.reads])
        biases = attention_masks.biases([cuts], [none], (layers, heads, len(example.reads)))
        final_BLD = net.stack(net.embeddings(ids_BL), biases, None).final_BLD
        predicted_BL[row, : len(example.reads)] = net.logits(final_BLD)[0].argmax(dim=-1).numpy()
    return task.accuracy(predicted_BL, batch)


def none(word: str) -> Array:
    """Finds no word: raises SettingError."""
    raise SettingError(
        "A cut inside a small model names tokens by their positions, not “{word}”.",
        word=word[:40],
    )
