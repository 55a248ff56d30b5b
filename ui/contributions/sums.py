"""The sums that a page writes out, and captions for the maps of their parts (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import style
from core.measures import Why
from core.measures.contributions.contribution_difference import TWO, Apart
from ui.text import plain

BIASES = "the model’s biases"
MORE = (
    "The word’s own vector, {none_of_words} and biases count as what they add *more than alone*: the "
    "sentence sets the attention weights, the norms and the gates that let them through."
)
BEHIND = (
    " This model reads from left to right, and its heads rest on the first token: *alone*, the word "
    "stands behind “{behind}”, which takes that part."
)
CLICK = " Click a cell to open its head above."


def check(why: Why) -> str:
    """The sum, written out, and its difference from the measured coordinate."""
    left, count = why.rest
    # the tokens of no word, such as [CLS], are among these
    terms = {"tokens": float(why.contributions.sum()) - left}
    if count:
        terms[f"the other {count:,} tokens"] = left
    terms[BIASES] = why.constant
    terms["alone"] = why.alone
    error = style.scientific(why.error, 0)
    measured = f"Measured: {style.signed(why.coordinate)}, a difference of {error}."
    return f"{_sum(terms)}. {measured} {more(why)}"


def more(why: Why) -> str:
    """What is counted from where the word is alone, and where that is (Markdown)."""
    behind = BEHIND.format(behind=why.behind) if why.behind else ""
    return MORE.format(none_of_words=why.none_of_words) + behind


def apart(difference: Apart, shown: Sequence[int], end: str) -> str:
    """The sum behind a difference, written out; `shown` are the words that have a bar."""
    rows = float(difference.contributions[list(shown)].sum())
    terms = {"words": rows}
    if left := len(difference.words) - len(shown):
        terms[f"{left:,} other words"] = float(difference.contributions.sum()) - rows
    own = plain(difference.names[difference.own])
    terms["biases (the layer norms scale them differently in each sentence)"] = float(
        difference.constants[0]
    )
    # Two different words have an axis each; for one word, its position alone is the same and cancels.
    if TWO in difference.words[difference.own]:
        terms["alone, A minus B,"] = difference.alone
    return (
        f"Bars to the right: towards *{plain(end)}* in A, or away from it in B. The sum: "
        f"{_sum(terms)}. Measured: {style.signed(difference.coordinate)}, a difference of "
        f"{style.scientific(difference.error, 0)}. A word that appears in both sentences has one bar; "
        f"repeated words are paired in order. **{own}** itself has a bar too, because what "
        "the layers make of its own vector depends on the words around it."
    )


def by_layer(breakdown: Why | Apart, shown: Sequence[int], ends: tuple[str, str], word: str) -> str:
    """How to read the map of layers and words; `shown` are the words that have a column."""
    others = f" and the {left:,} words left out" if (left := len(breakdown.words) - len(shown)) else ""
    less = ", A minus B" if isinstance(breakdown, Apart) else ""
    return (
        "Each cell shows what the vector at that word, after that layer, adds to the "
        f"position{less}; together with its biases{others}, every row adds up to the same "
        f"sum. {_colours(breakdown, ends)} A word’s column fades as other words take up "
        f"what it adds. After the last layer, everything has arrived at **{plain(word)}**."
    )


def heads(breakdown: Why | Apart, ends: tuple[str, str]) -> str:
    """How to read the map of layers and heads."""
    less = " Each cell shows what the head adds in A minus what it adds in B."
    less = less if isinstance(breakdown, Apart) else ""
    return f"Each row is a layer, each column a head.{less} {_colours(breakdown, ends)}"


def missed(ends: tuple[str, str]) -> str:
    """How to read the map of ablated heads."""
    low, high = map(plain, ends)
    return (
        f"Green: without this head, the word stands nearer to *{high}*; purple: nearer to "
        f"*{low}*. A head can contribute much although ablating it changes little, because other heads "
        "make up for it."
    )


def parts(breakdown: Why | Apart) -> str:
    """How to read the map of each layer's parts, and that each row sums to the whole."""
    apart = isinstance(breakdown, Apart)
    whole = "the distance from A to B" if apart else "the move from where the word stands alone"
    error = float(np.abs(breakdown.parts.sum(axis=1) - breakdown.moved).max())
    return (
        f"Every row adds up to {whole}, {style.signed(breakdown.moved)} as measured; "
        f"the largest difference is {style.scientific(error, 0)}. *Others* sums the layer’s row in the "
        "map of heads; "
        "*itself* is what the heads bring from the word’s own token; *no head* is what "
        "bypasses them; *biases* are those of this layer and later ones. Each part includes what "
        "the feed-forward networks make of it."
    )


def left_by_rounding(name: str, exact: float, printed: float, before: str) -> str:
    """A note on the one part that is adjusted so that the printed numbers sum exactly."""
    plainly = style.signed(exact) == style.signed(printed)
    return "" if plainly else f"{before}*{name}* absorbs the rounding error"


def _colours(breakdown: Why | Apart, ends: tuple[str, str]) -> str:
    low, high = map(plain, ends)
    if isinstance(breakdown, Apart):
        return f"Green: more towards *{high}* in A than in B; purple: more towards *{low}*."
    return f"Green adds towards *{high}*, purple towards *{low}*."


def _sum(terms: Mapping[str, float]) -> str:
    """“a 0.31 + b 0.12 = 0.43”: the printed numbers sum exactly; the first absorbs the rounding."""
    total = sum(terms.values())
    printed = style.adding_up([*terms.values()], total, rest=0)
    added = " + ".join(_term(name, value) for name, value in zip(terms, printed, strict=True))
    first, exact = next(iter(terms.items()))
    return f"{added} = {style.signed(total)}{left_by_rounding(first, exact, printed[0], '; ')}"


def _term(name: str, value: float) -> str:
    """The name of a term and its number; a remark in brackets comes after the number."""
    what, bracket, more = name.partition(" (")
    return f"{what} {style.signed(value)}{bracket}{more}"
