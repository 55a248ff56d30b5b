"""The verdict and the moving picture: the first screen of Compare. And the word in all directions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.figures import cosine_paths, style, word_projection, word_space
from core.measures.senses.how_sure import standing
from pages.compare import legends, verdict_captions
from pages.compare.state import VIEWS
from ui import figure, layout, opening_motion, sense_ends, tables, widgets
from ui.comparison import Between, Moved, Question, added, between, moved, picture, shown_parts, sure
from ui.models import calibrations, languages
from ui.state import Choice, Part, Visit, Whole, select
from ui.text import plain

_WANTED = Visit("contributions wanted", "")
NO_ENDS = (
    "Name **one word for each meaning** below, and the picture shows how {word} moves between them. "
    "Until then, here is how far its two vectors lie apart."
)
NO_AXIS = "Without two ends, here is how far the two vectors of {word} lie apart, layer by layer."
TWO_WORDS = (
    "These are two words, each with a learned vector of its own: there is no one dot that becomes two. "
    "Here is how far their vectors lie apart, layer by layer."
)


def show(asked: Question, back: Whole) -> None:
    """The verdict and, below it, the picture.

    Args:
        asked: which word in which sentences, and between which ends.
        back: how many layers before the last one the picture stands.
    """
    found = widgets.attempt(between, asked) if asked.one else None
    if found is None:
        _without(asked)
        return
    assert asked.ends is not None
    with st.container(key="verdict", gap="xxsmall"):
        st.markdown(verdict_captions.headline(asked.words, asked.ends.names, found.verdict, found.same))
        if why := _why(asked, found):
            st.caption(why)
        if earlier := sense_ends.of_earlier_link(*sense_ends.ENDS):
            st.caption(earlier)
        if left := sense_ends.words_left(asked.model, asked.a.word):
            st.caption(left)
    _moving(found, back)


def _moving(found: Between, back: Whole, names: str = "AB") -> None:
    """The moving picture of these sentences, with what to look for and its numbers."""
    asked, last = found.asked, found.axes[0].n_layers
    depth = max(0, last - back.get())
    play = opening_motion.starts("trajectory", back)
    wanted = _WANTED.get() == asked.id

    def want() -> None:
        _WANTED.set(asked.id)

    def take(chosen: Mapping[str, Any]) -> None:
        back.set(min(max(0, last - int(chosen["depth"])), last))

    made = widgets.attempt(partial(picture, found, depth=depth, play=play, adds=wanted, names=names))
    if made is not None:
        figure.show(made, "trajectory", on_state=take, on_wanted=want)
        with st.container(horizontal=True, vertical_alignment="center"):
            if hint := _hint(asked):
                st.caption(f"Look for: {hint}", width="stretch")
            layout.csv(partial(table, found, names), "trajectory")


def _why(asked: Question, found: Between) -> str:
    """What a visitor has to know beside the verdict: why there is none, or what it may rest on."""
    said = [_reasons(found)]
    if not found.verdict.answer and calibrations.can_measure(asked.model):
        said.append("Measure it under *How sure is this?*")
    said.append(languages.warning(asked.model, asked.texts))
    said.append(verdict_captions.shared(standing(found.axes[0], asked.texts)))
    return " ".join(part for part in said if part)


def _reasons(found: Between) -> str:
    return verdict_captions.reasons(found.verdict if found.same is None else found.same)


def _hint(asked: Question) -> str | None:
    """What to look for in a preset, between its own ends."""
    own = asked.ends == sense_ends.found_for(asked.model, asked.a.word, asked.texts)
    return widgets.look_for(asked.texts, asked.words) if own else None


def _without(asked: Question) -> None:
    """Two words, or one without ends: by cosine alone."""
    found = widgets.attempt(moved, asked)
    if found is None:
        return
    word = " and ".join(f"*{plain(w)}*" for w in dict.fromkeys(asked.words))
    if not asked.one:
        st.markdown(TWO_WORDS)
    elif asked.ends is not None:  # and the page has said why they make no axis
        st.markdown(NO_AXIS.format(word=word))
    else:
        st.markdown(f"{_unnamed()} {NO_ENDS.format(word=word)}".lstrip())
    if note := languages.warning(asked.model, asked.texts):
        st.caption(note)
    figure.show(cosine_paths(found.together, found.from_alone), "path", scale=layout.scale())
    st.caption(legends.of_cosine(asked.words))
    layout.csv(partial(cosine_table, found), "path")


def _unnamed() -> str:
    """That what stands in a box names no meaning; empty where the boxes are empty."""
    typed = [f"“{plain(one)}”" for one in sense_ends.unnamed(sense_ends.ENDS)]
    return f"{' and '.join(typed)} {'name' if len(typed) > 1 else 'names'} no meaning." if typed else ""


def show_sure(asked: Question) -> None:
    """How far the verdict can be trusted, and what the ends are."""
    if not asked.one or asked.ends is None:
        st.caption("There is no verdict to be sure of: name one word for each of two meanings.")
        return
    found = widgets.attempt(between, asked)
    if found is None:
        return
    beside = widgets.attempt(sure, found)
    if beside is None:
        return
    said = [
        verdict_captions.rate(beside.ends, beside.bounds),
        verdict_captions.thresholds(beside.bounds),
        verdict_captions.stands_in(beside.standing),
        verdict_captions.cosine(asked.words, beside, found.verdict.answer),
        verdict_captions.made_of(found.axes[0].frames),
    ]
    said.append(languages.of_frames(asked.model))
    said.append(languages.known(asked.model))
    for one in said:
        if one:
            st.markdown(one)
    if calibrations.can_measure(asked.model):
        _offer(asked.model)


def _offer(model: str) -> None:
    if not st.button("Measure this model", help="On 192 labelled sentences; about half a minute."):
        return
    bar = st.progress(0.0, "Reading our labelled sentences …")

    def on_word(done: int, total: int) -> None:
        bar.progress(done / total)

    made = widgets.attempt(calibrations.measure, model, on_word)
    if made is not None:
        st.rerun()


def show_views(asked: Question, view: Choice) -> None:
    """The word in all directions at once: by cosine, and along principal components."""
    found = widgets.attempt(moved, asked)
    if found is None:
        return
    # The first view is what the fold opens with: it is no choice that a link has to keep.
    first = next(iter(VIEWS))
    if view.get() == first:
        view.set(view.default)
    seen = Part(
        "seen in all directions",
        lambda: first if view.get() == view.default else view.get(),
        lambda taken: view.set(view.default if taken == first else taken),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Cosine similarity**, layer by layer")
        shown = cosine_paths(found.together, found.from_alone, file="cosine")
        figure.show(shown, "cosine", scale=layout.scale())
        st.caption(legends.of_cosine(asked.words))
        layout.csv(partial(cosine_table, found), "cosine")
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Principal components**", width="content")
            chosen = select(seen, VIEWS, "Seen", style="segments")
        if chosen == "pca3":
            scaled = word_space(found.projection, asked.names, scale=layout.scale())
            layout.picture(scaled, "space")
            st.caption(legends.of_projection(asked.words, found.projection.shares))
            layout.table(tables.by_depth(found.projection, asked.names), "space")
        else:
            depth = found.a.n_layers + 1
            shown = word_projection(found.projection, asked.names, depth=depth)
            figure.show(shown, "move", scale=layout.scale())
            st.caption(legends.of_projection(asked.words, found.projection.shares[:2]))
            layout.csv(partial(tables.projection, found.projection, asked.names), "pca")


def show_one(
    asked: Question,
    name: str,
    note: str,
    back: Whole,
) -> None:
    """One sentence that has none to be compared with: the position of its word, and the picture.

    Args:
        asked: the sentence, twice.
        name: "A" or "B".
        note: what there is to say about its language.
        back: how many layers before the last one the picture stands.
    """
    found = widgets.attempt(between, asked)
    if found is None or asked.ends is None:
        if note:
            st.caption(note)
        return
    assert found.same is not None
    with st.container(key="verdict", gap="xxsmall"):
        st.markdown(verdict_captions.of_one(asked.side(name).word, name, found.same, asked.ends.names))
        for said in (_reasons(found), note, sense_ends.words_left(asked.model, asked.a.word)):
            if said:
                st.caption(said)
    _moving(found, back, name)


def table(found: Between, names: str = "AB") -> pd.DataFrame:
    """The numbers of the picture: a row for each layer, with what each word adds where it is known."""
    asked = found.asked
    assert asked.ends is not None
    rows: dict[str, object] = {}
    for name in names:
        rows[f"{name}: position"] = found.positions["AB".index(name)]
        try:
            sums = added(asked.model, asked.side(name), asked.ends)
        except NotSupported:  # no contributions in this model: positions alone
            continue
        shown, _ = shown_parts(asked.model, asked.side(name))
        for i, (part, column) in enumerate(zip(shown, sums.parts.T, strict=True)):
            if not np.isnan(column).all():
                rows[f"{name}: {part.text.strip()} ({i})"] = column
        for title, column in (
            ("special tokens", sums.special),
            ("biases", sums.bias),
            ("axis", sums.offset),
        ):
            rows[f"{name}: {title}"] = column
    layers = [style.layer_name(i) for i in range(found.axes[0].n_layers)]
    return pd.DataFrame(rows, index=pd.Index(layers, name="after"))


def cosine_table(found: Moved) -> pd.DataFrame:
    """The numbers of the path by cosine: a row for each depth."""
    alone_a, alone_b = found.from_alone
    columns = {"A and B": found.together, "A and alone": alone_a, "B and alone": alone_b}
    depths = pd.Index([style.depth_name(d) for d in range(len(found.together))], name="after")
    return pd.DataFrame(columns, index=depths)
