"""The result of a query over many sentences: complete, in progress, or stopped half-way."""

from __future__ import annotations

import time
from typing import NamedTuple

import streamlit as st

from core.errors import NotSupported
from core.localization import _, decimal
from pages.senses.job import AT_ONCE, Job
from ui import text
from ui.models import model_cache, session_models, word_vectors
from ui.models.word_vectors import CachedOccurrences, OccurrenceQuery
from ui.state import SessionValue

PULSE = 0.7  # seconds between two updates of a query in progress
_PATIENCE = 3.0  # seconds that the page itself waits, for quick results
_QUICK = 0.3  # seconds before any message
_LOOK = 0.05
_JOB = SessionValue[Job | None]("senses job", None)
# The part of a query that was completed when it was stopped.
_REACHED = SessionValue[OccurrenceQuery | None]("senses reached", None)


class Answer(NamedTuple):
    """The current result: complete, partial, or none yet; and the job that is not done."""

    cached: CachedOccurrences | None
    job: Job | None


def answer(query: OccurrenceQuery) -> Answer:
    """The result, computed if necessary; a longer computation continues in a thread.

    Raises:
        PolyseeError: see `core.load`; NotSupported: if the model was trained here; WordNotFound: if no
            sentence contains the word; TooLarge: if its vectors would take too much memory.
    """
    if session_models.is_own(query.model):
        raise NotSupported(
            _("This model was trained here and knows only the words of its small language.")
        )
    job = _JOB.get()
    if job is not None and job.query != query:
        job.stop()  # its visitor has made another query
        job = None
        _JOB.set(None)
    if (cached := word_vectors.get(query)) is not None:
        _JOB.set(None)
        return Answer(cached, None)
    if job is None or job.state == "done":  # done, but dropped since: others needed the room
        job = _begin(query)
        _be_patient(job)
    if job.error is not None:
        raise job.error
    if job.active:
        return Answer(_before(query), job)
    if job.state == "done":
        return Answer(word_vectors.get(query), None)
    return Answer((word_vectors.get(job.reached) if job.reached.texts else None) or _before(query), job)


def _before(query: OccurrenceQuery) -> CachedOccurrences | None:
    """What had been completed of this query before it was resumed, if that is still cached."""
    reached = _REACHED.get()
    if reached is None or reached != query._replace(texts=query.texts[: len(reached.texts)]):
        return None
    return word_vectors.get(reached)


def _begin(query: OccurrenceQuery) -> Job:
    made: Job = Job(query, model_cache.model(query.model), session_models.presence())
    _JOB.set(made)
    return made


def _be_patient(job: Job) -> None:
    begin, container = time.monotonic(), st.empty()
    while job.active and (waited := time.monotonic() - begin) < _PATIENCE:
        if waited > _QUICK:
            container.progress(*_progress(job))
        job.join(_LOOK)
    container.empty()


@st.fragment(run_every=PULSE)
def watch() -> None:
    """Show the progress, and a button to stop; the whole page reruns when the job is over."""
    job = _JOB.get()
    if job is None or not job.active:
        st.rerun()
    st.progress(*_progress(job))
    st.button(
        _("Stop"),
        key="senses stop",
        on_click=_stop,
        help=_("The page then shows what has been read so far."),
    )


def going_on(cached: CachedOccurrences) -> None:
    """Say how many sentences the pictures show while the rest is being read."""
    said = _("The pictures below show the first {count} sentences.")
    st.caption(said.format(count=_n(len(cached.query.texts))))


def _progress(job: Job) -> tuple[float, str]:
    total = len(job.query.texts)
    if job.state == "waiting":
        before = ""
        if job.queue_position:
            before = _(" You are number {number} in the queue.").format(number=job.queue_position)
        said = _("Waiting: Polysee reads the sentences of at most {count} visitors at a time.")
        return 0.0, said.format(count=AT_ONCE) + before
    left = job.seconds_left
    soon = "" if left is None else f", {text.time_left(left)}"
    word = text.plain(job.query.word)
    said = _("Reading “{word}” in sentence {done} of {all}{soon}")
    return job.done / total, said.format(word=word, done=_n(job.done), all=_n(total), soon=soon)


def _stop() -> None:
    if (job := _JOB.get()) is not None:
        job.stop()
        job.join(3 * PULSE)  # usually enough for the page to show results at once


def stopped(job: Job, cached: CachedOccurrences | None) -> None:
    """Say that the job was stopped, how far it came, and how to continue."""
    total, done = len(job.query.texts), len((cached.query if cached else job.reached).texts)
    said = (
        _("Stopped after {done} of {all} sentences: the pictures below show the first {done}.")
        if cached is not None
        else _("Stopped after {done} of {all} sentences: there is nothing to show yet.")
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(said.format(done=_n(done), all=_n(total)), width=560)
        st.button(_("Continue"), key="senses on", on_click=_go_on)


def _n(count: int) -> str:
    """A whole number."""
    return decimal(f"{count:,}")


def _go_on() -> None:
    """Start a new job for the same query: what the first one read is cached, and not read again."""
    job = _JOB.take()
    if job is not None and job.reached.texts:
        _REACHED.set(job.reached)
