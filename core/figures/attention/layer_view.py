"""One layer from one payload, from lines between tokens down to one product: `layer/layer.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...localization import N_, gettext
from ...measures.attention.visible import missing
from ...measures.attention.visible_keys import later
from ...records.attention import Outside
from ...records.trace import Array
from .. import style
from ..labels import label, runs_left, written
from ..link import Link
from ..picture import Picture
from ..scales import square_root
from .head_captions import About
from .layer_state import LEVELS as LEVELS
from .layer_state import whole
from .logsum import SCALED_TOLERANCE, TOLERANCE, diagonals, of_keys, row_sums
from .masks import mask_header
from .packed import packed

THRESHOLDS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_NO_PRODUCTS = N_("This model provides no query and key; there are no scores and no products to show.")
NO_ATTENTION = N_(
    "This layer has no attention. Some layers of hybrid models pass information between "
    "tokens in another way, such as a state-space model or a convolution."
)
_MORE_THAN_PRODUCTS = N_(
    "The attention weights of this model depend on more than query and key; its scores and "
    "products are not shown."
)
_HEIGHTS = (520, 640)
_AROUND, _OF_TOKEN = 190, 30
_LARGE = 2_000_000  # bytes of weights that are sent exactly


class _Apart(ValueError):
    """Query and key do not produce the weights."""


@dataclass(frozen=True, eq=False)
class Inner:
    """The query, key and score settings that produce one layer's weights.

    Attributes:
        query: (heads, queries, d_head); NaN for a missing head.
        key: (heads, keys, d_head).
        scale: the factor of q·k; 1/√d_head by default.
        bias: (heads or 1, queries, keys), added to the scaled products, such as T5's position bias.
        softcap: c, if a scaled product x is squashed to c·tanh(x/c) before the bias is added.
    """

    query: npt.ArrayLike
    key: npt.ArrayLike
    scale: float | None = None
    bias: npt.ArrayLike | None = None
    softcap: float | None = None


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """The attention of one layer: its tokens, and its weights or the query and key behind them.

    Attributes:
        queries: the tokens that attend.
        keys: the tokens that are attended to.
        weights: (heads, queries, keys); each row sums to 1 together with its `sink`, if there is one,
            or is missing (NaN).
        inner: query, key and score settings, if the model exposes them.
        or_weights: whether to use `weights`, with a message, if `inner` does not produce them.
        averaged: whether its only map is a mean, which the title names; it then has no head number.
        bare: (heads, queries, keys), the weights to show while special tokens are hidden; by default,
            the remaining weights of each row, rescaled to 1.
        causal: whether later keys are masked; the last query sees all.
        masked: (queries, keys) bool, the masked cells, if `causal` does not describe them.
        sink: (heads, queries), the share of each row that goes to no key.
        outside: the destination of that share.
        special: which queries and which keys the model's template added; they can be hidden.
        left_out: what these are called; "" for special tokens.
        rtl: whether the text runs from right to left, with the queries on the right; by default,
            inferred from its letters.
        group: how many neighbouring heads share a key and a value; 1: each has its own.

    Raises:
        ValueError: there are no tokens, a causal layer has fewer keys than queries, or a special token
            is not among the tokens.
    """

    queries: Sequence[str]
    keys: Sequence[str]
    weights: npt.ArrayLike | None = None
    inner: Inner | None = None
    or_weights: bool = False
    averaged: bool = False
    bare: npt.ArrayLike | None = None
    causal: bool = False
    masked: npt.ArrayLike | None = None
    sink: npt.ArrayLike | None = None
    outside: Outside = "sink"
    special: tuple[Sequence[int], Sequence[int]] = ((), ())
    left_out: str = ""
    rtl: bool | None = None
    group: int = 1

    def __post_init__(self) -> None:
        if not self.queries or not self.keys:
            raise ValueError("There is nothing to draw.")
        if self.causal and len(self.keys) < len(self.queries):
            raise ValueError("A causal layer must have a key for each query.")
        if any(not 0 <= i < n for some, n in zip(self.special, self.shape, strict=True) for i in some):
            raise ValueError("A special token is not among the tokens.")

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of queries and of keys."""
        return len(self.queries), len(self.keys)


