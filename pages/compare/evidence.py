"""Parts of the page that show the numbers behind it: the vectors, and the agreement of two programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.comparison import Chosen
from core.comparison.numbers import about_vectors, colour_strips, first_numbers, proof, vectors
from core.localization import _
from ui import comparison, figure, files, layout, tables, text
from ui.models import answers
from ui.models.attempt import attempt
from ui.page import terms


def numbers(model: str, sides: Mapping[str, Chosen]) -> None:
    """Draw the learned vector of the word and its contextual vectors as numbers."""
    if not sides:
        return
    quoted = _(" and ").join(
        _("“{word}”").format(word=text.plain(w)) for w in dict.fromkeys(s.word for s in sides.values())
    )
    st.subheader(_("The numbers of {words}").format(words=quoted), anchor=False)
    paths = {name: answers.path(model, *side) for name, side in sides.items()}
    named = vectors(paths)
    figure.show(
        colour_strips(named),
        "vectors",
        saved_as=[files.csv(lambda: tables.vectors(named), "vectors")],
        scale=layout.scale(),
    )
    st.code(first_numbers(named), language=None)
    terms.caption(about_vectors({name: side.word for name, side in sides.items()}, paths), "vectors")


def agreement(model: str, texts: Sequence[str]) -> None:
    """Draw how much our transformer and Hugging Face's differ on these texts."""
    st.subheader(_("Two programs, one answer"), anchor=False)
    sentence = attempt(proof, texts, comparison.Cached(model))
    if sentence is not None:
        st.markdown(sentence)
