"""A text said twice: surprise in both halves, the heads that copy; examples in a prompt; the sink."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..language.in_context import InContext
from ..localization import N_, _, decimal, gettext, ngettext
from ..measures import Copying, CopyingHeads, Sink
from ..records.frozen import Array
from ..records.score import Score
from ..sentences import percent
from . import style
from .bars import bars
from .curves import Band, Line, StepAxis, ValueAxis, lines
from .lengths import by_layer, lengths
from .matrices import heads_heatmap
from .picture import Picture

MEASURED = {
    "induction": N_("from a repeated token to the one behind its first occurrence, which comes next"),
    "previous": N_("from each token to the one before it"),
    "duplicate": N_("from a repeated token to its first occurrence"),
    "sink": N_("from each token to the first of all"),
}
TITLES = {
    "induction": N_("induction"),
    "previous": N_("previous"),
    "duplicate": N_("duplicate"),
    "sink": N_("sink"),
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
    said = _("{first} bits a token the first time, {second} the second").format(
        first=decimal(f"{first:.1f}"), second=decimal(f"{second:.1f}")
    )
    if second < first / 2:
        return _("Random tokens surprise it by {said}: it copies what it has read.").format(said=said)
    if second > first:
        return _("Random tokens surprise it by {said}: it does not copy.").format(said=said)
    return _("Random tokens surprise it by {said}: it hardly copies.").format(said=said)


def copying(found: Copying) -> Picture:
    """The surprise at each token of both halves, with every head and with some ablated.

    The random draws are one curve, their mean, and a band from the least to the most.

    Args:
        found: the runs.
    """
    count = 2 * found.length
    places = [
        (
            _("Token {number}, second time") if i >= found.length else _("Token {number}, first time")
        ).format(number=i % found.length + 1)
        for i in range(count)
    ]
    step = max(1, found.length // 5)
    ticks = [str(i % found.length + 1) if i % found.length % step == 0 else "" for i in range(count)]
    mark: Literal["circle", "none"] = "circle" if count <= 60 else "none"
    drawn = [Line(_("all heads"), _bits(found.score, count), WHOLE, mark)]
    if found.without is not None:
        name = _("without {heads}").format(heads=heads_of(len(found.ablated), "induction"))
        drawn.insert(0, Line(name, _bits(found.without, count), WITHOUT, "none", _("no induction")))
    band = None
    if found.random:
        every = np.stack([_bits(one, count) for one in found.random])
        count_of = heads_of(len(found.controls[0]), "random")
        name = _("without {heads}, mean of {count} draws").format(heads=count_of, count=len(every))
        drawn.insert(
            0,
            Line(
                name,
                every.mean(axis=0),
                RANDOM,
                "none",
                _("{count} random off").format(count=len(found.controls[0])),
            ),
        )
        band = Band(
            every.min(axis=0), every.max(axis=0), _("{count} random draws").format(count=len(every))
        )
    top = max(_TOP, *(float(np.nanmax(one.values)) for one in drawn))
    return lines(
        drawn,
        StepAxis(places, ticks, _("tokens of the first half, then the same again")),
        ValueAxis(
            bounds=(0, _TOP),
            guides=[(at, decimal(f"{at:g}")) for at in np.arange(0, top + 1e-6, 5.0).tolist()],
            unit=_("bits of surprise"),
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
    rows = [(_("1st half, all heads"), first, ""), (_("2nd half, all heads"), second, "")]
    if found.without is not None:
        label = _("2nd, no {count} induction").format(count=len(found.ablated))
        rows.append((label, found.halves(found.without)[1], ""))
    if (control := found.control()) is not None:
        mean, low, high = control
        note = _("mean of {count} draws, {low} to {high}").format(
            count=len(found.random), low=decimal(f"{low:.1f}"), high=decimal(f"{high:.1f}")
        )
        rows.append((_("2nd, no {count} random").format(count=len(found.controls[0])), mean, note))
    return bars(
        [value for _, value, _ in rows],
        [label for label, _, _ in rows],
        notes=[note for *_, note in rows],
        unit=_("bits a token"),
        kind="amounts",
        digits=1,
        sentence=_("Mean surprise of the halves: ")
        + "; ".join(
            _("{label} {bits} bits").format(label=label, bits=decimal(f"{value:.1f}"))
            for label, value, __ in rows
        ),
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
        title=gettext(TITLES[measure]),
        sentence=_("Each head’s mean attention {what}.").format(what=gettext(MEASURED[measure])),
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
        [Line(_("right"), found.share, WHOLE)],
        StepAxis(
            [_("{count} examples").format(count=n) for n in found.shots],
            [str(n) for n in found.shots],
            _("examples"),
        ),
        ValueAxis(
            bounds=(0, 1),
            guides=[(0, "0"), (0.5, ".5"), (1, _("all 1"))],
            unit=_("share right"),
            digits=2,
        ),
        band=Band(low, high, "95 %"),
        sentence=_("Right answers of {count}, by the number of examples: ").format(count=found.asked)
        + ", ".join(
            _("{count} after {examples}").format(count=int(n), examples=k)
            for k, n in zip(found.shots, found.right, strict=True)
        ),
        name="examples",
        height=_HIGH,
    )


def sink_norms(found: Sink) -> Picture:
    """The length of the first token's vector by layer, against the mean of the others.

    Args:
        found: the first token, measured.
    """
    return lengths(
        [
            Line(_("first token"), found.norm, FIRST, "none"),
            Line(_("others"), found.others, OTHERS, "none"),
        ],
        sentence=_("The length of the first token’s vector by layer, against the mean of the others."),
        name="sink-norms",
    )


def sink_shares(found: Sink) -> Picture:
    """The first token's share of the attention, and of what the heads write, by layer and over all.

    Args:
        found: the first token, measured.
    """
    attention = _("{share} of all attention").format(share=percent(found.attention.mean(), 0))
    drawn = [Line(_("of the attention"), found.attention, FIRST, "none", attention)]
    if np.isfinite(found.written).any():
        written = _("{share} of all that is written").format(share=percent(found.total_share, 0))
        drawn.append(Line(_("of what heads write"), found.share, WITHOUT, "none", written))
    return lines(
        drawn,
        by_layer(range(1, len(found.attention) + 1)),
        ValueAxis(
            bounds=(0, 1),
            guides=[(0, "0"), (0.5, decimal(".5")), (1, _("all 1"))],
            unit=_("share"),
            digits=2,
        ),
        sentence=_(
            "The first token’s share of the attention, and of the lengths that the heads write, "
            "by layer."
        ),
        name="sink-shares",
        height=_HIGH,
    )


def _bits(score: Score, count: int) -> Array:
    bits: Array = score.bits[-count:]
    return bits


def heads_of(count: int, kind: str) -> str:
    """So many heads: "3 induction heads", or "random" ones."""
    if kind == "induction":
        return ngettext("{count} induction head", "{count} induction heads", count).format(count=count)
    return ngettext("{count} random head", "{count} random heads", count).format(count=count)
