"""Compare, the home page: one word in two sentences, from one dot to two meanings."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.measures import absent
from core.measures.senses.shared_word import proposed_ends, shared_words
from core.records.trace import Trace
from core.settings import OPENING, POEM, POEM_B
from pages.compare import attention, evidence, folds, onboarding, opening, saved_comparison
from ui import layout, permalink, prose, sense_ends, widgets, word_choice
from ui.comparison import Question
from ui.contributions import section, state
from ui.models import answers, languages, model_cache
from ui.selection import Chosen, Ends
from ui.stored import hold

TEXTS = {
    "A": permalink.Parameter("a", "a", OPENING.text_a, typed=True, before=POEM),
    "B": permalink.Parameter("b", "b", OPENING.text_b, typed=True, before=POEM_B),
}
NUMBER = permalink.whole(1, 9999)
WORDS = {
    "A": word_choice.WordParameters(
        permalink.Parameter("w", "word", OPENING.word), permalink.Parameter("o", "place", 1, NUMBER)
    ),
    "B": word_choice.WordParameters(
        permalink.Parameter("w2", "word B", ""), permalink.Parameter("o2", "place B", 1, NUMBER)
    ),
}
ENDS = sense_ends.ENDS
# "senses" is what older links say of the picture that now stands above.
VIEW = permalink.Parameter("p", "view", "senses", permalink.one_of("senses", *opening.VIEWS))
LAYER = permalink.Parameter("l", "layer", 1, permalink.whole(0, 999))
HEAD = permalink.Parameter("h", "head", 1, permalink.whole(0, 999))
BACK = permalink.Parameter("d", "layers back", 0, permalink.whole(0, 999))
SPECIAL = permalink.Parameter("s", "special", False, permalink.switch)
SURE, MOVED_BY, IF, ATTENDS, ALL, RIGHT = (
    folds.parameter(f"f{short}", f"fold {name}")
    for short, name in (
        ("s", "sure"),
        ("w", "words"),
        ("i", "if"),
        ("a", "attention"),
        ("d", "directions"),
        ("n", "numbers"),
    )
)
FOLDS = (SURE, MOVED_BY, IF, ATTENDS, ALL, RIGHT)
EXAMPLES = 262  # pixels: the name of an example, with the cross and the arrow beside it
IN_WORDS = (state.VIEW, state.HEADS)
IN_IF = (state.IN, *state.IF)
LESSON = (*TEXTS.values(), *WORDS["A"], *WORDS["B"], *ENDS)  # what an example sets
STATE = (
    widgets.MODEL,
    *LESSON,
    VIEW,
    *state.STATE,
    BACK,
    LAYER,
    HEAD,
    SPECIAL,
    *FOLDS,
    layout.PROJECTOR,
)


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    first = st.container(gap="xsmall", key="first")
    with first:
        # Side by side on a phone they would be too narrow; one above the other, they stand close.
        for place, (name, parameter) in zip(st.columns(2, gap="small"), TEXTS.items(), strict=True):
            place.text_input(
                f"Sentence {name}",
                key=parameter.key,
                placeholder=f"Sentence {name}",
                label_visibility="collapsed",
            )
    model = widgets.choose_model(load=model_cache.reader)
    layout.tools(STATE)
    onboarding.show()
    typed = {name: str(st.session_state[parameter.key]) for name, parameter in TEXTS.items()}
    traces = {
        name: trace
        for name, text in typed.items()
        if model and (trace := widgets.trace(model, text, f"Sentence {name}")) is not None
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="choices"):
        places = word_choice.choose(WORDS, traces, forget=ENDS)
        ends = _ends(model, traces, places)
        words_now = tuple(place.word for place in places.values())
        width = round(EXAMPLES * layout.scale())
        widgets.choose_preset(LESSON, (typed["A"], typed["B"]), words_now, width=width)
    word_choice.explain(WORDS, places, len(traces))
    sides = {name: Chosen(typed[name], place.word, place.number) for name, place in places.items()}
    asked = None
    with first:
        if model and len(sides) == 2:
            asked = Question(model, sides["A"], sides["B"], ends)
            _comparison(asked)
        elif model:
            _alone(model, ends, traces, sides)
    layout.try_this(words, LESSON)
    onboarding.on_phone()
    if model and traces:
        _questions(model, asked, {name: typed[name] for name in traces}, sides)
    else:
        hold(*FOLDS, *IN_WORDS, *IN_IF, VIEW, LAYER, HEAD, SPECIAL)
    layout.footnotes(words)
    layout.publish(STATE)


def _ends(
    model: str | None, traces: dict[str, Trace], places: dict[str, word_choice.Place]
) -> Ends | None:
    """The two ends of the word's axis: typed, known, or proposed; None where there are none."""
    if model is None or not places:
        hold(*ENDS)
        return None
    texts = tuple(trace.texts[0] for trace in traces.values())
    word = next(iter(places.values())).word
    proposed = None
    if len(places) == 2:
        same = {(one.a.word, one.b.word): one for one in shared_words(traces["A"], traces["B"])}
        shared = same.get((places["A"].word, places["B"].word))
        drawn = proposed_ends(traces["A"], traces["B"], shared) if shared is not None else None
        if drawn is not None:
            proposed = Ends((drawn.b, drawn.a), (drawn.b,), (drawn.a,), proposed=True)
    return sense_ends.choose(ENDS, model, word, texts, proposed=proposed)


