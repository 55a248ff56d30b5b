"""What a page says about why a word stands where it does (Markdown)."""

from __future__ import annotations

from core.figures import style
from core.measures import Why
from core.measures.why import HARDLY
from ui.text import plain
from ui.why import Asked

ABOUT_SUM = (
    "**What each word adds**, exactly: to the right towards *{high}*, to the left towards *{low}*."
)
ABOUT_CUT = "**What a cut does**: how far {word} moves when it no longer looks at this word, anywhere."
ABOUT_LOOK = "**Where it looks**: raw attention, the mean weight of all layers and heads."


def claim(name: str, of: Asked, found: Why) -> str:
    """What one sentence does to the word, in words and numbers."""
    word, low, high = (plain(t) for t in (of.side.word, of.low.name, of.high.name))
    said = f"In {name}, **{word}** stands at **{style.signed(found.place)}**, the exact sum of what "
    said += f"each word adds: itself {_number(sum(found.pushes[i] for i in found.own))}"
    strong = sorted(found.others, key=lambda i: -abs(found.pushes[i]))[:3]
    strong = [i for i in strong if abs(found.pushes[i]) >= HARDLY]
    if strong:
        said += "".join(f", {_named(found, i)} {_number(found.pushes[i])}" for i in strong)
        said += f" (+ is towards *{high}*, − towards *{low}*)."
    else:
        said += f", and no other as much as {style.signed(HARDLY)}."
    return f"{said} {_cut(word, found)}"


def _cut(word: str, found: Why) -> str:
    if not found.others:
        return ""
    i = max(found.others, key=lambda i: abs(found.cuts[i]))
    if abs(found.cuts[i]) < HARDLY:
        return "Cutting its look at any one of them would hardly move it."
    there = style.signed(found.place + float(found.cuts[i]))
    return f"If it no longer looked at {_named(found, i)}, it would stand at **{there}**."


def at_odds(of: Asked, found: Why) -> str:
    """Where the three pictures disagree; "" where they do not."""
    said = []
    most = int(found.looks.argmax())
    if abs(found.pushes[most]) < HARDLY:
        said.append(
            f"raw attention looks most at {_named(found, most)} ({style.signed(found.looks[most])}), "
            f"which adds {_number(found.pushes[most])}"
        )
    for i in found.at_odds[:1]:
        there = style.signed(found.place + float(found.cuts[i]))
        said.append(
            f"{_named(found, i)} adds {_number(found.pushes[i])}, and without a look at it the word "
            f"would stand at {there}"
        )
    if not said:
        return ""
    return (
        f"Where they disagree: {'; '.join(said)}. The sum says what this run was made of, a cut what "
        "another run would give, and attention only where a head looks."
    )


def check(found: Why) -> str:
    """The sum, written out, and how far it is from the measured place."""
    parts = [f"words {style.signed(float(found.pushes.sum()), 3)}"]
    if found.rest[1]:
        parts.append(f"the other {found.rest[1]:,} words {style.signed(found.rest[0], 3)}")
    parts.append(f"the model’s own biases {style.signed(found.constant, 3)}")
    total = float(found.pushes.sum()) + found.rest[0] + found.constant
    return (
        f"{' + '.join(parts)} = {style.signed(total, 3)}. Measured: {style.signed(found.place, 3)}; "
        f"apart by {found.error:.0e}."
    )


def apart(a: Why, b: Why, total: float, labels: tuple[str, ...], values: list[float]) -> str:
    """What the two sentences differ by."""
    strong = sorted(range(len(labels)), key=lambda i: -abs(values[i]))[:3]
    named = ", ".join(f"**{plain(labels[i])}** {_number(values[i])}" for i in strong)
    return (
        f"In A less in B, the word stands at {_number(a.place - b.place)}. Of that, the words add "
        f"{_number(total)}: {named} most. The model’s biases make up the rest, "
        f"{_number(a.constant - b.constant)}: the layer norms scale them by the sentence."
    )


def _named(found: Why, i: int) -> str:
    return f"**{plain(found.words[i])}**"


def _number(value: float) -> str:
    return f"{'+' if value > 0 else ''}{style.signed(float(value))}"
