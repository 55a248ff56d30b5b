"""A decoder of today with one part as the paper had it: what it then expects, from the same weights.

Between Vaswani et al. (2017) and Llama (Touvron et al. 2023), each of these was exchanged: the place
of the norms (Xiong et al. 2020), the norm (Zhang and Sennrich 2019), positions (Su et al. 2021), the
feed-forward network (Shazeer 2020), the heads of keys and values (Ainslie et al. 2023), and the half
that reads without a mask. A model that learned with the one part is run with the other. That shows what
it relies on, and not which part is better: trained with the other, it would have other weights.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from ..errors import NotSupported
from ..records.frozen import Array
from ..transformer import EncoderLayer, LanguageModel, MultiHeadAttention, sinusoidal
from ..transformer.layers import AddRMSNorm, GatedFeedForward
from .part_names import BUT_FIRST, PARTS, Part, exchanges
from .steps.decoder_alone import explained

Step = Callable[[Tensor], Tensor]


def exchangeable(decoder: LanguageModel) -> tuple[Part, ...]:
    """The parts that a decoder has otherwise than the paper; none if it has parts not shown here."""
    return tuple(one for one in PARTS[1:] if not _refused(decoder, one))


@torch.inference_mode()
def expected(
    decoder: LanguageModel, head_VD: Tensor, ids: Sequence[int], part: Part = "as it is"
) -> Array:
    """(V,): the logits of the next token, with one part exchanged in every layer.

    Args:
        decoder: the model; it stays as it is.
        head_VD: the matrix that predicts tokens.
        ids: the text, at least one token.
        part: what is exchanged.

    Raises:
        NotSupported: the model has further parts, or never had this one.
    """
    final_D = states(decoder, ids, part)[-1, -1]
    if decoder.stack.norm is not None:
        final_D = decoder.stack.norm(final_D)
    logits: Array = (head_VD @ final_D).float().numpy().astype(np.float32)
    return logits


@torch.inference_mode()
def states(decoder: LanguageModel, ids: Sequence[int], part: Part = "as it is") -> Tensor:
    """(N + 1, L, D): the input of the first layer and the output of each, with one part exchanged.

    Raises:
        NotSupported: as in `expected`.
    """
    if why := _refused(decoder, part):
        raise NotSupported(why)
    _, x_BLD = decoder.embeddings(torch.tensor([[*ids]]))
    if part == "positions":
        x_BLD = x_BLD + sinusoidal(len(ids), x_BLD.shape[-1]).to(x_BLD)
    masks = _masks(decoder, x_BLD, part)
    found = [x_BLD[0]]
    for layer, mask_BHLM in zip(decoder.stack.layers, masks, strict=True):
        x_BLD = _through(cast(EncoderLayer, layer), x_BLD, mask_BHLM, part)
        found.append(x_BLD[0])
    return torch.stack(found)


def lengths(decoder: LanguageModel, ids: Sequence[int], part: Part = "as it is") -> Array:
    """(N + 1,): the length of the last token's vector before the first layer and behind each.

    Raises:
        NotSupported: as in `expected`.
    """
    found: Array = states(decoder, ids, part)[:, -1].double().norm(dim=-1).numpy()
    return found


def kept(decoder: LanguageModel, part: Part = "as it is") -> int:
    """The numbers that are kept of one token while the model writes: a key and a value a head."""
    attention = cast(EncoderLayer, decoder.stack.layers[0]).attention
    heads = attention.n_heads if part == "heads" else attention.n_kv_heads
    return 2 * len(decoder.stack.layers) * heads * attention.d_head


def _refused(decoder: LanguageModel, part: Part) -> str:
    """Why a part cannot be exchanged; "" if it can."""
    first = cast(EncoderLayer, decoder.stack.layers[0])
    norm, network, attention = first.attention_norm, first.feed_forward, first.attention
    has = {
        "order": norm.norm_first,
        "norm": isinstance(norm, AddRMSNorm),
        "positions": attention.rotation is not None,
        "network": isinstance(network, GatedFeedForward),
        "heads": attention.n_kv_heads < attention.n_heads,
    }
    if not (decoder.causal and explained(decoder)):
        return "Parts are exchanged only in a decoder such as GPT-2 or Llama."
    if not has.get(part, True):
        return f"This model has no such part to exchange: {exchanges(part)}."
    return ""


def _masks(decoder: LanguageModel, x_BLD: Tensor, part: Part) -> list[Tensor | None]:
    """(B, H, L, M) or None of each layer: what is hidden from which token."""
    if part == "mask":
        return [None] * len(decoder.stack.layers)
    masks = decoder.masks(x_BLD)
    if part != BUT_FIRST:
        return masks
    opened: list[Tensor | None] = []
    for mask_BHLM in masks:
        assert mask_BHLM is not None  # a decoder hides later tokens in each layer
        seen = torch.zeros_like(mask_BHLM)
        seen[..., 0, :] = mask_BHLM[..., 0, :]
        opened.append(seen)
    return opened


def _through(layer: EncoderLayer, x_BLD: Tensor, mask_BHLM: Tensor | None, part: Part) -> Tensor:
    """One layer."""
    attention = _attention(layer.attention, part)

    def attend(read_BLD: Tensor) -> Tensor:
        made: Tensor = attention(read_BLD, read_BLD, mask_BHLM, need_weights=False).output_BLD
        return made

    x_BLD = _sublayer(layer.attention_norm, attend, x_BLD, part)
    if layer.feed_forward is not None and layer.output_norm is not None:
        x_BLD = _sublayer(layer.output_norm, _network(layer.feed_forward, part), x_BLD, part)
    return x_BLD


def _sublayer(norm: torch.nn.Module, step: Step, x_BLD: Tensor, part: Part) -> Tensor:
    """A sub-layer with its residual connection and its norm."""

    def normed(values_BLD: Tensor) -> Tensor:
        if part == "norm":
            assert isinstance(norm, AddRMSNorm)
            values_BLD = values_BLD - values_BLD.mean(dim=-1, keepdim=True)  # all that LayerNorm adds
        made: Tensor = norm(values_BLD)
        return made

    if part == "order":
        return normed(x_BLD + step(x_BLD))
    return x_BLD + step(normed(x_BLD) if norm.norm_first else x_BLD)


def _attention(attention: MultiHeadAttention, part: Part) -> MultiHeadAttention:
    """The attention, or a copy with the same matrices that does not turn, or shares nothing."""
    if part == "positions":
        still = copy.copy(attention)
        still.rotation = None
        return still
    if part == "heads":
        return _ungrouped(attention)
    return attention


def _ungrouped(attention: MultiHeadAttention) -> MultiHeadAttention:
    """The same attention with a key and a value for each head: those that it shared, repeated."""
    times = attention.n_heads // attention.n_kv_heads
    own = MultiHeadAttention(
        attention.query.in_features,
        attention.n_heads,
        attention.rotation,
        d_head=attention.d_head,
        bias=attention.key.bias is not None,
    )
    own.query, own.output = attention.query, attention.output
    for name in ("key", "value"):
        shared, each = getattr(attention, name), getattr(own, name)
        rows = shared.weight.view(attention.n_kv_heads, attention.d_head, -1)
        each.weight = torch.nn.Parameter(rows.repeat_interleave(times, 0).flatten(0, 1), False)
        if shared.bias is not None:
            biases = shared.bias.view(attention.n_kv_heads, attention.d_head)
            each.bias = torch.nn.Parameter(biases.repeat_interleave(times, 0).flatten(), False)
    return own


def _network(network: torch.nn.Module, part: Part) -> Step:
    """The feed-forward network; or the same two matrices around GELU, without the gate."""
    if part != "network":
        return network
    assert isinstance(network, GatedFeedForward)
    return lambda read_BLD: cast(Tensor, network.outer(F.gelu(network.inner(read_BLD))))
