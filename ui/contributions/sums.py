"""The sums that a page writes out, and captions for the maps of their parts (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import style
from core.localization import N_, _, decimal, gettext
from core.measures import Why
from core.measures.contributions.contribution_difference import TWO, Apart
from ui.text import plain

BIASES = N_("the model’s biases")
MORE = N_(
    "The word’s own vector, {none_of_words} and biases count as what they add *more than "
    "alone*: the sentence sets the attention weights, the norms and the gates that let "
    "them through."
)
BEHIND = N_(
    " This model reads from left to right, and its heads rest on the first token: "
    "*alone*, the word stands behind “{behind}”, which takes that part."
)
CLICK = N_(" Click a cell to open its head above.")


def check(why: Why) -> str:
    """The sum, written out, and its difference from the measured coordinate."""
    left, count = why.rest
    # the tokens of no word, such as [CLS], are among these
    terms = {_("tokens"): float(why.contributions.sum()) - left}
    if count:
        terms[_("the other {count} tokens").format(count=decimal(f"{count:,}"))] = left
    terms[gettext(BIASES)] = why.constant
    terms[_("alone")] = why.alone
    error = style.scientific(why.error, 0)
    measured = _("Measured: {at}, a difference of {error}.").format(
        at=style.signed(why.coordinate), error=error
    )
    return f"{_sum(terms)}. {measured} {more(why)}"


def more(why: Why) -> str:
    """What is counted from where the word is alone, and where that is (Markdown)."""
    behind = gettext(BEHIND).format(behind=why.behind) if why.behind else ""
    return gettext(MORE).format(none_of_words=why.none_of_words) + behind


def apart(difference: Apart, shown: Sequence[int], end: str) -> str:
    """The sum behind a difference, written out; `shown` are the words that have a bar."""
    rows = float(difference.contributions[list(shown)].sum())
    terms = {_("words"): rows}
    if left := len(difference.words) - len(shown):
        terms[_("{count} other words").format(count=decimal(f"{left:,}"))] = (
            float(difference.contributions.sum()) - rows
        )
    own = plain(difference.names[difference.own])
    terms[_("biases (the layer norms scale them differently in each sentence)")] = float(
        difference.constants[0]
    )
    # Two different words have an axis each; for one word, its position alone is the same and cancels.
    if TWO in difference.words[difference.own]:
        terms[_("alone, A minus B,")] = difference.alone
    return _(
        "Bars to the right: towards *{end}* in A, or away from it in B. The sum: {sum}. "
        "Measured: {at}, a difference of {error}. A word that appears in both sentences has "
        "one bar; repeated words are paired in order. **{own}** itself has a bar too, "
        "because what the layers make of its own vector depends on the words around it."
    ).format(
        end=plain(end),
        sum=_sum(terms),
        at=style.signed(difference.coordinate),
        error=style.scientific(difference.error, 0),
        own=own,
    )


def by_layer(breakdown: Why | Apart, shown: Sequence[int], ends: tuple[str, str], word: str) -> str:
    """How to read the map of layers and words; `shown` are the words that have a column."""
    others = (
        _(" and the {count} words left out").format(count=decimal(f"{left:,}"))
        if (left := len(breakdown.words) - len(shown))
        else ""
    )
    less = _(", A minus B") if isinstance(breakdown, Apart) else ""
    return _(
        "Each cell shows what the vector at that word, after that layer, adds to the "
        "position{less}; together with its biases{others}, every row adds up to the same "
        "sum. {colours} A word’s column fades as other words take up what it adds. In the "
        "last row, everything has arrived at **{word}**."
    ).format(less=less, others=others, colours=_colours(breakdown, ends), word=plain(word))


def heads(breakdown: Why | Apart, ends: tuple[str, str]) -> str:
    """How to read the map of layers and heads."""
    less = _(" Each cell shows what the head adds in A minus what it adds in B.")
    less = less if isinstance(breakdown, Apart) else ""
    return _("Each row is a layer, each column a head.{less} {colours}").format(
        less=less, colours=_colours(breakdown, ends)
    )


def missed(ends: tuple[str, str]) -> str:
    """How to read the map of ablated heads."""
    low, high = map(plain, ends)
    return _(
        "Green: without this head, the word stands nearer to *{high}*; purple: nearer to "
        "*{low}*. A head can contribute much although ablating it changes little, because "
        "other heads make up for it."
    ).format(high=high, low=low)


def parts(breakdown: Why | Apart) -> str:
    """How to read the map of each layer's parts, and that each row sums to the whole."""
    apart = isinstance(breakdown, Apart)
    whole = _("the distance from A to B") if apart else _("the move from where the word stands alone")
    error = float(np.abs(breakdown.parts.sum(axis=1) - breakdown.moved).max())
    return _(
        "Every row adds up to {whole}, {moved} as measured; the largest difference is "
        "{error}. *Others* sums the layer’s row in the map of heads; *itself* is what the "
        "heads bring from the word’s own token; *no head* is what bypasses them; *biases* "
        "are those of this layer and later ones. Each part includes what the feed-forward "
        "networks make of it."
    ).format(whole=whole, moved=style.signed(breakdown.moved), error=style.scientific(error, 0))


def left_by_rounding(name: str, exact: float, printed: float, before: str) -> str:
    """A note on the one part that is adjusted so that the printed numbers sum exactly."""
    plainly = style.signed(exact) == style.signed(printed)
    return (
        ""
        if plainly
        else _("{before}*{name}* absorbs the rounding error").format(before=before, name=name)
    )


def _colours(breakdown: Why | Apart, ends: tuple[str, str]) -> str:
    low, high = map(plain, ends)
    if isinstance(breakdown, Apart):
        return _("Green: more towards *{high}* in A than in B; purple: more towards *{low}*.").format(
            high=high, low=low
        )
    return _("Green adds towards *{high}*, purple towards *{low}*.").format(high=high, low=low)


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
