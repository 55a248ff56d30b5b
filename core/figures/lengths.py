"""How long vectors are, layer by layer: on a logarithmic scale, since they grow by factors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..localization import _, decimal
from . import style
from .curves import Line, StepAxis, ValueAxis, lines
from .picture import Picture

HIGH = 260  # pixels


def lengths(drawn: Sequence[Line], *, sentence: str, name: str, start: str | None = None) -> Picture:
    """Lengths of vectors by layer.

    Args:
        drawn: the curves; (layers + 1,) each, before the first layer and after each.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        start: as in `lines`.
    """
    every = np.concatenate([np.asarray(one.values) for one in drawn])
    low, high = (int(end) for end in (np.floor(np.log10(every.min())), np.ceil(np.log10(every.max()))))
    powers = [10.0**n for n in range(low, high + 1)]
    return lines(
        drawn,
        by_layer(range(len(np.asarray(drawn[0].values)))),
        ValueAxis(
            log=True,
            guides=[(one, decimal(f"{one:,.0f}" if one >= 1 else f"{one:g}")) for one in powers],
            unit=_("length of the vector"),
        ),
        sentence=sentence,
        name=name,
        start=start,
        height=HIGH,
    )


def by_layer(layers: range) -> StepAxis:
    """The axis of layers; 0 is before the first."""
    step = max(1, len(layers) // 8)
    ticks = [str(one) if one % step == 0 else "" for one in layers]
    names = [style.layer_name(one - 1) if one else _("Before layer 1") for one in layers]
    return StepAxis(names, ticks, _("after layer") if layers.start == 0 else _("layer"))
