"""The sentences of the view (Markdown), out of records alone."""

from __future__ import annotations

import numpy as np

from core.figures import copying as figures
from core.language.in_context import InContext
from core.measures import Copying, CopyingHeads, Sink
from core.records.frozen import Array
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import percent
from ui import text

LITTLE = 0.5  # times its share of the attention: it writes less than one would think
WORDS = (
    "Random words from a list of ours, each one token, behind a first word that takes the place of a "
    "beginning. Nothing but the first half can announce the second."
)
TOKENS = (
    "Random tokens of the model’s whole vocabulary, behind a first one that takes the place of a "
    "beginning. Nothing but the first half can announce the second."
)
INSTEAD = (
    "This model does not read our words as one token each: these are random tokens of its own "
    "vocabulary."
)


def headline(found: Copying) -> str:
    """Both halves in bits, and what follows."""
    return figures.copied(found)


def ablation(found: Copying) -> str:
    """What the ablations do to the second half."""
    said = f"Second half: {found.halves()[1]:.1f} bits a token with every head"
    if found.without is not None:
        mean = found.halves(found.without)[1]
        said += f", **{mean:.1f}** without {_heads(len(found.ablated), 'induction')}"
    if (control := found.control()) is not None:
        mean, low, high = control
        draws = f"mean of {len(found.random)} draws, {low:.1f} to {high:.1f}"
        said += f", **{mean:.1f}** without {_heads(len(found.controls[0]), 'random')} ({draws})"
    return f"{said}."


def _heads(count: int, kind: str) -> str:
    return f"{count} {kind} head{'s' * (count != 1)}"


def best(found: CopyingHeads, measure: str) -> str:
    """The best head, and what is measured."""
    ranked = found.ranked(measure)
    if not ranked:
        return "No head has weights."
    layer, head = ranked[0]
    value = float(getattr(found, measure)[layer, head])
    return f"**Layer {layer + 1}, head {head + 1}: {percent(value)}** of its attention goes " + (
        f"{figures.MEASURED[measure]}."
    )


def answers(found: InContext) -> str:
    """How many were right after no example and after most."""
    said = ", ".join(
        f"{int(right)} after {'none' if shots == 0 else shots}"
        for shots, right in zip(found.shots, found.right, strict=True)
    )
    return f"Right answers, of {found.asked}, by the examples before the question: **{said}**."


def sink(found: Sink) -> str:
    """How much attention the first token receives, and how much the heads write from it."""
    share = float(found.attention.mean())
    ratio = found.norm / found.others
    at = int(np.argmax(ratio))
    said = f"The first token receives **{percent(share)}** of the others’ attention."
    if ratio[at] >= 2:
        where = f"After layer {at}" if at else "Before layer 1"
        said += f" {where}, its vector is {ratio[at]:,.0f} times as long as the others’."
    written = found.total_share
    if not np.isfinite(written):
        return f"{said} What the heads write from it needs a decoder that our transformer can run."
    less = ": much attention, little said" if written < LITTLE * share else ""
    return f"{said} Of what the heads write, it brings **{percent(written)}**{less}."


def hidden(before: Score, after: Score, first: Prediction, then: Array) -> str:
    """The mean surprise and the likeliest next token, before and after."""
    word = first.texts[0].strip() or first.tokens[0]
    first_share, then_share = percent(float(first.probabilities[0])), percent(float(then[0]))
    verb = "falls" if then[0] < first.probabilities[0] else "goes"
    return (
        f"Its weight set to 0 for all other tokens, in every layer and head, and the rest rescaled "
        f"to 1: *{text.plain(word)}* {verb} from {first_share} to **{then_share}**, and "
        f"{before.per_token:.1f} bits a token of the text become **{after.per_token:.1f}**."
    )
