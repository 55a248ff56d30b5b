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
from pages.compare import examples, legends, verdict_captions
from pages.compare.state import VIEWS
from ui import figure, files, layout, sense_ends, session, tables, widgets
from ui.comparison import Between, Moved, Question, added, between, moved, picture, shown_parts, sure
from ui.models import calibrations, languages
from ui.state import Choice, Field, Part, SessionValue, Whole, select
from ui.state.side import Side, point_in, take_point, take_side
from ui.text import plain

_WANTED = SessionValue("contributions wanted", "")
NO_ENDS = (
    "Name **one word for each meaning** below, and the picture shows how {word} moves between them. "
    "Until then, here is how far its two vectors lie apart."
)
NO_AXIS = "Without two ends, here is how far the two vectors of {word} lie apart, layer by layer."
TWO_WORDS = (
    "These are two words, each with a learned vector of its own: there is no one dot that becomes two. "
    "Here is how far their vectors lie apart, layer by layer."
)


def show(question: Question, back: Whole) -> None:
    """The verdict and, below it, the picture.

    Args:
        question: which word in which sentences, and between which ends.
        back: how many layers before the last one the picture stands.
    """
    comparison = widgets.attempt(between, question) if question.one else None
    if comparison is None:
        _without(question)
        return
    assert question.ends is not None
    with st.container(key="verdict", gap="xxsmall"):
        st.markdown(
            verdict_captions.headline(
                question.words, question.ends.names, comparison.verdict, comparison.same
            )
        )
        if why := _why(question, comparison):
            st.caption(why)
        if earlier := sense_ends.of_earlier_link(*sense_ends.ENDS):
            st.caption(earlier)
        if left := sense_ends.words_left(question.model, question.a.word):
            st.caption(left)
    _moving(comparison, back)


def _moving(comparison: Between, back: Whole, names: str = "AB") -> None:
    """The moving picture of these sentences, with what to look for and its numbers."""
    question, last = comparison.question, comparison.axes[0].n_layers
    depth = max(0, last - back.get())
    # Once a session, and never where a link has a depth.
    play = session.first_time("trajectory moves by itself") and not back.get()
    wanted = _WANTED.get() == question.id

    def want() -> None:
        _WANTED.set(question.id)

    def take(chosen: Mapping[str, Any]) -> None:
        back.set(min(max(0, last - int(chosen["depth"])), last))

    made = widgets.attempt(
        partial(picture, comparison, depth=depth, play=play, adds=wanted, names=names)
    )
    if made is not None:
        numbers = files.csv(partial(table, comparison, names), "trajectory")
        figure.show(made, "trajectory", on_state=take, on_wanted=want, saved_as=[numbers])
        if hint := _hint(question):
            st.caption(f"Look for: {hint}")


def _why(question: Question, comparison: Between) -> str:
    """What a visitor has to know beside the verdict: why there is none, or what it may rest on."""
    sentences = [_reasons(comparison)]
    if not comparison.verdict.answer and calibrations.can_measure(question.model):
        sentences.append("Measure it under *How sure is this?*")
    sentences.append(languages.warning(question.model, question.texts))
    sentences.append(verdict_captions.shared(standing(comparison.axes[0], question.texts)))
    return " ".join(part for part in sentences if part)


def _reasons(comparison: Between) -> str:
    return verdict_captions.reasons(comparison.verdict if comparison.same is None else comparison.same)


def _hint(question: Question) -> str | None:
    """What to look for in a preset, between its own ends."""
    own = question.ends == sense_ends.ends_for(question.model, question.a.word, question.texts)
    found = examples.find(question.texts, question.words) if own else None
    return None if found is None else found.look_for


def _without(question: Question) -> None:
    """Two words, or one without ends: by cosine alone."""
    word_paths = widgets.attempt(moved, question)
    if word_paths is None:
        return
    word = " and ".join(f"*{plain(w)}*" for w in dict.fromkeys(question.words))
    if not question.one:
        st.markdown(TWO_WORDS)
    elif question.ends is not None:  # and the page has said why they make no axis
        st.markdown(NO_AXIS.format(word=word))
    else:
        st.markdown(f"{_unnamed()} {NO_ENDS.format(word=word)}".lstrip())
    if note := languages.warning(question.model, question.texts):
        st.caption(note)
    figure.show(
        cosine_paths(word_paths.together, word_paths.from_alone),
        "path",
        saved_as=[files.csv(partial(cosine_table, word_paths), "path")],
        scale=layout.scale(),
    )
    st.caption(legends.of_cosine(question.words))


def _unnamed() -> str:
    """That what stands in a box names no meaning; empty where the boxes are empty."""
    typed = [f"“{plain(one)}”" for one in sense_ends.unnamed(sense_ends.ENDS)]
    return f"{' and '.join(typed)} {'name' if len(typed) > 1 else 'names'} no meaning." if typed else ""


def show_sure(question: Question) -> None:
    """How far the verdict can be trusted, and what the ends are."""
    if not question.one or question.ends is None:
        st.caption("There is no verdict to be sure of: name one word for each of two meanings.")
        return
    comparison = widgets.attempt(between, question)
    if comparison is None:
        return
    beside = widgets.attempt(sure, comparison)
    if beside is None:
        return
    sentences = [
        verdict_captions.rate(beside.ends, beside.bounds),
        verdict_captions.thresholds(beside.bounds),
        verdict_captions.stands_in(beside.standing),
        verdict_captions.cosine(question.words, beside, comparison.verdict.answer),
        verdict_captions.made_of(comparison.axes[0].frames),
    ]
    sentences.append(languages.of_frames(question.model))
    sentences.append(languages.known(question.model))
    for one in sentences:
        if one:
            st.markdown(one)
    if calibrations.can_measure(question.model):
        _offer(question.model)


