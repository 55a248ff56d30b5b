"""What a page says about why a word stands where it does (Markdown)."""

from __future__ import annotations

from core.figures import style
from core.measures import Why
from core.measures.why import HARDLY
from core.settings import AnchorGroup
from ui.text import plain
from ui.why import Asked

FIRST = 3  # words that a sentence names
TITLES = {
    "adds": "**What each word adds**, exactly",
    "cuts": "**What a cut does**",
    "looks": "**Where it looks**",
}
ABOUT = {
    "cuts": "How far **{word}** moves when it no longer looks at this word, in any layer or head. Its "
    "other weights are scaled up, so that they still make 1.",
    "looks": "Raw attention: the mean weight of all layers and heads.",
}
BY_LAYER = (
    "What stands at each word behind each layer adds so much to the place; each row makes the same sum "
    "with its biases. A word’s column fades where others have fetched what it adds: behind the last "
    "layer, all of it stands at **{word}**."
)
HEADS = (
    "Left: what each head adds by what it brings from the other places of its layer, to wherever. "
    "Right: how far the word moves when that head alone adds nothing. A head may bring much and be "
    "missed little, for others step in."
)


def claim(name: str, of: Asked, found: Why) -> str:
    """What one sentence does to the word, in words and numbers."""
    word, low, high = (plain(t) for t in (of.side.word, of.low.name, of.high.name))
    strong = sorted(found.others, key=lambda i: -abs(found.pushes[i]))[:FIRST]
    strong = [i for i in strong if abs(found.pushes[i]) >= HARDLY]
    itself = float(found.pushes[list(found.own)].sum())
    rest = found.place - found.constant - itself - float(found.pushes[strong].sum())
    named = "".join(f", {_named(found, i)} {_number(found.pushes[i])}" for i in strong)
    return (
        f"In {name}, **{word}** stands at **{style.signed(found.place)}**, the exact sum of what each "
        f"word adds (+ towards *{high}*, − towards *{low}*): itself {_number(itself)}{named}, all "
        f"others {_number(rest)}, the model’s biases {_number(found.constant)}. {_cut(word, found)}"
    )


def _cut(word: str, found: Why) -> str:
    if not found.others:
        return ""
    i = max(found.others, key=lambda i: abs(found.cuts[i]))
    if abs(found.cuts[i]) < HARDLY:
        return "Cutting its look at any one of them would hardly move it."
    there = style.signed(found.place + float(found.cuts[i]))
    return f"If it no longer looked at {_named(found, i)}, it would stand at **{there}**."


def at_odds(found: Why) -> str:
    """Where the three pictures disagree; "" where they do not."""
    said = []
    most = max(found.shown, key=lambda i: float(found.looks[i]))
    if abs(found.pushes[most]) < HARDLY and most not in found.at_odds[:2]:
        said.append(f"{_looked(found, most)}, which adds {_number(found.pushes[most])}")
    for i in found.at_odds[:2]:
        there = style.signed(found.place + float(found.cuts[i]))
        who = f"{_looked(found, i)}, which" if i == most else _named(found, i)
        said.append(
            f"{who} adds {_number(found.pushes[i])}, and without a look at it the word would stand at "
            f"{there}"
        )
    if not said:
        return ""
    return (
        f"Where they disagree: {'; '.join(said)}. The sum says what this run was made of, a cut what "
        "another run would give, and attention only where a head looks."
    )


def _looked(found: Why, i: int) -> str:
    return f"raw attention looks most at {_named(found, i)} ({style.signed(float(found.looks[i]))})"


def check(found: Why) -> str:
    """The sum, written out, and how far it is from the measured place."""
    left, count = found.rest
    parts = [f"words {style.signed(float(found.pushes.sum()) - left, 3)}"]
    if count:
        parts.append(f"the other {count:,} words {style.signed(left, 3)}")
    parts.append(f"the model’s biases, less the middle of the axis, {style.signed(found.constant, 3)}")
    total = float(found.pushes.sum()) + found.constant
    return (
        f"{' + '.join(parts)} = {style.signed(total, 3)}. Measured: {style.signed(found.place, 3)}; "
        f"apart by {found.error:.0e}."
    )


def apart(words: tuple[str, str], ends: tuple[AnchorGroup, AnchorGroup], a: Why, b: Why) -> str:
    """How far the two places are apart."""
    gap = a.place - b.place
    end = plain((ends[1] if gap > 0 else ends[0]).name)
    word = " and ".join(f"**{plain(word)}**" for word in dict.fromkeys(words))
    stand = "stands" if words[0] == words[1] else "stand"
    return f"{word} {stand} **{style.signed(abs(gap), 3)}** nearer to *{end}* in A than in B."


def apart_sum(a: Why, b: Why, shown: float, left: tuple[float, int]) -> str:
    """The sum behind it, written out."""
    parts = [f"words {style.signed(shown, 3)}"]
    if left[1]:
        parts.append(f"{left[1]:,} other words {style.signed(left[0], 3)}")
    constants = a.constant - b.constant
    parts.append(f"biases {style.signed(constants, 3)} (the layer norms scale them by the sentence)")
    total = shown + left[0] + constants
    return (
        f"To the right: towards *{{high}}* in A, or away from it in B. The sum: {' + '.join(parts)} = "
        f"{style.signed(total, 3)}. Measured: {style.signed(a.place - b.place, 3)}."
    )


def _named(found: Why, i: int) -> str:
    return f"**{plain(found.words[i])}**"


def _number(value: float) -> str:
    return f"{'+' if value > 0 else ''}{style.signed(float(value))}"
