"""Draw the view Chat."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import Picture, labelled_text, next_word
from core.figures.labels import spelled
from core.language import uniform
from core.localization import N_, _, gettext
from core.records.chat import Chat
from core.records.pieces import has_bytes
from core.records.prediction import Expectation
from core.sentences import sentence
from core.settings import MOST_PREDICTIONS
from pages.next_word import captions as of_bars
from pages.next_word import hidden
from pages.next_word.chat import answering, captions, python, reading
from pages.next_word.state import NextWordState
from ui import figure, files, layout, same_in_python, text
from ui.models import model_cache
from ui.models.attempt import attempt, can_ask
from ui.page import terms
from ui.state import paragraph

# In the order of the colours of `core.figures.style.KINDS_ON_LIGHT`.
KINDS = (
    N_("the template"),
    N_("a sentence of the template’s own"),
    N_("system message"),
    N_("you"),
    N_("the model"),
)
_OF_ROLE = {"template": 0, "system": 2, "user": 3, "assistant": 4}
SIGN = N_("a special token: only the template and the model write it")
ENDS = N_("end of message")
SHOWN = 10  # tokens with a bar
NAMED = 200  # tokens whose spelling the browser gets


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    loaded = attempt(reading.reader, model)
    if loaded is None:
        return
    forget = partial(answering.forget, s)
    message = paragraph(s.chat_message, _("Your message"), changed=forget)
    with st.expander(_("System message (optional)"), expanded=bool(s.chat_system.get())):
        paragraph(s.chat_system, _("System message"), changed=forget)
    if not loaded.has_template:
        st.info(
            _(
                "**{name}** comes without a chat template: it was not made for conversations. It "
                "reads your message as any other text, and goes on with it."
            ).format(name=text.plain(model_cache.title(model)))
        )
    if not message.strip() and s.chat_turns.get():
        st.info(_("Type your next message above."))
        _earlier(s)
        return
    if not can_ask(message, _("Your message")):
        return
    top, story = st.empty(), st.empty()
    answering.go_on(s, model, lambda said: story.markdown(f"… {text.plain(hidden.text(said))}"))
    story.empty()
    said, answer = answering.said(s), s.chat_answer.get()
    chat = attempt(reading.chat, model, said, answer)
    if chat is None:
        return
    top.markdown(f"#### {captions.headline(chat, len(answer), template=loaded.has_template)}")
    if note := captions.added(chat):
        terms.caption(note, "chat template")
    at = where(s, chat, model_cache.model(model).ends)
    figure.show(
        picture(chat, len(answer), at),
        "chat",
        on_bar=partial(_look, s, len(chat)),
        saved_as=[files.csv(partial(_table, chat), "chat")],
        scale=layout.scale(),
    )
    answering.buttons(s, model)
    if note := captions.letters(chat):
        terms.caption(note, "chat letters")
    expectation = attempt(reading.expects, model, said, answer, at)
    if expectation is not None:
        _bars(s, model, chat, expectation, at)
    same_in_python.show(s.python, partial(python.lines, s, model, loaded.has_template), model)


def where(s: NextWordState, chat: Chat, ends: frozenset[int]) -> int:
    """The token behind which the bars look; where the answer has ended, that before the sign."""
    if 0 <= s.chat_at.get() < len(chat):
        return s.chat_at.get()
    ended = bool(s.chat_answer.get()) and chat.ids[-1] in ends
    return max(0, len(chat) - 1 - ended)


def _earlier(s: NextWordState) -> None:
    for said, answered in s.chat_turns.get():
        st.markdown(_("**You:** {said}").format(said=text.plain(said)))
        st.markdown(_("**The model:** {said}").format(said=text.plain(hidden.text(answered))))


def picture(chat: Chat, answered: int, at: int) -> Picture:
    """All that the model reads, each token in the colour of who wrote it; the token `at` is chosen."""
    kinds = [1 if added else _OF_ROLE[role] for role, added in zip(chat.roles, chat.added, strict=True)]
    read = len(chat) - answered
    made = labelled_text(
        hidden.pieces(chat.pieces),
        kinds,
        [gettext(one) for one in KINDS],
        unit=_("written by"),
        sentence=_(
            "What the model reads, {count} tokens, each with who wrote it, and its answer."
        ).format(count=read),
        name="chat",
        framed=[i for i, sign in enumerate(chat.special) if sign],
        frame=gettext(SIGN),
        notes=[
            _("token {number}, id {id}").format(number=i + 1, id=number)
            for i, number in enumerate(chat.ids)
        ],
        first_written=read if answered else None,
        chosen=at,
    )
    return made


def _look(s: NextWordState, count: int, place: int) -> None:
    """Show what the model expects behind a token."""
    s.chat_at.set(min(place, count - 1))


def _bars(s: NextWordState, model: str, chat: Chat, expectation: Expectation, at: int) -> None:
    ends = model_cache.model(model).ends
    names = chat.pieces
    top = expectation.top(min(NAMED, MOST_PREDICTIONS, len(expectation.ids)), 1.0)
    before = "".join(names[: at + 1])
    top = replace(top, texts=tuple(hidden.shown(before, top.texts)))
    said = of_bars.headline(top, ends=ends)
    behind = text.plain(hidden.text(spelled(names[at])))
    came = ""
    if at + 1 < len(chat):
        came = _(" There came *{word}*.").format(word=text.plain(hidden.text(spelled(names[at + 1]))))
    where = (
        _("At the end")
        if at + 1 == len(chat)
        else _("Behind token {number}, *{word}*").format(number=at + 1, word=behind)
    )
    st.markdown(f"**{where}.** {said}{came}")
    if at + 1 == len(chat) and not s.chat_answer.get():
        st.caption(gettext(captions.FIRST_TOKENS))
    if s.chat_answer.get() and wanders(s):
        st.caption(gettext(captions.WANDERS))
    if any(map(has_bytes, top.texts[:SHOWN])):
        st.caption(gettext(of_bars.BYTES))
    figure.show(
        bars(s, expectation, top.texts, ends),
        "chat next word",
        on_bar=partial(_take, s, expectation) if at + 1 == len(chat) else None,
        on_state=s.take_sampling,
        saved_as=[files.csv(partial(_table_of, expectation), "next-word")],
        scale=layout.scale(),
    )
    terms.caption(sentence("next-word.sliders"), "chat sliders")


def wanders(s: NextWordState) -> bool:
    """Whether chance may draw any token, so that one unlikely token can lead an answer astray."""
    narrowed = s.top_k.get() or s.top_p.get() < 1 or s.min_p.get()
    return s.temperature.get() >= 1 and not narrowed


def bars(
    s: NextWordState, expectation: Expectation, texts: tuple[str, ...], ends: frozenset[int]
) -> Picture:
    """The likeliest tokens at one point of the conversation."""
    labels = [
        gettext(ENDS) if i in ends else name for i, name in zip(expectation.ids, texts, strict=False)
    ]
    return next_word(
        np.sort(expectation.logits)[::-1],
        labels,
        sentence=_("The ten likeliest next tokens, and all others."),
        name="chat-next-word",
        number=uniform(s.seed.get(), expectation.position + 1),
        state=s.sampling(),
    )


def _take(s: NextWordState, expectation: Expectation, place: int) -> None:
    """Go on with the token of a bar."""
    if place < len(expectation.ids):
        answering.put(s, expectation.ids[place])


def _table(chat: Chat) -> pd.DataFrame:
    return chat.to_frame()


def _table_of(expectation: Expectation) -> pd.DataFrame:
    top = expectation.top(min(MOST_PREDICTIONS, len(expectation.ids)), 1.0)
    return pd.DataFrame(
        {"token": [spelled(one) for one in top.texts], "id": top.ids, "probability": top.probabilities},
        index=pd.RangeIndex(1, len(top.ids) + 1, name="place"),
    )
