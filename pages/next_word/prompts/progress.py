"""The patched runs that a visitor asks for: there, on the way, or stopped."""

from __future__ import annotations

import time

import streamlit as st

from core.figures import patching
from core.localization import _, ngettext
from core.records.patching import Patching
from core.sentences import percent
from pages.next_word.prompts import computed
from pages.next_word.prompts.computed import Query
from pages.next_word.prompts.job import Job
from ui import figure, layout
from ui.models import model_cache, session_models
from ui.state import SessionValue

PULSE = 1.0  # seconds between two pictures of what is being computed
PATIENCE = 1.5  # seconds that the page itself waits
QUICK = 0.3  # seconds before it shows any progress
_LOOK = 0.05
_JOB = SessionValue[Job | None]("next word patching job", None)


def found(query: Query) -> Patching | None:
    """The patched runs; None while a thread computes them, with its progress on the page.

    Raises:
        PolyseeError: see `computed.patching`.
    """
    job = _JOB.get()
    if job is not None and job.query != query:
        job.stop()  # its visitor has chosen something else
        job = None
        _JOB.set(None)
    model_cache.model(query.model)  # here, where its progress can be drawn
    if (known := computed.known(query)) is not None:
        _JOB.set(None)
        return known
    if computed.work(query) <= computed.QUICK:
        return computed.patching(query)
    if job is None or job.state == "done":  # done, but dropped since: others needed the room
        job = Job(query, session_models.presence())
        _JOB.set(job)
        _be_patient(job)
    if job.error is not None:
        _JOB.set(None)
        raise job.error
    if job.state == "done":
        return computed.known(query) or computed.patching(query)  # there was no room to keep it
    _show(job)
    return None


def _be_patient(job: Job) -> None:
    """Wait for a quick result, so that no picture comes and goes; the bar shows before that."""
    begin, bar = time.monotonic(), st.empty()
    while job.active and (waited := time.monotonic() - begin) < PATIENCE:
        if waited > QUICK:
            bar.progress(*_progress(job))
        job.join(_LOOK)
    bar.empty()


def _progress(job: Job) -> tuple[float, str]:
    """The share that is done, and what goes on."""
    part = computed.begun(job.query)
    share = 0.0 if part is None else part.done
    if job.state == "waiting":
        waits = ngettext(
            "Patching takes a while, and one other is ahead of you. It starts by itself.",
            "Patching takes a while, and {count} others are ahead of you. It starts by itself.",
            job.queue_position,
        )
        return share, waits.format(count=job.queue_position)
    return share, _("The model runs again for each cell: {share}").format(share=percent(share, 0))


def _show(job: Job) -> None:
    """Draw what there is of a job that is not done: its progress, or how to go on."""
    if job.active:
        _watch()
        return
    part = computed.begun(job.query)
    with st.container(horizontal=True, vertical_alignment="center"):
        said = _("Stopped.") if part is None else _("Stopped at {share}.")
        done = "" if part is None else percent(part.done, 0)
        st.warning(said.format(share=done), width=320)
        st.button(_("Continue"), key="patching on", on_click=_go_on)
    _picture(part)


@st.fragment(run_every=PULSE)
def _watch() -> None:
    """The progress, the rows so far, and a button to stop; the page runs again when the job is over."""
    job = _JOB.get()
    if job is None or not job.active:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(*_progress(job))
        st.button(_("Stop"), key="patching stop", on_click=_stop)
    _picture(computed.begun(job.query))


def _picture(part: Patching | None) -> None:
    if part is not None:
        first = computed.first_row(part)
        figure.show(patching(part, first=first), "patching so far", scale=layout.scale())


def _stop() -> None:
    if (job := _JOB.get()) is not None:
        job.stop()
        job.join(3 * PULSE)


def _go_on() -> None:
    """Start a new job for the same query; what the first one has computed is kept."""
    _JOB.set(None)
