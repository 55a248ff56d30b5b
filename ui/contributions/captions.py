"""Captions that explain why a word stands where it does (Markdown)."""

from __future__ import annotations

from functools import partial

import numpy as np

from core import localization
from core.figures import style
from core.localization import N_, _, decimal, gettext, ngettext
from core.measures import Why
from core.measures.contributions.by_head import HARDLY as HEAD_HARDLY
from core.measures.contributions.by_head import HeadWhy
from core.measures.contributions.by_word import HARDLY, push_back
from core.records.trace import Array
from ui.contributions.computed import ContributionQuery, called
from ui.contributions.sums import left_by_rounding
from ui.models import calibrations
from ui.text import plain

_added = partial(style.signed, plus=True)

FIRST = 3  # the most words that a sentence names
TITLES = {
    "adds": N_("**What each word adds**, exactly"),
    "cuts": N_("**What a cut does**"),
    "attention": "**Attention**",
}
_ABOUT = {
    "cuts": N_(
        "How far **{word}** moves when it can no longer attend to this word, in any layer or "
        "head. Its other weights are rescaled to add up to 1 again."
    ),
    "attention": N_("Raw attention: the mean weight over all layers and heads."),
}
ABOUT_HEAD = {
    "adds": (
        N_(
            "What this head adds to the position of **{word}** through its attention to each "
            "word: exact parts of the sum above, counted from the word alone like it."
        )
    ),
    "cuts": N_("How far **{word}** moves when it can no longer attend to this word in this one head."),
    "attention": N_("Raw attention: the row of **{word}** in this head."),
}


def about(why: Why) -> dict[str, str]:
    """What a cut and attention mean, and how many words are not shown."""
    left = why.rest[1]
    more = (
        _(" In this long text, {count} words that contribute little are not shown.").format(
            count=decimal(f"{left:,}")
        )
        if left
        else ""
    )
    return {what: gettext(sentence) + more for what, sentence in _ABOUT.items()}


def claim(name: str, of: ContributionQuery, why: Why) -> str:
    """How one sentence moves the word, in words and numbers; `name` is "" for a single sentence."""
    word, low, high = (plain(t) for t in (called(of.side), *of.ends.names))
    strong = sorted(why.others, key=lambda i: -abs(why.contributions[i]))[:FIRST]
    strong = [i for i in strong if abs(why.contributions[i]) >= HARDLY]
    own = float(why.contributions[list(why.own)].sum())
    marks = float(why.contributions[list(np.flatnonzero(why.special))].sum())
    words = float(why.contributions.sum()) - own - marks
    rest = words - float(why.contributions[strong].sum())
    # The shares of the bar below the sentence, by their names and rounded as they are there.
    others = marks + why.constant
    whole = style.adding_up([words, own, others, why.alone], why.coordinate, rest=2)
    each = [*(float(why.contributions[i]) for i in strong), rest]
    left = style.adding_up(each, whole[0], rest=len(strong))[-1]
    rough = left_by_rounding(_("remaining"), rest, left, "; ")
    rough += left_by_rounding(_("rest"), others, whole[2], "; ")
    named = "".join(f"{_named(why, i)} {_added(why.contributions[i])}, " for i in strong)
    named = _(" ({named}remaining {left})").format(named=named, left=_added(left)) if strong else ""
    where = _where(name, of)
    return _(
        "{where}, **{word}** stands at **{at}**; {alone_at}, at {alone}. What moves it is "
        "exactly this (+ towards *{high}*, − towards *{low}*{rough}): other words {words}{named}; "
        "own vector {own}; rest, {none_of_words} and biases, {biases}. {opposed}{cut}"
    ).format(
        where=where,
        word=word,
        at=style.signed(why.coordinate),
        alone_at=_alone(why),
        alone=style.signed(why.alone),
        high=high,
        low=low,
        rough=rough,
        named=named,
        words=_added(whole[0]),
        own=_added(whole[1]),
        none_of_words=why.none_of_words,
        biases=_added(whole[2]),
        opposed=opposed(words, why.moved),
        cut=_cut(why),
    )


