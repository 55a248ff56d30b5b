"""Compare, the home page: one word in two sentences."""

from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.figures import head_heatmap, sense_paths, style
from core.measures import agreement, head_map, word_path
from core.settings import OPENING
from core.trace import Trace
from ui import answers, controls, frame, permalink, prose, shelf, text


class Sentence(NamedTuple):
    """One of the two sentences: what it is called, how it is marked, and where it is typed."""

    name: str
    label: str
    typed: permalink.Parameter
    colour: str


_A, _B = permalink.Parameter("a", "a", OPENING.text_a), permalink.Parameter("b", "b", OPENING.text_b)
A = Sentence("A", ":blue[**● Sentence A**]", _A, style.SENTENCE_A)
B = Sentence("B", ":orange[**■ Sentence B**]", _B, style.SENTENCE_B)
WORD = permalink.Parameter("w", "word", OPENING.word)
LOW = permalink.Parameter("lo", "low anchors", ", ".join(OPENING.low.words))
HIGH = permalink.Parameter("hi", "high anchors", ", ".join(OPENING.high.words))
LAYER = permalink.Parameter("l", "layer", 1, permalink.whole(1, 999))
HEAD = permalink.Parameter("h", "head", 1, permalink.whole(1, 999))
SPECIAL = permalink.Parameter("s", "special", False, permalink.switch)
STATE = (controls.MODEL, A.typed, B.typed, WORD, LOW, HIGH, LAYER, HEAD, SPECIAL)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    for place, sentence in zip(st.columns(2), (A, B), strict=True):
        place.text_input(sentence.label, key=sentence.typed.key)
    model = controls.choose_model()
    traces = {
        s: trace
        for s in (A, B)
        if model and (trace := controls.trace(model, s.typed, s.name)) is not None
    }
    picture, beside = st.columns([10, 3], gap="medium")
    with beside:
        word = controls.choose_shared_word(WORD, list(traces.values()))
        controls.edit_senses(LOW, HIGH)
        frame.try_this(words, (A.typed, B.typed, WORD, LOW, HIGH))
    if model and word:
        with picture:
            _path(model, traces, word)
    if model and traces:
        _heads(traces, word)
        left, right = st.columns(2, gap="large")
        if word:
            with left:
                _numbers(traces, word)
        with right:
            _proof(model, traces)
    frame.footnotes(words)
    permalink.publish(STATE)


def _path(model: str, traces: dict[Sentence, Trace], word: str) -> None:
    low, high = (text.words_of(st.session_state[p.key]) for p in (LOW, HIGH))
    axis = controls.attempt(answers.axis, model, low, high)
    if axis is None:
        return
    a, b = (axis.place(word_path(trace, trace.find(word))) for trace in traces.values())
    st.markdown(text.claim(word, a, b, low=low[0], high=high[0]))
    frame.picture(sense_paths(a, b, low=low[0], high=high[0]), "path")
    st.caption(text.path_legend(low, high))
    depths = pd.Index([style.depth_name(depth) for depth in range(len(a))], name="after")
    frame.table(pd.DataFrame({"A": a, "B": b}, index=depths), "path")


def _heads(traces: dict[Sentence, Trace], word: str | None) -> None:
    st.subheader("Who looks at whom", anchor=False)
    grid = next(iter(traces.values())).grid
    layer, head, special = controls.choose_head(LAYER, HEAD, SPECIAL, grid)
    for place, (sentence, trace) in zip(st.columns(2), traces.items(), strict=False):
        view = controls.attempt(head_map, trace, layer, head, special=special)
        if view is None:
            continue
        rows = view.rows(trace.find(word)) if word else ()
        root = len(view.keys) > style.LINEAR_UP_TO
        figure = head_heatmap(view, marked=rows, colour=sentence.colour, root=root)
        with place:
            st.markdown(f"{sentence.label}, {style.layer_name(layer)}, head {head + 1}")
            frame.picture(figure, f"head-{sentence.name}")
            st.caption(text.who_looks(view, rows, word))
            frame.csv(partial(text.head_table, view), f"head-{sentence.name}")


def _numbers(traces: dict[Sentence, Trace], word: str) -> None:
    st.subheader(f"The numbers of “{text.plain(word)}”", anchor=False)
    paths = {s: word_path(trace, trace.find(word)) for s, trace in traces.items()}
    vectors = {"learned": paths[A].vectors[0]}
    vectors |= {f"in {s.name}": path.vectors[-1] for s, path in paths.items()}
    st.code(text.first_numbers(vectors), language=None)
    st.caption(text.about_vectors(paths[A]))
    frame.csv(lambda: text.vector_table(vectors), "vectors")


def _proof(model: str, traces: dict[Sentence, Trace]) -> None:
    st.subheader("Two programs, one answer", anchor=False)
    if shelf.model(model).engine == "huggingface":
        st.info("Our own transformer does not have this model's shape. All numbers are Hugging Face's.")
        return
    typed = [st.session_state[s.typed.key] for s in traces]
    others = [controls.attempt(answers.trace, model, t, engine="huggingface") for t in typed]
    pairs = [(t, other) for t, other in zip(traces.values(), others, strict=True) if other is not None]
    if pairs:
        st.markdown(text.agreed([agreement(*pair) for pair in pairs], shelf.model(model).bound))


page()
