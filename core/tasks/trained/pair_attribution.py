"""Attribution for small encoder–decoders: what a word owes to source and target, and what a cut does.

The counterpart of `core.pretrained.seq2seq`, for models whose tokens are words.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ...attribution import attention_masks, paired
from ...errors import NotSupported, SettingError
from ...records.interventions import Cut
from ...records.pair_contributions import PairContributions
from ...transformer import Transformer, causal_mask, mask_bias
from .attribution import none
from .reading import Reading


class Pair(NamedTuple):
    """A source, and what the decoder has read: its start token, and the words behind it."""

    source: Reading
    target: Reading


@torch.no_grad()
def logit_contributions(
    net: Transformer, pair: Pair, token: int, other: int | None = None
) -> PairContributions:
    """See `core.pretrained.seq2seq.Seq2SeqModel.pair_logit_contributions`; it predicts the next word.

    Raises:
        SettingError: there is no such token, or the two are the same.
    """
    matrix_VD, bias_V = head(net)
    ids = [token] if other is None else [token, other]
    if len({*ids}) < len(ids) or not all(0 <= one < len(matrix_VD) for one in ids):
        raise SettingError("Two different words of the target are needed.")
    signs = torch.tensor([1.0, -1.0][: len(ids)])
    along_D, bias = signs @ matrix_VD[ids], float(signs @ bias_V[ids])
    embeddings = net.embeddings if net.source_embeddings is None else net.source_embeddings
    target_LD = net.embeddings(pair.target.ids_BL)[1][0]
    later = mask_bias(causal_mask(len(target_LD)))[None, None]
    forward = paired.walk(
        net.encoder,
        net.decoder,
        embeddings(pair.source.ids_BL)[1][0],
        target_LD,
        ([None] * len(net.encoder.layers), [later] * len(net.decoder.layers)),
    )
    at = len(target_LD) - 1
    whole, shares = paired.contributions(net.encoder, net.decoder, forward, [at], along_D)
    shares = shares._replace(biases_N=shares.biases_N + bias)
    return PairContributions(
        source=pair.source.tokens,
        target=pair.target.tokens,
        at=(at,),
        layer=len(net.decoder.layers) - 1,
        direction=along_D.numpy(),
        whole=float(whole) + bias,
        by_depth=shares.target_by_depth_NL.numpy(),
        from_source=shares.memory_by_depth_NS.numpy(),
        biases=shares.biases_N.numpy(),
        source_by_depth=shares.source_by_depth_NS.numpy(),
        source_biases=shares.source_biases_N.numpy(),
        by_head=shares.by_head_NHM.numpy(),
        by_cross_head=shares.by_cross_head_NHS.numpy(),
        by_source_head=shares.by_source_head_NHS.numpy(),
        final=net.decoder.norm is not None,
    )


@torch.no_grad()
def without_word(net: Transformer, pair: Pair, word: int) -> Tensor:
    """(V,): the logits of the next word while nothing but itself reads a word of the source.

    Neither the other words of the source attend to it, in any layer, nor the decoder.

    Raises:
        SettingError: there is no such word.
        NotSupported: it is the only one.
    """
    count, read = len(pair.source.tokens), len(pair.target.tokens)
    attention_masks.index_below(word, count, "word")
    if count < 2:
        raise NotSupported("A source of one word cannot do without it.")
    cuts = [[Cut(query, word) for query in range(count) if query != word]]
    across = [[Cut(query, word) for query in range(read)]]
    c = net.config
    sizes = c.n_encoder_layers, c.encoder_heads
    own = attention_masks.biases(cuts, [none], (*sizes, count))
    crossed = attention_masks.biases(
        across, [none], (c.n_decoder_layers, c.cross_heads, read), (), ([none], count)
    )
    memory_BSD = net.encode(pair.source.ids_BL, bias_BHLM=own).final_BLD
    return net.decode(pair.target.ids_BL, memory_BSD, cross_bias_BHLS=crossed).logits_BLV[0, -1]


def head(net: Transformer) -> tuple[Tensor, Tensor]:
    """(V, D) and (V,): what predicts."""
    if net.output is None:
        matrix_VD = net.embeddings.tokens.weight
        return matrix_VD, matrix_VD.new_zeros(len(matrix_VD))
    return net.output.weight, net.output.bias
