"""What a page says about why a word stands where it does (Markdown)."""

from __future__ import annotations

import numpy as np

from core.figures import style
from core.measures import Why
from core.measures.why import HARDLY
from core.measures.why_head import HARDLY as HEAD_HARDLY
from core.measures.why_head import HeadWhy
from core.trace import Array
from ui.text import plain
from ui.why import Asked, Path, called
from ui.why_sums import rounded

FIRST = 3  # words that a sentence names
TITLES = {
    "adds": "**What each word adds**, exactly",
    "cuts": "**What a cut does**",
    "looks": "**Where it looks**",
}
_ABOUT = {
    "cuts": "How far **{word}** moves when it no longer looks at this word, in any layer or head. Its "
    "other weights are scaled up, so that they still make 1.",
    "looks": "Raw attention: the mean weight of all layers and heads.",
}
ABOUT_HEAD = {
    "adds": "What **{word}** is given by each of its looks in this head: exact parts of the sum above.",
    "cuts": "How far **{word}** moves when this head alone no longer looks from it at this word.",
    "looks": "Raw attention: the row of **{word}** in this head.",
}


def about(found: Why) -> dict[str, str]:
    """What a cut and a look are, and how many words have neither here."""
    left = found.rest[1]
    more = f" Of this long text, {left:,} words that add little are not shown." if left else ""
    return {what: said + more for what, said in _ABOUT.items()}


def claim(name: str, of: Asked, found: Why) -> str:
    """What one sentence does to the word, in words and numbers; `name` is "" where there is one."""
    word, low, high = (plain(t) for t in (called(of.side), *of.ends.names))
    strong = sorted(found.others, key=lambda i: -abs(found.pushes[i]))[:FIRST]
    strong = [i for i in strong if abs(found.pushes[i]) >= HARDLY]
    itself = float(found.pushes[list(found.own)].sum())
    rest = found.place - found.constant - itself - float(found.pushes[strong].sum())
    parts = [itself, *(float(found.pushes[i]) for i in strong), rest, found.constant]
    rough = rounded(parts, found.place, 2, "; ")
    named = "".join(f", {_named(found, i)} {number(found.pushes[i])}" for i in strong)
    where = f"In {name}" if name else "Here"
    return (
        f"{where}, **{word}** stands at **{style.signed(found.place)}**, the exact sum of what each "
        f"word adds (+ towards *{high}*, − towards *{low}*{rough}): itself {number(itself)}{named}, "
        f"all others {number(rest)}, the model’s biases {number(found.constant)}. {_cut(found)}"
    )


def path(word: str, found: Path, ends: tuple[str, str]) -> str:
    """Where the word is after each layer, and where most of its way is made."""
    places = [float(place) for place in found.places]
    steps = np.diff(places)
    start, end = style.signed(places[0]), style.signed(places[-1])
    begins = "learned" if not found.first else "after layer 1"
    if not len(steps):
        return f"**{plain(word)}** stands at **{end}** after its one layer."
    i = int(np.abs(steps).argmax())
    step, towards = float(steps[i]), plain(ends[1 if steps[i] > 0 else 0])
    where = style.depth_name(found.first + i + 1)
    where = where.lower() if where.startswith("Layer") else "adding its position"
    return (
        f"**{plain(word)}** goes from **{start}** ({begins}) to **{end}**. The longest step is in "
        f"{where}: {number(step)}, towards *{towards}*."
    )


def of_head(head: HeadWhy, found: Why, silenced: Array) -> str:
    """Whether one head matters to the word, among all heads.

    Args:
        head: what it does for the word.
        found: what all of them do.
        silenced: (layers, heads), how far the word moves when each adds nothing.
    """
    at = head.layer, head.head
    word = plain(" ".join(head.names[i] for i in head.own))
    itself = float(head.adds[list(head.own)].sum())
    others = float(head.adds.sum()) - itself
    moves = float(silenced[at])
    missed = f"{'hardly moves' if abs(moves) < HARDLY else 'moves'} without it, by **{number(moves)}**"
    ranks = [_th(1 + int((np.abs(of) > abs(of[at])).sum())) for of in (found.carried, silenced)]
    return (
        f"**Layer {at[0] + 1}, head {at[1] + 1}**, where **{word}** looks at other words, adds "
        f"**{number(others)}**; where it looks at itself, {number(itself)}; by way of other words, "
        f"{number(head.elsewhere)}. **{word}** {missed}. Of all {silenced.size} heads it brings "
        f"{ranks[0]} most from other places, and is missed {ranks[1]} most."
    )