def _where(name: str, of: ContributionQuery) -> str:
    """In which sentence; and after which layer, if that is not the last, or not that of the verdict."""
    judged = calibrations.of(of.model)
    if of.layer is not None:
        return (
            _("In {name}, after layer {layer}").format(name=name, layer=of.layer + 1)
            if name
            else _("After layer {layer}").format(layer=of.layer + 1)
        )
    if judged is None or judged.layer is None:
        return _("In {name}").format(name=name) if name else _("Here")
    last = of.axis.n_layers
    return (
        _("In {name}, after layer {layer}, the last").format(name=name, layer=last)
        if name
        else _("After layer {layer}, the last").format(layer=last)
    )


def _alone(why: Why) -> str:
    """Where the word is alone: without a sentence, or behind a neutral beginning."""
    return (
        _("alone, behind “{behind}”").format(behind=why.behind)
        if why.behind
        else _("alone, without a sentence")
    )


def opposed(words: float, moved: float) -> str:
    """That the words of a sentence push against the move of the word, if they do: `push_back`."""
    if not push_back(words, moved):
        return ""
    return _(
        "Here the other words push back: together they add {words}, and the word moves by "
        "{moved} all the same. Its own vector and the biases move it, since the sentence "
        "sets how they are let through. "
    ).format(words=_added(words), moved=_added(moved))


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
        return _("at **{at}** after layer {layer}").format(
            at=style.signed(printed[layer - 1]), layer=layer
        )

    if not sides[-1]:
        return _("{name} ends in the middle, on neither side: it stands {at}.").format(
            name=name, at=at(last)
        )
    names = dict(zip((-1, 1), map(plain, ends), strict=True))
    other = [layer for layer, side in enumerate(sides, start=1) if side != sides[-1]]
    start = other[-1] + 1 if other else 1
    when = _("after every layer") if start == 1 else _("from layer {start} on").format(start=start)
    stands = _("{start} and {last}").format(start=at(start), last=at(last))
    if start == last:
        when, stands = _("only after the last layer") if other else _("after its one layer"), at(last)
    sentence = _("{name} sides with *{end}* {when}: it stands {stands}.").format(
        name=name, end=names[sides[-1]], when=when, stands=stands
    )
    if not other:
        return sentence
    side = sides[other[-1] - 1]
    where = _("on the side of *{end}*").format(end=names[side]) if side else _("in the middle")
    return _("{sentence} One layer earlier it was {where}, {at}.").format(
        sentence=sentence, where=where, at=at(other[-1])
    )


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
    missed = (
        _("**{word}** hardly moves without it, by **{moves}**")
        if abs(moves) < HARDLY
        else _("**{word}** moves without it, by **{moves}**")
    ).format(word=word, moves=_added(moves))
    ranks = [_th(1 + int((np.abs(of) > abs(of[at])).sum())) for of in (why.by_head, ablated)]
    return _(
        "**Layer {layer}, head {head}** adds **{others}** through the attention of "
        "**{word}** to other words, {itself} through its attention to itself, and "
        "{elsewhere} by way of other words. {missed}. Among all {count} heads, "
        "this one contributes {rank} most from other tokens, and ablating it moves the word "
        "{missed_rank} most."
    ).format(
        layer=at[0] + 1,
        head=at[1] + 1,
        others=_added(others),
        word=word,
        itself=_added(itself),
        elsewhere=_added(head.elsewhere),
        missed=missed,
        count=ablated.size,
        rank=ranks[0],
        missed_rank=ranks[1],
    )


def _th(rank: int) -> str:
    """A rank as it reads before “most”; a number where the language of the screen is not English."""
    if localization.current() != localization.ENGLISH:
        return str(rank)
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
        disagreements.append(
            _odd(head, most, _("it attends most to {word} ").format(word=_named(head, most)))
        )
    disagreements += [_odd(head, i, f"{_named(head, i)} ") for i in odd]
    if not disagreements:
        return _("In this head, attention, sum and cut agree on the word that counts most.")
    return _("In this head, attention, sum and cut disagree: {what}.").format(
        what="; ".join(disagreements)
    )


def _odd(head: HeadWhy, i: int, who: str) -> str:
    return _(
        "{who}({weight} of its weight), which adds {adds}; cutting that weight moves the "
        "word by {moves}"
    ).format(
        who=who,
        weight=style.signed(float(head.attention[i])),
        adds=_added(head.adds[i]),
        moves=_added(head.cuts[i]),
    )


