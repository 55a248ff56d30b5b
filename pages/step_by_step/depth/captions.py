"""What the curves over depth show, in numbers (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from core.figures import style
from core.localization import N_, _, decimal, each, gettext
from core.records.frozen import Array
from core.sentences import listed
from pages.step_by_step.depth.results import PARTS, Curves

if TYPE_CHECKING:
    from core.walkthroughs.depth import Depth

COLLAPSED = 0.99  # a mean cosine from here on counts as rank collapse
VANISHED, EXPLODED = 0.01, 100.0  # the first layer's gradient, relative to the last one's
NAMES = dict(
    zip(
        PARTS,
        (
            *(N_("residual connections"), N_("layer norm"), N_("positions"), "÷ √d"),
            N_("all heads but one"),
        ),
        strict=True,
    )
)

TITLES = {
    "similarity": N_("**Tokens**: their mean cosine similarity"),
    "difference": N_("**Tokens**: the part in which they differ"),
    "gradient": N_("**Gradient**, relative to the last layer’s"),
}
RANK_COLLAPSE = N_(
    "**Rank collapse** (Dong et al. 2021): all tokens end up with nearly the same vector, and a matrix "
    "of equal rows has rank 1. Attention gives each token a weighted mean of all tokens, and means are "
    "more similar than the vectors that they average. A **residual connection** (He et al. 2016) "
    "adds the input of a sub-layer to its output, $x+f(x)$: each token keeps what it had."
)
STILL_COLLAPSES = N_(
    "With random weights, attention is spread almost evenly, and adds nearly the same vector to every "
    "token. The norm after the sum then shrinks the part in which tokens differ, again in every layer "
    "(Noci et al. 2022)."
)
CURVES = {
    "similarity": N_(
        "The curve is the mean of $\\cos(x_i, x_j)$ over all pairs of different positions; special "
        "tokens count."
    ),
    "difference": N_(
        "The curve is $\\lVert X-\\mathbf{1}\\bar{x}^\\top\\rVert\\,/\\,\\lVert X\\rVert$, where the "
        "rows of $X$ are the tokens, special ones too, and $\\bar{x}$ is their mean. It stops where "
        "only rounding is left."
    ),
}
VANISHING = N_(
    "**Vanishing gradient**: training changes a layer by the gradient that arrives there from above. "
    "If each layer passes on less than it receives, the first layers hardly learn. **Layer norm** (Ba "
    "et al. 2016) gives each vector mean 0 and variance 1, then learned scales. The curve is "
    "$\\lVert\\partial\\mathcal{L}/\\partial X_l\\rVert\\,/\\,"
    "\\lVert\\partial\\mathcal{L}/\\partial X_N\\rVert$, where $X_l$ is the output of layer $l$ and "
    "$\\mathcal{L}=\\sum R\\odot X_N$ weighs the last output with random numbers $R$."
)


def without(missing: Collection[str]) -> str:
    """The omitted parts: "residual connections, layer norm and ÷ √d"; "" if there are none."""
    names = each(NAMES)
    parts = [names[part] for part in PARTS if part in missing]
    return listed(parts) if parts else ""


def number(value: float) -> str:
    """A positive number with three significant digits: 0.0123, 12.3, 1.23·10⁻⁷."""
    power = int(f"{value:.2e}".partition("e")[2])  # after rounding: 999.9 is 1.00·10³
    if -3 <= power <= 2:
        return decimal(f"{value:.{2 - power}f}")
    return style.scientific(value, 2)


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
        return _("There is only one token: nothing to compare. Type a second word.")
    end, at = _last(complete), _last(changed)
    collapses = complete[end] >= COLLAPSED
    why = f" {gettext(STILL_COLLAPSES)}" if collapses and norm_last else ""
    if not parts:
        said = _(
            "With all parts, the mean cosine similarity of the tokens goes from **{first}** to "
            "**{last}** after layer {layer}."
        ).format(first=_cosine(complete[0]), last=_cosine(complete[end]), layer=end)
        if collapses:
            said += f" {_at_least(complete[: end + 1])}{why}"
        more = _("Leave a part out and compare.")
        return f"{said} {more}"
    said = _(
        "Without {parts}, the tokens’ mean cosine similarity goes from **{first}** to **{last}** after "
        "layer {layer}; with all parts, it ends at **{complete}**."
    ).format(
        parts=parts,
        first=_cosine(changed[0]),
        last=_cosine(changed[at]),
        layer=at,
        complete=_cosine(complete[end]),
    )
    said += f" {_collapse(changed[: at + 1], complete[: end + 1])}{why}"
    if np.isfinite(curves.changed.difference[at]) and np.isfinite(curves.complete.difference[end]):
        part = _(
            "The part in which tokens differ is {part} of the length of their vectors; with all parts,"
            " it is {complete}."
        ).format(part=_part(curves.changed, at), complete=_part(curves.complete, end))
        said += f" {part}"
    if curves.changed.distinct < at:
        said += f" {_rounding(curves.changed)}"
    if at < len(changed) - 1:
        why_not = (
            _("After layer {layer}, a vector is 0 and has no direction: the curve ends there.")
            if at < curves.changed.finite
            else _("After layer {layer}, the numbers become too large to store: the curve ends there.")
        )
        said += f" {why_not.format(layer=at)}"
    return said


def _part(one: Depth, at: int) -> str:
    """The part in which tokens differ after so many layers, or the bound below which it is rounding."""
    if one.distinct >= at:
        return number(one.difference[at])
    return _("less than {number}").format(number=style.scientific(one.rounding, 0))


def _rounding(one: Depth) -> str:
    """From which layer on the tokens differ only by rounding."""
    said = (
        _(
            "From layer {layer} on, the difference is only the rounding of numbers with {digits} "
            "digits: the tokens are equal as far as the computer can tell, and the curve of the "
            "difference stops there."
        )
        if one.distinct >= 0
        else _(
            "From the start, the difference is only the rounding of numbers with {digits} digits: the "
            "tokens are equal as far as the computer can tell, and the curve of the difference stops "
            "there."
        )
    )
    return said.format(layer=one.distinct + 1, digits=round(-math.log10(one.eps)))


def _collapse(changed: Array, complete: Array) -> str:
    """Whether the vectors collapse into one, without the parts and with them."""
    if changed[-1] >= COLLAPSED:
        said = _at_least(changed, one_vector=True)
        if complete[-1] >= COLLAPSED:
            later = int(np.flatnonzero(complete < COLLAPSED)[-1]) + 1 if complete[0] < COLLAPSED else 0
            too = _("The complete stack collapses too, at layer {layer}.")
            said += f" {too.format(layer=later)}"
        return said
    if complete[-1] >= COLLAPSED:
        return _("The complete stack collapses, but without these parts, the tokens stay apart.")
    return _("The tokens keep different vectors: they do not collapse.")


def _at_least(values: Array, *, one_vector: bool = False) -> str:
    """From which layer on the tokens count as one vector, for a stack that collapses."""
    lower = np.flatnonzero(values < COLLAPSED)
    if one_vector:
        said = (
            _(
                "From layer {layer} on, it is at least {cosine}: the tokens have become nearly one "
                "vector."
            )
            if lower.size
            else _("From the start, it is at least {cosine}: the tokens have become nearly one vector.")
        )
    else:
        said = (
            _("From layer {layer} on, it is at least {cosine}.")
            if lower.size
            else _("From the start, it is at least {cosine}.")
        )
    layer = int(lower[-1]) + 1 if lower.size else 0
    return said.format(layer=layer, cosine=decimal(f"{COLLAPSED}"))


def gradient(curves: Curves, missing: Collection[str]) -> str:
    """The size of the first layer's gradient, relative to the last one's.

    Args:
        curves: the curves of the stack without some parts, and with all.
        missing: the omitted parts, of `PARTS`.
    """
    parts = without(missing)
    complete, changed = curves.complete.gradient, curves.changed.gradient
    first = 1 if len(complete) > 2 else 0
    where = {
        "where": _("the output of layer 1") if first else _("the input of layer 1"),
        "last": len(complete) - 1,
        "parts": parts,
    }
    of_complete = number(complete[first]) if np.isfinite(complete[first]) else ""
    if not parts:
        if not of_complete:
            return _("The gradient at the first layer is too small or too large to store.")
        said = _(
            "With all parts, the gradient at {where} is **{number}** times that at the output of layer "
            "{last}."
        ).format(number=of_complete, **where)
        return f"{said} {_size(complete, first)}"
    if np.isnan(changed).all():
        return _(
            "Without {parts}, the last output is not a finite number: there is no gradient."
        ).format(parts=parts)
    if not np.isfinite(changed[first]):
        there = int(np.flatnonzero(np.isfinite(changed))[0])
        return _(
            "Without {parts}, the gradient at {where} is too small or too large to store; the curve "
            "begins after layer {layer}."
        ).format(layer=there, **where)
    said = (
        _(
            "Without {parts}, the gradient at {where} is **{number}** times that at the output of "
            "layer {last}; with all parts, **{complete}** times."
        )
        if of_complete
        else _(
            "Without {parts}, the gradient at {where} is **{number}** times that at the output of "
            "layer {last}."
        )
    ).format(number=number(changed[first]), complete=of_complete, **where)
    return " ".join(filter(None, (said, _size(changed, first), _reason(missing, changed[first]))))


def _reason(missing: Collection[str], ratio: float) -> str:
    """A remark if the usual reason for residual connections does not apply."""
    if "residual" in missing and "norm" not in missing and ratio >= VANISHED:
        return _(
            "Residual connections are often said to keep the gradient from vanishing; here it does not "
            "vanish without them. Leave out layer norm as well, and compare."
        )
    return ""


def _size(values: Array, first: int) -> str:
    """How the gradient changes from the last layer down to the first one of the curve."""
    ratio = values[first]
    if ratio < VANISHED:
        return _("It vanishes on its way down: the first layer would hardly learn.")
    if ratio > EXPLODED:
        return _("It explodes on its way down: a step that suits the last layer is far too long here.")
    way = values[first:]
    low, high = int(np.nanargmin(way)) + first, int(np.nanargmax(way)) + first
    said = (
        _(
            "On its way down, it lies between {least} times (after layer {low}) and {most} times "
            "(after layer {high}) that size."
        )
        if values[low] < VANISHED or values[high] > EXPLODED
        else _(
            "On its way down, it lies between {least} times (after layer {low}) and {most} times "
            "(after layer {high}) that size: it neither vanishes nor explodes."
        )
    )
    return said.format(least=number(values[low]), low=low, most=number(values[high]), high=high)


def _cosine(value: float) -> str:
    return style.signed(value, 3)


def _last(values: Array) -> int:
    """The last step with a finite value; 0 if there is none."""
    there = np.flatnonzero(np.isfinite(values))
    return int(there[-1]) if there.size else 0