def _th(rank: int) -> str:
    """How a rank reads before “most”."""
    if rank == 1:
        return "the"
    end = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"the {rank}{end}"


def head_at_odds(head: HeadWhy) -> str:
    """Where attention, sum and cut disagree in one head; "" where they do not."""
    said = []
    most = max(head.shown, key=lambda i: float(head.looks[i]))
    odd = [i for i in head.at_odds if i != most][:2]
    # It looks most there, and gets nothing from it: or a cut does what the sum does not tell.
    if most in head.at_odds or abs(head.adds[most]) < HEAD_HARDLY:
        said.append(_odd(head, most, f"it looks most at {_name(head, most)} "))
    said += [_odd(head, i, f"{_name(head, i)} ") for i in odd]
    if not said:
        return "Attention, sum and cut agree in this head on what counts most."
    return f"Where they disagree: {'; '.join(said)}."


def _odd(head: HeadWhy, i: int, who: str) -> str:
    return (
        f"{who}({style.signed(float(head.looks[i]))} of its look), which adds "
        f"{number(head.adds[i])}, and without that look the word moves by {number(head.cuts[i])}"
    )


def _name(head: HeadWhy, i: int) -> str:
    return f"**{plain(head.names[i])}**"


def _cut(found: Why) -> str:
    if not found.others:
        return ""
    said = ""
    i = max(found.others, key=lambda i: abs(found.cuts[i]))
    if abs(found.cuts[i]) < HARDLY:
        said = "Cutting its look at any one of the other words below would hardly move it. "
        special = [i for i in found.shown if found.special[i]]
        i = max(special, key=lambda i: abs(found.cuts[i]), default=i)
        if abs(found.cuts[i]) < HARDLY:
            return said.strip()
    there = style.signed(found.place + float(found.cuts[i]))
    token = ", a special token" if found.special[i] else ""
    return f"{said}If it no longer looked at {_named(found, i)}{token}, it would stand at **{there}**."


def at_odds(found: Why) -> str:
    """Where the three pictures disagree; "" where they do not."""
    said = []
    most = max(found.shown, key=lambda i: float(found.looks[i]))
    if abs(found.pushes[most]) < HARDLY and most not in found.at_odds[:2]:
        said.append(f"{_looked(found, most)}, which adds {number(found.pushes[most])}")
    for i in found.at_odds[:2]:
        there = style.signed(found.place + float(found.cuts[i]))
        who = f"{_looked(found, i)}, which" if i == most else _named(found, i)
        said.append(
            f"{who} adds {number(found.pushes[i])}, and without a look at it the word would stand at "
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


def apart(words: tuple[str, str], ends: tuple[str, str], gap: float) -> str:
    """How far the two places are apart, as it is printed."""
    word = " and ".join(f"**{plain(word)}**" for word in dict.fromkeys(words))
    stand = "stands" if words[0] == words[1] else "stand"
    if not round(gap, 3):
        return f"{word} {stand} at the same place in A and in B."
    end = plain(ends[1] if gap > 0 else ends[0])
    return f"{word} {stand} **{style.signed(abs(gap), 3)}** nearer to *{end}* in A than in B."


def _named(found: Why, i: int) -> str:
    return f"**{plain(found.names[i])}**"


def number(value: float) -> str:
    """As it is printed, with its sign."""
    said = style.signed(float(value))
    return said if value <= 0 or not said.strip(".0") else f"+{said}"