@dataclass(frozen=True)
class LayerTitles:
    """What a layer's picture is called.

    Attributes:
        layer: the layer: "Layer 3".
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        block: the attention block of the model: "Decoder"; "" if there is only one.
        without: the message in place of scores and products if there are none; by default, the reason.
    """

    layer: str
    sentence: str
    name: str
    block: str = ""
    without: str | None = None


@dataclass(frozen=True)
class OnPage:
    """What surrounds a layer's picture on its page.

    Attributes:
        link: the pictures beside it that show the same tokens and the same zoom level, but not
            necessarily the same heads.
        above: whether there is a picture of all heads to return to; if a visitor does, the event
            contains "up": True.
        about: the captions of the heads below the picture. If a visitor opens a head of another layer
            there, the event contains "open" with its "layer" and "head".
        height: the largest height in pixels; by default, as much as the tokens need, up to 640. Zoom
            levels that need less are lower.
        later: the first row that is drawn pale, with its lines: it and the rows after it are of words
            that are not written yet.
    """

    link: Link | None = None
    above: bool = False
    about: About | None = None
    height: int | None = None
    later: int | None = None


ALONE = OnPage()


def layer_view(
    shown: LayerAttention,
    titles: LayerTitles,
    *,
    state: Mapping[str, Any] | None = None,
    on_page: OnPage = ALONE,
) -> Picture:
    """One layer with its four zoom levels: lines, one head, one token, and one product.

    With `shown.inner`, the picture holds query, key and log-sums, and the browser computes any weight
    as exp(score − log-sum); `shown.weights`, if given as well, serve as a check. Without `inner`, the
    picture holds the weights: exactly up to 2 MB, otherwise each within 1e-5. If special tokens are
    hidden, each head's rows are rescaled to 1 over the others; the mean over the heads is that of these
    rows. Missing rows, and rows with nothing left, are hatched. A layer with only missing heads is
    drawn as a layer without attention.
    Event: "state", the whole state in the format of `state`, a quarter of a second after a change; if a
    page puts "address" into the header (see `ui.permalink`), when the visitor leaves the picture.

    Args:
        shown: the layer's tokens and numbers.
        titles: what the picture is called.
        state: what to show first: "level" (one of `LEVELS`), "on" (heads that draw lines), "head",
            "query", "key" (indices from 0; −1 as "head", and alone in "on", is the mean of all heads),
            "pin" (None, "query", "key": whose lines alone are drawn), "threshold", "alone" (the
            threshold of those lines), "all" (whether all lines from the threshold on are drawn, or the
            strongest few; None: all if another threshold than the usual is chosen), "special" (whether
            shown; None: on every zoom level but "lines", where a bar says how much of a row goes to
            them), "view" ("weights", "scores"), "sort" ("place", "size"). It may come from a link: what
            is missing or does not fit takes its default.
        on_page: what surrounds the picture.

    Raises:
        ValueError: sizes do not fit, a number is not finite, a mean is of several maps, or `inner` does
            not lead to `weights` within 1e-4 (unless `or_weights`).
    """
    marks = [sorted({int(i) for i in some}) for some in shown.special]
    unseen = _unseen(shown)
    sent = _numbers(shown, unseen, hidden=marks[1] if len(marks[1]) < len(shown.keys) else [])
    if shown.averaged and sent.header["heads"] != 1:
        raise ValueError(f"A mean is one map, not {sent.header['heads']}.")
    without = gettext(sent.without) if titles.without is None else titles.without
    long = square_root(*shown.shape)
    header: dict[str, Any] = {
        **sent.header,
        **mask_header(unseen),
        "missingHeads": sent.missing,
        "sink": gettext(style.OUTSIDE[shown.outside])
        if shown.sink is not None and sent.payload
        else "",
        "layer": written(titles.layer),
        "place": written(titles.block),
        "queries": [label(token) for token in shown.queries],
        "keys": [label(token) for token in shown.keys],
        "special": marks,
        "whyNoScores": written(without),
        "rtl": runs_left(shown.keys) if shown.rtl is None else shown.rtl,
        "root": long,
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "colours": {"light": style.HEADS_ON_LIGHT, "dark": style.HEADS_ON_DARK},
        "thresholds": THRESHOLDS[1 if long else 0 :],
        "height": on_page.height or _height(shown),
        "isMean": shown.averaged,
        "hasOverview": on_page.above,
        "sentence": titles.sentence,
        "file": f"polysee-{titles.name}",
    }
    if on_page.later is not None:
        header["later"] = on_page.later
    if shown.group > 1 and not shown.averaged:
        header["group"] = shown.group
    if shown.left_out:
        header["leftOut"] = shown.left_out
    if on_page.about is not None:
        header["about"] = on_page.about.header(int(sent.header["heads"]))
    if on_page.link is not None:
        header["link"] = on_page.link.header(*shown.shape)
    return Picture("layer", header, sent.payload, whole).choosing(state or {})


