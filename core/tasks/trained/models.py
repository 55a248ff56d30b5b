"""From a recipe to a model, and one call that returns the predictions and attention of any model."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ...records.frozen import Array
from ...transformer import AttentionOutput, LanguageModel, Transformer, TransformerConfig
from ..languages.vocabulary import PAD_ID, Vocabulary
from ..training.batches import Batch
from ..training.recipe import Recipe

Net = Transformer | LanguageModel


def n_source(source: Vocabulary | None, target: Vocabulary) -> int:
    """The size of the source's own vocabulary: none if it is shared with the target."""
    return 0 if source is None or source == target else len(source)


class Answer(NamedTuple):
    """The output of a model for a batch.

    Attributes:
        logits_BLV: logits for every token at every position.
        encoder: the self-attention of each encoder layer.
        decoder: the same of the decoder.
        cross: the cross-attention of each decoder layer.
    """

    logits_BLV: Tensor
    encoder: tuple[AttentionOutput, ...] = ()
    decoder: tuple[AttentionOutput, ...] = ()
    cross: tuple[AttentionOutput, ...] = ()

    @property
    def shown(self) -> tuple[AttentionOutput, ...]:
        """The attention block that tasks are about: cross-attention, or else the only one."""
        return self.cross or self.decoder or self.encoder


def config(recipe: Recipe, n_vocabulary: int, n_source: int) -> TransformerConfig:
    """The configuration of a recipe's model for so many words. `n_source` 0: no separate source."""
    return TransformerConfig(
        n_vocabulary=n_vocabulary,
        n_encoder_layers=recipe.n_encoder_layers,
        n_decoder_layers=recipe.n_decoder_layers,
        n_heads=recipe.n_heads,
        d_model=recipe.d_model,
        d_ff=recipe.d_ff,
        n_cross_heads=recipe.n_cross_heads,
        n_source_vocabulary=n_source,
        positions=recipe.positions,
        norm_first=recipe.norm_first,
        # No dropout: it draws from torch's global generator, which two trainings would share.
        dropout=0.0,
    )


def build(
    recipe: Recipe, n_vocabulary: int, n_source: int, generator: torch.Generator | None = None
) -> Net:
    """A model with random weights, drawn from `generator`."""
    shape = config(recipe, n_vocabulary, n_source)
    both = recipe.n_encoder_layers and recipe.n_decoder_layers
    return Transformer(shape, generator) if both else LanguageModel(shape, generator)


def answer(model: Net, batch: Batch, *, need_weights: bool = True) -> Answer:
    """Run a model on a batch. `need_weights`: see `core.transformer`."""
    reads_BL = torch.from_numpy(batch.reads_BL)
    if isinstance(model, Transformer):
        if batch.source_BS is None:
            raise ValueError("An encoder–decoder needs a source.")
        source_BS = torch.from_numpy(batch.source_BS)
        out = model(source_BS, reads_BL, source_BS != PAD_ID, need_weights=need_weights)
        return Answer(
            out.logits_BLV,
            tuple(layer.attention for layer in out.encoder.layers),
            tuple(layer.attention for layer in out.decoder.layers),
            tuple(layer.cross for layer in out.decoder.layers),
        )
    # A causal model's tokens never see the padding, which comes after them.
    mask_BL = None if model.causal else reads_BL != PAD_ID
    logits_BLV, stack = model(reads_BL, mask_BL, need_weights=need_weights)
    layers = tuple(layer.attention for layer in stack.layers)
    if model.causal:
        return Answer(logits_BLV, decoder=layers)
    return Answer(logits_BLV, encoder=layers)


def weights(block: tuple[AttentionOutput, ...]) -> Array:
    """The weights of all layers of an attention block, (layers, B, heads, L, columns), in NumPy."""
    by_layer = [layer.weights_BHLM for layer in block if layer.weights_BHLM is not None]
    stacked: Array = torch.stack(by_layer).detach().numpy()
    return stacked
