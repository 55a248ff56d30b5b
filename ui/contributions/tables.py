"""The complete numbers behind the pictures of what put a word there, biases included, for files."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.localization import N_, _, gettext
from core.measures import Why
from core.measures.contributions.by_head import HeadWhy
from core.measures.contributions.contribution_difference import Apart
from core.measures.contributions.expectation_shifts import Shift
from core.records.trace import Array
from ui.contributions.pictures import layer_names
from ui.text import token_text

ALONE = N_("(alone)")  # where the word stands in a text that holds nothing else
BIASES = N_("(biases)")
OTHER_PARTS = (N_("heads, from itself"), N_("no head"), BIASES)


def in_one_head(head_why: HeadWhy) -> pd.DataFrame:
    """One row for each word in the row of the head."""
    columns = {
        _("adds"): head_why.adds,
        _("cut moves by"): head_why.cuts,
        _("attention"): head_why.attention,
    }
    return pd.DataFrame(columns, index=pd.Index(head_why.names, name=_("word")))


def expected(shift: Shift) -> pd.DataFrame:
    """One row for each word that is likely at a mask, unchanged or changed."""
    columns = {
        _("as it is"): shift.before,
        _("changed"): shift.after,
        _("difference"): shift.difference,
    }
    names = [token_text(*one) for one in zip(shift.texts, shift.tokens, strict=True)]
    return pd.DataFrame(columns, index=pd.Index(names, name=_("word")))


def by_word(why: Why) -> pd.DataFrame:
    """Where the word is alone, every word, the biases; and the coordinate, to which the others sum."""
    columns = {
        _("adds"): [why.alone, *why.contributions, why.constant, why.coordinate],
        _("cut moves by"): [np.nan, *why.cuts, np.nan, np.nan],
        _("attention"): [np.nan, *why.attention, np.nan, np.nan],
    }
    names = [gettext(ALONE), *why.names, gettext(BIASES), _("(coordinate)")]
    return pd.DataFrame(columns, index=pd.Index(names, name=_("word")))


def apart(difference: Apart) -> pd.DataFrame:
    """Both words alone, every word, the biases, and the difference of the coordinates, the sum."""
    numbers = [difference.alone, *difference.contributions, difference.constants[0]]
    columns = {
        _("stands in"): ["", *difference.where, "", ""],
        _("A minus B"): [*numbers, difference.coordinate],
    }
    names = [gettext(ALONE), *difference.words, gettext(BIASES), _("(coordinates)")]
    return pd.DataFrame(columns, index=pd.Index(names, name=_("word")))


def by_layer(breakdown: Why | Apart) -> pd.DataFrame:
    """Every word, and the biases: each row, from the embedding on, sums to the move from alone."""
    columns = [*breakdown.names, gettext(BIASES)]
    rows = pd.Index([_("embedding"), *layer_names(len(breakdown.by_layer) - 1)], name=_("after"))
    return pd.DataFrame(np.column_stack([breakdown.by_layer, breakdown.constants]), rows, columns)


def by_head(breakdown: Why | Apart) -> pd.DataFrame:
    """Each head, and the other parts of its layer: each row sums to the move from alone."""
    heads = breakdown.by_head.shape[1]
    columns = [*(_("head {head}").format(head=i + 1) for i in range(heads)), *map(gettext, OTHER_PARTS)]
    rows = pd.Index(layer_names(len(breakdown.by_head)), name=_("in"))
    return pd.DataFrame(np.column_stack([breakdown.by_head, breakdown.parts[:, 1:]]), rows, columns)


def ranked(why: Why, cuts: Array, ablated: Array) -> pd.DataFrame:
    """Every cut of attention to one word and every ablated head, the largest effect first.

    Args:
        why: the result for one sentence.
        cuts: (words,), like `Why.cuts`; NaN means no row.
        ablated: (layers, heads), the effect of ablating each head.
    """
    layers, heads = ablated.shape
    cut_words = np.flatnonzero(~np.isnan(cuts))
    names = [_("no attention to {word}").format(word=why.names[i]) for i in cut_words]
    names += [
        _("layer {layer}, head {head} ablated").format(layer=i + 1, head=j + 1)
        for i in range(layers)
        for j in range(heads)
    ]
    rows = pd.DataFrame(
        {
            _("moves by"): [*cuts[cut_words], *ablated.ravel()],
            _("adds"): [*why.contributions[cut_words], *why.by_head.ravel()],
        },
        index=pd.Index(names, name=_("without")),
    )
    return rows.sort_values(_("moves by"), key=np.abs, ascending=False, kind="stable")
