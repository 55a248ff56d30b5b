"""The pictures of what put a word there; they compute nothing with a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from core.figures import Picture, bars, signed_heatmap, style
from core.localization import N_, _, gettext
from core.measures import Why
from core.measures.contributions.by_head import HeadWhy
from core.measures.contributions.contribution_difference import Apart
from core.measures.contributions.expectation_shifts import Shift
from core.records.trace import Array
from ui.text import token_text

# pixels, the same in all three pictures, so that each word has one line across them
ROW, AROUND = 26, 70
MOST_ROWS = 20
DIGITS = 2  # on the picture; pointing at a bar shows more
PARTS = (N_("others"), N_("itself"), N_("no head"), N_("biases"))  # the columns of `Why.parts`


def by_word(why: Why, name: str) -> Mapping[str, Picture]:
    """Three charts of the same words: what each adds, what its cut does, how much attention it gets."""
    return _three(
        why,
        (why.contributions, why.cuts, why.attention),
        (
            _("What each word adds to the position of the word: an exact sum."),
            _("How far the word moves when it can no longer attend to each word."),
            _("How much the word attends to each word, averaged over all layers and heads."),
        ),
        name,
        (_("mean weight"), 0.3),
    )


def in_one_head(head_why: HeadWhy) -> Mapping[str, Picture]:
    """The row of the word in one head as three charts: contributions, cuts, weights."""
    return _three(
        head_why,
        (head_why.adds, head_why.cuts, head_why.attention),
        (
            _("What this head’s attention to each word adds to the position: exact parts of the sum."),
            _("How far the word moves when it can no longer attend to each word in this head."),
            _("How much the word attends to each word in this head."),
        ),
        "head",
        (_("weight"), 0.05),
    )


def _three(
    by_words: Why | HeadWhy,
    numbers: tuple[Array, Array, Array],
    sentences: tuple[str, str, str],
    name: str,
    scale: tuple[str, float],
) -> Mapping[str, Picture]:
    """`scale`: the greatest weight, and the least extent of the scale of the other two."""
    shown = list(by_words.shown)
    adds, cuts, looks = (of[shown] for of in numbers)
    drawn = partial(
        bars,
        digits=DIGITS,
        labels=[by_words.names[i] for i in shown],
        chosen=shown.index(by_words.own[0]) if by_words.own else None,
        height=ROW * len(shown) + AROUND,
    )
    signed = partial(
        drawn, kind="signed", most=float(max(np.abs(adds).max(), np.abs(cuts).max(), scale[1]))
    )
    return {
        "adds": signed(
            adds,
            unit=_("added to the position on the sense axis"),
            sentence=sentences[0],
            name=f"why-adds-{name}",
        ),
        "cuts": signed(
            cuts,
            unit=_("change of position on the sense axis"),
            sentence=sentences[1],
            name=f"why-cuts-{name}",
        ),
        "attention": drawn(looks, unit=scale[0], sentence=sentences[2], name=f"why-attention-{name}"),
    }


def expected(shift: Shift, name: str) -> Picture:
    """The likeliest words at a mask: changed as bars, unchanged as outlines."""
    return bars(
        shift.after,
        [token_text(*one) for one in zip(shift.texts, shift.tokens, strict=True)],
        other=shift.before,
        names=(_("changed"), _("unchanged")),
        notes=[
            _("{change} by the change").format(change=style.signed(float(less), 4))
            for less in shift.difference
        ],
        sentence=_("The words that the model finds most likely at the mask, unchanged and changed."),
        name=name,
        unit=_("probability"),
        digits=DIGITS,
    )


def apart_picture(difference: Apart, shown: Sequence[int]) -> Picture:
    """One bar for each word; a word that appears in only one sentence says in which."""
    return bars(
        difference.contributions[list(shown)],
        [difference.names[i] for i in shown],
        unit=_("added in A minus added in B"),
        sentence=_("What each word adds to the position of the word in A, minus what it adds in B."),
        name="why-apart",
        digits=DIGITS,
        kind="signed",
        chosen=[*shown].index(difference.own),
        height=ROW * len(shown) + AROUND,
    )


def by_layer(breakdown: Why | Apart, shown: Sequence[int], name: str) -> Picture:
    """Layers downwards, words to the right: which vectors hold the parts of the sum."""
    rows = [_("embedding"), *layer_names(len(breakdown.by_layer) - 1)]
    own = {breakdown.own} if isinstance(breakdown, Apart) else {*breakdown.own}
    return signed_heatmap(
        rows,
        [breakdown.names[i] for i in shown],
        breakdown.by_layer[:, list(shown)],
        against=[column for column, i in enumerate(shown) if i in own],
        title=_adds(breakdown),
        sentence=_("What the vector at each word {what}, after each layer.").format(
            what=_what(breakdown)
        ),
        name=f"why-layers-{name}",
        of=(_("after"), _("at")),
        between=", ",
    )


def by_head(breakdown: Why | Apart, name: str) -> Picture:
    """One cell for each head: what it adds by attention to tokens other than the word."""
    sentence = _("What each head {what} through attention to other tokens.").format(
        what=_what(breakdown)
    )
    return of_heads(breakdown.by_head, _adds(breakdown), sentence, f"by-head-{name}")


def parts(breakdown: Why | Apart, name: str) -> Picture:
    """Layers downwards, the parts of each layer to the right; each row sums to the whole."""
    return signed_heatmap(
        layer_names(len(breakdown.parts)),
        [gettext(part) for part in PARTS],
        breakdown.parts,
        title=_adds(breakdown),
        sentence=_("What each part of each layer {what}: every row adds up to the whole.").format(
            what=_what(breakdown)
        ),
        name=f"why-parts-{name}",
        of=(_("in"), _("by")),
        between=", ",
    )


def _what(breakdown: Why | Apart) -> str:
    less = _(", A minus B") if isinstance(breakdown, Apart) else ""
    return _("adds to the position of the word{less}").format(less=less)


def _adds(breakdown: Why | Apart) -> str:
    return _("adds in A minus in B") if isinstance(breakdown, Apart) else _("adds")


def layer_names(count: int) -> list[str]:
    """The names of so many layers, from the first."""
    return [style.layer_name(i) for i in range(count)]


def of_heads(values: Array, title: str, sentence: str, name: str) -> Picture:
    """One cell for each head: layers downwards, heads to the right."""
    layers, heads = values.shape
    return signed_heatmap(
        layer_names(layers),
        [str(i + 1) for i in range(heads)],
        values,
        title=title,
        sentence=sentence,
        name=f"why-{name}",
        of=(_("layer"), _("head")),
        between=_(", head "),
    )
