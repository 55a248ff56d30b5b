"""Heads: every head of a model on one text, from all heads down to one product."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.localization import _, gettext
from pages.heads import (
    choices,
    difference,
    displayed,
    export,
    fine_tuned,
    importance,
    on_device,
    predictions,
    striking,
    three_terms,
    to_try,
    whole_text,
    zoom,
)
from pages.heads.atlas import ranking, roles
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import device, layout, left_out, page, same_in_python, text
from ui.models import answers
from ui.models.attempt import attempt, can_ask, was_read
from ui.page import prose
from ui.query import TextQuery
from ui.state import PRESENT, paragraph, thread, toggle


def heads(s: HeadsState) -> None:
    typed, second = _texts(s)
    models = choices.choose_models(s)
    page.tools(s.link())
    if models:
        device.switch(models[0], device.BOTH)
    if not (can_ask(typed, _("The text")) and can_ask(second or "-", _("The second text"))):
        return
    readable = [
        one
        for one in (choices.question(model, typed, second) for model in models)
        if (answer := attempt(answers.answer, one)) is not None
        and was_read(displayed.first_of(answer), typed, _("The text"))
    ]
    if len(readable) and not s.words.get():
        first = displayed.first_of(answers.answer(readable[0]))
        thread.places(first, s.choose_word)
    if readable:
        page.part(_panels, None, s, readable)


def _texts(s: HeadsState) -> tuple[str, str]:
    """The text, and the second one of a pair: in the open once there is one, else at hand."""
    pair = bool(s.second.get().strip())
    wide, words = (4.2, 1.9) if layout.scale() > 1 else (5, 1.25)
    room = [wide, 2, words] if pair else [wide + 2 - 0.4, words + 0.4]
    left, *rest = st.columns(room, vertical_alignment="bottom")
    with left:
        typed = paragraph(s.text, _("Text"), changed=s.forget)
    with rest[0] if pair else rest[0].popover(_("Two texts, whole words")):
        second = paragraph(
            s.second, _("Text B, of a pair"), placeholder=_("no second text"), changed=s.forget
        )
        if not pair:
            toggle(s.words, _("Whole words"), changed=s.forget_tokens)
    if pair:
        with rest[1]:
            toggle(s.words, _("Whole words"), changed=s.forget_tokens)
    return typed, second


# The session stores the arguments of a part as long as the visitor stays: queries, no results.
def _panels(s: HeadsState, plain: list[TextQuery]) -> None:
    text_queries = [choices.as_chosen(one, side) for one, side in zip(plain, s.sides, strict=False)]
    columns = st.columns(len(text_queries), gap="medium")
    panels = []
    message = columns[0].container(key="striking message")  # before the choices, once they are read
    for number, (column, one) in enumerate(zip(columns, text_queries, strict=True)):
        with column:
            if len(text_queries) > 1:
                st.markdown(f"**{text.plain(displayed.called(one))}**")
            choices.choose(s, one, number, short=len(text_queries) > 1)
            panels.append(displayed.panel_of(one, s.choices(number)))
    limitations = prose.read(__file__).limitations
    for number, (column, shown) in enumerate(zip(columns, panels, strict=True)):
        with column:
            saved = export.saved_as(s, text_queries, number, shown, limitations)
            zoom_in = partial(zoom.show, s, panels, number, saved)
            if shown.hidden and shown.layer is None:
                left_out.of_all(shown.block, _("of the attention of all heads"))
            if striking.opens(s, panels):
                _beside_striking(s, shown, message, zoom_in)
            else:
                zoom_in()
            # Returning to the picture closes it, so that it never shows an outdated choice.
            with st.container(horizontal=True, vertical_alignment="center"):
                with st.popover(gettext(same_in_python.TITLE)):
                    st.code(export.python(shown, panels[0]), language="python")
                if len(panels) == 1:  # of two, each has its own beside its layers
                    choices.choose_mask(s.sides[number], text_queries[number].model, number)
    device.line(plain[0].model, partial(on_device.context, s, panels), device.BOTH)
    if len(panels) == 2:
        difference.show(panels[0], panels[1])
        fine_tuned.show(s, panels)
    with page.rest(_("More about these heads")):
        ranking.show(s, panels)
        roles.show(s, panels)
        three_terms.show(panels)
        whole_text.show(s, panels)
        if predictions.some_model_predicts(text_queries):
            predictions.show(s, text_queries)
            importance.show(s, panels)
        else:  # one sentence, below all that can be switched on
            importance.show(s, panels)
            predictions.show(s, text_queries)


def _beside_striking(
    s: HeadsState, panel: Panel, message: DeltaGenerator, zoom_in: Callable[[], None]
) -> None:
    """All heads, with the one that strikes most in this text before them."""
    found = striking.read(panel)
    if PRESENT.get() and found is not None:
        with message:
            one = striking.present(panel, found)
        if one:
            striking.show(s, panel, found)
        else:
            zoom_in()
        return
    message.markdown(striking.say(panel, found))
    if found is None or not striking.fits(panel):
        if found is not None:
            with message:
                striking.offer(s, found)
        zoom_in()
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        striking.show(s, panel, found)
    with right:
        zoom_in()


page.run(__file__, HeadsState, heads, tools=False, examples=to_try.words, translated=True)
