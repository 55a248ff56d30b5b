"""Pictures of attention from a trace, one of its blocks, or plain weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from ...localization import N_, _, gettext
from ...measures import AttentionBlock, as_block
from ...measures.attention.shared_keys import heads_per_key
from ...records.attention import Attention
from ...records.trace import SINK, Trace
from ...sentences import sentence
from .. import style
from ..link import Link
from ..picture import Picture
from .layer_view import ALONE, Inner, LayerAttention, LayerTitles, OnPage, layer_view
from .ordering import Patterns
from .overview import AllHeads, overview

Drawable = Trace | AttentionBlock | Attention
_OF = {
    "Encoder": N_(" of the encoder"),
    "Decoder": N_(" of the decoder"),
    "Cross-attention": N_(" of the cross-attention"),
}


def heads_of(
    shown: Drawable,
    *,
    missing_heads: npt.ArrayLike | None = None,
    positions: tuple[Sequence[int], Sequence[int]] | None = None,
    notes: Sequence[Sequence[str]] | None = None,
    patterns: Patterns | None = None,
    state: Mapping[str, Any] | None = None,
    link: Link | None = None,
) -> Picture:
    """All heads as small maps, `overview`, with the tokens to choose from.

    Args:
        shown: the trace of one text by an encoder or decoder; one of `core.measures.attention.blocks`;
            or plain weights.
        missing_heads: see `AllHeads`; by default, as the block says.
        positions: see `AllHeads`.
        notes: see `AllHeads`.
        patterns: see `AllHeads`.
        state: what to show first, see `overview`.
        link: the choices that the picture shares with others on its page.

    Raises:
        NotSupported: if a trace has no attention.
    """
    block = as_block(shown)
    layers, heads = block.attention.shape[:2]
    where = gettext(_OF.get(block.title, f" of the {block.title.lower()}")) if block.title else ""
    seen: list[str] = []
    if block.masked is not None:
        reaches = [block.reach(layer) for layer in range(layers)]
        seen = ["" if reach.kind == "causal" else reach.sentence for reach in reaches]
    maps = AllHeads(
        block.attention.weights,
        tokens=block.attention.keys,
        query_tokens=block.attention.queries,
        positions=positions,
        missing_heads=block.absent if missing_heads is None else missing_heads,
        seen=seen if any(seen) else (),
        outside=None if block.attention.sink is None else block.attention.outside,
        notes=notes,
        patterns=patterns,
        group=_group(block),
        left_out=gettext(SINK) if block.first_is_sink else "",
    )
    return overview(
        maps,
        sentence=sentence("heads.all", layers=str(layers), heads=str(heads), of=where),
        name=file_name(block, "heads"),
        state=state,
        link=link,
    )


def layer_of(
    shown: Drawable,
    layer: int,
    /,
    *,
    averaged: bool = False,
    state: Mapping[str, Any] | None = None,
    on_page: OnPage = ALONE,
    **titles: str,
) -> Picture:
    """One layer from lines down to one product, `layer_view`.

    If query and key are unknown, or do not produce the weights, the weights are sent, and the picture
    says why there are no products.

    Args:
        shown: as in `heads_of`.
        layer: from 0.
        averaged: whether the only map of `shown` is a mean, which the title `layer` names.
        state: what to show first, see `layer_view`.
        on_page: what surrounds the picture on its page.
        **titles: attributes of `LayerTitles`, which replace the derived ones.

    Raises:
        NotSupported: if a trace has no attention.
        IndexError: if there is no such layer.
    """
    block = as_block(shown)
    attention = replace(attention_of(block, layer), averaged=averaged)
    name = style.layer_name(layer)
    derived = LayerTitles(
        layer=name,
        sentence=sentence(
            "heads.layer", layer=f"{gettext(block.title)}, {name}" if block.title else name
        ),
        name=file_name(block, f"layer-{layer + 1}"),
        block=gettext(block.title),
        without=None if attention.inner is not None or block.absent[layer].all() else _without(block),
    )
    return layer_view(attention, replace(derived, **titles), state=state, on_page=on_page)


def attention_of(block: AttentionBlock, layer: int) -> LayerAttention:
    """The tokens and numbers of one layer of a block.

    Args:
        block: the attention block.
        layer: from 0.

    Raises:
        IndexError: if there is no such layer.
    """
    layers = block.attention.shape[0]
    if not 0 <= layer < layers:
        raise IndexError(f"There is no layer {layer}: there are {layers}, counted from 0.")
    inner = None
    if block.query is not None and block.key is not None:
        scale = None if block.scale is None else block.scale[layer]
        bias = block.bias_of(layer)
        inner = Inner(block.query[layer], block.key[layer], scale, bias, softcap=block.softcap)
    sink = block.attention.sink
    return LayerAttention(
        block.attention.queries,
        block.attention.keys,
        weights=block.attention.weights[layer],
        inner=inner,
        or_weights=True,
        bare=None if block.bare is None else block.bare[layer],
        masked=block.mask(layer),
        sink=None if sink is None else sink[layer],
        outside=block.attention.outside,
        special=block.special,
        group=_group(block),
        left_out=gettext(SINK) if block.first_is_sink else "",
    )


def _group(block: AttentionBlock) -> int:
    """How many neighbouring heads share a key and a value; 1: each has its own."""
    return heads_per_key(block.key)


def _without(block: AttentionBlock) -> str | None:
    """Why there are no scores and no products, if that is known."""
    why = block.why_no_products
    if not why:
        return None
    said = gettext(why)
    ends = said if said.endswith((".", "!", "?")) else f"{said}."
    link = ": " if why[0].islower() else ". "
    return _("There are no scores and no products to show") + link + ends


def file_name(block: AttentionBlock, what: str) -> str:
    """The name of a file, including the attention block of an encoder–decoder."""
    return f"{block.title.lower()}-{what}" if block.title else what