def _height(shown: LayerAttention) -> int:
    return max(_HEIGHTS[0], min(_HEIGHTS[1], _AROUND + _OF_TOKEN * max(shown.shape)))


class _Sent(NamedTuple):
    """What the browser is sent of a layer's numbers.

    Attributes:
        header: the part of the header that describes the payload.
        payload: the arrays, one after another.
        missing: the heads without a single row.
        without: why there are no scores and products, if there are none.
    """

    header: dict[str, Any]
    payload: bytes
    missing: list[int]
    without: str


def _numbers(shown: LayerAttention, unseen: Array | None, *, hidden: Sequence[int]) -> _Sent:
    """Query and key if they produce the weights, otherwise the weights; nothing if all are missing."""
    weights, sink, inner = _given(shown), _sunk(shown), shown.inner
    missing_heads: list[int] = []
    if weights is not None:
        missing_heads = np.flatnonzero(missing(weights).all(axis=1)).tolist()
    elif inner is not None:
        missing_heads = np.flatnonzero(np.isnan(inner.query).all(axis=(-2, -1))).tolist()
    if weights is not None and len(missing_heads) == len(weights):
        header = {"kind": "none", "heads": len(weights), "dtype": "float32"}
        return _Sent(header, b"", missing_heads, NO_ATTENTION)
    sunk = b"" if sink is None else np.ascontiguousarray(sink, "<f4").tobytes()
    without = _NO_PRODUCTS
    if inner is not None:
        try:
            header, payload = _inner(inner, weights, shown.shape, unseen, sink, hidden)
            return _Sent(header, payload + sunk, missing_heads, without)
        except _Apart:
            if not shown.or_weights:
                raise
            without = _MORE_THAN_PRODUCTS
    if weights is None:
        raise ValueError("A layer needs its weights, or the query and key that they come from.")
    bare = None
    if shown.bare is not None:
        bare = _array(shown.bare, "bare", weights.shape, rows_missing=True)
    header, payload = _weights(weights, bare, hidden)
    return _Sent(header, payload + sunk, missing_heads, without)


def _given(shown: LayerAttention) -> Array | None:
    """(heads, queries, keys), the weights, checked; None if there are none."""
    if shown.weights is None:
        return None
    return _array(shown.weights, "weights", (None, *shown.shape), rows_missing=True)


def _sunk(shown: LayerAttention) -> Array | None:
    """(heads, queries), the share of each row that goes to no key, checked; None without one."""
    if shown.sink is None:
        return None
    numbers = shown.weights if shown.inner is None or shown.weights is not None else shown.inner.query
    heads = None if numbers is None else len(np.asarray(numbers))
    share = np.nan_to_num(np.asarray(shown.sink, np.float32))  # irrelevant for a missing row
    return _array(share, "sink", (heads, len(shown.queries)))