def _cut(why: Why) -> str:
    if not why.others:
        return ""
    no_single_cut = ""
    i = _most_cut(why)
    if abs(why.cuts[i]) < HARDLY:
        special = [i for i in why.shown if why.special[i]]
        i = max(special, key=lambda i: abs(why.cuts[i]), default=i)
        if abs(why.cuts[i]) < HARDLY:
            return _("No single cut below would move it by much.")
        no_single_cut = _("No other word’s cut would move it by much. ")
    there = style.signed(why.coordinate + float(why.cuts[i]))
    token = _(", a special token") if why.special[i] and not why.sink else ""
    return _("{before}If it no longer attended to {word}{token}, it would stand at **{at}**.").format(
        before=no_single_cut, word=_named(why, i), token=token, at=there
    )


def _most_cut(why: Why) -> int:
    """The other word whose cut moves the word farthest."""
    return max(why.others, key=lambda i: abs(why.cuts[i]))


def at_odds(why: Why) -> str:
    """Where the three pictures disagree; "" if they agree."""
    disagreements = []
    most = max(why.shown, key=lambda i: float(why.attention[i]))
    if abs(why.contributions[most]) < HARDLY and most not in why.at_odds[:2]:
        disagreements.append(
            _("{word}, which adds {adds}").format(
                word=_looked(why, most), adds=_added(why.contributions[most])
            )
        )
    for i in why.at_odds[:2]:
        there = style.signed(why.coordinate + float(why.cuts[i]))
        who = _("{word}, which").format(word=_looked(why, i)) if i == most else _named(why, i)
        disagreements.append(
            _("{who} adds {adds}, but without attention to it the word would stand at {at}").format(
                who=who, adds=_added(why.contributions[i]), at=there
            )
        )
    if not disagreements:
        return ""
    return _(
        "Attention, sum and cut disagree here: {what}. Attention shows only what the heads "
        "attend to, not what they do with it."
    ).format(what="; ".join(disagreements))


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
        _(
            "{word} adds {adds}, and cutting it moves the word by {moves}: the sum keeps the "
            "attention weights, norms and gates of this run, while a cut is another run, in "
            "which the other words share the weight that is free, and every later layer reacts."
        ).format(word=_named(why, i), adds=_added(why.contributions[i]), moves=_added(why.cuts[i]))
        + f" {_own_cut(why)}"
    ).rstrip()


def _own_cut(why: Why) -> str:
    """What the row of the word itself says; "" where its cut was not computed, or hardly moves it."""
    rows = [i for i in why.own if i in why.shown]
    if len(rows) != 1 or abs(why.cuts[rows[0]]) < HARDLY:
        return ""
    (i,) = rows
    return _(
        "The row {word} is the word itself: cut from its own vector in every head, it moves by "
        "{moves}, since the heads then carry only other words to it, while its own vector still "
        "passes by them from layer to layer."
    ).format(word=_named(why, i), moves=_added(why.cuts[i]))


def _looked(why: Why, i: int) -> str:
    return _("raw attention is strongest on {word} ({weight})").format(
        word=_named(why, i), weight=style.signed(float(why.attention[i]))
    )


def apart(words: tuple[str, str], ends: tuple[str, str], gap: float) -> str:
    """How far apart the two coordinates are, as printed."""
    word = _(" and ").join(f"**{plain(word)}**" for word in dict.fromkeys(words))
    many = len({*words})
    if not round(gap, 2):
        return ngettext(
            "{word} stands at the same position in A and in B.",
            "{word} stand at the same position in A and in B.",
            many,
        ).format(word=word)
    end = plain(ends[1] if gap > 0 else ends[0])
    return ngettext(
        "{word} stands **{gap}** nearer to *{end}* in A than in B.",
        "{word} stand **{gap}** nearer to *{end}* in A than in B.",
        many,
    ).format(word=word, gap=style.signed(abs(gap)), end=end)


def _named(why: Why | HeadWhy, i: int) -> str:
    return f"**{plain(why.names[i])}**"
