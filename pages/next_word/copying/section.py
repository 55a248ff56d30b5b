"""The view: what is asked, and the pictures below it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from core.language.in_context import CAPITALS
from core.measures import CopyingHeads
from core.records.score import Score
from pages.next_word import shaded
from pages.next_word.copying import computed, pictures, python
from pages.next_word.state import COPYING_MEASURES, NextWordState
from ui import figure, files, layout, permalink, same_in_python, state
from ui.models.attempt import attempt
from ui.state import number, paragraph, select, slider, toggle

TRAINING = {"rc": "induction"}  # the link of the task there that needs the same two layers


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    with st.container(horizontal=True, gap="small", key="copying"):
        length = number(s.copied_length, "Words in one half", width=160)
        seed = number(s.copied_seed, "Seed", width=120)
        count = slider(s.copied_without, "Induction heads ablated", width=240)
    text = attempt(computed.words, model, length, seed)
    if text is None:
        return
    with st.spinner("The model reads the words twice …"):
        score = attempt(computed.score, model, text)
        found = attempt(computed.heads, model, text, length) if score is not None else None
    if score is None:
        return
    st.markdown(f"#### {pictures.headline(score, length)}")
    changed: list[tuple[str, Score]] = []
    if found is not None and count:
        changed = _ablated(model, text, found, count, seed)
    every = [("unchanged", score), *changed]
    curve, halves = st.columns([3, 2])
    with curve:
        figure.show(
            pictures.curves(every, length),
            "copying surprise",
            saved_as=[files.csv(partial(pictures.table, every), "copying")],
            scale=layout.scale(),
        )
    with halves:
        figure.show(pictures.halves(every, length), "copying halves", scale=layout.scale())
        if changed:
            st.markdown(pictures.ablation(every, length))
    figure.show(shaded.picture(score, 0), "copying text", scale=layout.scale())
    st.caption(
        "Random words out of a list of ours, each one token, behind a first word that takes the "
        "place of a beginning. Nothing but the first half can announce the second."
    )
    if found is not None:
        _heads(s, model, text, found)
    _leads()
    _in_context(s, model)
    _sink(s, model, text)
    same_in_python.show(s.python, partial(python.lines, s, model), model)


def _ablated(
    model: str, text: str, found: CopyingHeads, count: int, seed: int
) -> list[tuple[str, Score]]:
    best = tuple(found.ranked()[:count])
    named = [(f"without {len(best)} induction", best)]
    drawn = computed.random_heads(found, count, seed)
    if drawn:
        named.append((f"without {len(drawn)} random", drawn))
    changed = []
    with st.spinner("It reads them again, without these heads …"):
        for name, some in named:
            after = attempt(computed.score, model, text, some)
            if after is None:
                break
            changed.append((name, after))
    return changed


def _heads(s: NextWordState, model: str, text: str, found: CopyingHeads) -> None:
    measure = select(s.copied_measure, COPYING_MEASURES, "Heads by", style="segments")
    layers, heads = found.induction.shape
    chosen = (
        divmod(s.copied_head.get() - 1, heads) if 0 < s.copied_head.get() <= layers * heads else None
    )
    st.markdown(pictures.best(found, measure))
    left, right = st.columns([3, 2])
    with left:
        figure.show(
            pictures.grid(found, measure, chosen),
            "copying heads",
            on_cell=lambda cell: s.copied_head.set(cell.row * heads + cell.column + 1),
            saved_as=[files.csv(found.to_frame, "copying-heads")],
            scale=layout.scale(),
        )
    with right:
        st.caption(
            "The ten highest; each opens in *Heads* with this text. A click on a cell opens another."
        )
        ranked = found.ranked(measure)[:10]
        for layer, head in [*([chosen] if chosen and chosen not in ranked else []), *ranked]:
            value = float(getattr(found, measure)[layer, head])
            query = {"m": model, "t": text, "l": str(layer + 1), "h": str(head)}
            _link("pages/heads/page.py", f"Layer {layer + 1}, head {head + 1}: {value:.2f}", query)


def _leads() -> None:
    _link(
        "pages/training/page.py",
        "Watch two layers learn this, in Training",
        TRAINING,
    )


def _in_context(s: NextWordState, model: str) -> None:
    place = state.fold(s.copied_shots, "Examples in the prompt")
    if not s.copied_shots.get():
        return
    with place:
        lines = paragraph(s.copied_pairs, "Pairs, one a line: question : answer", height=180)
        bar = st.progress(0.0)
        found = attempt(
            computed.in_context,
            model,
            lines or CAPITALS,
            s.copied_seed.get(),
            lambda done: bar.progress(done),
        )
        bar.empty()
        if found is None:
            return
        st.markdown(pictures.answers(found))
        figure.show(
            pictures.shots(found),
            "copying examples",
            saved_as=[files.csv(found.to_frame, "examples")],
            scale=layout.scale(),
        )


def _sink(s: NextWordState, model: str, text: str) -> None:
    place = state.fold(s.copied_sink, "The first token is a sink")
    if not s.copied_sink.get():
        return
    with place:
        found = attempt(computed.of_first, model, text)
        if found is None:
            return
        st.markdown(pictures.sink_says(found))
        left, right = st.columns(2)
        with left:
            figure.show(
                pictures.norms(found),
                "copying norms",
                saved_as=[files.csv(found.to_frame, "sink")],
                scale=layout.scale(),
            )
        with right:
            figure.show(pictures.attention(found), "copying sink", scale=layout.scale())
        if not toggle(s.copied_hidden, "Hide the first token from all others"):
            return
        four = attempt(computed.without_first, model, text)
        if four is not None:
            before, after, first, then = four
            st.markdown(pictures.hidden_says(before, after))
            figure.show(pictures.hidden(first, then), "copying hidden", scale=layout.scale())


def _link(page: str, label: str, query: dict[str, str]) -> None:
    with suppress(StreamlitPageNotFoundError):
        st.page_link(page, label=label, query_params={**permalink.VERSION, **query})
