"""The view: what is asked, and the pictures below it."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import bars
from core.figures import copying as figures
from core.figures.labels import spelled
from core.language.in_context import CAPITALS
from core.localization import _, each, gettext
from core.measures import Copying, CopyingHeads, Sink, copying_runs
from core.records.frozen import Array
from core.records.prediction import Prediction
from core.sentences import percent
from pages.next_word import headline, shaded
from pages.next_word.copying import captions, computed, python
from pages.next_word.state import COPYING_MEASURES, COPYING_SOURCES, NextWordState
from ui import figure, files, layout, same_in_python, state
from ui.models.attempt import attempt, can_ask, say_special
from ui.page import leads
from ui.state import number, paragraph, select, slider, toggle

TRAINING = {"rc": "induction"}  # the link of the task there that needs the same two layers


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    with st.container(horizontal=True, gap="small", key="copying"):
        length = number(s.copied_length, _("Tokens in one half"), width=160)
        seed = number(s.copied_seed, _("Seed"), width=120)
        source = select(s.copied_from, each(COPYING_SOURCES), _("Drawn from"), width=200)
        count = slider(s.copied_without, _("Induction heads ablated"), width=240)
    drawn = attempt(computed.text, model, source, length, seed)
    own = source == "tokens"
    if drawn is not None:
        text, instead = drawn
        own = own or instead
        _repeated(s, model, text, count, instead=instead, own=own)
    _in_context(s, model)
    _sink(s, model)
    same_in_python.show(s.python, partial(python.lines, s, model, own=own), model)


def _repeated(s: NextWordState, model: str, text: str, count: int, *, instead: bool, own: bool) -> None:
    """The text, said twice: its surprise, and the heads."""
    length, seed = s.copied_length.get(), s.copied_seed.get()
    with st.spinner(_("The model reads the tokens twice …")):
        score = attempt(computed.score, model, text)
        heads = attempt(computed.heads, model, text, length) if score is not None else None
    if score is None:
        return
    found = Copying(length, score, heads)
    if instead:
        st.info(gettext(captions.INSTEAD))
    with st.container(key="copying twice"):
        headline.write(headline.place(), captions.headline(found))
        if heads is not None and count:
            bar = st.progress(0.0, _("It reads them again without some heads …"))
            changed = attempt(
                copying_runs,
                partial(computed.score, model, text),
                length,
                heads,
                ablate=count,
                draws=computed.DRAWS,
                seed=seed,
                on_run=bar.progress,
            )
            bar.empty()
            found = changed or found
        curve, halves = st.columns([3, 2])
        numbers = [files.csv(found.to_frame, "copying")]
        with curve:
            figure.show(
                figures.copying(found), "copying surprise", saved_as=numbers, scale=layout.scale()
            )
        with halves:
            figure.show(
                figures.copying_halves(found), "copying halves", saved_as=numbers, scale=layout.scale()
            )
            if found.without is not None:
                st.markdown(captions.ablation(found))
        figure.show(
            shaded.picture(score, 0),
            "copying text",
            saved_as=[files.csv(score.to_frame, "copying-text")],
            scale=layout.scale(),
        )
        st.caption(gettext(captions.TOKENS if own else captions.WORDS))
    if heads is not None:
        with st.container(key="copying found"):
            _heads(s, model, text, heads)
    with st.container(key="copying learned"):
        leads.down(_("Watch two layers learn this, in Training"), "training", TRAINING)


def _heads(s: NextWordState, model: str, text: str, found: CopyingHeads) -> None:
    measure = select(s.copied_measure, each(COPYING_MEASURES), _("Heads by"), style="segments")
    layers, heads = found.induction.shape
    chosen = (
        divmod(s.copied_head.get() - 1, heads) if 0 < s.copied_head.get() <= layers * heads else None
    )
    st.markdown(captions.best(found, measure))
    left, right = st.columns([3, 2])
    with left:
        figure.show(
            figures.copying_heads(found, measure, chosen=chosen),
            "copying heads",
            on_cell=lambda cell: s.copied_head.set(cell.row * heads + cell.column + 1),
            saved_as=[files.csv(found.to_frame, "copying-heads")],
            scale=layout.scale(),
        )
    with right:
        st.caption(
            _("The ten highest; each opens in *Heads* with this text. A click on a cell opens another.")
        )
        ranked = found.ranked(measure)[:10]
        for layer, head in [*([chosen] if chosen and chosen not in ranked else []), *ranked]:
            value = float(getattr(found, measure)[layer, head])
            query = {"m": model, "t": text, "l": str(layer + 1), "h": str(head + 1), "r": "head"}
            leads.down(
                _("Layer {layer}, head {head}: {share}").format(
                    layer=layer + 1, head=head + 1, share=percent(value)
                ),
                "heads",
                query,
            )


def _in_context(s: NextWordState, model: str) -> None:
    place = state.fold(s.copied_shots, _("Examples in the prompt"))
    if not s.copied_shots.get():
        return
    with place:
        lines = paragraph(s.copied_pairs, _("Pairs, one a line: question : answer"), height=180)
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
        st.markdown(captions.answers(found))
        figure.show(
            figures.in_context(found),
            "copying examples",
            saved_as=[files.csv(found.to_frame, "examples")],
            scale=layout.scale(),
        )


def _sink(s: NextWordState, model: str) -> None:
    place = state.fold(s.copied_sink, _("Attention to the first token"))
    if not s.copied_sink.get():
        return
    with place:
        text = paragraph(s.text, _("Text"), changed=s.forget)
        if not can_ask(text, _("The text")):
            return
        say_special(model, text, _("The text"))
        found = attempt(computed.of_first, model, text)
        if found is not None:
            with st.container(key="copying first"):
                _first(s, model, text, found)


def _first(s: NextWordState, model: str, text: str, found: Sink) -> None:
    """The first token against all others, and what is expected without it."""
    st.markdown(captions.sink(found))
    left, right = st.columns(2)
    numbers = [files.csv(found.to_frame, "sink")]
    with left:
        figure.show(figures.sink_norms(found), "copying norms", saved_as=numbers, scale=layout.scale())
    with right:
        figure.show(figures.sink_shares(found), "copying sink", saved_as=numbers, scale=layout.scale())
    if not toggle(s.copied_hidden, _("Hide the first token from all others")):
        return
    four = attempt(computed.without_first, model, text)
    if four is not None:
        before, after, first, then = four
        st.markdown(captions.hidden(before, after, first, then))
        frame = _next_frame(first, then)
        figure.show(
            bars(
                frame["hidden"].to_numpy(),
                [spelled(one) for one in frame["token"]],
                other=frame["before"].to_numpy(),
                names=(_("first token hidden"), _("before")),
                unit=_("probability"),
                sentence=_(
                    "The ten tokens that were likeliest, with the first token hidden and before."
                ),
                name="sink-hidden",
            ),
            "copying hidden",
            saved_as=[files.csv(partial(_next_frame, first, then), "sink-hidden")],
            scale=layout.scale(),
        )


def _next_frame(first: Prediction, then: Array) -> pd.DataFrame:
    """The likeliest next tokens, with the first token hidden and before."""
    return pd.DataFrame({"token": first.texts, "hidden": then, "before": first.probabilities})
