"""Heads: every head of a model on one text, from all of them down to one product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.figures.web import Picture
from core.measures import PATTERNS, PatternScores
from core.settings import OPENING
from ui import (
    answers,
    controls,
    frame,
    ladder,
    ladder_choices,
    ladder_saved,
    layer_state,
    permalink,
    prose,
)
from ui.sites import PARTS, Site, first_of, part, sites, whole_words
from ui.web import Head

TEXT = permalink.Parameter("t", "heads text", OPENING.text_a)
SECOND = permalink.Parameter("t2", "heads second", "")
LAYER = permalink.Parameter("l", "heads layer", 0, permalink.whole(0, 999))  # 0: all of them
WORDS = permalink.Parameter("u", "heads words", False, permalink.switch)
PATTERN = permalink.Parameter("f", "heads pattern", None, permalink.one_of(*PATTERNS))
TOKEN = permalink.Parameter("x", "heads token", 0, permalink.whole(0, 99_999))  # 0: none
PLACE = permalink.Parameter("e", "heads place", 0, permalink.whole(0, 2))  # in an encoder–decoder
PART = permalink.Parameter("n", "heads part", "", permalink.one_of("", *PARTS))  # of a pair
WAY = permalink.Parameter("y", "heads way", "to", permalink.one_of("to", "from"))
WITHIN = layer_state.PARAMETERS
LESSON = (TEXT, SECOND, LAYER, PLACE, PART, WORDS, PATTERN, TOKEN, WAY, *WITHIN.values())
STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    left, right = st.columns([3, 1])
    left.text_input("Text", key=TEXT.key)
    right.text_input("Second text of a pair", key=SECOND.key, placeholder="none")
    model = controls.choose_model()
    frame.tools(STATE)
    typed, second = (str(st.session_state[parameter.key]) for parameter in (TEXT, SECOND))
    asked = controls.fits(typed, "The text") and controls.fits(second or "-", "The second text")
    if model and asked:
        found = controls.attempt(answers.trace, model, typed, second or None)
        if found is not None and controls.reads(first_of(found), typed, "The text"):
            _ladder(model, typed, second)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


# It keeps what it is called with as long as the visitor stays: strings, no trace. So do its files.
@st.fragment
def _ladder(model: str, typed: str, second: str) -> None:
    found = controls.attempt(sites, answers.trace(model, typed, second or None))
    if found is None:
        return
    place = ladder_choices.choose_place([*found], PLACE, _publish)
    pair = bool(second) and len(found) == 1
    of_pair = ladder_choices.choose_part(PART, _publish) if pair else ""
    site = part([*found.values()][place], of_pair)
    layer = ladder_choices.choose_layer(site, LAYER, WORDS, _publish)
    words = bool(st.session_state[WORDS.key])
    shown = whole_words(site) if words else site  # of a part of a pair, the pieces alone
    scores = None if of_pair else answers.text_patterns(model, typed, second or None, place)
    if layer is None:
        _all(model, shown, scores)
    else:
        _layer(model, shown, scores, layer, words)

    def again() -> Site:
        now = [*sites(answers.trace(model, typed, second or None)).values()][place]
        return whole_words(now) if words and not of_pair else part(now, of_pair)

    # A file is made when the page has long run: what is chosen by then was published last.
    now = permalink.now()

    def draw() -> Picture:
        if layer is None:
            return ladder.all_heads(again(), scores)
        return ladder.one_layer(again(), layer, state=_state(now.values), words=words)

    head = min(_state(st.session_state).get("head", 0), site.attention.weights.shape[1] - 1)
    ladder_saved.buttons(again, draw, layer, head, (typed, second))
    if site.within is not None and not second:
        with st.expander("The same in Python"):
            st.code(ladder_saved.python(model, typed, layer, head), language="python")


def _all(model: str, site: Site, scores: PatternScores | None) -> None:
    def take(chosen: Mapping[str, Any]) -> None:
        token = chosen.get("token")
        st.session_state[TOKEN.key] = 0 if token is None else int(token) + 1
        st.session_state[WAY.key] = "from" if chosen.get("way") == "from" else "to"
        _publish()

    token, way = st.session_state[TOKEN.key] - 1, st.session_state[WAY.key]
    ladder.show_all(site, scores, token=token, way=way, on_head=_open, on_state=take)
    if scores is None:
        return
    if pattern := ladder_choices.choose_pattern(PATTERN, _publish):
        ladder.show_best(model, scores, pattern, _open)


def _layer(model: str, site: Site, scores: PatternScores | None, layer: int, words: bool) -> None:
    def take(state: Mapping[str, Any]) -> None:
        for what, typed in layer_state.write(state, {}).items():
            st.session_state[WITHIN[what].key] = typed
        _publish()

    state = _state(st.session_state)
    ladder.show_layer(site, layer, words=words, state=state, on_state=take)
    if site.within is not None and scores is not None:
        ladder.show_head(model, site.within, scores, layer, state.get("head", 0), _open)


def _state(values: Mapping[Any, Any]) -> dict[str, Any]:
    """What is chosen inside the picture of a layer."""
    return layer_state.read({what: str(values[part.key]) for what, part in WITHIN.items()})


def _open(head: Head) -> None:
    """One rung down: this head of its layer."""
    st.session_state[LAYER.key] = head.layer + 1
    st.session_state[WITHIN["head"].key] = str(head.head + 1)
    st.session_state[WITHIN["rung"].key] = "head"
    _publish()


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


page()
