"""While Python's documentation is being built: how far it is; and what went wrong."""

from __future__ import annotations

import time

import streamlit as st

from core.corpus.building.progress import Progress
from core.errors import PolyseeError
from ui import text
from ui.corpora import docs_build

PULSE = 1.0  # seconds between two looks


def ready() -> bool:
    """Whether the corpus is there; if not, it is being built, and the page says how far that is."""
    if docs_build.is_there():
        return True
    try:
        docs_build.begin()
    except PolyseeError as error:
        st.error(text.of_error(error))
        st.button("Try again", key="corpus build again", on_click=_again)
        return False
    st.info(
        "Polysee is embedding the documentation inside Python: 50,000 words, once for all visitors of "
        "this computer. This takes about a minute; the page opens by itself."
    )
    _watch()
    return False


@st.fragment(run_every=PULSE)
def _watch() -> None:
    if docs_build.is_there():
        st.rerun()
    try:
        docs_build.begin()
    except PolyseeError:
        st.rerun()
    progress = docs_build.progress()
    st.progress(*_shown(progress))


def _shown(progress: Progress | None) -> tuple[float, str]:
    """A share from 0 to 1, and a sentence."""
    if progress is None:
        return 0.0, "Loading the model …"
    if progress.step == "read":
        return 0.0, "Reading the texts …"
    if progress.step != "embed" or not progress.total:
        return 1.0, "Storing the vectors …"
    left = "" if progress.left is None else f", {text.time_left(progress.left)}"
    done = min(progress.done, progress.total)
    return done / progress.total, f"Sentence {done:,} of {progress.total:,}{left}"


def _again() -> None:
    try:
        docs_build.begin(again=True)
    except PolyseeError:
        time.sleep(0)  # the run that follows says it
