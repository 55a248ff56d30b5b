"""Pictures of attention from a trace, one of its blocks, or plain weights."""

from __future__ import annotations

from typing import Any

from ...measures import AttentionBlock, as_block
from ...records.attention import Attention
from ...records.trace import Trace
from ...sentences import sentence
from .. import style
from ..picture import Picture
from .layer_view import Inner, layer_view
from .overview import overview

Drawable = Trace | AttentionBlock | Attention


def heads_of(shown: Drawable, **more: Any) -> Picture:
    """All heads as small maps, `overview`, with the tokens to choose from.

    Args:
        shown: the trace of one text by an encoder or decoder; one of `core.measures.attention.blocks`;
            or plain weights.
        **more: arguments of `overview`, which replace the derived ones.

    Raises:
        NotSupported: if a trace has no attention.
    """
    block = as_block(shown)
    layers, heads = block.attention.weights.shape[:2]
    where = f" of the {block.title.lower()}" if block.title else ""
    seen: list[str] = []
    if block.masked is not None:
        reaches = [block.reach(layer) for layer in range(layers)]
        seen = ["" if reach.kind == "causal" else reach.sentence for reach in reaches]
    known: dict[str, Any] = {
        "sentence": sentence("heads.all", layers=str(layers), heads=str(heads), of=where),
        "name": file_name(block, "heads"),
        "tokens": block.attention.keys,
        "query_tokens": block.attention.queries,
        "missing_heads": block.absent,
        "seen": seen if any(seen) else (),
        "outside": None if block.attention.sink is None else block.attention.outside,
    }
    return overview(block.attention.weights, **{**known, **more})


def layer_of(shown: Drawable, layer: int, /, **more: Any) -> Picture:
    """One layer from lines down to one product, `layer_view`.

    If query and key are unknown, or do not produce the weights, the weights are sent, and the picture
    says why there are no products.

    Args:
        shown: as in `heads_of`.
        layer: from 0.
        **more: arguments of `layer_view`, which replace the derived ones.

    Raises:
        NotSupported: if a trace has no attention.
        IndexError: if there is no such layer.
    """
    block = as_block(shown)
    layers = len(block.attention.weights)
    if not 0 <= layer < layers:
        raise IndexError(f"There is no layer {layer}: there are {layers}, counted from 0.")
    inner = None
    if block.query is not None and block.key is not None:
        scale = None if block.scale is None else block.scale[layer]
        bias = block.bias_of(layer)
        inner = Inner(block.query[layer], block.key[layer], scale, bias, softcap=block.softcap)
    name = style.layer_name(layer)
    title = f"{block.title}, {name}" if block.title else name
    known: dict[str, Any] = {
        "layer": name,
        "block": block.title,
        "sentence": sentence("heads.layer", layer=title),
        "name": file_name(block, f"layer-{layer + 1}"),
        "weights": block.attention.weights[layer],
        "inner": inner,
        "bare": None if block.bare is None else block.bare[layer],
        "masked": block.mask(layer),
        "sink": None if block.attention.sink is None else block.attention.sink[layer],
        "outside": block.attention.outside,
        "special": block.special,
        "or_weights": True,
        "without": None if inner is not None or block.absent[layer].all() else _without(block),
    }
    return layer_view(block.attention.queries, block.attention.keys, **{**known, **more})


def _without(block: AttentionBlock) -> str | None:
    """Why there are no scores and no products, if that is known."""
    why = block.why_no_products
    if not why:
        return None
    ends = why if why.endswith((".", "!", "?")) else f"{why}."
    link = ": " if why[0].islower() else ". "
    return f"There are no scores and no products to show{link}{ends}"


def file_name(block: AttentionBlock, what: str) -> str:
    """The name of a file, including the attention block of an encoder–decoder."""
    return f"{block.title.lower()}-{what}" if block.title else what