def _unseen(shown: LayerAttention) -> Array | None:
    """(queries, keys) bool, the masked cells; None if there are none."""
    if shown.masked is None:
        return later(*shown.shape) if shown.causal else None
    unseen = np.asarray(shown.masked, bool)
    if unseen.shape != shown.shape:
        raise ValueError(f"masked has the shape {unseen.shape}, not {shown.shape}.")
    return unseen if unseen.any() else None


def _inner(
    inner: Inner,
    weights: Array | None,
    shape: tuple[int, int],
    unseen: Array | None,
    sink: Array | None,
    hidden: Sequence[int],
) -> tuple[dict[str, Any], bytes]:
    """The part of the header about query and key, and the arrays to send."""
    query = _array(inner.query, "query", (None, shape[0], None), heads_missing=True)
    heads, _, d_head = query.shape
    key = _array(inner.key, "key", (heads, shape[1], d_head), heads_missing=True)
    scale = 1 / math.sqrt(d_head) if inner.scale is None else float(inner.scale)
    bias = None if inner.bias is None else _array(inner.bias, "bias", (None, *shape))
    if bias is not None and len(bias) not in (1, heads):
        raise ValueError(f"A bias must be for one head or for all {heads}, not for {len(bias)}.")
    if weights is not None and len(weights) != heads:
        raise ValueError(f"There are weights of {len(weights)} heads and queries of {heads}.")
    sums = row_sums(
        query,
        key,
        scale,
        bias=bias,
        softcap=inner.softcap,
        masked=unseen,
        weights=weights,
        sink=sink,
        hidden=hidden,
    )
    if not sums.off <= TOLERANCE:
        raise _Apart(f"Query and key do not produce these weights: the difference is {sums.off:.2g}.")
    if not sums.off_scaled <= SCALED_TOLERANCE:
        raise _Apart(
            "Query and key do not produce the weights that remain without special tokens: "
            f"the difference is {sums.off_scaled:.2g}."
        )
    empty = (sums.empty @ (shape[0], 1)).tolist()
    kind, biases = _bias(bias)
    sent = {"kind": "inner", "heads": heads, "d": d_head, "scale": scale, "bias": kind}
    sent |= {"biases": 0 if biases is None else len(biases), "softcap": inner.softcap, "empty": empty}
    parts = [query, key, sums.values, *([] if biases is None else [biases])]
    payload = b"".join(np.ascontiguousarray(part, "<f4").tobytes() for part in parts)
    return {**sent, "dtype": "float32"}, payload


def _bias(bias: Array | None) -> tuple[str | None, Array | None]:
    """The encoding of a bias: by distance or by key if only one of them matters, otherwise in full."""
    if bias is None:
        return None, None
    for kind, of in (("diagonals", diagonals), ("keys", of_keys)):
        if (short := of(bias)) is not None:
            return kind, short
    return "full", bias


def _weights(given: Array, bare: Array | None, hidden: Sequence[int]) -> tuple[dict[str, Any], bytes]:
    """The same for weights alone; those without special tokens, if given, follow the others."""
    sent = {"kind": "weights", "heads": len(given), "bare": bare is not None}
    both = given if bare is None else np.concatenate([given, bare])
    if both.nbytes <= _LARGE:
        return {**sent, "dtype": "float32"}, np.ascontiguousarray(both, "<f4").tobytes()
    apart, payload = packed(both, hidden)
    return {**sent, "dtype": "uint8", "apart": apart, "exact": list(hidden)}, payload


def _array(
    values: npt.ArrayLike,
    what: str,
    shape: tuple[int | None, ...],
    *,
    rows_missing: bool = False,
    heads_missing: bool = False,
) -> Array:
    """The numbers, all finite except missing rows or heads, which are entirely NaN."""
    array = np.asarray(values, np.float32)
    fits = array.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits or not array.size:
        raise ValueError(f"{what} has the shape {array.shape}, not {shape} (None: any).")
    there = np.isfinite(array)
    if (rows_missing or heads_missing) and not there.all():
        axes = -1 if rows_missing else (-2, -1)
        there |= np.isnan(array).all(axis=axes, keepdims=True)
    if not there.all():
        raise ValueError(f"{what} contains numbers that are not finite.")
    return array
