"""One text through one layer of a decoder: masked self-attention, cross-attention, feed-forward.

Vaswani et al. (2017), section 3.1 and Figure 1 (right), for post-LN layers.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from ...transformer import DecoderLayer
from ...transformer.layers import AddNorm
from .descriptions import DECODER
from .layer import Rows, attention_steps, fed, refuse_other_kinds
from .record import Step

CROSS = "cross-"


def decoder_layer_steps(
    layer: DecoderLayer,
    x_LD: Tensor,
    memory_SD: Tensor,
    tokens: Sequence[str],
    source: Sequence[str],
    *,
    head: int = 0,
    block: int = 0,
) -> tuple[Step, ...]:
    """The steps of one decoder layer, with one head in full.

    Args:
        layer: a post-LN decoder layer with a feed-forward network.
        x_LD: its input, (tokens, d_model).
        memory_SD: the encoder's output, (source tokens, d_model).
        tokens: the names of the target's tokens.
        source: the names of the source's tokens.
        head: the head, from 0, of both attentions.
        block: see `layer_steps`.

    Returns:
        The steps of the masked self-attention, "query" to "norm"; those of the cross-attention,
        "cross-query" to "cross-norm"; and those from "inner" to "norm2", whose result is the layer's
        output.

    Raises:
        ValueError: if the layer is of another kind, or there is no such head.
    """
    refuse_other_kinds(layer)
    assert isinstance(layer.attention_norm, AddNorm)
    assert isinstance(layer.cross_norm, AddNorm)
    x = Rows("x", x_LD.detach(), tuple(tokens))
    memory = Rows("m", memory_SD.detach(), tuple(source))
    own, n = attention_steps(
        layer.attention,
        layer.attention_norm,
        x,
        x,
        result="n",
        head=head,
        causal=True,
        block=block,
        words=DECODER,
    )
    across, n = attention_steps(
        layer.cross, layer.cross_norm, n, memory, result="n'", prefix=CROSS, head=head, block=block
    )
    return (*own, *across, *fed(layer, n, block, DECODER))
