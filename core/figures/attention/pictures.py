"""Pictures of attention from what a model gives: a trace, one place of it, or one's own weights."""

from __future__ import annotations

from typing import Any

from ...measures import Site, sites
from ...records.attention import Attention
from ...records.trace import Trace
from .. import style
from ..picture import Picture
from .layer_view import Inner, layer_view
from .overview import overview

Drawable = Trace | Site | Attention


def heads_of(shown: Drawable, **more: Any) -> Picture:
    """All heads as small maps, `overview`, with the tokens to choose from.

    Args:
        shown: one text through one encoder or decoder; one of `core.measures.attention.blocks`; or
        weights of
            one's own.
        **more: what `overview` takes, in the place of what is known.

    Raises:
        NotSupported: a trace kept no attention.
    """
    site = _site(shown)
    layers, heads = site.attention.weights.shape[:2]
    where = f" of the {site.place.lower()}" if site.place else ""
    seen: list[str] = []
    if site.masked is not None:
        reaches = [site.reach(layer) for layer in range(layers)]
        seen = ["" if reach.kind == "causal" else reach.sentence for reach in reaches]
    known: dict[str, Any] = {
        "sentence": f"All {layers} × {heads} heads{where}: rows look, columns are looked at.",
        "name": file_name(site, "heads"),
        "tokens": site.attention.keys,
        "looking": site.attention.queries,
        "absent": site.absent,
        "seen": seen if any(seen) else (),
        "outside": None if site.attention.sink is None else site.attention.outside,
    }
    return overview(site.attention.weights, **{**known, **more})


def layer_of(shown: Drawable, layer: int, /, **more: Any) -> Picture:
    """One layer from lines down to one product, `layer_view`.

    Where query and key are not known, or do not lead to the weights, the weights are sent, and the
    picture says why there are no products.

    Args:
        shown: as in `heads_of`.
        layer: from 0.
        **more: what `layer_view` takes, in the place of what is known.

    Raises:
        NotSupported: a trace kept no attention.
        IndexError: there is no such layer.
    """
    site = _site(shown)
    layers = len(site.attention.weights)
    if not 0 <= layer < layers:
        raise IndexError(f"There is no layer {layer}: there are {layers}, counted from 0.")
    inner = None
    if site.query is not None and site.key is not None:
        scale = None if site.scale is None else site.scale[layer]
        bias = site.bias_of(layer)
        inner = Inner(site.query[layer], site.key[layer], scale, bias, softcap=site.softcap)
    name = style.layer_name(layer)
    title = f"{site.place}, {name}" if site.place else name
    known: dict[str, Any] = {
        "layer": name,
        "place": site.place,
        "sentence": f"{title}: who looks at whom, from lines down to one product.",
        "name": file_name(site, f"layer-{layer + 1}"),
        "weights": site.attention.weights[layer],
        "inner": inner,
        "bare": None if site.bare is None else site.bare[layer],
        "masked": site.mask(layer),
        "sink": None if site.attention.sink is None else site.attention.sink[layer],
        "outside": site.attention.outside,
        "special": site.special,
        "or_weights": True,
        "without": None if inner is not None or site.absent[layer].all() else _without(site),
    }
    return layer_view(site.attention.queries, site.attention.keys, **{**known, **more})


def _without(site: Site) -> str | None:
    """Why there are no scores and no products, as far as it is known."""
    why = site.why_no_products
    if not why:
        return None
    ends = why if why.endswith((".", "!", "?")) else f"{why}."
    link = ": " if why[0].islower() else ". "
    return f"There are no scores and no products to show{link}{ends}"


def file_name(site: Site, what: str) -> str:
    """The name of a file, with where in an encoder–decoder its numbers are from."""
    return f"{site.place.lower()}-{what}" if site.place else what


def _site(shown: Drawable) -> Site:
    if isinstance(shown, Site):
        return shown
    if isinstance(shown, Trace):
        (site,) = sites(shown).values()
        return site
    marks = tuple(
        tuple((token, place) for place, token in enumerate(tokens))
        for tokens in (shown.queries, shown.keys)
    )
    return Site(shown, ((), ()), (marks[0], marks[1]))
