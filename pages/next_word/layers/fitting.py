"""Fit a lens to the model shown, on a text that the visitor gives."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import PolyseeError
from core.localization import _, decimal
from core.pretrained.lens import TOKENS
from pages.next_word.layers import reading
from pages.next_word.layers.job import Job
from ui import text
from ui.models import model_cache, session_models
from ui.page import part
from ui.session import SessionValue
from ui.state import paragraph, upload

MOST_LETTERS = 500_000  # that are fitted on; more would take no part
MOST_MB = 5
PULSE = 0.7  # seconds between two updates of a fit in progress
PATIENCE = 1.5  # seconds that the page itself waits, for quick ones
_JOB = SessionValue[Job | None]("lens job", None)
_WHY = SessionValue("why no lens", "")
_TYPED = SessionValue("text for a lens", "")
_FILE = SessionValue[tuple[str, str] | None]("file for a lens", None)  # its name, and its text


def offer(model: str) -> None:
    """Draw the box for the text and the button, folded."""
    own = reading.is_own(model)
    width = model_cache.model(model).shape.d_model
    better = min(TOKENS, 30 * width)
    title = _("Fit another lens") if reading.lens_of(model) else _("Fit a lens to this model")
    in_use = any(one.get() for one in (_JOB, _WHY, _FILE, _TYPED))
    with st.expander(title, expanded=in_use):
        st.markdown(
            _(
                "A fitted lens is a linear map for each layer, from its states to the last ones. To "
                "fit one to **{model}** takes at least {least} tokens of text, and better {better}: "
                "about {pages} pages of what the model usually reads. An eighth is kept to measure "
                "it on. It stays in this session; no link contains it."
            ).format(
                model=text.plain(model_cache.title(model)),
                least=decimal(f"{2 * width:,}"),
                better=decimal(f"{better:,}"),
                pages=_pages(better),
            )
        )
        typed = paragraph(_TYPED, _("A text to fit on"), height=120, most=MOST_LETTERS)
        upload(
            "lens upload",
            _("Or a file of plain text"),
            endings=["txt", "md"],
            most_mb=MOST_MB,
            take=_take,
            forget=lambda: _FILE.set(None),
        )
        file = _FILE.get()
        content = typed if file is None else file[1]
        about = _("a pasted text") if file is None else file[0]
        job = _JOB.get()
        with st.container(horizontal=True):
            st.button(
                _("Fit the lens"),
                type="primary",
                disabled=not content.strip() or job is not None,
                on_click=_begin,
                args=(model, content[:MOST_LETTERS], about),
            )
            if own:
                st.button(_("Forget it"), on_click=reading.forget, args=(model,))
        if job is not None:
            part(_watch, PULSE)
        elif reason := _WHY.get():
            st.error(reason)


def _pages(tokens: int) -> int:
    """How many printed pages so many tokens are, roughly."""
    return max(1, round(tokens / 400))


def _take(file: UploadedFile) -> None:
    content = file.getvalue().decode("utf-8", "replace")
    _FILE.set((file.name[:80], content[:MOST_LETTERS]))


def take() -> None:
    """Keep the lens of a job that is done; wait for one that may soon be."""
    job = _JOB.get()
    if job is None:
        return
    if not job.waited_for:
        job.waited_for = True
        job.join(PATIENCE)
    if job.active:
        return
    _JOB.set(None)
    _WHY.set("" if job.error is None else text.of_error(job.error))
    if job.lens is not None:
        reading.keep(job.name, job.lens)


def _begin(model: str, content: str, about: str) -> None:
    _WHY.set("")
    try:
        loaded = reading.model_of(model)
    except PolyseeError as error:
        _WHY.set(text.of_error(error))
        return
    _JOB.set(Job(model, loaded, content, about, session_models.presence()))


def _watch() -> None:
    """The progress, and a button to stop; the whole page reruns when the job is over."""
    job = _JOB.get()
    if job is None or not job.active:
        st.rerun()
    if job.state == "waiting":
        st.progress(
            0.0,
            _("Waiting for the turn: number {number} in the queue.").format(number=max(1, job.before)),
        )
    elif job.total and job.done >= job.total:
        st.progress(1.0, _("All tokens are read; the maps are being fitted and measured …"))
    else:
        st.progress(
            job.done / max(1, job.total),
            _("{done} of {all} tokens read …").format(
                done=decimal(f"{job.done:,}"), all=decimal(f"{job.total:,}")
            ),
        )
    st.button(_("Stop"), key="stop the lens", on_click=job.stop)