def _alone(model: str, ends: Ends | None, traces: dict[str, Trace], sides: dict[str, Chosen]) -> None:
    """What can be shown where there is nothing to compare."""
    note = languages.warning(model, [trace.texts[0] for trace in traces.values()])
    if ends and sides:
        (name, side), *_ = sides.items()
        _one(Question(model, side, side, ends), name, note)
    elif note:
        st.caption(note)


@st.fragment
def _one(asked: Question, name: str, note: str) -> None:
    opening.show_one(asked, name, note, BACK)


@st.fragment
def _comparison(asked: Question) -> None:
    opening.show(asked, BACK)


# A fragment keeps what it is called with as long as the visitor stays: strings, no traces.
def _questions(
    model: str, asked: Question | None, typed: dict[str, str], sides: dict[str, Chosen]
) -> None:
    """What a visitor may ask next, each folded."""
    folds.unfold(MOVED_BY, IN_WORDS)
    folds.unfold(IF, IN_IF)
    folds.unfold(ATTENDS, (LAYER, HEAD, SPECIAL))
    folds.unfold(ALL, (VIEW,))
    if asked is None:
        hold(SURE, MOVED_BY, IF, ALL, *IN_WORDS, *IN_IF, VIEW)
    else:
        folds.show("How sure is this?", SURE, (), partial(opening.show_sure, asked))
        by = partial(section.show, asked)
        folds.show("Which words moved it?", MOVED_BY, IN_WORDS, by)
        folds.show("What if …?", IF, IN_IF, partial(section.show_if, asked))
    within = LAYER, HEAD, SPECIAL
    heads = partial(_heads, model, typed, sides)
    folds.show("Which token attends to which?", ATTENDS, within, heads)
    if asked is not None:
        views = partial(opening.show_views, asked, VIEW)
        folds.show("And in all directions at once?", ALL, (VIEW,), views)
    folds.show("Are the numbers right?", RIGHT, (), partial(_right, model, typed, sides, asked))


def _heads(model: str, typed: dict[str, str], sides: dict[str, Chosen]) -> None:
    traces = {name: answers.trace(model, words) for name, words in typed.items()}
    gone = absent(next(iter(traces.values())))
    look = attention.Look.numbered(*widgets.choose_head(LAYER, HEAD, SPECIAL, gone))
    attention.show(traces, sides, look)


def _right(model: str, typed: dict[str, str], sides: dict[str, Chosen], asked: Question | None) -> None:
    evidence.proof(model, [*typed.values()])
    if asked:
        saved_comparison.button(asked, LAYER, HEAD, SPECIAL, BACK)
    evidence.numbers(model, sides)


page()
