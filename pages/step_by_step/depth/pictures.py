"""The two pictures over depth, and the tables in their menus."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from core.figures import Line, Picture, StepAxis, ValueAxis, lines, style
from core.localization import _, decimal
from core.records.frozen import Array
from pages.step_by_step.depth.results import Curves

if TYPE_CHECKING:
    from core.walkthroughs.depth import Depth

HIGH = 250  # pixels
MOST_MARKS = 25  # with more layers, marks would be too close together


def tokens(
    curves: Curves, without: str, measure: str = "similarity", *, log: bool = True
) -> Picture | None:
    """How similar the tokens are after each layer; None if nothing can be compared.

    Args:
        curves: the curves of the stack without some parts, and with all.
        without: the omitted parts, "residual connections"; "" if there are none.
        measure: "similarity" or "difference", of `core.walkthroughs.depth.Depth`.
        log: for the difference, whether its scale is logarithmic.
    """
    if np.isnan(curves.complete.similarity).all():
        return None
    what = _("Mean cosine similarity of the tokens after each layer.")
    if measure == "difference":
        what = _("Part of the vectors in which the tokens differ, after each layer.")
        if log:
            return _on_powers(curves, "difference", without, _("after layer"), what)
    return lines(
        _both(curves, measure, without),
        _after_layers(curves, _("after layer")),
        ValueAxis([(0, "0"), (0.5, decimal("0.5")), (1, "1")]),
        sentence=what,
        name=f"{measure}-over-depth",
        height=HIGH,
    )


def gradient(curves: Curves, without: str) -> Picture | None:
    """The gradient at the output of each layer, relative to the last one's; None if there is none."""
    what = _("Gradient at the output of each layer, relative to the last layer’s.")
    return _on_powers(curves, "gradient", without, _("at the output of layer"), what)


def _on_powers(curves: Curves, measure: str, without: str, axis: str, sentence: str) -> Picture | None:
    """Curves on a logarithmic scale; None if no number is positive."""
    both = _both(curves, measure, without)
    drawn = np.concatenate([np.asarray(one.values) for one in both])
    drawn = drawn[np.isfinite(drawn)]
    if not drawn.size:
        return None
    return lines(
        both,
        _after_layers(curves, axis),
        ValueAxis([(10.0**power, power_of_ten(power)) for power in powers(drawn)], log=True),
        sentence=sentence,
        name=f"{measure}-over-depth",
        height=HIGH,
    )


def powers(values: Array) -> list[int]:
    """At most five evenly spaced powers of ten around these numbers; 10⁰ and at least one more."""
    low = max(-300, min(-1, math.floor(math.log10(values.min()))))  # otherwise it could be 0 itself
    high = min(300, max(0, math.ceil(math.log10(values.max()))))
    apart = -(-(high - low) // 4)
    below, above = -(low // apart) * apart, -(-high // apart) * apart
    return [*range(-below, above + 1, apart)]


def power_of_ten(power: int) -> str:
    """A power of ten as an axis label: 0.1, 1, 10, 10⁻³."""
    if -2 <= power <= 2:
        return decimal(f"{10.0**power:g}")
    return style.power_of_ten(power)


def table(curves: Curves, without: str) -> pd.DataFrame:
    """All measures of both stacks, one row for each number of layers."""
    parts = {f"without {without}": curves.changed} if without else {}
    columns = {
        f"{what}, {name}": getattr(depth, measure)
        for measure, what in (
            ("similarity", "mean cosine"),
            ("difference", "difference from the mean"),
            ("gradient", "gradient relative to the last layer"),
        )
        for name, depth in {**parts, "complete": curves.complete}.items()
    }
    return pd.DataFrame(columns, pd.RangeIndex(len(curves.complete.similarity), name="layers"))


def _both(curves: Curves, measure: str, without: str) -> list[Line]:
    """The complete stack in grey, the other one in front of it.

    A value that is 0 or not finite is a gap, and so is a difference of tokens that is only rounding.
    """
    complete, changed = (_drawn(one, measure) for one in (curves.complete, curves.changed))
    mark: Literal["circle", "none"] = "circle" if len(complete) <= MOST_MARKS else "none"
    both = [Line(_("complete"), complete, style.LEARNED, mark)]
    if without:
        both.append(
            Line(
                _("without {parts}").format(parts=without),
                changed,
                style.SENTENCE_A,
                mark,
                _("without"),
            )
        )
    return both


def _drawn(one: Depth, measure: str) -> Array:
    """The values of a measure after each layer that are drawn; NaN elsewhere."""
    values: Array = getattr(one, measure)
    if measure == "similarity":
        return values
    drawn = np.where(values > 0, values, np.nan)
    if measure == "difference":
        drawn[one.distinct + 1 :] = np.nan
    return drawn


def _after_layers(curves: Curves, title: str) -> StepAxis:
    """The depths: the input of the first layer, and the output of each."""
    layers = range(curves.complete.n_layers)
    names = [_("input of layer 1"), *(style.layer_name(i) for i in layers)]
    return StepAxis(names, [str(i) for i in range(len(names))], title)
