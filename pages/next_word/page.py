"""Next word: what a model expects after a text, and how it goes on."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import Picture, next_word
from core.figures.labels import spelled
from core.language import uniform
from core.localization import N_, _, each, gettext
from core.records.next_token import NextToken
from core.records.pieces import has_bytes
from core.sentences import sentence
from core.settings import MOST_PREDICTIONS
from core.web.built import LANGUAGE_MODEL
from pages.next_word import (
    captions,
    chat,
    copying,
    ending,
    guesses,
    headline,
    hidden,
    layers,
    on_device,
    prompts,
    python,
    reading,
    recorded,
    shaded,
)
from pages.next_word.continuing import beside, keeps, saved, tree, writing
from pages.next_word.state import VIEWS, NextWordState
from pages.next_word.why import section as why
from ui import device, figure, files, layout, page, permalink, same_in_python, text
from ui.classroom import asked
from ui.lessons import parts
from ui.models import model_cache, typing_turns
from ui.models.attempt import attempt, can_ask, say_special
from ui.models.choice import alone, choose_model, speaks
from ui.page import terms
from ui.session import SessionValue
from ui.state import LESSON, PRESENT, paragraph, select

ENDS = N_("end of text")
SHOWN = 10  # tokens with a bar
_DRAWN = SessionValue("next word drawn", "")  # the view of the run before
SAYS_IT = ("presented-line", "next-word-picture")  # the parts that say what comes next
NAMED = 200  # tokens whose spelling the browser gets: one of the others is rarely drawn


def show(s: NextWordState) -> None:
    view = select(s.view, each(VIEWS), _("View"), style="segments")
    other = _DRAWN.get() not in ("", view)
    _DRAWN.set(view)
    said = _("Computing “{view}” …").format(view=gettext(VIEWS[view]))
    with page.without_rest(said if other else ""):
        _show(s, view)


def _show(s: NextWordState, view: str) -> None:
    body, progress, instead = st.container(), st.container(), st.empty()
    waits = recorded.waiting(s.model.get())
    with body:
        box = st.container()  # in every run, so that the places below keep theirs
    if apart := view in ASKS or waits or _tells_of_text():
        with box, st.container():  # where a part has its own: the box stays as it is in the next run
            typed = paragraph(s.text, _("Text"), changed=s.forget) if view not in ASKS else ""
    with body, st.container(gap=None):
        # Each view has a place of its own: what another one has left in its place goes at once.
        place = {one: st.container() if one == view else st.empty() for one in VIEWS}[view]
    if waits:
        # On the screen before the model is fetched and read; it stays if the model cannot be had.
        with instead.container():
            recorded.show(s.text.get() if view not in ASKS else "")
    with progress:
        fits = alone if view in MASKED_TOO else speaks
        model = choose_model(model_cache.reader, chosen=s.model, fits=fits, changed=s.forget)
    if model is None:
        return
    if view == NextWordState.view.default:
        device.switch(model, (LANGUAGE_MODEL,))
    if waits:
        instead.empty()
    with place:
        if not apart:
            page.part(_typed, None, s, view, model)
        elif _can_show(s, view, model, typed):
            page.part(SHOW[view], None, s, model)


def _tells_of_text() -> bool:
    """Whether something around the view tells of the text as well: a lesson, or what a class sees."""
    return bool(LESSON.get() or PRESENT.get() or asked.is_open())


# The session stores the arguments of a part as long as the visitor stays: names, no results.
def _typed(s: NextWordState, view: str, model: str) -> None:
    """The text, and what the view shows of it: a key reruns no more of the page than this."""
    if _tells_of_text():  # since a moment ago
        st.rerun()
    if _can_show(s, view, model, paragraph(s.text, _("Text"), changed=s.forget)):
        SHOW[view](s, model)


def _can_show(s: NextWordState, view: str, model: str, typed: str) -> bool:
    """Whether a view can show a text by a model; if not, the page says why."""
    for one in permalink.unread():
        st.warning(captions.unread(one))
    if view not in ASKS and not _can_ask(typed, model):
        return False
    predicts = model_cache.model(model).predicts
    _leave_out_unknown(s, model)
    if predicts != "next" and not (predicts and view in MASKED_TOO):
        st.info(_does_not(model))
        return False
    if view not in ASKS:
        say_special(model, typed, _("The text"))
    return True


def _can_ask(typed: str, model: str) -> bool:
    """Whether the model can go on from a text; if not, the page says why."""
    if typed.strip():
        return can_ask(typed, _("The text"))
    name = text.plain(model_cache.title(model))
    st.info(sentence("next-word.empty", model=name))
    return False


def _leave_out_unknown(s: NextWordState, model: str) -> None:
    """Leave out the tokens of a link that the model does not have, and say so."""
    most = model_cache.model(model).n_vocabulary
    unknown = sorted({i for path in (s.written.get(), *s.tried.get()) for i in path if i >= most})
    if unknown:
        s.forget()
    if more := [i for i in s.chat_answer.get() if i >= most]:
        s.chat_answer.set(())
    if unknown or more:
        name = text.plain(model_cache.title(model))
        st.warning(captions.unknown_tokens([*unknown, *more], most, name))


def _does_not(model: str) -> str:
    """That a model does not predict the next token (Markdown)."""
    reason = model_cache.no_predictions(model)
    if model_cache.model(model).predicts == "masked":
        reason = _(
            "It fills in words behind a mask and was not trained to go on: *Heads* shows what it "
            "expects behind a mask, and *Layer by layer* what each of its layers would say."
        )
    name = text.plain(model_cache.title(model))
    return _("**{name}** does not predict the next word. {reason}").format(
        name=name, reason=text.plain(reason)
    )


def variant(s: NextWordState) -> str:
    """Each view has its own words; the first has those of the page."""
    view = s.view.get()
    return "" if view == NextWordState.view.default else view


def _below(s: NextWordState, model: str) -> None:
    typed = attempt(ending.read_of, s, model)
    if typed is None:
        return
    with st.container(key="presented line"):  # stays with the bars in front of a class
        stopping, message = st.empty(), st.empty()
    drawn = False

    def show_writing(now: writing.Writing) -> None:
        nonlocal drawn
        if not drawn:
            with stopping.container():
                writing.progress(now)
        drawn = True
        message.markdown(f"… {writing.said(now)}")

    if writing.go_on(s, model, show_writing):
        writing.again()
    stopping.empty()
    with typing_turns.turn(typed):
        _answer(s, model, typed, message)


def _answer(s: NextWordState, model: str, typed: str, message: DeltaGenerator) -> None:
    """What the model says behind a text, and what led to it."""
    found = attempt(reading.read, model, typed, s.written.get())
    if found is None:
        message.empty()
        return
    ends, ids = model_cache.model(model).ends, s.written.get()
    so_far = found.score.text if found.score is not None else typed
    said = captions.headline(
        found.top(10), ends=ends, ended=bool(ids) and ids[-1] in ends, before=so_far
    )
    headline.write(message, said, so_far)
    asked = guesses.waits(so_far)  # the wall stands above: the class would read the answer below it
    if asked or s.guessing.get():
        st.html(parts.covered(SAYS_IT, "" if asked else _("Hidden for a class.")))
    if s.guessing.get() and not asked:
        guesses.before_it(s, model)
    device.line(model, partial(on_device.context, s, typed), (LANGUAGE_MODEL,))
    if s.temperature.get() != 1:
        st.caption(sentence("next-word.at-one"))
    if typed != s.text.get():
        st.info(ending.said(model, typed))
    with st.container(key="surprise text"):
        surprise = None if found.score is None else shaded.show(s, found.score)
    writing.buttons(s, model)
    labels = labels_of(found, ends, so_far)
    bars = picture_of(s, found, labels, said)
    with st.container(key="next word picture"):
        figure.show(
            bars,
            on_device.PICTURE,
            on_bar=partial(_take, s, found),
            on_state=s.take_sampling,
            saved_as=[files.csv(partial(_table, found), "next-word")],
            scale=layout.scale(),
            of=[s.text.get()],
        )
    terms.caption(sentence("next-word.sliders"), "sliders")
    if any(hidden.word() in one for one in labels[:SHOWN]):
        st.caption(hidden.note())
    if any(map(has_bytes, labels[:SHOWN])):
        st.caption(gettext(captions.BYTES))
    notes = captions.trailing(s.text.get(), len(ids)), captions.forbidden(len(found.forbidden))
    for note in filter(None, notes):
        st.caption(note)
    if found.score is not None:
        known = reading.known_behind_a_sink(model)
        terms.caption(captions.surprise(found.score, len(ids), known), "surprise")
    if note := captions.noise(len(ids), s.sampling(), model_cache.model(model).n_vocabulary):
        st.caption(note)
    writing.choices(s)
    tried = tree.show(s, model)
    if found.score is not None:
        beside.show(s, model, found.score)
        keeps.show(s, model, found.score)
    if not s.guessing.get():
        guesses.show(s, model)
    saved.button(s, model, said, [one for one in (surprise, bars, tried) if one is not None])
    same_in_python.show(s.python, partial(python.lines, s, model), model)


def labels_of(found: NextToken, ends: frozenset[int], before: str) -> list[str]:
    """The names of the likeliest tokens; of an end, that it is one."""
    count = min(NAMED, MOST_PREDICTIONS, len(found.ids))
    spellings = [one or name for one, name in zip(found.texts, found.tokens, strict=True)]
    texts = hidden.shown(before, spellings[:count])
    return [gettext(ENDS) if one in ends else name for one, name in zip(found.ids, texts, strict=False)]


def picture_of(s: NextWordState, found: NextToken, labels: list[str], said: str) -> Picture:
    """The bars, with the number that would draw the next token: out of what is drawn from."""
    said = said.replace("*", "")
    return next_word(
        np.sort(found.logits)[::-1],
        labels,
        sentence=sentence("next-word.bars", said=said),
        name="next-word",
        number=uniform(s.seed.get(), found.expectation.position + 1),
        state=s.sampling(),
    )


def _table(found: NextToken) -> pd.DataFrame:
    """The likeliest tokens, by rank, with what cannot be seen by its sign."""
    frame = found.to_frame()
    return frame.assign(token=[spelled(one) for one in frame["token"]])


def _take(s: NextWordState, found: NextToken, place: int) -> None:
    """Go on with the token of a bar."""
    if place < len(found.ids):
        s.put((*s.written.get(), found.ids[place]))


SHOW = {
    "next": _below,
    "layers": layers.show,
    "why": why.show,
    "prompts": prompts.show,
    "copying": copying.show,
    "chat": chat.show,
}
ASKS = {"prompts", "copying", "chat"}  # these have boxes of their own
MASKED_TOO = {"layers"}  # these also show a model that fills in masked words

page.run(__file__, NextWordState, show, variant=variant, picture="next-word-picture", translated=True)
