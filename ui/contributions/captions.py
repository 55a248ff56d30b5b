"""Captions that explain why a word stands where it does (Markdown)."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.figures import style
from core.measures import Why
from core.measures.contributions.by_head import HARDLY as HEAD_HARDLY
from core.measures.contributions.by_head import HeadWhy
from core.measures.contributions.by_word import HARDLY, push_back
from core.records.trace import Array
from ui.contributions.computed import ContributionQuery, called
from ui.contributions.sums import left_by_rounding
from ui.text import plain

_added = partial(style.signed, plus=True)

FIRST = 3  # the most words that a sentence names
TITLES = {
    "adds": "**What each word adds**, exactly",
    "cuts": "**What a cut does**",
    "attention": "**Attention**",
}
_ABOUT = {
    "cuts": "How far **{word}** moves when it can no longer attend to this word, in any layer "
    "or head. Its other weights are rescaled to add up to 1 again.",
    "attention": "Raw attention: the mean weight over all layers and heads.",
}
ABOUT_HEAD = {
    "adds": (
        "What this head adds to the position of **{word}** through its attention to each "
        "word: exact parts of the sum above, counted from the word alone like it."
    ),
    "cuts": "How far **{word}** moves when it can no longer attend to this word in this one head.",
    "attention": "Raw attention: the row of **{word}** in this head.",
}


def about(why: Why) -> dict[str, str]:
    """What a cut and attention mean, and how many words are not shown."""
    left = why.rest[1]
    more = f" In this long text, {left:,} words that contribute little are not shown." if left else ""
    return {what: sentence + more for what, sentence in _ABOUT.items()}


def claim(name: str, of: ContributionQuery, why: Why) -> str:
    """How one sentence moves the word, in words and numbers; `name` is "" for a single sentence."""
    word, low, high = (plain(t) for t in (called(of.side), *of.ends.names))
    strong = sorted(why.others, key=lambda i: -abs(why.contributions[i]))[:FIRST]
    strong = [i for i in strong if abs(why.contributions[i]) >= HARDLY]
    own = float(why.contributions[list(why.own)].sum())
    marks = float(why.contributions[list(np.flatnonzero(why.special))].sum())
    words = float(why.contributions.sum()) - own - marks
    rest = words - float(why.contributions[strong].sum())
    parts = [why.alone, *(float(why.contributions[i]) for i in strong), rest, own, marks + why.constant]
    at = len(parts) - 3
    printed = style.adding_up(parts, why.coordinate, rest=at)
    rough = left_by_rounding("other words", rest, printed[at], "; ")
    named = "".join(f"{_named(why, i)} {_added(why.contributions[i])}, " for i in strong)
    where = f"In {name}" if name else "Here"
    return (
        f"{where}, **{word}** stands at **{style.signed(why.coordinate)}**; {_alone(why)}, "
        f"at {style.signed(why.alone)}. What moves it is exactly this (+ towards *{high}*, − towards "
        f"*{low}*{rough}): {named}other words {_added(printed[at])}; the word’s own vector, as this "
        f"sentence lets it through, {_added(own)}; biases and {why.none_of_words} "
        f"{_added(printed[-1])}. "
        f"{opposed(words, why.moved)}{_cut(why)}"
    )


def _alone(why: Why) -> str:
    """Where the word is alone: without a sentence, or behind a neutral beginning."""
    return f"alone, behind “{why.behind}”" if why.behind else "alone, without a sentence"


def opposed(words: float, moved: float) -> str:
    """That the words of a sentence push against the move of the word, if they do: `push_back`."""
    if not push_back(words, moved):
        return ""
    return (
        f"Here the other words push back: together they add {_added(words)}, and the word moves by "
        f"{_added(moved)} all the same. Its own vector and the biases move it, since the sentence "
        "sets how they are let through. "
    )


def path(word: str, coordinates: Array, ends: tuple[str, str]) -> str:
    """On which side of the middle the word ends, and from which layer on it stays there.

    Each layer has its own axis and unit, so positions in two layers are never subtracted: the caption
    compares sides, and gives each number with its layer. A position that is printed as 0 is on neither
    side.

    Args:
        word: its name on the screen.
        coordinates: (layers,), its position after each layer.
        ends: the names of the two ends, at −1 and at +1.
    """
    printed = [round(float(coordinate), 2) for coordinate in coordinates]
    sides = [int(np.sign(coordinate)) for coordinate in printed]
    last, name = len(printed), f"**{plain(word)}**"

    def at(layer: int) -> str:
        return f"at **{style.signed(printed[layer - 1])}** after layer {layer}"

    if not sides[-1]:
        return f"{name} ends in the middle, on neither side: it stands {at(last)}."
    names = dict(zip((-1, 1), map(plain, ends), strict=True))
    other = [layer for layer, side in enumerate(sides, start=1) if side != sides[-1]]
    start = other[-1] + 1 if other else 1
    when = "after every layer" if start == 1 else f"from layer {start} on"
    stands = f"{at(start)} and {at(last)}"
    if start == last:
        when, stands = "only after the last layer" if other else "after its one layer", at(last)
    sentence = f"{name} sides with *{names[sides[-1]]}* {when}: it stands {stands}."
    if not other:
        return sentence
    side = sides[other[-1] - 1]
    where = f"on the side of *{names[side]}*" if side else "in the middle"
    return f"{sentence} One layer earlier it was {where}, {at(other[-1])}."


def of_head(head: HeadWhy, why: Why, ablated: Array) -> str:
    """Whether one head matters to the word, compared with all other heads.

    Args:
        head: what this head contributes to the word.
        why: what all heads contribute.
        ablated: (layers, heads), how far the word moves when each is ablated.
    """
    at = head.layer, head.head
    word = plain(" ".join(head.names[i] for i in head.own))
    itself = float(head.adds[list(head.own)].sum())
    others = float(head.adds.sum()) - itself
    moves = float(ablated[at])
    missed = f"{'hardly moves' if abs(moves) < HARDLY else 'moves'} without it, by **{_added(moves)}**"
    ranks = [_th(1 + int((np.abs(of) > abs(of[at])).sum())) for of in (why.by_head, ablated)]
    return (
        f"**Layer {at[0] + 1}, head {at[1] + 1}** adds **{_added(others)}** through the "
        f"attention of **{word}** to other words, {_added(itself)} through its attention to "
        f"itself, and {_added(head.elsewhere)} by way of other words. **{word}** {missed}. "
        f"Among all {ablated.size} heads, this one contributes {ranks[0]} most from other "
        f"tokens, and ablating it moves the word {ranks[1]} most."
    )


def _th(rank: int) -> str:
    """A rank as it reads before “most”."""
    if rank == 1:
        return "the"
    end = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"the {rank}{end}"


def head_at_odds(head: HeadWhy) -> str:
    """Where attention, sum and cut disagree in one head; says so if they agree."""
    disagreements = []
    most = max(head.shown, key=lambda i: float(head.attention[i]))
    odd = [i for i in head.at_odds if i != most][:2]
    # The word attends most to it but gains nothing from it, or a cut has an effect that the sum does
    # not show.
    if most in head.at_odds or abs(head.adds[most]) < HEAD_HARDLY:
        disagreements.append(_odd(head, most, f"it attends most to {_named(head, most)} "))
    disagreements += [_odd(head, i, f"{_named(head, i)} ") for i in odd]
    if not disagreements:
        return "In this head, attention, sum and cut agree on the word that counts most."
    return f"In this head, attention, sum and cut disagree: {'; '.join(disagreements)}."


def _odd(head: HeadWhy, i: int, who: str) -> str:
    return (
        f"{who}({style.signed(float(head.attention[i]))} of its weight), which adds "
        f"{_added(head.adds[i])}; cutting that weight moves the word by {_added(head.cuts[i])}"
    )


def _cut(why: Why) -> str:
    if not why.others:
        return ""
    no_single_cut = ""
    i = _most_cut(why)
    if abs(why.cuts[i]) < HARDLY:
        no_single_cut = "No single cut below would move it by much. "
        special = [i for i in why.shown if why.special[i]]
        i = max(special, key=lambda i: abs(why.cuts[i]), default=i)
        if abs(why.cuts[i]) < HARDLY:
            return no_single_cut.strip()
    there = style.signed(why.coordinate + float(why.cuts[i]))
    token = ", a special token" if why.special[i] and not why.sink else ""
    return (
        f"{no_single_cut}If it no longer attended to {_named(why, i)}{token}, it would "
        f"stand at **{there}**."
    )


def _most_cut(why: Why) -> int:
    """The other word whose cut moves the word farthest."""
    return max(why.others, key=lambda i: abs(why.cuts[i]))


def at_odds(why: Why) -> str:
    """Where the three pictures disagree; "" if they agree."""
    disagreements = []
    most = max(why.shown, key=lambda i: float(why.attention[i]))
    if abs(why.contributions[most]) < HARDLY and most not in why.at_odds[:2]:
        disagreements.append(f"{_looked(why, most)}, which adds {_added(why.contributions[most])}")
    for i in why.at_odds[:2]:
        there = style.signed(why.coordinate + float(why.cuts[i]))
        who = f"{_looked(why, i)}, which" if i == most else _named(why, i)
        disagreements.append(
            f"{who} adds {_added(why.contributions[i])}, but without attention to it the "
            f"word would stand at {there}"
        )
    if not disagreements:
        return ""
    return (
        f"Attention, sum and cut disagree here: {'; '.join(disagreements)}. Attention shows only what "
        "the heads attend to, not what they do with it."
    )


def adds_and_cut(why: Why) -> str:
    """Why a word's contribution and its cut are not opposite numbers; "" without such a word.

    The example is the word that `claim` cuts, if that adds anything: a reader meets one cut, not two.
    """
    strong = [i for i in why.others if abs(why.contributions[i]) >= HARDLY]
    if not strong:
        return ""
    i = _most_cut(why)
    if i not in strong:
        i = max(strong, key=lambda i: abs(why.contributions[i]))
    return (
        f"{_named(why, i)} adds {_added(why.contributions[i])}, and cutting it moves the word by "
        f"{_added(why.cuts[i])}: the sum keeps the attention weights, norms and gates of this run, "
        "while a cut is another run, in which the other words share the weight that is free, and every "
        f"later layer reacts. {_own_cut(why)}"
    ).rstrip()


def _own_cut(why: Why) -> str:
    """What the row of the word itself says; "" where its cut was not computed, or hardly moves it."""
    rows = [i for i in why.own if i in why.shown]
    if len(rows) != 1 or abs(why.cuts[rows[0]]) < HARDLY:
        return ""
    (i,) = rows
    return (
        f"The row {_named(why, i)} is the word itself: cut from its own vector in every head, it moves "
        f"by {_added(why.cuts[i])}, since the heads then carry only other words to it, while its own "
        "vector still passes by them from layer to layer."
    )


def _looked(why: Why, i: int) -> str:
    return f"raw attention is strongest on {_named(why, i)} ({style.signed(float(why.attention[i]))})"


def apart(words: tuple[str, str], ends: tuple[str, str], gap: float) -> str:
    """How far apart the two coordinates are, as printed."""
    word = " and ".join(f"**{plain(word)}**" for word in dict.fromkeys(words))
    stand = "stands" if words[0] == words[1] else "stand"
    if not round(gap, 2):
        return f"{word} {stand} at the same position in A and in B."
    end = plain(ends[1] if gap > 0 else ends[0])
    return f"{word} {stand} **{style.signed(abs(gap))}** nearer to *{end}* in A than in B."


def _named(why: Why | HeadWhy, i: int) -> str:
    return f"**{plain(why.names[i])}**"
