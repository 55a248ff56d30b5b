"""What put a word where it stands: a sum, cuts and looks by word; and the heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.web import Picture, bars, signed_heatmap
from core.measures import Why
from core.measures.why import difference
from core.trace import Array
from ui import controls, frame, text, web, why, why_if, why_say
from ui.comparison import Question
from ui.held import hold, resume
from ui.why_state import HEADS, IF, STATE, VIEW, VIEWS


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
    chosen = _choose(publish)
    sides = {
        name: why.Asked(asked.model, side, *asked.groups)
        for name, side in (("A", asked.a), ("B", asked.b))
    }
    if chosen == "AB":
        hold(*IF, HEADS)
        both = {name: controls.attempt(why.found, of) for name, of in sides.items()}
        if both["A"] is not None and both["B"] is not None:
            _difference(both["A"], both["B"])
        return
    with st.spinner("Cutting one word after the other…"):
        found = controls.attempt(why.found, sides[chosen])
    if found is None:
        return
    st.markdown(why_say.claim(chosen, sides[chosen], found))
    _words(sides[chosen], found)
    if odds := why_say.at_odds(sides[chosen], found):
        st.markdown(odds)
    why_if.show(sides[chosen], chosen, publish)
    _heads(sides[chosen], found, publish)


def _choose(publish: Callable[[], None]) -> str:
    chosen = st.segmented_control(
        "Sentence",
        [*VIEWS],
        key=VIEW.key,
        format_func=VIEWS.__getitem__,
        required=True,
        on_change=publish,
        label_visibility="collapsed",
    )
    return str(chosen)


def pictures(found: Why) -> Mapping[str, Picture]:
    """The same words three times: what each adds, what its cut does, how much it is looked at."""
    most = float(max(np.abs(found.pushes).max(), np.abs(found.cuts).max(), 1e-3))
    chosen = found.own[0] if found.own else None
    return {
        "adds": bars(
            found.pushes,
            found.words,
            unit="added to the place on the sense axis",
            sentence="What each word adds to the place of the word: an exact sum.",
            name="why-adds",
            kind="signed",
            chosen=chosen,
            most=most,
        ),
        "cuts": bars(
            found.cuts,
            found.words,
            unit="change of place on the sense axis",
            sentence="How far the word moves when it no longer looks at each word.",
            name="why-cuts",
            kind="signed",
            chosen=chosen,
            most=most,
        ),
        "looks": bars(
            found.looks,
            found.words,
            unit="mean weight",
            sentence="How much the word looks at each word, in the mean of all layers and heads.",
            name="why-looks",
            chosen=chosen,
        ),
    }


def table(found: Why) -> pd.DataFrame:
    """The numbers of `pictures`, a row for each word."""
    columns = {"adds": found.pushes, "cut moves by": found.cuts, "looked at": found.looks}
    return pd.DataFrame(columns, index=pd.Index(found.words, name="word"))


def _words(of: why.Asked, found: Why) -> None:
    words = {
        "word": text.plain(of.side.word),
        "low": text.plain(of.low.name),
        "high": text.plain(of.high.name),
    }
    titles = {"adds": why_say.ABOUT_SUM, "cuts": why_say.ABOUT_CUT, "looks": why_say.ABOUT_LOOK}
    for place, (key, picture) in zip(st.columns(3, gap="medium"), pictures(found).items(), strict=True):
        with place:
            st.markdown(titles[key].format(**words))
            web.show(picture, f"why {key}", scale=frame.scale())
            if key == "adds":
                st.caption(why_say.check(found))
    frame.csv(lambda: table(found), "why")


def _difference(a: Why, b: Why) -> None:
    labels, where, values = difference(a, b)
    st.markdown(why_say.apart(a, b, float(values.sum()), labels, values.tolist()))
    picture = bars(
        values,
        labels,
        unit="added in A, less added in B",
        sentence="What each word adds to the place of the word in A, less what it adds in B.",
        name="why-apart",
        kind="signed",
        notes=[f"in {at}" for at in where],
    )
    web.show(picture, "why apart", scale=frame.scale())
    frame.csv(
        lambda: pd.DataFrame(
            {"stands in": where, "A less B": values}, index=pd.Index(labels, name="word")
        ),
        "why",
    )


def _heads(of: why.Asked, found: Why, publish: Callable[[], None]) -> None:
    """What each head carries to the word, beside what becomes of it without that head."""
    about = "Runs the model once for each head."
    if not st.toggle("And which heads?", key=HEADS.key, on_change=publish, help=about):
        return
    with st.spinner("Silencing one head after the other…"):
        silenced = controls.attempt(why.silenced, of)
    if silenced is None:
        return
    st.caption(
        "Left: what each head carries to the word from the others, on whatever way; within one layer, "
        "this and what goes around the heads add up. Right: how far the word moves when that head "
        "alone adds nothing. A head may carry much and be missed little, for others step in."
    )
    for place, (key, values, title, sentence) in zip(
        st.columns(2, gap="medium"),
        (
            (
                "carried",
                found.carried,
                "carried",
                "What each head carries to the word from the others.",
            ),
            ("silenced", silenced, "moves by", "How far the word moves when a head adds nothing."),
        ),
        strict=True,
    ):
        with place:
            web.show(heads_picture(values, title, sentence, key), f"why {key}", scale=frame.scale())
    frame.csv(lambda: heads_table(found.carried, silenced), "why-heads")


def heads_picture(values: Array, title: str, sentence: str, name: str) -> Picture:
    """A cell for each head: layers downwards, heads to the right."""
    layers, heads = values.shape
    return signed_heatmap(
        [f"Layer {i + 1}" for i in range(layers)],
        [str(i + 1) for i in range(heads)],
        values,
        title=title,
        sentence=sentence,
        name=f"why-{name}",
        of=("layer", "head"),
        between=", head ",
    )


def heads_table(carried: Array, silenced: Array) -> pd.DataFrame:
    """Every head, the one that the word misses most first."""
    layers, heads = carried.shape
    names = [f"layer {i + 1}, head {j + 1}" for i in range(layers) for j in range(heads)]
    columns = {"carried": carried.ravel(), "silenced: moves by": silenced.ravel()}
    rows = pd.DataFrame(columns, index=pd.Index(names, name="head"))
    return rows.sort_values("silenced: moves by", key=np.abs, ascending=False)
