"""Compare, the home page: one word in two sentences."""

from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.figures import Plane, sense_paths, style, word_plane
from core.measures import SenseAxis, WordPath, across, cosines, plane, word_path
from core.settings import OPENING, AnchorGroup
from core.trace import Trace
from ui import answers, controls, frame, permalink, prose, sections, text


class Sentence(NamedTuple):
    """One of the two sentences: what it is called, how it is marked, and where it is typed."""

    name: str
    label: str
    typed: permalink.Parameter
    colour: str


_A, _B = permalink.Parameter("a", "a", OPENING.text_a), permalink.Parameter("b", "b", OPENING.text_b)
A = Sentence("A", ":blue[**● Sentence A**]", _A, style.SENTENCE_A)
B = Sentence("B", ":orange[**■ Sentence B**]", _B, style.SENTENCE_B)
Groups = tuple[AnchorGroup, AnchorGroup]
WORD = permalink.Parameter("w", "word", OPENING.word)
LOW = permalink.Parameter("lo", "low anchors", ", ".join(OPENING.low.words))
HIGH = permalink.Parameter("hi", "high anchors", ", ".join(OPENING.high.words))
LAYER = permalink.Parameter("l", "layer", 1, permalink.whole(1, 999))
HEAD = permalink.Parameter("h", "head", 1, permalink.whole(1, 999))
BACK = permalink.Parameter("d", "layers back", 0, permalink.whole(0, 999))
SPECIAL = permalink.Parameter("s", "special", False, permalink.switch)
LESSON = (A.typed, B.typed, WORD, LOW, HIGH)  # what a preset sets
STATE = (controls.MODEL, *LESSON, BACK, LAYER, HEAD, SPECIAL)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    for place, sentence in zip(st.columns(2), (A, B), strict=True):
        with place.container(gap="xxsmall"):
            st.markdown(sentence.label)  # a coloured label would be read out with its Markdown
            st.text_input(
                f"Sentence {sentence.name}", key=sentence.typed.key, label_visibility="collapsed"
            )
    model = controls.choose_model()
    traces = {
        s: trace
        for s in (A, B)
        if model and (trace := controls.trace(model, s.typed, s.name)) is not None
    }
    choose, senses, examples = st.columns([2, 2, 5], vertical_alignment="bottom")
    with choose:
        word = controls.choose_shared_word(WORD, list(traces.values()))
    with senses:
        controls.edit_senses(LOW, HIGH)
    with examples:
        controls.choose_preset(LESSON)
    if model and word:
        _comparison(model, traces, word)
    frame.try_this(words, LESSON)
    if model and traces:
        _heads(traces, word)
        left, right = st.columns(2, gap="large")
        if word:
            with left:
                sections.numbers(word, {s.name: word_path(t, t.find(word)) for s, t in traces.items()})
        with right:
            sections.proof(model, [st.session_state[s.typed.key] for s in traces])
    frame.footnotes(words)
    permalink.publish(STATE)


def _comparison(model: str, traces: dict[Sentence, Trace], word: str) -> None:
    low, high = (text.group_of(st.session_state[p.key]) for p in (LOW, HIGH))
    axis = controls.attempt(answers.axis, model, low.words, high.words)
    if axis is None:
        return
    a, b = (word_path(trace, trace.find(word)) for trace in traces.values())
    places = [axis.place(path) for path in (a, b)]
    st.markdown(text.claim(word, *places, low=low.name, high=high.name))
    if hint := controls.look_for(*(st.session_state[s.typed.key] for s in traces)):
        st.caption(f"Look for: {hint}")
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The path**, layer by layer")
        frame.picture(sense_paths(*places, low=low.name, high=high.name), "path")
        st.caption(text.path_legend(low.words, high.words))
        depths = pd.Index([style.depth_name(depth) for depth in range(len(places[0]))], name="after")
        frame.table(pd.DataFrame(dict(zip("AB", places, strict=True)), index=depths), "path")
    with right:
        _move(model, {"A": a, "B": b}, axis, (low, high), word)
    known = answers.known(model, word, low.words, high.words)
    gap = float(abs(places[0][-1] - places[1][-1]))
    st.markdown(text.read_cosine(float(cosines(a, b)[-1]), gap, known, word))


def _move(model: str, paths: dict[str, WordPath], axis: SenseAxis, groups: Groups, word: str) -> None:
    anchors = [dict(zip(g.words, answers.anchors(model, g.words), strict=True)) for g in groups]
    up = controls.attempt(across, axis, [path for group in anchors for path in group.values()])
    if up is None:
        return
    title, slider = st.columns([2, 3], vertical_alignment="bottom")
    title.markdown("**The move**, in the plane")
    with slider:
        depth = controls.choose_depth(BACK, paths["A"].n_layers)
    alone = controls.attempt(answers.anchors, model, (word,))
    if alone is None:
        return
    low, high = ({w: plane(axis, up, path) for w, path in group.items()} for group in anchors)
    a, b, only = (plane(axis, up, path) for path in (paths["A"], paths["B"], *alone))
    shown = Plane(a, b, only, low, high)
    frame.picture(word_plane(shown, depth=depth), "move")
    st.caption(text.plane_legend(word, up.share))
    frame.csv(partial(text.plane_table, shown), "move")


def _heads(traces: dict[Sentence, Trace], word: str | None) -> None:
    st.subheader("Who looks at whom", anchor=False)
    grid = next(iter(traces.values())).grid
    layer, head, special = controls.choose_head(LAYER, HEAD, SPECIAL, grid)
    for place, (sentence, trace) in zip(st.columns(2), traces.items(), strict=False):
        with place:
            where = sections.Head(sentence.name, layer, head, sentence.label, sentence.colour)
            sections.head(where, trace, word, special=special)


page()
