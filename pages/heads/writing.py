"""A model writes on: one word that is chosen, or some that are drawn; all of it can be taken back."""

from __future__ import annotations

import random
from typing import NamedTuple

import streamlit as st

from core.errors import PolyseeError
from core.records.prediction import Expectation, Prediction
from core.records.seq2seq import Seq2SeqTrace
from pages.heads.state import HeadsState
from ui import text
from ui.models import answers, model_cache
from ui.query import TextQuery
from ui.state import SessionValue

MOST_AT_ONCE = 10  # words that are written at one press
_REFUSED = SessionValue("why nothing was written", "")


def likeliest(s: HeadsState, one: Expectation) -> Prediction:
    """The likeliest words, at the temperature and as many as are chosen."""
    return one.top(s.likeliest.get(), s.temperature.get())


class Writing(NamedTuple):
    """What is written on: all that the buttons need, and no answer of a model.

    Attributes:
        s: what is chosen on the page.
        text_query: what the model is asked.
        side: which of the two models it is, 0 or 1.
    """

    s: HeadsState
    text_query: TextQuery
    side: int

    def buttons(self) -> None:
        """Write on, or take back."""
        number = self.side
        if self.text_query.more:
            st.markdown(f"Continuation: **{text.plain(self.written())}**")
        if refused := _REFUSED.take():
            st.info(text.plain(refused))
        with st.container(horizontal=True, gap="small"):
            st.button("Most likely", key=f"likeliest {number}", on_click=self.write, args=(1, 0.0))
            st.button("Sample one", key=f"draw {number}", on_click=self.write, args=(1, None))
            st.button(
                f"Sample {MOST_AT_ONCE}",
                key=f"draw more {number}",
                on_click=self.write,
                args=(MOST_AT_ONCE, None),
            )
        with st.container(horizontal=True, gap="small"):
            none = not self.text_query.more
            st.button("Undo one", key=f"back {number}", on_click=self.back, disabled=none)
            st.button("Start over", key=f"again {number}", on_click=self.put, args=((),), disabled=none)
        st.caption(
            "Words are sampled with these probabilities, among the words shown, at this "
            "temperature. The pictures above show the attention over the continuation."
        )

    def written(self) -> str:
        """The words of the tokens that were added."""
        answer = answers.answer(self.text_query)
        of = answer.decoder if isinstance(answer, Seq2SeqTrace) else answer
        count = len(self.text_query.more)
        read = of.texts[-1][of.offsets[-count][0] :]
        return read if read.strip() else " ".join(of.tokens[-count:])  # an end sign reads as nothing

    def take(self, index: int) -> None:
        """Write the word of a bar."""
        try:
            ids = likeliest(self.s, answers.expects(self.text_query)[0]).ids
        except PolyseeError:
            return
        if 0 <= index < len(ids):
            self.put((*self.text_query.more, ids[index]))

    def write(self, steps: int, temperature: float | None) -> None:
        """Let the model write; `temperature` 0 for the likeliest words, None for the one chosen."""
        text_query = self.text_query
        if temperature is None:
            temperature = self.s.temperature.get()
        try:
            new = model_cache.model(text_query.model).generate(
                text_query.text,
                text_query.second,
                more=text_query.more,
                steps=steps,
                temperature=temperature,
                top_k=self.s.likeliest.get(),
                seed=random.getrandbits(31),
            )
        except PolyseeError as error:
            _REFUSED.set(str(error))
            return
        if not new:
            _REFUSED.set("Nothing follows: the text has ended, or has reached its maximum length.")
            return
        self.put((*text_query.more, *new))

    def back(self) -> None:
        """Without the last word."""
        self.put(self.text_query.more[:-1])

    def put(self, more: tuple[int, ...]) -> None:
        """This is what is written on, if the model takes it."""
        try:
            answers.answer(self.text_query._replace(more=more))
        except PolyseeError as error:
            _REFUSED.set(str(error))
            return
        self.s.sides[self.side].more.set(more)
