"""A text said twice: surprise in both halves, the heads that copy; examples in a prompt; the sink."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..language.in_context import InContext
from ..measures import Copying, CopyingHeads, Sink
from ..records.frozen import Array
from ..records.score import Score
from . import style
from .bars import bars
from .curves import Band, Line, StepAxis, ValueAxis, lines
from .matrices import heads_heatmap
from .picture import Picture

MEASURED = {
    "induction": "from a repeated token to the one behind its first occurrence, which comes next",
    "previous": "from each token to the one before it",
    "duplicate": "from a repeated token to its first occurrence",
    "sink": "from each token to the first of all",
}
# Runs and tokens, no sentences: the colours of labels, and grey.
WHOLE, WITHOUT = style.LABELS[0], style.LABELS[2]
RANDOM = style.LEARNED
FIRST, OTHERS = style.LABELS[0], style.LEARNED
_TOP = 20.0  # bits, the least that the scale shows
_HIGH = 260


def copied(found: Copying) -> str:
    """Both halves in bits, and what follows."""
    first, second = found.halves()
    said = f"{first:.1f} bits a token the first time, {second:.1f} the second"
    if second < first / 2:
        return f"Random tokens surprise it by {said}: it copies what it has read."
    if second > first:
        return f"Random tokens surprise it by {said}: it does not copy."
    return f"Random tokens surprise it by {said}: it hardly copies."


def copying(found: Copying) -> Picture:
    """The surprise at each token of both halves, with every head and with some ablated.

    The random draws are one curve, their mean, and a band from the least to the most.

    Args:
        found: the runs.
    """
    count = 2 * found.length
    places = [
        f"Token {i % found.length + 1}, {'second' if i >= found.length else 'first'} time"
        for i in range(count)
    ]
    step = max(1, found.length // 5)
    ticks = [str(i % found.length + 1) if i % found.length % step == 0 else "" for i in range(count)]
    mark: Literal["circle", "none"] = "circle" if count <= 60 else "none"
    drawn = [Line("all heads", _bits(found.score, count), WHOLE, mark)]
    if found.without is not None:
        name = f"without {_heads(len(found.ablated), 'induction')}"
        drawn.insert(0, Line(name, _bits(found.without, count), WITHOUT, "none", "no induction"))
    band = None
    if found.random:
        every = np.stack([_bits(one, count) for one in found.random])
        count_of = _heads(len(found.controls[0]), "random")
        name = f"without {count_of}, mean of {len(every)} draws"
        drawn.insert(0, Line(name, every.mean(axis=0), RANDOM, "none", "no random"))
        band = Band(every.min(axis=0), every.max(axis=0), f"{len(every)} random draws")
    top = max(_TOP, *(float(np.nanmax(one.values)) for one in drawn))
    return lines(
        drawn,
        StepAxis(places, ticks, "tokens of the first half, then the same again"),
        ValueAxis(
            bounds=(0, _TOP),
            guides=[(at, f"{at:g}") for at in np.arange(0, top + 1e-6, 5.0).tolist()],
            unit="bits of surprise",
            digits=1,
        ),
        band=band,
        sentence=copied(found),
        name="copying-surprise",
    )


def copying_halves(found: Copying) -> Picture:
    """The mean surprise of both halves with every head, without the best and without random ones.

    Args:
        found: the runs.
    """
    first, second = found.halves()
    rows = [("1st half, all heads", first, ""), ("2nd half, all heads", second, "")]
    if found.without is not None:
        label = f"2nd, no {len(found.ablated)} induction"
        rows.append((label, found.halves(found.without)[1], ""))
    if (control := found.control()) is not None:
        mean, low, high = control
        note = f"mean of {len(found.random)} draws, {low:.1f} to {high:.1f}"
        rows.append((f"2nd, no {len(found.controls[0])} random", mean, note))
    return bars(
        [value for _, value, _ in rows],
        [label for label, _, _ in rows],
        notes=[note for *_, note in rows],
        unit="bits a token",
        kind="amounts",
        digits=1,
        sentence="Mean surprise of the halves: "
        + "; ".join(f"{label} {value:.1f} bits" for label, value, _ in rows),
        name="copying-halves",
    )


def copying_heads(
    found: CopyingHeads, measure: str = "induction", *, chosen: tuple[int, int] | None = None
) -> Picture:
    """Every head by one measure, layers from the top.

    Args:
        found: the scores.
        measure: one of `MEASURED`.
        chosen: the head that is framed, (layer, head) from 0.
    """
    return heads_heatmap(
        np.clip(getattr(found, measure), 0, 1),
        title=measure,
        sentence=f"Each head’s mean attention {MEASURED[measure]}.",
        name=f"copying-{measure}",
        chosen=chosen,
    )


def in_context(found: InContext) -> Picture:
    """The share of right answers by the number of examples before the question, with its interval.

    Args:
        found: the answers.
    """
    low, high = found.interval()
    return lines(
        [Line("right", found.share, WHOLE)],
        StepAxis([f"{n} examples" for n in found.shots], [str(n) for n in found.shots], "examples"),
        ValueAxis(
            bounds=(0, 1), guides=[(0, "0"), (0.5, ".5"), (1, "all 1")], unit="share right", digits=2
        ),
        band=Band(low, high, "95 %"),
        sentence=f"Right answers of {found.asked}, by the number of examples: "
        + ", ".join(f"{int(n)} after {k}" for k, n in zip(found.shots, found.right, strict=True)),
        name="examples",
        height=_HIGH,
    )


def sink_norms(found: Sink) -> Picture:
    """The length of the first token's vector by layer, against the mean of the others.

    Args:
        found: the first token, measured.
    """
    every = np.concatenate([found.norm, found.others])
    low, high = (int(end) for end in (np.floor(np.log10(every.min())), np.ceil(np.log10(every.max()))))
    return lines(
        [Line("first token", found.norm, FIRST, "none"), Line("others", found.others, OTHERS, "none")],
        _by_layer(range(len(found.norm))),
        ValueAxis(
            log=True,
            guides=[
                (10.0**n, f"{10**n:,}" if n >= 0 else f"{10.0**n:g}") for n in range(low, high + 1)
            ],
            unit="length of the vector",
        ),
        sentence="The length of the first token’s vector by layer, against the mean of the others.",
        name="sink-norms",
        height=_HIGH,
    )


def sink_shares(found: Sink) -> Picture:
    """The first token's share of the attention, and of what the heads write, by layer.

    Args:
        found: the first token, measured.
    """
    drawn = [Line("of the attention", found.attention, FIRST, "none", "attention")]
    if np.isfinite(found.written).any():
        drawn.append(Line("of what heads write", found.share, WITHOUT, "none", "written"))
    return lines(
        drawn,
        _by_layer(range(1, len(found.attention) + 1)),
        ValueAxis(bounds=(0, 1), guides=[(0, "0"), (0.5, ".5"), (1, "all 1")], unit="share", digits=2),
        sentence="The first token’s share of the attention, and of the lengths that the heads write, "
        "by layer.",
        name="sink-shares",
        height=_HIGH,
    )


def _by_layer(layers: range) -> StepAxis:
    step = max(1, len(layers) // 8)
    ticks = [str(one) if one % step == 0 else "" for one in layers]
    names = [style.layer_name(one - 1) if one else "Before layer 1" for one in layers]
    return StepAxis(names, ticks, "after layer" if layers.start == 0 else "layer")


def _bits(score: Score, count: int) -> Array:
    bits: Array = score.bits[-count:]
    return bits


def _heads(count: int, kind: str) -> str:
    return f"{count} {kind} head{'s' * (count != 1)}"
