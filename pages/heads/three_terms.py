"""The scores of a DeBERTa's head, as the three terms that they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, signed_heatmap, style
from core.localization import N_, _, decimal, gettext
from core.memory import cached
from core.records.score_terms import TERMS, ScoreTerms
from core.sentences import listed
from pages.heads.displayed import Panel
from ui import figure, files, layout, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.models.long_texts import turn

ABOUT = (
    N_("What the one token asks for and the other offers, whatever their distance."),
    N_("What the one token asks for, and how far away the other stands."),
    N_("What the distance asks for, and what the other token offers."),
)


def show(panels: Sequence[Panel]) -> None:
    """Draw the terms of each panel's open head; nothing for a model whose score is one product."""
    for number, panel in enumerate(panels):
        query = panel.text_query
        otherwise = query.second is not None or query.causal or query.masked
        if otherwise or not model_cache.model(query.model).disentangled:
            continue
        st.subheader(_("Three terms of a score"), anchor=False)
        if panel.layer is None or panel.averaged or panel.head < 0:
            st.caption(
                _("A score of **{model}** is the sum of {terms}. Open a head to see the three.").format(
                    model=text.plain(model_cache.title(query.model)), terms=listed([*_terms_named()])
                )
            )
            continue
        found = attempt(terms, query.model, query.text, panel.layer, panel.head)
        if found is None:
            continue
        st.markdown(said(found))
        shown = panel.block.attention.queries
        names = shown if len(shown) == len(found.tokens) else found.tokens
        bound = float(max(np.abs(one).max() for one in found.each)) or 1.0
        each = zip(st.columns(3, gap="medium"), _terms_named(), ABOUT, found.each, strict=True)
        for i, (column, name, about, values) in enumerate(each):
            with column:
                st.markdown(f"**{name}**")
                figure.show(
                    picture(found, names, name, values, bound, TERMS[i]),
                    f"term {i} of {number}",
                    saved_as=[files.csv(partial(table, found), "score-terms")],
                    scale=layout.scale(),
                )
                st.caption(gettext(about))


def terms(model: str, typed: str, layer: int, head: int) -> ScoreTerms:
    """The terms of a head, cached. Raises the errors of `Model.score_terms`."""
    model_cache.model(model)
    return _terms(model, typed, layer, head)


@cached()
def _terms(model: str, typed: str, layer: int, head: int) -> ScoreTerms:
    with turn(typed):
        return model_cache.model(model).score_terms(typed, layer, head)


def picture(
    found: ScoreTerms,
    names: Sequence[str],
    term: str,
    values: np.ndarray,
    bound: float,
    file: str,
) -> Picture:
    """One term between tokens of these names, on the scale that all three share."""
    return signed_heatmap(
        names,
        names,
        values,
        title=_("score: {term}").format(term=term),
        sentence=_("The term {term} of each score in {head}.").format(
            term=term, head=style.head_name(found.layer, found.head)
        ),
        name=f"score-{file.replace(' → ', '-to-')}",
        bound=bound,
    )


def said(found: ScoreTerms) -> str:
    """Which term tells the tokens of a row apart most (Markdown)."""
    order = sorted(range(3), key=lambda i: -found.spread[i])
    called = _terms_named()
    named = [f"*{called[i]}* {decimal(f'{found.spread[i]:.2f}')}" for i in order if found.spread[i] > 0]
    return _(
        "{head}: **{term}** tells the tokens of a row apart most. Standard deviation within a row: "
        "{spreads}."
    ).format(
        head=style.head_name(found.layer, found.head), term=called[order[0]], spreads=listed(named)
    )


def _terms_named() -> list[str]:
    """The terms, as the screen calls them."""
    return [gettext(term) for term in TERMS]


def table(found: ScoreTerms) -> pd.DataFrame:
    """All pairs with their three terms, and the score."""
    row, column = (grid.ravel() for grid in np.indices(found.content.shape))
    names = np.array(found.tokens, object)
    values = dict(zip(TERMS, (one.ravel() for one in found.each), strict=True))
    return pd.DataFrame(
        {"attends": names[row], "to": names[column], **values, "score": found.scores.ravel()}
    )
