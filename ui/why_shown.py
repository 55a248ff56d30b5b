"""What put a word where it stands: sums, cuts and looks by word; layers and heads; and what if."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.figures import style
from core.measures import Why
from ui import controls, frame, text, web, why, why_if, why_pictures, why_say
from ui.comparison import Question
from ui.held import hold, resume
from ui.why_state import HEADS, IF, STATE, VIEW, VIEWS

MOST_RANKED = 20


def show(asked: Question | None, publish: Callable[[], None]) -> None:
    """The section, where there are two senses to measure between.

    Args:
        asked: which word in which sentences, and between which senses; None: there is nothing to ask.
        publish: puts the state into the link, after a visitor has changed it.
    """
    if asked is None or asked.groups is None or not why.measurable(asked.model, *asked.groups):
        hold(*STATE)
        return
    st.subheader("What put it there", anchor=False)
    if none := why.none(asked.model):
        hold(*STATE)
        st.caption(none)
        return
    resume(*STATE)
    chosen = st.segmented_control(
        "Sentence",
        [*VIEWS],
        key=VIEW.key,
        format_func=VIEWS.__getitem__,
        required=True,
        on_change=publish,
        label_visibility="collapsed",
    )
    sides = {"A": asked.a, "B": asked.b}
    found = {}
    with st.spinner("Cutting one look after the other…"):
        for name in str(chosen):  # "AB" is both
            of = why.Asked(asked.model, sides[name], *asked.groups)
            found[name] = of, controls.attempt(why.found, of)
    if any(one is None for _, one in found.values()):
        hold(*IF, HEADS)
    elif chosen == "AB":
        hold(*IF, HEADS)
        _apart(asked, *(one for _, one in found.values() if one is not None))
    else:
        for name, (of, one) in found.items():
            if one is not None:
                _one(of, one, name, publish)


def _one(of: why.Asked, found: Why, name: str, publish: Callable[[], None]) -> None:
    st.markdown(why_say.claim(name, of, found))
    word = text.plain(of.side.word)
    for place, (key, picture) in zip(
        st.columns(3, gap="medium"), why_pictures.by_word(found, name).items(), strict=True
    ):
        with place:
            st.markdown(why_say.TITLES[key])
            web.show(picture, f"why {key}", scale=frame.scale())
            st.caption(why_say.ABOUT[key].format(word=word) if key != "adds" else why_say.check(found))
    frame.csv(lambda: why_pictures.table(found), f"why-{name}")
    if odds := why_say.at_odds(found):
        st.markdown(odds)
    why_if.show(of, name, publish)
    if st.toggle(
        "Layer by layer, head by head",
        key=HEADS.key,
        on_change=publish,
        help="Runs the model once for each head.",
    ):
        _inside(of, found, name, word)


def _apart(asked: Question, a: Why, b: Why) -> None:
    assert asked.groups is not None
    shown = why_pictures.apart(a, b)
    st.markdown(why_say.apart(asked.words, asked.groups, a, b))
    web.show(why_pictures.apart_picture(shown), "why apart", scale=frame.scale())
    summed = why_say.apart_sum(a, b, float(shown.values.sum()), shown.left)
    st.caption(summed.format(high=text.plain(asked.groups[1].name)))
    frame.csv(lambda: why_pictures.apart_table(a, b), "why-apart")


def _inside(of: why.Asked, found: Why, name: str, word: str) -> None:
    """Where in the network: by layer; by head, added up and silenced; and all cuts ranked."""
    web.show(why_pictures.by_layer(found, name), "why layers", scale=frame.scale())
    st.caption(why_say.BY_LAYER.format(word=word))
    with st.spinner("Silencing one head after the other…"):
        silenced = controls.attempt(why.silenced, of)
    if silenced is None:
        return
    shown = (
        ("carried", found.carried, "adds", "What each head adds by what it brings from other places."),
        ("silenced", silenced, "moves by", "How far the word moves when a head adds nothing."),
    )
    for place, (key, values, title, sentence) in zip(st.columns(2, gap="medium"), shown, strict=True):
        with place:
            picture = why_pictures.of_heads(values, title, sentence, f"{key}-{name}")
            web.show(picture, f"why {key}", scale=frame.scale())
    st.caption(why_say.HEADS)
    ranked = why_pictures.ranked(found, silenced)
    with st.expander(f"The {MOST_RANKED} of {len(ranked):,} cuts that move the word farthest"):
        st.table(ranked.head(MOST_RANKED).map(lambda number: style.signed(number, 3)))
    frame.csv(lambda: ranked, f"why-ranked-{name}")