def _offer(model: str) -> None:
    if not st.button("Measure this model", help="On 192 labelled sentences; about half a minute."):
        return
    bar = st.progress(0.0, "Reading our labelled sentences …")

    def on_word(done: int, total: int) -> None:
        bar.progress(done / total)

    made = widgets.attempt(calibrations.measure, model, on_word)
    if made is not None:
        st.rerun()


def show_views(
    question: Question, view: Choice, space: tuple[Whole, Field[Side | None], Whole]
) -> None:
    """The word in all directions at once: by cosine, and along principal components.

    Args:
        question: which word in which sentences.
        view: in how many dimensions.
        space: in three, how many layers before the last one, the side, the point.
    """
    word_paths = widgets.attempt(moved, question)
    if word_paths is None:
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
        shown = cosine_paths(word_paths.together, word_paths.from_alone, file="cosine")
        numbers = files.csv(partial(cosine_table, word_paths), "cosine")
        figure.show(shown, "cosine", saved_as=[numbers], scale=layout.scale())
        st.caption(legends.of_cosine(question.words))
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Principal components**", width="content")
            chosen = select(seen, VIEWS, "Seen", style="segments")
        if chosen == "pca3":
            by_depth = tables.by_depth(word_paths.projection, question.names)
            _in_space(word_paths, question, by_depth, *space)
            st.caption(legends.of_projection(question.words, word_paths.projection.shares))
            layout.table(by_depth)
        else:
            depth = word_paths.a.n_layers + 1
            shown = word_projection(word_paths.projection, question.names, depth=depth)
            make = partial(tables.projection, word_paths.projection, question.names)
            figure.show(shown, "move", saved_as=[files.csv(make, "pca")], scale=layout.scale())
            st.caption(legends.of_projection(question.words, word_paths.projection.shares[:2]))


def _in_space(
    word_paths: Moved,
    question: Question,
    by_depth: pd.DataFrame,
    back: Whole,
    side: Field[Side | None],
    point: Whole,
) -> None:
    """The word's paths in three dimensions; what is chosen in it is in the link."""
    last = word_paths.a.n_layers + 1

    def take(sent: Mapping[str, Any]) -> None:
        back.set(min(max(0, last - int(sent["depth"])), last))
        take_side(side, sent)
        take_point(point, sent)

    picture = word_space(word_paths.projection, question.names, depth=last)
    chosen = {
        "depth": max(0, last - back.get()),
        "view": side.get(),
        "chosen": point_in(point, len(picture.header["texts"])),
    }
    figure.show(
        picture.choosing(chosen),
        "space",
        on_state=take,
        saved_as=[files.csv(lambda: by_depth, "space")],
        scale=layout.scale(),
    )


def show_one(
    question: Question,
    name: str,
    note: str,
    back: Whole,
) -> None:
    """One sentence that has none to be compared with: the position of its word, and the picture.

    Args:
        question: the sentence, twice.
        name: "A" or "B".
        note: what there is to say about its language.
        back: how many layers before the last one the picture stands.
    """
    comparison = widgets.attempt(between, question)
    if comparison is None or question.ends is None:
        if note:
            st.caption(note)
        return
    assert comparison.same is not None
    with st.container(key="verdict", gap="xxsmall"):
        st.markdown(
            verdict_captions.of_one(
                question.side(name).word, name, comparison.same, question.ends.names
            )
        )
        for sentence in (
            _reasons(comparison),
            note,
            sense_ends.words_left(question.model, question.a.word),
        ):
            if sentence:
                st.caption(sentence)
    _moving(comparison, back, name)


def table(comparison: Between, names: str = "AB") -> pd.DataFrame:
    """The numbers of the picture: a row for each layer, with what each word adds where it is known."""
    question = comparison.question
    assert question.ends is not None
    rows: dict[str, object] = {}
    for name in names:
        rows[f"{name}: position"] = comparison.coordinates["AB".index(name)]
        try:
            sums = added(question.model, question.side(name), question.ends)
        except NotSupported:  # no contributions in this model: positions alone
            continue
        shown, _ = shown_parts(question.model, question.side(name))
        for i, (part, column) in enumerate(zip(shown, sums.parts.T, strict=True)):
            if not np.isnan(column).all():
                rows[f"{name}: {part.text.strip()} ({i})"] = column
        for title, column in (
            ("special tokens", sums.special),
            ("biases", sums.bias),
            ("axis", sums.offset),
        ):
            rows[f"{name}: {title}"] = column
    layers = [style.layer_name(i) for i in range(comparison.axes[0].n_layers)]
    return pd.DataFrame(rows, index=pd.Index(layers, name="after"))


def cosine_table(word_paths: Moved) -> pd.DataFrame:
    """The numbers of the path by cosine: a row for each depth."""
    alone_a, alone_b = word_paths.from_alone
    columns = {"A and B": word_paths.together, "A and alone": alone_a, "B and alone": alone_b}
    depths = pd.Index([style.depth_name(d) for d in range(len(word_paths.together))], name="after")
    return pd.DataFrame(columns, index=depths)
