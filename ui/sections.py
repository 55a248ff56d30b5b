"""Parts of a page that more than one page shows."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.measures import WordPath, agreement
from core.trace import Trace
from ui import answers, controls, frame, shelf, text


def numbers(word: str, paths: Mapping[str, WordPath]) -> None:
    """The learned vector of a word and its contextual ones, of sentence "A", "B", …, in numbers."""
    st.subheader(f"The numbers of “{text.plain(word)}”", anchor=False)
    first = next(iter(paths.values()))
    vectors = {"learned": first.vectors[0]}
    vectors |= {f"in {name}": path.vectors[-1] for name, path in paths.items()}
    st.code(text.first_numbers(vectors), language=None)
    st.caption(text.about_vectors(first))
    frame.csv(lambda: text.vector_table(vectors), "vectors")


def proof(model: str, traces: Mapping[str, Trace]) -> None:
    """How far our transformer and Hugging Face's lie apart on these texts: text -> its trace."""
    st.subheader("Two programs, one answer", anchor=False)
    if shelf.model(model).engine == "huggingface":
        st.info("Our own transformer does not have this model's shape. All numbers are Hugging Face's.")
        return
    found = []
    for typed, trace in traces.items():
        other = controls.attempt(answers.trace, model, typed, engine="huggingface")
        if other is not None:
            found.append(agreement(trace, other))
    if found:
        st.markdown(text.agreed(found, shelf.model(model).bound))
