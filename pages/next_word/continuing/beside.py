"""The text beside another one: which of the two surprises the model less, and by how much."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.localization import N_, _, gettext
from core.records.score import Score
from pages.next_word import captions, reading, shaded
from pages.next_word.state import NextWordState
from ui import figure, files, layout
from ui.models.attempt import attempt, can_ask, say_special
from ui.state import fold, paragraph

TITLE = N_("Beside another text")


def show(s: NextWordState, model: str, score: Score) -> None:
    """Draw the fold: the other text, both shaded on one scale, and their sums."""
    place = fold(s.beside, gettext(TITLE))
    if not s.beside.get():
        return
    with place:
        typed = paragraph(s.other, _("Another text"))
        if not can_ask(typed, _("The other text")):
            return
        other = attempt(reading.scored, model, typed, ())
        if other is None:
            return
        say_special(model, typed, _("The other text"))
        st.markdown(captions.beside(score, other))
        both = {"A": score, "B": other}
        most = shaded.scale_of(score, other)
        for name, one in both.items():
            st.markdown(f"**{name}** · {captions.sums(one)}")
            figure.show(
                shaded.picture(one, most=most, name=f"surprise-{name.lower()}"),
                f"surprise beside {name}",
                saved_as=[files.csv(partial(table, both), "surprise-of-two-texts")],
                scale=layout.scale(),
            )
        st.caption(gettext(captions.BESIDE))


def table(both: dict[str, Score]) -> pd.DataFrame:
    """The tokens of both texts, with their surprise; the sums follow from them."""
    return pd.concat({name: one.to_frame() for name, one in both.items()}, names=["text", "place"])
