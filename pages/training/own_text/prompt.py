"""Two models behind one beginning, with the copies of each from its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.localization import _, gettext, pgettext
from core.memory import cached
from core.sentences import sentence
from pages.training.own_text import captions, pictures
from pages.training.state import TrainingState
from ui import figure, layout, state, text
from ui.models.session_models import find_own_text, model_of, own_titles

if TYPE_CHECKING:
    from ui.models.session_models import OwnText

WRITES = 160  # tokens
MOST_PROMPT = 400  # letters


def show(s: TrainingState) -> None:
    """Draw the box for the beginning, and what one or two models write behind it."""
    models = own_titles("decoder")
    with st.container(key="training prompt"):
        st.subheader(_("Go on from your words"), anchor=False)
        if not models:
            st.caption(gettext(captions.NOT_YET))
            return
        first = model_of(s.text_run.get())
        if first not in models:
            first = next(reversed(models))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            typed = state.text(s.prompt, _("Beginning"), most=MOST_PROMPT, width=380)
            others = {
                "": pgettext("of models", "none"),
                **{name: one for name, one in models.items() if name != first},
            }
            if s.beside_model.get() not in others:
                s.beside_model.set("")
            if len(others) > 1:
                about = _("Another model of this session, behind the same beginning.")
                state.select(
                    s.beside_model, others, _("Beside it"), width=300, by_names=True, about=about
                )
            st.button(_("Again"), key="train text again", on_click=_again, args=(s,))
        names = [first, *filter(None, [s.beside_model.get()])]
        for i, (column, name) in enumerate(zip(st.columns(len(names)), names, strict=True)):
            with column:
                _written(i, name, models[name], typed, s.prompt_seed.get(), alone=len(names) == 1)


def _again(s: TrainingState) -> None:
    s.prompt_seed.set((s.prompt_seed.get() + 1) % 1_000_000)


def _written(i: int, name: str, title: str, typed: str, seed: int, *, alone: bool) -> None:
    side = "" if alone else f"{captions.SIDES[i]} "
    st.markdown(side + _("**{title}** writes:").format(title=text.plain(title)))
    own = find_own_text(name)
    assert own is not None  # it is of this session
    prompt = typed[-MOST_PROMPT:]
    _draw(i, own, _text(name, prompt, seed), prompt)


def _draw(i: int, own: OwnText, written: str, typed: str) -> None:
    learned = own.learned.text
    copies = pictures.copies_of(written, learned) if learned else ()
    drawn = pictures.writing(written, copies, learned, f"own-text-goes-on-{'ab'[i]}", prompt=typed)
    figure.show(drawn, f"training goes on {i}", scale=layout.scale())
    if not learned:
        st.caption(sentence("own-text.no-text"))
        return
    st.caption(captions.share(written, copies, learned))
    if said := captions.longest(copies, learned):
        st.caption(said)


@cached()
def _text(name: str, typed: str, seed: int) -> str:
    """What a model writes; its name is unique."""
    from core import own_text
    from core.tasks.training.threads import one_thread_here

    one_thread_here()
    own = find_own_text(name)
    assert own is not None  # asked for by its visitor alone
    return own_text.write(own.learned, typed, WRITES, seed=seed)
