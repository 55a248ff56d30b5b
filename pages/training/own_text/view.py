"""What stands in the view, from top to bottom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import PolyseeError, SettingError
from core.localization import _, decimal, each, gettext
from core.sentences import sentence
from pages.training import outcome as tasks
from pages.training.own_text import (
    captions,
    form,
    in_tab,
    outcome,
    pictures,
    prompt,
    python,
    source,
)
from pages.training.state import NEWEST, WHERE, TrainingState
from ui import figure, files, layout, page, same_in_python, state, text
from ui.models.session_models import (
    OWN_TEXT,
    find_text,
    recipe_of,
    source_of,
    this_session,
    training_queue,
)
from ui.page import terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.own_text import TextRun

PULSE = 0.7  # seconds between two updates of a run in training


def show(s: TrainingState) -> None:
    """Draw the view."""
    state.select(s.where, each(WHERE), _("Train"), style="segments", about=gettext(captions.WHERE))
    if s.where.get() == "tab":
        in_tab.show(s)
        return
    run = s.shown_text()
    with st.container():
        if lost := s.text_run.get() if run is None else "":
            gone = source_of(lost) == OWN_TEXT and not source.text_of(OWN_TEXT)
            st.warning(gettext(captions.LOST_OWN if gone else captions.LOST))
    if run is not None and source_of(run.name) == OWN_TEXT:
        source.restore(run.text)
        source.fold_of(run.name)
    query = form.show(s)
    if query is not None or run is not None:
        polling = run is not None and run.active
        page.part(_live, PULSE if polling else None, s, polling)
    prompt.show(s)
    outcome.show()
    tasks.load(s)


def _live(s: TrainingState, polling: bool) -> None:
    """The part that updates itself while something is training."""
    run = s.shown_text()
    if run is not None and run.active != polling:
        if not run.active and run.state in ("done", "stopped") and run.snapshots:
            this_session().take_text(run, captions.model_title(run))
        st.rerun()  # rerun the whole page: it starts or stops updating itself
    if run is not None:
        _controls(s, run)
        if run.state == "failed":
            st.error(text.of_error(SettingError(run.why)))
        if run.state in ("done", "stopped") and run.snapshots:
            this_session().take_text(run, captions.model_title(run))
    shown = run
    if run is None or not run.snapshots:
        shown = _untrained(s)
    if shown is not None:
        _seen(s, shown, trained=shown is run)


def _untrained(s: TrainingState) -> TextRun | None:
    """The model of the form before its first step; None if it cannot be made, with the reason."""
    name = s.source.get()
    try:
        title = source.title_of(name)
        return pictures.untrained(source.text_of(name), title, s.written_text())
    except PolyseeError as error:
        st.error(text.of_error(error))
        return None


def _controls(s: TrainingState, run: TextRun) -> None:
    left, right = st.columns([4, 12], vertical_alignment="bottom", gap="medium")
    left.progress(run.step / run.recipe.steps, captions.progress(run, training_queue()))
    with right.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        if run.active and not run.is_ending:
            st.button(_("Pause"), key="train text pause", on_click=_pause, args=(run.name,))
        elif run.state in ("paused", "new"):
            st.button(_("Continue"), key="train text on", on_click=_go, args=(s, run.name))
        if (run.active and not run.is_ending) or run.state == "paused":
            about = _("Ends the run for good. The model stays as it is, and goes on from your words.")
            st.button(_("Stop"), key="train text stop", on_click=_stop, args=(run.name,), help=about)
        own = this_session()
        if len(own.texts) > 1:
            titles = {
                name: captions.run_title(one, own.numbers[name]) for name, one in own.texts.items()
            }
            shown = state.Part(f"train text shown {own.begun}", s.text_run.get, s.show_text)
            state.select(shown, titles, _("Run"), width=280)


def _pause(name: str) -> None:
    if name in this_session().texts:
        training_queue().pause(this_session().texts[name])


def _stop(name: str) -> None:
    if name in this_session().texts:
        training_queue().stop(this_session().texts[name])


def _go(s: TrainingState, name: str) -> None:
    this_session().go(name)
    s.step.set(NEWEST)


def _seen(s: TrainingState, run: TextRun, *, trained: bool) -> None:
    """Draw a run as far as it is, at the chosen pause."""
    at = pictures.at(run, s.step.get())
    pause = run.snapshots[at]
    step = decimal(f"{pause.step:,}")
    if trained:
        number = this_session().numbers.get(run.name, 1)
        if other := captions.another_text(run, number, _text_now(s)):
            st.caption(other)
    with st.container(key="presented line"):  # stays with the picture in front of a class
        st.markdown(captions.headline(run, pause))
        if trained and run.state in ("done", "stopped"):
            st.markdown(captions.try_next(run))
    copies = pictures.copies_of(pause.sample, run.text)
    with st.container():
        if trained and not run.active:
            _slider(s, run, at)
    left, right = st.columns([7, 5], gap="medium")
    with left, st.container(key="training writes"):
        st.markdown(_("**It writes**, after step {step}").format(step=step))
        drawn = pictures.writing(pause.sample, copies, run.text, "own-text-writes")
        _draw(drawn, "training writes picture", partial(_table, run))
        st.caption(captions.share(pause.sample, copies, run.text))
        if said := captions.longest(copies, run.text):
            st.caption(said)
        if said := captions.order(run, pause):
            st.caption(said)
    with right, st.container(key="training bits"):
        st.markdown(_("**Bits a letter**: less is better"))
        _draw(pictures.curves(run, at), "training bits picture", partial(_table, run))
        terms.caption(sentence("own-text.held"), "bits")
        terms.caption(captions.numbers(run, pause), "numbers")
    _inside(s, run, at)
    st.caption(text.plain(captions.recipe(run)))
    if trained:
        if other := captions.other_settings(run, s.written_text(), _text_now(s)):
            st.caption(other)
        folded = state.fold(s.every_pause, _("What it wrote at every pause"))
        if s.every_pause.get():
            folded.markdown(captions.pauses(run))
    code = python.Code(s.source.get(), s.written_text(), at)
    if trained:
        code = python.Code(source_of(run.name), run.recipe, at)
    same_in_python.show(s.python, partial(python.lines, code))


def _slider(s: TrainingState, run: TextRun, at: int) -> None:
    """A slider over the pauses."""
    steps = [one.step for one in run.snapshots]

    def take(step: int) -> None:
        s.step.set(NEWEST if step == steps[-1] else step)

    chosen = state.Part(f"train text step {run.name}", lambda: steps[at], take)
    state.select(chosen, {one: decimal(f"{one:,}") for one in steps}, _("After step"), style="slider")


def _inside(s: TrainingState, run: TextRun, at: int) -> None:
    """The attention and the vectors at a pause."""
    pause = run.snapshots[at]
    layers, heads = pause.attention.shape[:2]
    for one, most in ((s.layer, layers - 1), (s.head, heads)):
        if one.get() > most:
            one.set(one.default)
    layer, head = s.layer.get(), s.head.get()
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="training attention"):
        step = decimal(f"{pause.step:,}")
        st.markdown(_("**Which token attends to which** after step {step}").format(step=step))
        with st.container(horizontal=True, gap="small"):
            _choose(s.layer, _("Layer"), [0, *range(1, layers)], _("last"))
            _choose(s.head, _("Head"), [*range(1, heads + 1), *([0] if heads > 1 else [])], _("mean"))
        _draw(
            pictures.attention(pause, layer, head),
            "training attention picture",
            partial(pictures.map_table, pause, layer, head),
        )
    with right, st.container(key="training vectors"):
        st.markdown(_("**The vectors of the tokens**: does what is used alike come together?"))
        terms.caption(captions.vectors(run, at), "vectors")

        def turned(chosen: Mapping[str, Any]) -> None:
            steps = [one.step for one in run.snapshots]
            depth = int(chosen["depth"])
            s.step.set(NEWEST if depth >= len(steps) - 1 else steps[depth])

        figure.show(
            pictures.vectors(run, at),
            f"training-vectors-{recipe_of(run.name) or 'untrained'}",
            on_state=turned,
            saved_as=[files.csv(partial(pictures.coordinates, run, at), "own-text-vectors")],
            scale=layout.scale(),
        )


def _choose(one: state.Whole, title: str, numbers: list[int], zero: str) -> None:
    if len(numbers) > 1:
        state.select(one, {i: str(i) if i else zero for i in numbers}, title, width=100)


def _table(run: TextRun) -> Any:
    return pictures.table(find_text(run.name) or run)


def _draw(picture: Any, key: str, make: Any) -> None:
    saved = [files.csv(make, picture.header["file"].removeprefix("polysee-"))]
    figure.show(picture, key, saved_as=saved, scale=layout.scale())


def _text_now(s: TrainingState) -> str:
    """The text of the form; "" if it cannot be read, which the form says."""
    try:
        return source.text_of(s.source.get())
    except PolyseeError:
        return ""
