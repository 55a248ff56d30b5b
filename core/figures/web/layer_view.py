"""One layer on one payload, from lines between tokens down to one product: `layer.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.figures import style
from core.figures.web.about import About
from core.figures.web.labels import label, runs_left, written
from core.figures.web.layer_start import RUNGS as RUNGS
from core.figures.web.layer_start import start
from core.figures.web.link import Link
from core.figures.web.logsum import TOLERANCE, diagonals, row_sums
from core.figures.web.packed import packed
from core.figures.web.picture import Picture
from core.trace import Array

THRESHOLDS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_NO_PRODUCTS = "This model gives no query and key, so there are no scores and no products to show."
_MORE_THAN_PRODUCTS = (
    "The weights of this model come from more than query and key alone, so its scores and products are "
    "not shown."
)
_HEIGHTS = (520, 640)
_LEAST_HEIGHT = 260
_LARGE = 2_000_000  # bytes of weights that are sent as they are


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
    place: str = "",
    sentence: str,
    name: str,
    weights: npt.ArrayLike | None = None,
    inner: Inner | None = None,
    bare: npt.ArrayLike | None = None,
    causal: bool = False,
    special: tuple[Sequence[int], Sequence[int]] = ((), ()),
    without: str | None = None,
    or_weights: bool = False,
    rtl: bool | None = None,
    state: Mapping[str, Any] | None = None,
    link: Link | None = None,
    averaged: bool = False,
    above: bool = False,
    about: About | None = None,
    height: int | None = None,
) -> Picture:
    """Lines, one head, one token and one product of a layer, with no further call for any of them.

    With `inner`, its query, key and log-sums are sent, and any weight is exp(score − log-sum) in the
    browser; `weights`, if given too, are what that is checked against. Without it, weights are sent:
    as they are up to 2 MB, beyond that each within 1e-5. The mean over the heads is the mean of what
    is shown of each: where special tokens are hidden, of rows that sum to 1 again.
    Event: "state", the whole state as `state` takes it, a quarter of a second after it changed; where
    a page puts "address" into the header (see `ui.permalink`), when the visitor leaves the picture.

    Args:
        queries: the tokens that look.
        keys: the tokens that are looked at.
        layer: its name: "Layer 3".
        place: where in the model, for titles: "Decoder"; "" where there is one place.
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        weights: (heads, queries, keys); each row sums to 1.
        inner: what the weights come from, where the model gives it.
        bare: (heads, queries, keys), the weights to show where special tokens are hidden; if not said,
            what remains of each row is scaled to 1.
        causal: no query sees a key that comes after it; the last query sees all.
        special: which queries and which keys the model's template added: they can be hidden.
        without: what is said in place of scores and products where there are none; why, if not said.
        or_weights: where `inner` does not lead to `weights`, send those, and say so.
        rtl: the text runs from right to left, and who looks stands on the right; by its letters if not
            said.
        state: what to show first: "rung" (one of `RUNGS`), "on" (heads that draw lines), "head",
            "query", "key" (indices from 0; −1 as "head", and alone in "on", is the mean of all heads),
            "pin" (None, "query", "key": whose lines alone are drawn), "threshold", "alone" (the
            threshold of those lines), "special" (whether shown), "view"
            ("weights", "scores"), "sort" ("place", "size"). It may come from a link: what is missing or
            makes no sense is as usual.
        link: the pictures beside it that show the same tokens and the same rung; not the same heads.
        averaged: its one map is a mean that `layer` names: it is no head, and has no number.
        above: whether there is a picture of all heads to go back to: the state is then told with
            "up": True where a visitor asks for it.
        about: what is said of the heads beneath it. Where a visitor opens one of another layer there,
            the state is told with "open": its "layer" and "head".
        height: in pixels, at most; if not said, as much as the tokens need, up to 640. A rung that
            needs less is less high.

    Raises:
        ValueError: there is nothing to draw, sizes do not fit, a number is not finite, a mean is of
            several maps, or `inner` does not lead to `weights` within 1e-4 (unless `or_weights`).
    """
    if not queries or not keys:
        raise ValueError("There is nothing to draw.")
    if causal and len(keys) < len(queries):
        raise ValueError("A causal layer has a key for each query.")
    shape = len(queries), len(keys)
    given = None if weights is None else _array(weights, "weights", (None, *shape))
    sent: dict[str, Any] | None = None
    if inner is not None:
        try:
            sent, payload = _inner(inner, given, shape, causal)
        except _Apart:
            if not or_weights:
                raise
            without = _MORE_THAN_PRODUCTS if without is None else without
    if sent is None:
        if given is None:
            raise ValueError("A layer needs its weights, or the query and key that they come from.")
        hidden = None if bare is None else _array(bare, "bare", (len(given), *shape))
        sent, payload = _weights(given, hidden)
    if averaged and sent["heads"] != 1:
        raise ValueError(f"A mean is one map, not {sent['heads']}.")
    long = max(shape) > style.LINEAR_UP_TO
    header: dict[str, Any] = {
        **sent,
        "layer": written(layer),
        "place": written(place),
        "queries": [label(token) for token in queries],
        "keys": [label(token) for token in keys],
        "causal": causal,
        "special": [sorted({int(i) for i in some}) for some in special],
        "without": written(_NO_PRODUCTS if without is None else without),
        "rtl": runs_left(keys) if rtl is None else rtl,
        "root": long,
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "colours": {"light": style.HEADS_ON_LIGHT, "dark": style.HEADS_ON_DARK},
        "thresholds": THRESHOLDS[1 if long else 0 :],
        "state": start(state or {}, int(sent["heads"]), shape),
        "height": height or max(_HEIGHTS[0], min(_HEIGHTS[1], 190 + 30 * max(shape))),
        "least": _LEAST_HEIGHT,
        "averaged": averaged,
        "above": above,
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    if any(not 0 <= i < n for some, n in zip(header["special"], shape, strict=True) for i in some):
        raise ValueError("A special token is none of the tokens.")
    if about is not None:
        header["about"] = about.header(int(sent["heads"]))
    if link is not None:
        header["link"] = link.header(*shape)
    return Picture("layer", header, payload)


def _inner(
    inner: Inner, weights: Array | None, shape: tuple[int, int], causal: bool
) -> tuple[dict[str, Any], bytes]:
    """What the header says of query and key, and the arrays as they are sent."""
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
    parts = [query, key, sums]
    if kept is not None:
        parts.append(np.broadcast_to(kept, (heads, *kept.shape[1:])))
    payload = b"".join(np.ascontiguousarray(part, "<f4").tobytes() for part in parts)
    return {**sent, "dtype": "float32"}, payload


def _weights(given: Array, bare: Array | None) -> tuple[dict[str, Any], bytes]:
    """The same of weights alone; those without special tokens, if given, behind the others."""
    sent = {"kind": "weights", "heads": len(given), "bare": bare is not None}
    both = given if bare is None else np.concatenate([given, bare])
    if both.nbytes <= _LARGE:
        return {**sent, "dtype": "float32"}, np.ascontiguousarray(both, "<f4").tobytes()
    apart, payload = packed(both)
    return {**sent, "dtype": "uint8", "apart": apart}, payload


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
