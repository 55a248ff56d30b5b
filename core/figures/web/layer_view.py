"""One layer on one payload, from lines between tokens down to one product: `layer.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.figures import style
from core.figures.web.labels import label, runs_left, written
from core.figures.web.logsum import TOLERANCE, diagonals, row_sums
from core.figures.web.picture import Picture
from core.trace import Array, Trace

RUNGS = ("lines", "head", "token", "product")
THRESHOLDS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_START, _LONG = 0.05, 0.1  # the threshold at first; above `style.LINEAR_UP_TO` tokens
_NO_PRODUCTS = "This model gives no query and key, so there are no scores and no products to show."
_MORE_THAN_PRODUCTS = (
    "The weights of this model come from more than query and key alone, so its scores and products are "
    "not shown."
)
_HEIGHTS = (520, 640)


class _Apart(ValueError):
    """Query and key do not lead to the weights."""


@dataclass(frozen=True, eq=False)
class Inner:
    """What one layer's weights come from.

    Attributes:
        query: (heads, queries, d_head).
        key: (heads, keys, d_head).
        scale: what q·k is multiplied with; 1 / √d_head if not said.
        bias: (heads or 1, queries, keys), added to the scaled products, such as T5's.
        sums: (heads, queries), the log of each row's sum of exp(score), where it is known already.
    """

    query: npt.ArrayLike
    key: npt.ArrayLike
    scale: float | None = None
    bias: npt.ArrayLike | None = None
    sums: npt.ArrayLike | None = None


def layer_view(
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    layer: str,
    sentence: str,
    name: str,
    weights: npt.ArrayLike | None = None,
    inner: Inner | None = None,
    causal: bool = False,
    special: tuple[Sequence[int], Sequence[int]] = ((), ()),
    without: str = _NO_PRODUCTS,
    rtl: bool | None = None,
    state: Mapping[str, Any] | None = None,
    height: int | None = None,
) -> Picture:
    """Lines, one head, one token and one product of a layer, with no further call for any of them.

    With `inner`, its query, key and log-sums are sent, and any weight is exp(score − log-sum) in the
    browser; `weights`, if given too, are what that is checked against. Without it, weights are sent.
    Event: "state", the whole state as `state` takes it, a quarter of a second after it changed.

    Args:
        queries: the tokens that look.
        keys: the tokens that are looked at.
        layer: its name: "Layer 3".
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        weights: (heads, queries, keys); each row sums to 1.
        inner: what the weights come from, where the model gives it.
        causal: no query sees a key that comes after it; the last query sees all.
        special: which queries and which keys the model's template added: they can be hidden.
        without: what is said in place of scores and products where there is no `inner`.
        rtl: the text runs from right to left, and who looks stands on the right; by its letters if not
            said.
        state: what to show first: "rung" (one of `RUNGS`), "on" (heads that draw lines), "head",
            "query", "key" (indices from 0), "pin" (None, "query", "key": whose lines alone are drawn),
            "threshold", "special" (whether shown), "view" ("weights", "scores"), "sort" ("place",
            "size"). It may come from a link: what is missing or makes no sense is as usual.
        height: in pixels, of all of it; if not said, as much as the tokens need, up to 640.

    Raises:
        ValueError: there is nothing to draw, sizes do not fit, a number is not finite, or `inner` does
            not lead to `weights` within 1e-4.
    """
    if not queries or not keys:
        raise ValueError("There is nothing to draw.")
    if causal and len(keys) < len(queries):
        raise ValueError("A causal layer has a key for each query.")
    shape = len(queries), len(keys)
    given = None if weights is None else _array(weights, "weights", (None, *shape))
    if inner is not None:
        sent, parts = _inner(inner, given, shape, causal)
    elif given is not None:
        sent, parts = {"kind": "weights", "heads": len(given)}, [given]
    else:
        raise ValueError("A layer needs its weights, or the query and key that they come from.")
    long = max(shape) > style.LINEAR_UP_TO
    header: dict[str, Any] = {
        **sent,
        "layer": written(layer),
        "queries": [label(token) for token in queries],
        "keys": [label(token) for token in keys],
        "causal": causal,
        "special": [sorted({int(i) for i in some}) for some in special],
        "without": written(without),
        "rtl": runs_left(keys) if rtl is None else rtl,
        "root": long,
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "colours": {"light": style.HEADS_ON_LIGHT, "dark": style.HEADS_ON_DARK},
        "thresholds": THRESHOLDS[1 if long else 0 :],
        "state": _state(state or {}, int(sent["heads"]), shape, _LONG if long else _START),
        "height": height or max(_HEIGHTS[0], min(_HEIGHTS[1], 190 + 30 * max(shape))),
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    if any(not 0 <= i < n for some, n in zip(header["special"], shape, strict=True) for i in some):
        raise ValueError("A special token is none of the tokens.")
    payload = b"".join(np.ascontiguousarray(part, "<f4").tobytes() for part in parts)
    return Picture("layer", header, payload)


def layer_of(
    trace: Trace,
    layer: int,
    *,
    sentence: str,
    name: str,
    state: Mapping[str, Any] | None = None,
    inner: Inner | None = None,
    **more: Any,
) -> Picture:
    """`layer_view` of one layer of a trace, by its query and key where it has kept them.

    Where those do not lead to its weights, the weights are sent, and the picture says why.

    Args:
        trace: one text through one encoder or decoder.
        layer: from 0.
        sentence: as in `layer_view`, and so are all others.
        name: of the saved file, after "polysee-".
        state: what to show first.
        inner: in place of the trace's query and key, scale and bias.
        **more: the rest of what `layer_view` takes.

    Raises:
        NotSupported: the trace kept no attention.
        IndexError: there is no such layer.
    """
    layers, _ = trace.grid
    if not 0 <= layer < layers:
        raise IndexError(f"There is no layer {layer}: there are {layers}, counted from 0.")
    assert trace.attention is not None  # `grid` has looked
    if inner is None and trace.query is not None and trace.key is not None:
        scale = None if trace.scale is None else trace.scale[layer]
        inner = Inner(trace.query[layer], trace.key[layer], scale, trace.bias)
    hidden = [i for i, added in enumerate(trace.special) if added]
    words: dict[str, Any] = {
        **{"layer": style.layer_name(layer), "sentence": sentence, "name": name, "state": state},
        **{"weights": trace.attention.weights[layer], "causal": trace.causal},
        **{"special": (hidden, hidden), **more},
    }
    try:
        return layer_view(trace.tokens, trace.tokens, inner=inner, **words)
    except _Apart:
        return layer_view(trace.tokens, trace.tokens, **{"without": _MORE_THAN_PRODUCTS, **words})


def _inner(
    inner: Inner, weights: Array | None, shape: tuple[int, int], causal: bool
) -> tuple[dict[str, Any], list[Array]]:
    """What the header says of query and key, and the arrays in the order in which they are sent."""
    query = _array(inner.query, "query", (None, shape[0], None))
    heads, _, d_head = query.shape
    key = _array(inner.key, "key", (heads, shape[1], d_head))
    scale = 1 / math.sqrt(d_head) if inner.scale is None else float(inner.scale)
    bias = None if inner.bias is None else _array(inner.bias, "bias", (None, *shape))
    if bias is not None and len(bias) not in (1, heads):
        raise ValueError(f"A bias is for one head or for all {heads}, not for {len(bias)}.")
    if weights is not None and len(weights) != heads:
        raise ValueError(f"There are weights of {len(weights)} heads and queries of {heads}.")
    if inner.sums is None:
        sums, off = row_sums(query, key, scale, bias=bias, causal=causal, weights=weights)
        if not off <= TOLERANCE:
            raise _Apart(f"Query and key do not lead to the weights: they are off by {off:.2g}.")
    else:
        sums = _array(inner.sums, "sums", (heads, shape[0]))
    lines = None if bias is None else diagonals(bias)
    kept = bias if lines is None else lines
    kind = None if bias is None else "full" if lines is None else "diagonals"
    sent = {"kind": "inner", "heads": heads, "d": d_head, "scale": scale, "bias": kind}
    if kept is None:
        return sent, [query, key, sums]
    return sent, [query, key, sums, np.broadcast_to(kept, (heads, *kept.shape[1:]))]


def _array(values: npt.ArrayLike, what: str, shape: tuple[int | None, ...]) -> Array:
    found = np.asarray(values, np.float32)
    fits = found.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, found.shape, strict=True)
    )
    if not fits or not found.size:
        raise ValueError(f"{what} has the shape {found.shape}, not {shape} (None: any).")
    if not np.isfinite(found).all():
        raise ValueError(f"{what} holds numbers that are not finite.")
    return found


def _state(
    asked: Mapping[str, Any], heads: int, shape: tuple[int, int], threshold: float
) -> dict[str, Any]:
    """The state as JavaScript keeps it."""
    usual: dict[str, Any] = {"rung": "lines", "on": tuple(range(heads)), "head": 0, "query": None}
    usual |= {"key": None, "pin": None, "threshold": threshold, "special": True}
    usual |= {"view": "weights", "sort": "place"}

    def within(value: object, count: int) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count

    allowed = {
        "rung": lambda x: x in RUNGS,
        "on": lambda x: isinstance(x, list | tuple) and all(within(i, heads) for i in x),
        "head": lambda x: within(x, heads),
        "query": lambda x: within(x, shape[0]),
        "key": lambda x: within(x, shape[1]),
        "pin": lambda x: x in ("query", "key"),
        "threshold": lambda x: isinstance(x, int | float) and 0 <= x <= 1,
        "special": lambda x: isinstance(x, bool),
        "view": lambda x: x in ("weights", "scores"),
        "sort": lambda x: x in ("place", "size"),
    }
    return {
        what: asked[what] if what in asked and allowed[what](asked[what]) else otherwise
        for what, otherwise in usual.items()
    }
