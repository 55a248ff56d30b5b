"""Embeddings: the paths of words through the layers, and how near vectors are."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.localization import _, each
from pages.embeddings import analogies, tables, views
from pages.embeddings.state import VIEWS, EmbeddingsState
from pages.embeddings.trajectories import section
from ui import page
from ui.models import model_cache
from ui.models.choice import choose_model
from ui.page import own_tokens
from ui.state import paragraph, select, text

SHOW = {
    "words": views.words,
    "path": section.show,
    "sentences": views.sentences,
    "analogy": analogies.show,
}


def embeddings(s: EmbeddingsState) -> None:
    trained = s.view.get() == "trained"  # it has its own models
    if trained:
        st.container()  # in place of that of the model's progress: all below it stays where it is
    model = None if trained else choose_model(model_cache.reader)
    view = select(s.view, each(VIEWS), _("View"), style="segments")
    with _in_place_of_another(view):
        _draw(s, view, model)


def _in_place_of_another(view: str) -> DeltaGenerator:
    """The place of a view. Each has its own: what another view has left in its place goes at once."""
    with st.container(gap=None):
        places = {one: st.empty() for one in VIEWS}
    return places[view].container()


def _draw(s: EmbeddingsState, view: str, model: str | None) -> None:
    if view == "trained":
        tables.show(s)
    elif view == "sentences":
        paragraph(s.lines, _("Sentences, one per line"), height=150)
    elif view == "analogy":
        text(s.sum, _("A sum of words"))
    elif view == "path":
        with st.container(key="texts"):  # on a phone, one directly below the other
            first, second = st.columns(2, gap="small")
        with first:
            paragraph(s.text, _("Text"), placeholder=_("Text"), named=False)
        with second:
            paragraph(s.second, _("Text B"), placeholder=_("Text B (optional)"), named=False)
    else:
        paragraph(s.text, _("Text"), placeholder=_("Text"), named=False)
    if model:
        SHOW[view](s, model)


def variant(s: EmbeddingsState) -> str:
    """Each view has its own words; the first has those of the page."""
    view = s.view.get()
    return "" if view == EmbeddingsState.view.default else view


page.run(
    __file__,
    EmbeddingsState,
    embeddings,
    variant=variant,
    examples=own_tokens.counted,
    translated=True,
)
