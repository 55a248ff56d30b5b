"""Parts of a page that more than one page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.figures import style
from core.figures.web import heatmap, strips
from core.measures import WordPath, head_map
from core.trace import Trace
from ui import answers, controls, frame, shelf, text, web


class Head(NamedTuple):
    """Which head of which sentence, and how that sentence is marked. Layer and head from 0."""

    sentence: str
    layer: int
    head: int
    label: str
    colour: str


def head(shown: Head, trace: Trace, word: str | None, *, special: bool) -> None:
    """One head as a heatmap, with its strongest looks in words and its weights as CSV."""
    view = controls.attempt(head_map, trace, shown.layer, shown.head, special=special)
    if view is None:
        return
    rows = view.rows(trace.find(word)) if word else ()
    where = f"{style.layer_name(shown.layer)}, head {shown.head + 1}"
    st.markdown(f"{shown.label}, {where}")
    picture = heatmap(
        view,
        sentence=f"Sentence {shown.sentence}, {where}: rows look, columns are looked at.",
        name=f"head-{shown.sentence}",
        marked=rows,
        colour=shown.colour,
    )
    web.show(picture, f"head {shown.sentence}")
    st.caption(text.who_looks(view, rows, word))
    frame.csv(partial(text.head_table, view), f"head-{shown.sentence}")


def numbers(word: str, paths: Mapping[str, WordPath]) -> None:
    """The learned vector of a word and its contextual ones, of sentence "A", "B", …, in numbers."""
    st.subheader(f"The numbers of “{text.plain(word)}”", anchor=False)
    first = next(iter(paths.values()))
    vectors = {"learned": first.vectors[0]}
    vectors |= {f"in {name}": path.vectors[-1] for name, path in paths.items()}
    picture = strips(
        vectors,
        sentence=f"The learned and the contextual vectors of {word} as strips of colour.",
        name="vectors",
        colours={"learned": style.LEARNED, "in A": style.SENTENCE_A, "in B": style.SENTENCE_B},
    )
    web.show(picture, "vectors")
    st.code(text.first_numbers(vectors), language=None)
    st.caption(text.about_vectors(first))
    frame.csv(lambda: text.vector_table(vectors), "vectors")


def proof(model: str, texts: Sequence[str]) -> None:
    """How far our transformer and Hugging Face's lie apart on these texts."""
    st.subheader("Two programs, one answer", anchor=False)
    if shelf.model(model).engine == "huggingface":
        st.info("Our own transformer does not have this model's shape. All numbers are Hugging Face's.")
        return
    asked = [controls.attempt(answers.agreed, model, typed) for typed in texts]
    found = [answer for answer in asked if answer is not None]
    if found:
        st.markdown(text.agreed(found, shelf.model(model).bound))
