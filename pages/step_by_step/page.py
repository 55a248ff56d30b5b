"""Step by step: one sentence through one layer, every number."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.localization import N_, _, each, gettext
from pages.step_by_step import computed, sentence, subwords, tiny_numbers, views
from pages.step_by_step.state import HALVES, SIZES, VIEWS, StepsState
from ui import device, page, text
from ui.layout import row
from ui.models import answers, model_cache
from ui.models.attempt import attempt, can_ask, was_read
from ui.models.choice import choose_model
from ui.page import own_tokens, prose
from ui.state import LESSON, MODEL, select, thread
from ui.state import text as text_box

TINY_FIRST = N_("**Tiny numbers** first, to see and to drag.")
# Two texts would fill the first screen of a phone: there they are below the picture.
_PHONE = """<style>
@media (max-width: 640px) {:has(> .st-key-decoder-texts) {order: 1;}}
</style>"""
_NO_ROOM = """<style>
@media (max-width: 640px) {:has(> .st-key-steps-tiny) {display: none;}}
</style>"""


def step_by_step(s: StepsState) -> None:
    tokens = s.view.get() == "tokens"  # without numbers, and so of no size
    tiny = not tokens and _choose_size(s) == "1"
    # No other model plays a part in the tiny one.
    model = None if tiny else choose_model(model_cache.reader)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="steps view"):
        view, decoder = _choose_view(s)
        if tiny and view != "tokens":
            _say_tiny(s)
    if model and view == "layer" and s.size.get() == "0":
        device.switch(model, device.BOTH)
    if view == "tokens":
        text_box(s.subwords, _("Text"))
        page.part(subwords.show, None, s, model)
    elif tiny:
        text_box(s.tiny_text, computed.known_to_tiny())
        page.part(_shown, None, s, None)
    elif model:
        with st.container():
            if _can_ask(s, decoder=decoder):
                page.part(_shown, None, s, model)


def _say_tiny(s: StepsState) -> None:
    """Why the page opens with made-up numbers, and the way to a trained model; not within a lesson."""
    if LESSON.get() is not None:
        return
    about = _("A layer of a trained model has millions: too many to look at each, or to drag.")
    st.html(_NO_ROOM)  # on a phone, the button alone says it
    with st.container(key="steps tiny", width="content"):
        st.markdown(gettext(TINY_FIRST), width="content", help=about)
    label = _("Your own sentence, in {model}").format(model=model_cache.title(MODEL.get()))
    st.button(label, key="steps trained", on_click=_trained, args=(s,))


def _trained(s: StepsState) -> None:
    """A walk of its own begins at the first step, wherever the tiny one was left."""
    s.size.set("0")
    s.step.set(s.step.default)


def _choose_view(s: StepsState) -> tuple[str, bool]:
    """Choose the view, and whether it shows the decoder of the paper's size, a view of one layer."""
    if s.size.get() != "paper":
        return select(s.view, each(VIEWS), _("View"), style="segments", wrap=True), False
    with row():
        view = select(s.view, each(VIEWS), _("View"), style="segments", wrap=True)
        if view != "layer":
            return view, False
        return view, select(s.half, each(HALVES), _("Half"), style="segments") == "decoder"


def _can_ask(s: StepsState, *, decoder: bool) -> bool:
    """Draw the boxes for the texts; returns whether everything needed is filled in."""
    if not decoder:
        return can_ask(text_box(s.text, _("Text")), _("The text"))
    st.html(_PHONE)
    with st.container(key="decoder-texts"):
        left, right = st.columns(2, gap="medium")
        with left:
            target = text_box(s.text, _("Target: what the decoder reads"))
        with right:
            source = text_box(s.source, _("Source: what the encoder reads"))
    return can_ask(target, _("The text")) and can_ask(source, _("The source"))


def _choose_size(s: StepsState) -> str:
    with st.sidebar:
        return select(
            s.size,
            each(SIZES),
            _("Numbers"),
            style="radio",
            about=_(
                "The tiny model has four words of six numbers each, and you can change all its "
                "numbers. The paper’s model has six layers of width 512 with eight heads, in the "
                "encoder and in the decoder; its numbers are random, as before training."
            ),
        )


def _shown(s: StepsState, model: str | None) -> None:
    show = views.OF[s.view.get()]
    read = None
    if model is not None:
        paper = s.size.get() == "paper"
        read = attempt(computed.sentence, model, s.text.get(), paper=paper)
        if read is None or not was_read(answers.trace(model, read.text), read.text, _("The text")):
            return
        thread.places(answers.trace(model, read.text), s.token.set)
        if read.cut:
            cut = _("The text is cut after {end}.").format(end=text.end_of(read.text))
            st.caption(f"{sentence.most(read)} {cut}")
    attempt(show, s, model, read)
    if model is None:
        with st.container(key="steps editor"):
            tiny_numbers.edit(s)


def _examples(words: prose.Prose) -> prose.Prose:
    """The words whose examples are drawn: the first follows one's own sentence."""
    s, words = StepsState, own_tokens.counted(words)
    prepared = {dict(one.state).get(s.text.url) for one in (*words.tries, *words.more)}
    is_own = s.size.get() == "0" and s.view.get() == "layer" and s.text.get() != s.text.default
    if not is_own or s.text.get() in prepared or not words.tries:
        return words
    token, *others = s.token.write(s.token.get()), *words.tries[1:]
    state = {s.view.url: "layer", s.text.url: s.text.get(), s.step.url: "pieces", s.zoom.url: "layer"}
    about = _(
        "Press *Next step* until you reach the output, and watch the row of the token that you chose."
    )
    one = prose.Try(_("Follow one word"), tuple({**state, s.token.url: token}.items()), about)
    return replace(words, tries=(one, *others))


def variant(s: StepsState) -> str:
    """Each view has its own words; the first has those of the page."""
    view = s.view.get()
    return "" if view == StepsState.view.default else view


page.run(
    __file__,
    StepsState,
    step_by_step,
    variant=variant,
    examples=_examples,
    own_model=StepsState.on_map,
    translated=True,
)
