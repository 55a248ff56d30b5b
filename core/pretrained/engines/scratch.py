"""The scratch engine: our own encoder with copied published weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from ...errors import ModelBroken
from ...transformer import (
    Encoder,
    EncoderConfig,
    causal_mask,
    mask_bias,
    padding_bias,
    total_bias,
)
from ...transformer.shapes_alone import shapes_alone
from ..files import tensor_names
from ..files.checkpoint import Checkpoint
from .engine import Batch, Gives, Keep, Run, Shape


class ScratchEngine:
    """`core.transformer.Encoder`, which itself returns every step.

    Tokens see all other tokens, but never the padding; with a causal mask, only themselves and earlier
    ones.
    """

    causal = False

    def __init__(self, encoder: Encoder, device: str) -> None:
        self.encoder = encoder.eval().requires_grad_(False).to(device)
        self.device = device
        self.gives = Gives()
        c = encoder.config
        self.shape = Shape(c.n_layers, c.n_heads, c.d_model // c.n_heads, c.d_model, c.d_model)

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return self.encoder.tokens.weight

    @property
    def n_vocabulary(self) -> int:
        """See `Engine.n_vocabulary`."""
        return len(self.table)

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`."""
        return self.run(batch, "hidden").hidden_BLD[-1]

    def segments(self, batch: Batch) -> Tensor | None:
        """Which of two texts each token belongs to; None if the model does not distinguish them."""
        return batch.segments_BL if self.encoder.config.n_segments else None

    def run(
        self,
        batch: Batch,
        keep: Keep,
        biases_HLM: Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        *,
        causal: bool = False,
    ) -> Run:
        """See `Engine.run`, and `Encoder.forward` for biases and head mask, which allow no padding.

        `causal` hides later tokens in every layer, as in a decoder; it cannot be combined with biases.
        """
        hidden = None if batch.mask_BL is None else padding_bias(batch.mask_BL)
        if causal:
            length = batch.ids_BL.shape[1]
            hidden = total_bias(mask_bias(causal_mask(length, device=batch.ids_BL.device)), hidden)
        out = self.encoder(
            batch.ids_BL,
            self.segments(batch),
            hidden if biases_HLM is None else biases_HLM,
            head_mask_NH,
            need_weights=keep != "hidden",
        )
        attention = [layer.attention for layer in out.layers] if keep != "hidden" else []
        qkv = attention if keep == "all" else []
        return Run(
            learned_BLE=out.learned_BLD,
            embedded_BLD=out.embedded_BLD,
            hidden_BLD=tuple(layer.output_BLD for layer in out.layers),
            weights_BHLM=tuple(a.weights_BHLM for a in attention),
            query_BHLK=tuple(a.query_BHLK for a in qkv),
            key_BHMK=tuple(a.key_BHMK for a in qkv),
            value_BHMK=tuple(a.value_BHMK for a in qkv),
            causal=causal,
        )


def check(config: EncoderConfig, checkpoint: Checkpoint, name: str) -> None:
    """Check, from the headers, that the weights of a folder fit. Raises as `from_checkpoint`."""
    _planned(config, checkpoint.shapes(), name)


def from_checkpoint(config: EncoderConfig, checkpoint: Checkpoint, name: str) -> Encoder:
    """Our encoder with the weights of a folder.

    Raises:
        ModelBroken: see `core.pretrained.files.tensor_names.plan` and `read_tensor`; or if a weight is
            not a finite number.
    """
    return _filled(
        config,
        checkpoint.shapes(),
        lambda key: checkpoint.tensor(key, name),
        name,
    )


def from_state_dict(config: EncoderConfig, weights: Mapping[str, Tensor], name: str) -> Encoder:
    """Our encoder with copied weights of a model in memory. Raises as `from_checkpoint`."""
    shapes = {key: tuple(tensor.shape) for key, tensor in weights.items()}
    return _filled(config, shapes, lambda key: weights[key].detach().cpu().clone(), name)


def _filled(
    config: EncoderConfig,
    theirs: Mapping[str, tuple[int, ...]],
    get: Callable[[str], Tensor],
    name: str,
) -> Encoder:
    encoder, source = _planned(config, theirs, name)
    state: dict[str, Any] = {our: _float32(get(their), their, name) for our, their in source.items()}
    encoder.load_state_dict(state, strict=True, assign=True)
    return encoder


def _planned(
    config: EncoderConfig, theirs: Mapping[str, tuple[int, ...]], name: str
) -> tuple[Encoder, Mapping[str, str]]:
    """An encoder without memory, and the source tensor of each of its parameters."""
    try:
        with shapes_alone():  # so that no parameter can stay at a random value
            encoder = Encoder(config)
    except (ValueError, TypeError, RuntimeError, ZeroDivisionError) as error:
        raise ModelBroken(
            f"The config.json of “{name}” describes no encoder that can be built: {error}"
        ) from error
    shapes = {key: tuple(tensor.shape) for key, tensor in encoder.state_dict().items()}
    return encoder, tensor_names.plan(config, theirs, shapes, name)


def _float32(tensor: Tensor, their: str, name: str) -> Tensor:
    if not tensor.is_floating_point():
        raise ModelBroken(
            f"“{name}” stores {their} as {tensor.dtype}, not as real numbers: quantised weights. "
            "Choose the same model in float32, float16 or bfloat16."
        )
    tensor = tensor.float()
    if not torch.isfinite(tensor).all():
        raise ModelBroken(
            f"“{name}” contains numbers in {their} that are infinite or not a number. "
            "Choose another copy of the model."
        )
    return tensor
