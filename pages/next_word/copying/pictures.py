"""The pictures of the view, and the sentences above them (Markdown), from records alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures import Picture, bars, heads_heatmap, lines, style
from core.figures.curves import Band, Line, StepAxis, ValueAxis
from core.figures.labels import spelled
from core.language.in_context import InContext
from core.measures import CopyingHeads, Sink
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import percent

MEASURED = {
    "induction": "from a repeated word to the word behind its first occurrence, which comes next",
    "previous": "from each word to the one before it",
    "duplicate": "from a repeated word to its first occurrence",
    "sink": "from each word to the first token of all",
}
_COLOURS = (style.SENTENCE_A, style.SENTENCE_B, style.LEARNED)
Named = tuple[str, Score]


def mean(score: Score, length: int) -> tuple[float, float]:
    """Mean bits a word of the first and of the second half."""
    bits = np.asarray(score.bits, np.float64)
    return float(bits[-2 * length : -length].mean()), float(bits[-length:].mean())


def headline(score: Score, length: int) -> str:
    """Both halves in bits, and what follows."""
    first, second = mean(score, length)
    said = f"{first:.1f} bits a word the first time, {second:.1f} the second"
    if second < first / 2:
        return f"Random words surprise it by {said}: it copies what it has read."
    return f"Random words surprise it by {said}: it hardly copies."


def curves(every: Sequence[Named], length: int) -> Picture:
    """The surprise at each word, for each run."""
    places = [
        f"Word {i % length + 1}, {'second' if i >= length else 'first'} time" for i in range(2 * length)
    ]
    step = max(1, length // 5)
    ticks = [str(i % length + 1) if i % length % step == 0 else "" for i in range(2 * length)]
    drawn = [
        Line(name, one.bits[-2 * length :], colour, "circle" if len(places) <= 60 else "none", label)
        for (name, one), colour, label in zip(every, _COLOURS, short(every), strict=False)
    ]
    first, second = mean(every[0][1], length)
    return lines(
        drawn[::-1],
        StepAxis(places, ticks, "words of the first half, then of the second"),
        ValueAxis(
            bounds=(0, 20), guides=[(0, "0"), (5, "5"), (10, "10"), (15, "15")], unit="bits of surprise"
        ),
        sentence=f"Surprise at each word: {first:.1f} bits on average in the first half, "
        f"{second:.1f} in the second.",
        name="copying-surprise",
    )


def short(every: Sequence[Named]) -> list[str]:
    """The names of the runs where there is little room; the first is the one without a change."""
    return ["all heads", *(f"no {name.split()[-1]}" for name, _ in every[1:])]


def halves(every: Sequence[Named], length: int) -> Picture:
    """Mean bits of both halves, for each run."""
    means = [(name, mean(one, length)) for name, one in every]
    labels = [f"{half}: {name}" for half in ("1st", "2nd") for name in short(every)]
    values = [two[half] for half in (0, 1) for _, two in means]
    return bars(
        values,
        labels,
        unit="bits a word",
        kind="signed",
        from_zero=True,
        digits=1,
        sentence="Mean surprise of the two halves: "
        + "; ".join(f"{label} {value:.1f} bits" for label, value in zip(labels, values, strict=True)),
        name="copying-halves",
    )


def ablation(every: Sequence[Named], length: int) -> str:
    """What the ablations do to the second half."""
    (_, whole), *rest = [(name, mean(one, length)[1]) for name, one in every]
    parts = [f"**{value:.1f}** {name} heads" for name, value in rest]
    return f"Second half: {whole:.1f} bits a word with every head, {', '.join(parts)}."


def table(every: Sequence[Named]) -> pd.DataFrame:
    """One row for each token, the bits of each run in a column."""
    made = {"token": every[0][1].tokens, **{name: one.bits for name, one in every}}
    return pd.DataFrame(made)


def best(found: CopyingHeads, measure: str) -> str:
    """The best head, and what is measured."""
    (layer, head), *_ = found.ranked(measure)
    value = float(getattr(found, measure)[layer, head])
    name = f"Layer {layer + 1}, head {head + 1}"
    return f"**{name}: {value:.2f}** of its attention goes {MEASURED[measure]}."


def grid(found: CopyingHeads, measure: str, chosen: tuple[int, int] | None) -> Picture:
    """All heads by one measure."""
    return heads_heatmap(
        np.clip(getattr(found, measure), 0, 1),
        title=measure,
        sentence=f"Each head's mean attention {MEASURED[measure]}.",
        name=f"copying-{measure}",
        chosen=chosen,
    )


def answers(found: InContext) -> str:
    """How many were right after no example and after most."""
    said = ", ".join(
        f"{int(right)} after {'none' if shots == 0 else shots}"
        for shots, right in zip(found.shots, found.right, strict=True)
    )
    return f"Right answers, of {found.asked}, by the examples before the question: **{said}**."


def shots(found: InContext) -> Picture:
    """The share of right answers, with its interval."""
    low, high = found.interval()
    return lines(
        [Line("right", found.share, style.SENTENCE_A)],
        StepAxis([f"{n} examples" for n in found.shots], [str(n) for n in found.shots], "examples"),
        ValueAxis(
            bounds=(0, 1), guides=[(0, "0"), (0.5, ".5"), (1, "1")], unit="share right", digits=2
        ),
        band=Band(low, high, "95 %"),
        sentence=answers(found).replace("*", ""),
        name="examples",
        height=260,
    )


def sink_says(found: Sink) -> str:
    """Much attention, little said."""
    share = float(found.attention.mean())
    at = int(np.argmax(found.norm / found.others))
    times = found.norm[at] / found.others[at]
    longer = f"After layer {at}, its vector is {times:,.0f} times as long as the others’."
    said = f"The first token receives **{percent(share)}** of the others’ attention. {longer}"
    if not np.isfinite(found.value).any():
        return said
    ratio = float(np.nanmean(found.value / found.other_values))
    return (
        f"{said} Yet what a head takes from it, its *value*, is on average {ratio:.2f} times as "
        f"long as another token’s{': much attention, little said' if ratio < 1 else ''}."
    )


def norms(found: Sink) -> Picture:
    """The length of the first token's vector by layer, against the others'."""
    count = len(found.norm)
    return lines(
        [
            Line("first token", found.norm, style.SENTENCE_A, "none"),
            Line("others", found.others, style.LEARNED, "none"),
        ],
        _by_layer(range(count)),
        ValueAxis(
            log=True, guides=[(10.0**n, f"{10**n:,}") for n in range(1, 5)], unit="length of the vector"
        ),
        sentence="The length of the first token's vector by layer, against the mean of the others.",
        name="sink-norms",
        height=260,
    )


def attention(found: Sink) -> Picture:
    """The attention to the first token by layer, and how long its value is beside the others'."""
    drawn = [Line("attention", found.attention, style.SENTENCE_B, "none")]
    ratio = found.value / found.other_values
    if np.isfinite(ratio).all():
        drawn.append(Line("value, of others’", ratio, style.LEARNED, "none"))
    return lines(
        drawn,
        _by_layer(range(1, len(found.attention) + 1)),
        ValueAxis(bounds=(0, 1), guides=[(0, "0"), (0.5, ".5"), (1, "1")], unit="share", digits=2),
        sentence="The share of attention that the first token receives, by layer, and the length of "
        "its value as a share of the others'.",
        name="sink-attention",
        height=260,
    )


def hidden_says(before: Score, after: Score) -> str:
    """The mean surprise, before and after."""
    return (
        f"Its weight set to 0 for all other tokens, in every layer and head, and the rest rescaled "
        f"to 1: {before.per_token:.1f} bits a token become **{after.per_token:.1f}**."
    )


def hidden(first: Prediction, then: Prediction) -> Picture:
    """The ten likeliest next tokens before, and what they are after."""
    later = dict(zip(then.ids, then.probabilities, strict=True))
    return bars(
        [float(later[one]) for one in first.ids],
        [spelled(one) for one in first.texts],
        other=first.probabilities,
        names=("first token hidden", "before"),
        unit="probability",
        sentence="The ten likeliest next tokens, with the first token hidden and before.",
        name="sink-hidden",
    )


def _by_layer(layers: range) -> StepAxis:
    step = max(1, len(layers) // 8)
    ticks = [str(one) if one % step == 0 else "" for one in layers]
    return StepAxis(
        [style.layer_name(one - 1) if one else "Before layer 1" for one in layers], ticks, "layer"
    )
