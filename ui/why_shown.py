"""What put a word where it stands: sums, cuts and looks by word; layers and heads; and what if."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import sense_paths, style
from core.figures.web import Picture
from core.measures import Why
from core.trace import Array
from ui import controls, frame, text, web, why, why_axis, why_if, why_pictures, why_say, workshop
from ui.comparison import Question
from ui.held import hold, resume
from ui.why_axis import Ends
from ui.why_state import AXIS, HEADS, IF, STATE, VIEW, VIEWS

MOST_RANKED = 20


def show(asked: Question | None, publish: Callable[[], None]) -> None:
    """The section, where there are two senses to measure between.

    Args:
        asked: which word in which sentences, and between which senses; None: there is nothing to ask.
        publish: puts the state into the link, after a visitor has changed it.
    """
    if asked is None or not _askable(asked):
        hold(*STATE)
        return
    st.subheader("What put it there", anchor=False)
    if none := why.none(asked.model):
        hold(*STATE)
        st.caption(none)
        return
    resume(VIEW, HEADS)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.segmented_control(
            "Sentence",
            [*VIEWS],
            key=VIEW.key,
            format_func=VIEWS.__getitem__,
            required=True,
            on_change=publish,
        )
        texts = (asked.a.text, asked.b.text)
        ends = why_axis.choose(asked.model, asked.words, texts, asked.groups, publish)
    if ends is None:
        hold(*IF, HEADS)
        return
    sides = {"A": asked.a, "B": asked.b}
    found = {}
    with st.spinner("Cutting one look after the other…"):
        for name in str(chosen):  # "AB" is both
            of = why.Asked(asked.model, sides[name], *ends)
            found[name] = of, controls.attempt(why.found, of)
    if any(one is None for _, one in found.values()):
        hold(*IF, HEADS)
    elif chosen == "AB":
        hold(*IF, HEADS)
        _apart(asked, ends, *(one for _, one in found.values() if one is not None))
    else:
        resume(*IF)
        for name, (of, one) in found.items():
            if one is not None:
                _one(of, one, name, publish)


def _askable(asked: Question) -> bool:
    """Whether there is something to measure between; where there is not, the page has said why."""
    if workshop.is_own(asked.model):  # which knows its own sentences
        return True
    if asked.groups is None:
        return bool(st.session_state[AXIS.key] != AXIS.default)
    return why.measurable(asked.model, *asked.groups)


def _one(of: why.Asked, found: Why, name: str, publish: Callable[[], None]) -> None:
    if isinstance(of.low, why_axis.Labelled):  # the path above is another one
        show_path(of, name)
    show_words(of, found, name)
    why_if.show(of, name, publish)
    if st.toggle(
        "Layer by layer, head by head",
        key=HEADS.key,
        on_change=publish,
        help="Runs the model once for each head.",
    ):
        show_layers(of, found, name)
        if long := why.too_long(of):
            st.caption(long)
            return
        with st.spinner("Silencing one head after the other…"):
            silenced = controls.attempt(why.silenced, of)
        if silenced is not None:
            show_heads(found, silenced, name)


def show_path(of: why.Asked, name: str) -> DeltaGenerator:
    """The word's place after every layer, and where it moves; `name` is "" where there is one text.

    Returns:
        The room beside the picture.
    """
    found = why.path(of)
    low, high = of.low.name, of.high.name
    picture = sense_paths(
        {name: found.places}, low=low, high=high, first=found.first, file=f"why-path-{name or 'here'}"
    )
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        web.show(picture, "why path", scale=frame.scale())
    right.markdown(why_say.path(why.called(of.side), found, (of.low, of.high)))
    right.caption(why_axis.SCALE)
    return right


def show_words(of: why.Asked, found: Why, name: str) -> None:
    """Sums, cuts and looks by word, side by side."""
    st.markdown(why_say.claim(name, of, found))
    about = why_say.ABOUT | {"adds": why_say.check(found)}
    show_three(why_pictures.by_word(found, name or "here"), "why", about, why.called(of.side))
    frame.csv(lambda: why_pictures.table(found), f"why-{name or 'here'}")
    if odds := why_say.at_odds(found):
        st.markdown(odds)


def show_three(pictures: Mapping[str, Picture], key: str, about: Mapping[str, str], word: str) -> None:
    """What each look adds, what its cut does, and how strong it is, with what is said of each."""
    for place, (which, picture) in zip(st.columns(3, gap="medium"), pictures.items(), strict=True):
        with place:
            st.markdown(why_say.TITLES[which])
            web.show(picture, f"{key} {which}", scale=frame.scale())
            st.caption(about[which].replace("{word}", text.plain(word)))


def _apart(asked: Question, ends: Ends, a: Why, b: Why) -> None:
    shown = why_pictures.apart(a, b)
    st.markdown(why_say.apart(asked.words, ends, a, b))
    web.show(why_pictures.apart_picture(shown), "why apart", scale=frame.scale())
    summed = why_say.apart_sum(a, b, float(shown.values.sum()), shown.left)
    st.caption(summed.format(high=text.plain(ends[1].name)))
    frame.csv(lambda: why_pictures.apart_table(a, b), "why-apart")


def show_layers(of: why.Asked, found: Why, name: str) -> None:
    """Where what adds up stands, layer by layer."""
    web.show(why_pictures.by_layer(found, name or "here"), "why layers", scale=frame.scale())
    st.caption(why_say.BY_LAYER.format(word=text.plain(why.called(of.side))))


def show_heads(
    found: Why,
    silenced: Array,
    name: str,
    on_head: Callable[[web.Cell], None] | None = None,
) -> None:
    """What each head adds, and how far the word moves without it; and all cuts ranked.

    Args:
        found: the answer for one sentence.
        silenced: (layers, heads), what silencing each head does.
        name: "A" or "B"; "" where there is one sentence.
        on_head: called with the layer and head, from 0, that a visitor chooses.
    """
    file = name or "here"
    shown = (
        ("carried", found.carried, "adds", "What each head adds by what it brings from other places."),
        ("silenced", silenced, "moves by", "How far the word moves when a head alone adds nothing."),
    )
    for place, (key, values, title, sentence) in zip(st.columns(2, gap="medium"), shown, strict=True):
        with place:
            st.markdown(f"**{sentence.removesuffix('.')}**")
            picture = why_pictures.of_heads(values, title, sentence, f"{key}-{file}")
            web.show(picture, f"why {key}", scale=frame.scale(), on_cell=on_head)
    st.caption(why_say.HEADS + (why_say.CLICK if on_head else ""))
    ranked = why_pictures.ranked(found, silenced)
    with st.expander(f"The {MOST_RANKED} of {len(ranked):,} cuts that move the word farthest"):
        st.table(ranked.head(MOST_RANKED).map(lambda number: style.signed(number, 3)))
    frame.csv(lambda: ranked, f"why-ranked-{file}")
