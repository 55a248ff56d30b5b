"""What the curves over depth show, in numbers (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from core.figures import style
from core.records.frozen import Array
from pages.step_by_step.depth.results import PARTS, Curves

if TYPE_CHECKING:
    from core.walkthroughs.depth import Depth

COLLAPSED = 0.99  # a mean cosine from here on counts as rank collapse
VANISHED, EXPLODED = 0.01, 100.0  # the first layer's gradient, relative to the last one's
NAMES = dict(
    zip(
        PARTS,
        ("residual connections", "layer norm", "positions", "÷ √d", "all heads but one"),
        strict=True,
    )
)

TITLES = {
    "similarity": "**Tokens**: their mean cosine similarity",
    "difference": "**Tokens**: the part in which they differ",
    "gradient": "**Gradient**, relative to the last layer’s",
}
RANK_COLLAPSE = (
    "**Rank collapse** (Dong et al. 2021): all tokens end up with nearly the same vector, and a matrix "
    "of equal rows has rank 1. Attention gives each token a weighted mean of all tokens, and means are "
    "more similar than the vectors that they average. A **residual connection** (He et al. 2016) "
    "adds the input of a sub-layer to its output, $x+f(x)$: each token keeps what it had."
)
STILL_COLLAPSES = (
    "With random weights, attention is spread almost evenly, and adds nearly the same vector to every "
    "token. The norm after the sum then shrinks the part in which tokens differ, again in every layer "
    "(Noci et al. 2022)."
)
CURVES = {
    "similarity": "The curve is the mean of $\\cos(x_i, x_j)$ over all pairs of different positions; "
    "special tokens count.",
    "difference": "The curve is $\\lVert X-\\mathbf{1}\\bar{x}^\\top\\rVert\\,/\\,\\lVert X\\rVert$, "
    "where the rows of $X$ are the tokens, special ones too, and $\\bar{x}$ is their mean. It stops "
    "where only rounding is left.",
}
VANISHING = (
    "**Vanishing gradient**: training changes a layer by the gradient that arrives there from above. "
    "If each layer passes on less than it receives, the first layers hardly learn. **Layer norm** (Ba "
    "et al. 2016) gives each vector mean 0 and variance 1, then learned scales. The curve is "
    "$\\lVert\\partial\\mathcal{L}/\\partial X_l\\rVert\\,/\\,"
    "\\lVert\\partial\\mathcal{L}/\\partial X_N\\rVert$, where $X_l$ is the output of layer $l$ and "
    "$\\mathcal{L}=\\sum R\\odot X_N$ weighs the last output with random numbers $R$."
)


def without(missing: Collection[str]) -> str:
    """The omitted parts: "residual connections, layer norm and ÷ √d"; "" if there are none."""
    *first, last = [NAMES[part] for part in PARTS if part in missing] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def number(value: float) -> str:
    """A positive number with three significant digits: 0.0123, 12.3, 1.23·10⁻⁷."""
    power = int(f"{value:.2e}".partition("e")[2])  # after rounding: 999.9 is 1.00·10³
    return f"{value:.{2 - power}f}" if -3 <= power <= 2 else style.scientific(value, 2)


def similarity(curves: Curves, missing: Collection[str], *, norm_last: bool = False) -> str:
    """How similar the tokens become, and whether their vectors collapse into one.

    Args:
        curves: the curves of the stack without some parts, and with all.
        missing: the omitted parts, of `PARTS`.
        norm_last: whether the weights are random, and each norm is after the sum.
    """
    parts = without(missing)
    complete, changed = curves.complete.similarity, curves.changed.similarity
    if np.isnan(complete).all():
        return "There is only one token: nothing to compare. Type a second word."
    end, at = _last(complete), _last(changed)
    collapses = complete[end] >= COLLAPSED
    why = f" {STILL_COLLAPSES}" if collapses and norm_last else ""
    if not parts:
        said = (
            "With all parts, the mean cosine similarity of the tokens goes from "
            f"**{_cosine(complete[0])}** to **{_cosine(complete[end])}** after layer {end}."
        )
        if collapses:
            said += f" {_since(complete[: end + 1])}, it is at least {COLLAPSED}.{why}"
        return f"{said} Leave a part out and compare."
    said = (
        f"Without {parts}, the tokens’ mean cosine similarity goes from "
        f"**{_cosine(changed[0])}** to **{_cosine(changed[at])}** after layer {at}; with all parts, it "
        f"ends at **{_cosine(complete[end])}**. "
        f"{_collapse(changed[: at + 1], complete[: end + 1])}{why}"
    )
    if np.isfinite(curves.changed.difference[at]) and np.isfinite(curves.complete.difference[end]):
        said += (
            f" The part in which tokens differ is {_part(curves.changed, at)} of the length of their "
            f"vectors; with all parts, it is {_part(curves.complete, end)}."
        )
    if curves.changed.distinct < at:
        said += f" {_rounding(curves.changed)}"
    if at < len(changed) - 1:
        reason = "the numbers become too large to store"
        if at < curves.changed.finite:
            reason = "a vector is 0 and has no direction"
        said += f" After layer {at}, {reason}: the curve ends there."
    return said


def _part(one: Depth, at: int) -> str:
    """The part in which tokens differ after so many layers, or the bound below which it is rounding."""
    if one.distinct >= at:
        return number(one.difference[at])
    return f"less than {style.scientific(one.rounding, 0)}"


def _rounding(one: Depth) -> str:
    """From which layer on the tokens differ only by rounding."""
    since = f"From layer {one.distinct + 1} on" if one.distinct >= 0 else "From the start"
    digits = round(-math.log10(one.eps))
    return (
        f"{since}, the difference is only the rounding of numbers with {digits} digits: the tokens "
        "are equal as far as the computer can tell, and the curve of the difference stops there."
    )


def _collapse(changed: Array, complete: Array) -> str:
    """Whether the vectors collapse into one, without the parts and with them."""
    if changed[-1] >= COLLAPSED:
        since = _since(changed)
        said = f"{since}, it is at least {COLLAPSED}: the tokens have become nearly one vector."
        if complete[-1] >= COLLAPSED:
            later = int(np.flatnonzero(complete < COLLAPSED)[-1]) + 1 if complete[0] < COLLAPSED else 0
            said += f" The complete stack collapses too, at layer {later}."
        return said
    if complete[-1] >= COLLAPSED:
        return "The complete stack collapses, but without these parts, the tokens stay apart."
    return "The tokens keep different vectors: they do not collapse."


def _since(values: Array) -> str:
    """From which layer on the tokens count as one vector, for a stack that collapses."""
    lower = np.flatnonzero(values < COLLAPSED)
    return f"From layer {lower[-1] + 1} on" if lower.size else "From the start"


def gradient(curves: Curves, missing: Collection[str]) -> str:
    """The size of the first layer's gradient, relative to the last one's.

    Args:
        curves: the curves of the stack without some parts, and with all.
        missing: the omitted parts, of `PARTS`.
    """
    parts = without(missing)
    complete, changed = curves.complete.gradient, curves.changed.gradient
    first, where = (1, "the output of layer 1") if len(complete) > 2 else (0, "the input of layer 1")
    at_last = f"that at the output of layer {len(complete) - 1}"
    of_complete = number(complete[first]) if np.isfinite(complete[first]) else ""
    if not parts:
        if not of_complete:
            return "The gradient at the first layer is too small or too large to store."
        return (
            f"With all parts, the gradient at {where} is **{of_complete}** times {at_last}. "
            f"{_size(complete, first)}"
        )
    if np.isnan(changed).all():
        return f"Without {parts}, the last output is not a finite number: there is no gradient."
    if not np.isfinite(changed[first]):
        there = int(np.flatnonzero(np.isfinite(changed))[0])
        return (
            f"Without {parts}, the gradient at {where} is too small or too large to store; the curve "
            f"begins after layer {there}."
        )
    beside = f"; with all parts, **{of_complete}** times" if of_complete else ""
    return (
        f"Without {parts}, the gradient at {where} is **{number(changed[first])}** times {at_last}"
        f"{beside}. {_size(changed, first)}{_reason(missing, changed[first])}"
    )


def _reason(missing: Collection[str], ratio: float) -> str:
    """A remark if the usual reason for residual connections does not apply."""
    if "residual" in missing and "norm" not in missing and ratio >= VANISHED:
        return (
            " Residual connections are often said to keep the gradient from vanishing; here it does "
            "not vanish without them. Leave out layer norm as well, and compare."
        )
    return ""


def _size(values: Array, first: int) -> str:
    """How the gradient changes from the last layer down to the first one of the curve."""
    ratio = values[first]
    if ratio < VANISHED:
        return "It vanishes on its way down: the first layer would hardly learn."
    if ratio > EXPLODED:
        return "It explodes on its way down: a step that suits the last layer is far too long here."
    way = values[first:]
    low, high = int(np.nanargmin(way)) + first, int(np.nanargmax(way)) + first
    between = (
        f"On its way down, it lies between {number(values[low])} times (after layer {low}) and "
        f"{number(values[high])} times (after layer {high}) that size"
    )
    if values[low] < VANISHED or values[high] > EXPLODED:
        return f"{between}."
    return f"{between}: it neither vanishes nor explodes."


def _cosine(value: float) -> str:
    return style.signed(value, 3)


def _last(values: Array) -> int:
    """The last step with a finite value; 0 if there is none."""
    there = np.flatnonzero(np.isfinite(values))
    return int(there[-1]) if there.size else 0
