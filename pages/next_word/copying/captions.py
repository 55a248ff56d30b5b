"""The sentences of the view (Markdown), out of records alone."""

from __future__ import annotations

import numpy as np

from core.figures import copying as figures
from core.language.in_context import InContext
from core.localization import N_, _, decimal, gettext, pgettext
from core.measures import Copying, CopyingHeads, Sink
from core.records.frozen import Array
from core.records.prediction import Prediction
from core.records.score import Score
from core.sentences import percent
from ui import text

LITTLE = 0.5  # times its share of the attention: it writes less than one would think
WORDS = N_(
    "Random words from a list of ours, each one token, behind a first word that takes "
    "the place of a beginning. Nothing but the first half can announce the second."
)
TOKENS = N_(
    "Random tokens of the model’s whole vocabulary, behind a first one that takes the "
    "place of a beginning. Nothing but the first half can announce the second."
)
INSTEAD = N_(
    "This model does not read our words as one token each: these are random tokens of "
    "its own vocabulary."
)


def headline(found: Copying) -> str:
    """Both halves in bits, and what follows."""
    return figures.copied(found)


def ablation(found: Copying) -> str:
    """What the ablations do to the second half."""
    said = _("Second half: {bits} bits a token with every head").format(
        bits=decimal(f"{found.halves()[1]:.1f}")
    )
    if found.without is not None:
        mean = found.halves(found.without)[1]
        said += _(", **{bits}** without {heads}").format(
            bits=decimal(f"{mean:.1f}"), heads=_heads(len(found.ablated), "induction")
        )
    if (control := found.control()) is not None:
        mean, low, high = control
        draws = _("mean of {count} draws, {low} to {high}").format(
            count=len(found.random), low=decimal(f"{low:.1f}"), high=decimal(f"{high:.1f}")
        )
        said += _(", **{bits}** without {heads} ({draws})").format(
            bits=decimal(f"{mean:.1f}"), heads=_heads(len(found.controls[0]), "random"), draws=draws
        )
    return f"{said}."


def _heads(count: int, kind: str) -> str:
    return figures.heads_of(count, kind)


def best(found: CopyingHeads, measure: str) -> str:
    """The best head, and what is measured."""
    ranked = found.ranked(measure)
    if not ranked:
        return _("No head has weights.")
    layer, head = ranked[0]
    value = float(getattr(found, measure)[layer, head])
    return _("**Layer {layer}, head {head}: {share}** of its attention goes {where}.").format(
        layer=layer + 1,
        head=head + 1,
        share=percent(value),
        where=gettext(figures.MEASURED[measure]),
    )


def answers(found: InContext) -> str:
    """How many were right after no example and after most."""
    said = ", ".join(
        _("{count} after {examples}").format(
            count=int(right), examples=pgettext("of examples", "none") if shots == 0 else shots
        )
        for shots, right in zip(found.shots, found.right, strict=True)
    )
    return _("Right answers, of {count}, by the examples before the question: **{answers}**.").format(
        count=found.asked, answers=said
    )


def sink(found: Sink) -> str:
    """How much attention the first token receives, and how much the heads write from it."""
    share = float(found.attention.mean())
    ratio = found.norm / found.others
    at = int(np.argmax(ratio))
    said = _("The first token receives **{share}** of the others’ attention.").format(
        share=percent(share)
    )
    if ratio[at] >= 2:
        where = _("After layer {layer}").format(layer=at) if at else _("Before layer 1")
        said += _(" {where}, its vector is {times} times as long as the others’.").format(
            where=where, times=decimal(f"{ratio[at]:,.0f}")
        )
    written = found.total_share
    if not np.isfinite(written):
        return _(
            "{said} What the heads write from it needs a decoder that our transformer can run."
        ).format(said=said)
    less = _(": much attention, little said") if written < LITTLE * share else ""
    return _("{said} Of what the heads write, it brings **{share}**{less}.").format(
        said=said, share=percent(written), less=less
    )


def hidden(before: Score, after: Score, first: Prediction, then: Array) -> str:
    """The mean surprise and the likeliest next token, before and after."""
    word = first.texts[0].strip() or first.tokens[0]
    first_share, then_share = percent(float(first.probabilities[0])), percent(float(then[0]))
    said = (
        _(
            "Its weight set to 0 for all other tokens, in every layer and head, and the rest rescaled "
            "to 1: *{word}* falls from {first} to **{then}**, and {before} bits a token of the text "
            "become **{after}**."
        )
        if then[0] < first.probabilities[0]
        else _(
            "Its weight set to 0 for all other tokens, in every layer and head, and the rest rescaled "
            "to 1: *{word}* goes from {first} to **{then}**, and {before} bits a token of the text "
            "become **{after}**."
        )
    )
    return said.format(
        word=text.plain(word),
        first=first_share,
        then=then_share,
        before=decimal(f"{before.per_token:.1f}"),
        after=decimal(f"{after.per_token:.1f}"),
    )
