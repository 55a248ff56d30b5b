"""The controls above a panel: where in the model, which part of a pair, how deep, words or pieces."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.figures import style
from core.measures import PARTS, blocks
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.heads import displayed, state
from pages.heads.state import ALL, MEAN, Side
from ui import permalink, text, widgets
from ui.models import answers, model_cache
from ui.query import TextQuery

MOST_NAMED = 8  # layers whose names have room beside each other


def question(model: str, text: str, second: str) -> TextQuery:
    """What a model is asked of the two boxes; an encoder–decoder may begin with an empty target."""
    takes_target = model_cache.model(model).kind == "encoder-decoder"
    return TextQuery(model, text, second if second or takes_target else None)


def as_chosen(plain: TextQuery, side: Side) -> TextQuery:
    """The question with the tokens that are hidden or written on; without, where that fails."""
    masked, more = (state.numbers(st.session_state[p.key]) for p in (side.masked, side.more))
    if model_cache.model(plain.model).predicts != "masked":
        masked = ()
    asked = plain._replace(masked=tuple(number - 1 for number in masked), more=more)
    if asked == plain or widgets.attempt(answers.answer, asked) is not None:
        return asked
    for parameter in (side.masked, side.more):  # or no button could undo what fails
        st.session_state[parameter.key] = ""
    return plain


def choose(asked: TextQuery, side: Side, *, short: bool) -> None:
    """All the choices of one panel: where, which part, how deep; `short`: in little room."""
    answer = answers.answer(asked)
    found = blocks(answer)
    choose_place(side, [*found])
    if isinstance(answer, Seq2SeqTrace) and st.session_state[side.place.key]:
        st.caption(opening(answer.decoder))
    if displayed.is_pair(asked, found) and not side.number:  # one choice for both models
        choose_part()
    if st.session_state[state.WORDS.key] and not side.number:
        of_pair = displayed.is_pair(asked, found) and st.session_state[state.PART.key]
        st.caption(
            "Of a part of a pair, pieces are shown, not whole words."
            if of_pair
            else "What a word’s pieces receive is added up; what they give is the mean of their rows."
        )
    place = [*found.values()][st.session_state[side.place.key]]
    choose_layer(side, place.absent.all(axis=1).tolist(), short)


def opening(decoder: Trace) -> str:
    """What a decoder reads before the first word, in words (Markdown)."""
    if not decoder.special[0]:
        return ""
    first = next((i for i, special in enumerate(decoder.special) if not special), len(decoder.special))
    signs = " and ".join(f"“{text.plain(sign)}”" for sign in decoder.tokens[:first])
    if first == len(decoder.special):
        return f"There is no target yet: the decoder reads {signs} alone, with which it opens one."
    return f"The decoder reads {signs} before the first word: so it opens a target."


def choose_place(side: Side, names: Sequence[str]) -> None:
    """Which of the places where the model has attention; no control where there is one."""
    place = side.place
    widgets.keep(place.key, min(st.session_state[place.key], len(names) - 1), len(names))
    if len(names) > 1:
        st.segmented_control(
            "Where",
            range(len(names)),
            key=place.key,
            format_func=names.__getitem__,
            required=True,
            on_change=permalink.publish_now,
        )


def choose_part() -> None:
    """Which texts of a pair attend to which; "" for all."""
    names = {
        "": "All",
        "aa": "Within A",
        "bb": "Within B",
        "ab": "A attends to B",
        "ba": "B attends to A",
    }
    chosen = st.segmented_control(
        "Of the pair",
        ["", *PARTS],
        key=state.PART.key,
        format_func=names.__getitem__,
        required=True,
        on_change=permalink.publish_now,
    )
    if chosen:
        st.caption(
            "Each head’s rows are scaled to 1 over the tokens shown. A row that spends nothing on them "
            "is missing, and hatched."
        )


def choose_layer(side: Side, absent: Sequence[bool], short: bool) -> None:
    """The zoom levels: all heads, one layer, or the mean of all.

    Args:
        side: whose choice.
        absent: of each layer, whether it has no attention: it is offered only while it is open.
        short: whether there is little room.
    """
    layers = len(absent)
    short = short or layers > MOST_NAMED
    key = side.layer.key
    chosen = st.session_state[key]
    opened = 0
    if chosen is None:  # a program in place of a browser may let go of what has to be chosen
        chosen = ALL
    elif chosen not in (ALL, MEAN):  # a link may come from a larger model
        opened = min(int(chosen), layers)
        chosen = str(opened)
    offered = [n for n in range(1, layers + 1) if n == opened or not absent[n - 1]]
    widgets.keep(key, chosen, tuple(offered))
    names = {ALL: "All heads", MEAN: "Mean of all"}
    st.segmented_control(
        "Layer",
        [ALL, *map(str, offered), MEAN],
        key=key,
        format_func=lambda n: names.get(n) or (n if short else style.layer_name(int(n) - 1)),
        required=True,
        on_change=permalink.publish_now,
        label_visibility="collapsed",
    )
