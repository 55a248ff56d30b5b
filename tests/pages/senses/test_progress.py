"""The progress shown while a query over many sentences runs."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _gone_on_with() -> None:
    from types import SimpleNamespace

    import numpy as np
    import streamlit as st

    from core.measures.senses.occurrences import Occurrences
    from pages.senses import progress as wait
    from ui.models import word_vectors

    asked = word_vectors.OccurrenceQuery("minilm", "bank", ("a bank", "two banks", "the bank"))
    reached = asked._replace(texts=asked.texts[:2])
    learned, hidden = np.ones((2, 3), np.float32), np.ones((2, 5, 7), np.float32)
    word_vectors.put(word_vectors.CachedOccurrences(reached, Occurrences(learned, hidden, (0, 1)), {}))

    def job(of: word_vectors.OccurrenceQuery, state: str) -> SimpleNamespace:
        on = state == "working"
        nothing = of._replace(texts=())
        return SimpleNamespace(query=of, error=None, active=on, state=state, reached=nothing)

    st.session_state["senses job"] = SimpleNamespace(reached=reached)
    wait._go_on()
    other = asked._replace(texts=("a bank", "another bank", "the bank"))
    for question, state in ((asked, "working"), (asked, "stopped"), (other, "working")):
        st.session_state["senses job"] = job(question, state)
        found = wait.answer(question).cached
        st.write("nothing" if found is None else f"{len(found.query.texts)} of 3, {state}")
    word_vectors.forget()


def test_what_was_reached_stays_while_the_rest_is_read() -> None:
    app = AppTest.from_function(_gone_on_with).run()
    assert not app.exception, app.exception
    assert [one.value for one in app.markdown] == ["2 of 3, working", "2 of 3, stopped", "nothing"]
