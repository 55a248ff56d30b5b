"""The vectors of a text's tokens themselves, and the tokens of the vocabulary nearest to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.figures import strips, style
from core.localization import N_, _, gettext
from core.records.trace import Trace
from pages.embeddings import similarities
from pages.embeddings.similarities import Compared
from pages.embeddings.state import LEARNED
from ui import figure, files, layout, tables
from ui.models.attempt import attempt
from ui.text import isolated, plain, token_text

if TYPE_CHECKING:
    from core.pretrained.tokenizer.vocabulary import Measure

MOST_STRIPS = 30
TITLES: dict[Measure, str] = {
    "dot": N_("largest dot product"),
    "cosine": N_("largest cosine similarity"),
    "distance": N_("smallest distance"),
}


def vocabulary(model: str, typed: str, depth: str, compared: Compared, of: int) -> None:
    """Draw the tokens whose learned vectors are nearest to one of these vectors.

    Args:
        model: the name of the model.
        typed: the text.
        depth: see `similarities.words`.
        compared: its vectors.
        of: the row of the chosen vector.
    """
    st.markdown(
        _("**Nearest tokens in the vocabulary** to **{token}**, by learned vectors").format(
            token=plain(style.token_name(compared.names[of]))
        )
    )
    for column, (by, title) in zip(st.columns(3, gap="medium"), TITLES.items(), strict=True):
        with column:
            position = compared.positions[of]
            near = attempt(similarities.neighbours, model, typed, depth, position, by)
            if near is None:
                return
            # Not with a dot between them: a dot marks a piece that continues a word.
            listed = " | ".join(
                f"{plain(style.token_name(token_text(one.text, one.token)))} {style.signed(one.value)}"
                for one in near
            )
            st.markdown(f"*{gettext(title)}*: {listed}")
    if depth not in (LEARNED, "0"):
        st.caption(
            _(
                "The layers have moved this vector away from all learned ones: even the nearest of "
                "them may say little about it."
            )
        )


def strips_of(trace: Trace, compared: Compared, depth: str) -> None:
    """Draw all vectors as strips of colour, each with its length."""
    vectors = similarities.of_depth(trace, depth)
    named = {
        f"{isolated(style.short(style.token_name(name), 14))} ({i + 1}), "
        f"{style.signed(float(compared.similarity.lengths[i]))}": vectors[position]
        for i, (position, name) in enumerate(zip(compared.positions, compared.names, strict=True))
    }
    shown = dict(list(named.items())[:MOST_STRIPS])
    st.markdown(_("**The vectors themselves**, one strip of colour each, with their lengths $|x|$"))
    sentence = _("The vectors of {count} tokens as strips of colour.").format(count=len(shown))
    figure.show(
        strips(shown, sentence=sentence, name="token-vectors"),
        "strips",
        saved_as=[files.csv(lambda: tables.vectors(named), "token-vectors")],
        scale=layout.scale(),
    )
    if len(shown) < len(named):
        st.caption(
            _("The picture shows the first {shown} of {all} tokens; the CSV file has all.").format(
                shown=len(shown), all=len(named)
            )
        )
