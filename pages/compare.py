"""Compare, the home page: one word in two sentences."""

import streamlit as st

from core.settings import OPENING
from ui import (
    answers,
    choose_words,
    controls,
    frame,
    front_door,
    looks,
    moves,
    permalink,
    prose,
    saved,
    sections,
    senses,
    shelf,
    why_shown,
    why_state,
)
from ui.comparison import Chosen, Question

TEXTS = {
    "A": permalink.Parameter("a", "a", OPENING.text_a, typed=True),
    "B": permalink.Parameter("b", "b", OPENING.text_b, typed=True),
}
NUMBER = permalink.whole(1, 9999)
WORDS = {
    "A": choose_words.Asked(
        permalink.Parameter("w", "word", OPENING.word), permalink.Parameter("o", "place", 1, NUMBER)
    ),
    "B": choose_words.Asked(
        permalink.Parameter("w2", "word B", ""), permalink.Parameter("o2", "place B", 1, NUMBER)
    ),
}
VIEW = permalink.Parameter("p", "view", "senses", permalink.one_of(*moves.VIEWS))
LAYER = permalink.Parameter("l", "layer", 1, permalink.whole(0, 999))
HEAD = permalink.Parameter("h", "head", 1, permalink.whole(0, 999))
BACK = permalink.Parameter("d", "layers back", 0, permalink.whole(0, 999))
SPECIAL = permalink.Parameter("s", "special", False, permalink.switch)
LESSON = (*TEXTS.values(), *WORDS["A"], *WORDS["B"], *senses.ENDS, VIEW)  # what an example sets
STATE = (controls.MODEL, *LESSON, *why_state.STATE, BACK, LAYER, HEAD, SPECIAL, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    front_door.on_phone()
    permalink.restore(STATE)
    headings = {}
    for place, (name, parameter) in zip(st.columns(2), TEXTS.items(), strict=True):
        with place.container(gap="xxsmall", key=f"heading {name}"):
            headings[name] = st.empty()
            st.text_input(f"Sentence {name}", key=parameter.key, label_visibility="collapsed")
    model = controls.choose_model(load=shelf.reader)
    frame.tools(STATE)
    front_door.show()
    typed = {name: str(st.session_state[parameter.key]) for name, parameter in TEXTS.items()}
    traces = {
        name: trace
        for name, words_typed in typed.items()
        if model and (trace := controls.trace(model, words_typed, f"Sentence {name}")) is not None
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        places = choose_words.choose(WORDS, traces, forget=senses.ENDS)
        words_in = tuple(place.word for place in places.values())
        groups = senses.choose(senses.ENDS, words_in)
        controls.choose_preset(LESSON, (typed["A"], typed["B"]), words_in)
    choose_words.explain(WORDS, places, len(traces))
    choose_words.mark(headings, traces, places)
    sides = {name: Chosen(typed[name], place.word, place.number) for name, place in places.items()}
    asked = None
    if model and len(sides) == 2:
        asked = Question(model, sides["A"], sides["B"], groups)
        _comparison(asked)
    elif model and groups and len(traces) == 1:
        for name, side in sides.items():
            moves.show_one(model, name, side, groups)
    frame.try_this(words, LESSON)
    reasons = st.container()
    if model and traces:
        _heads(model, {name: typed[name] for name in traces}, sides)
        left, right = st.columns(2, gap="large")
        with left:
            sections.numbers(model, sides)
        with right:
            sections.proof(model, [typed[name] for name in traces])
            if asked:
                saved.button(asked, LAYER, HEAD, SPECIAL, BACK)
    with reasons:
        st.fragment(why_shown.show)(asked, _publish)  # last: it runs the model once for each word
    frame.footnotes(words)
    frame.publish(STATE)


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


@st.fragment
def _comparison(asked: Question) -> None:
    moves.show(asked, VIEW, BACK, _publish)


# A fragment keeps what it is called with as long as the visitor stays: strings, no traces.
@st.fragment
def _heads(model: str, typed: dict[str, str], sides: dict[str, Chosen]) -> None:
    st.subheader("Who looks at whom", anchor=False)
    traces = {name: answers.trace(model, words) for name, words in typed.items()}
    grid = next(iter(traces.values())).grid
    look = looks.Look.numbered(*controls.choose_head(LAYER, HEAD, SPECIAL, grid, changed=_publish))
    looks.show(traces, sides, look)


page()
