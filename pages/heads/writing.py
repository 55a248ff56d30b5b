"""A model continues a text: by a chosen word, or by sampled ones; every word can be taken back."""

from __future__ import annotations

import random
from typing import NamedTuple

import streamlit as st

from core.errors import PolyseeError, without_paths
from core.localization import _, said
from core.records.prediction import Expectation, Prediction
from core.records.seq2seq import Seq2SeqTrace
from pages.heads.state import HeadsState
from ui import text
from ui.models import answers, model_cache
from ui.query import TextQuery
from ui.state import SessionValue

MOST_AT_ONCE = 10  # words written per click
_REFUSED = SessionValue("why nothing was written", "")


def likeliest(s: HeadsState, one: Expectation) -> Prediction:
    """The likeliest words, at the chosen temperature and number."""
    return one.top(s.likeliest.get(), s.temperature.get())


class Writing(NamedTuple):
    """A continuation: everything that the buttons need, but no results of a model.

    Attributes:
        s: the state of the page.
        text_query: the query to the model.
        side: the index of the model, 0 or 1.
    """

    s: HeadsState
    text_query: TextQuery
    side: int

    def buttons(self) -> None:
        """Draw the buttons to continue, or to take words back."""
        number = self.side
        if self.text_query.more:
            st.markdown(_("Continuation: **{text}**").format(text=text.plain(self.written())))
        if refused := _REFUSED.take():
            st.info(text.plain(refused))
        with st.container(horizontal=True, gap="small"):
            st.button(_("Most likely"), key=f"likeliest {number}", on_click=self.write, args=(1, 0.0))
            st.button(_("Sample one"), key=f"draw {number}", on_click=self.write, args=(1, None))
            st.button(
                _("Sample {count}").format(count=MOST_AT_ONCE),
                key=f"draw more {number}",
                on_click=self.write,
                args=(MOST_AT_ONCE, None),
            )
        with st.container(horizontal=True, gap="small"):
            none = not self.text_query.more
            st.button(_("Undo one"), key=f"back {number}", on_click=self.back, disabled=none)
            st.button(
                _("Start over"), key=f"again {number}", on_click=self.put, args=((),), disabled=none
            )
        st.caption(
            _(
                "Each word is drawn from the words shown, with their probabilities at this "
                "temperature. The pictures above show the attention over the continuation."
            )
        )

    def written(self) -> str:
        """The text of the appended tokens."""
        answer = answers.answer(self.text_query)
        of = answer.decoder if isinstance(answer, Seq2SeqTrace) else answer
        count = len(self.text_query.more)
        read = of.texts[-1][of.offsets[-count][0] :]
        return read if read.strip() else " ".join(of.tokens[-count:])  # an end token has no text

    def take(self, index: int) -> None:
        """Write the word of a bar."""
        try:
            ids = likeliest(self.s, answers.expects(self.text_query)[0]).ids
        except PolyseeError:
            return
        if 0 <= index < len(ids):
            self.put((*self.text_query.more, ids[index]))

    def write(self, steps: int, temperature: float | None) -> None:
        """Let the model continue; `temperature` 0 for the likeliest words, None for the chosen one."""
        text_query = self.text_query
        if temperature is None:
            temperature = self.s.temperature.get()
        try:
            written = model_cache.model(text_query.model).generate(
                text_query.text,
                steps,
                second=text_query.second,
                more=text_query.more,
                temperature=temperature,
                top_k=self.s.likeliest.get(),
                seed=random.getrandbits(31),
            )
            new = tuple(one.id for one in written)
        except PolyseeError as error:
            _REFUSED.set(without_paths(said(error)))
            return
        if not new:
            _REFUSED.set(_("Nothing follows: the text has ended, or has reached its maximum length."))
            return
        self.put((*text_query.more, *new))

    def back(self) -> None:
        """Remove the last word."""
        self.put(self.text_query.more[:-1])

    def put(self, more: tuple[int, ...]) -> None:
        """Replace the appended tokens, if the model accepts them."""
        try:
            answers.answer(self.text_query._replace(more=more))
        except PolyseeError as error:
            _REFUSED.set(without_paths(said(error)))
            return
        self.s.sides[self.side].more.set(more)
