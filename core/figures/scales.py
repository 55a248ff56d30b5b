"""The colour scales: weights, distances, signed numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..localization import N_, _, decimal, gettext, ngettext
from ..records.trace import Array
from . import style

# Above this many tokens, weights are coloured by their square root: the mean weight is then so small
# that a linear scale would show an empty picture.
LINEAR_UP_TO = 32
WEIGHT_TITLES = (N_("weight"), N_("weight, square-root colours"))  # linear, root
_DIFFERENCE_BOUNDS = (0.1, 0.2, 0.5, 1.0)


def square_root(*counts: int) -> bool:
    """Whether the weights of so many queries and keys are coloured by their square root."""
    return max(counts) > LINEAR_UP_TO


def weight_scale(*counts: int, root: bool | None = None) -> dict[str, Any]:
    """The scale of attention weights, from 0, the colour of the page, to 1.

    Args:
        counts: the numbers of queries and keys.
        root: whether to colour by the square root; None for the rule of `square_root`. The numbers
            remain the weights.
    """
    root = square_root(*counts) if root is None else root
    return {
        "kind": "weights",
        "root": root,
        "hue": style.WEIGHT_HUE,
        "title": gettext(WEIGHT_TITLES[root]),
    }


def distance_scale(values: Array) -> dict[str, Any]:
    """A scale from 0, the colour of the page, to the largest distance.

    Raises:
        ValueError: if a number is below 0.
    """
    if (values < 0).any():
        raise ValueError("A distance is never below 0.")
    return {
        "kind": "weights",
        "root": False,
        "hue": style.DISTANCE_HUE,
        "most": rounded_up(float(values.max(initial=0))),
        "title": _("distance: the fainter, the nearer"),
        "notes": [],
    }


def signed_scale(values: Array, bound: float | None, title: str, *, share: float) -> dict[str, Any]:
    """A scale from −bound to bound; by default, `share` of the numbers lie within it.

    Raises:
        ValueError: if the scale would end at 0 or below.
    """
    there = values[~np.isnan(values)]
    if bound is None and values.size:
        bound = rounded_up(float(np.quantile(np.abs(there), share))) if there.size else 1.0
    if not (bound or 0) > 0:
        raise ValueError("The colours of a signed scale must end above 0.")
    assert bound is not None
    beyond = int((np.abs(there) > bound * (1 + 1e-6)).sum())
    note = ngettext(
        "{count} number beyond ±{bound} drawn in the strongest colour",
        "{count} numbers beyond ±{bound} drawn in the strongest colour",
        beyond,
    ).format(count=decimal(f"{beyond:,}"), bound=decimal(f"{bound:g}"))
    return {
        "kind": "signed",
        "bound": float(bound),
        "digits": max(2, 1 - math.floor(math.log10(bound))),  # two significant digits
        "light": style.SIGNED_ON_LIGHT,
        "dark": style.SIGNED_ON_DARK,
        "title": title,
        "notes": [note] if beyond else [],
    }


def difference_bound(values: Array) -> float:
    """The end of a difference's colour scale: small ones are visible, but do not look large.

    Returns:
        The first of a few fixed bounds that contains all these differences of weights, missing ones
        ignored; the last bound if none does.
    """
    largest = float(np.abs(values[~np.isnan(values)]).max(initial=0))
    return next((end for end in _DIFFERENCE_BOUNDS if end >= largest), _DIFFERENCE_BOUNDS[-1])


def rounded_up(value: float) -> float:
    """The next larger number with two digits; 1 for 0, because any scale suits zeros."""
    if value == 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.ceil(value / unit - 1e-6) * unit:.6g}")
