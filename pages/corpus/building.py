"""While a corpus that comes with Polysee is being built: how far it is; and what went wrong."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from core.corpus.building.progress import Progress
from core.errors import PolyseeError
from core.localization import _, decimal, gettext
from ui import text
from ui.corpora import first_use
from ui.corpora.offered import SUPPLIED

PULSE = 1.0  # seconds between two looks


def ready(name: str) -> bool:
    """Whether the corpus is there; if not, it is being built, and the page says how far that is."""
    if first_use.is_there(name):
        return True
    try:
        first_use.begin(name)
    except PolyseeError as error:
        st.error(text.of_error(error))
        st.button(_("Try again"), key="corpus build again", on_click=partial(_again, name))
        return False
    st.info(
        _(
            "Polysee is embedding {texts}, once for all visitors of this computer. This takes about a "
            "minute; the page opens by itself."
        ).format(texts=gettext(SUPPLIED[name].size))
    )
    _watch(name)
    return False


@st.fragment(run_every=PULSE)
def _watch(name: str) -> None:
    if first_use.is_there(name):
        st.rerun()
    try:
        first_use.begin(name)
    except PolyseeError:
        st.rerun()
    progress = first_use.progress(name)
    st.progress(*_shown(progress))


def _shown(progress: Progress | None) -> tuple[float, str]:
    """A share from 0 to 1, and a sentence."""
    if progress is None:
        return 0.0, _("Loading the model …")
    if progress.step == "read":
        return 0.0, _("Reading the texts …")
    if progress.step != "embed" or not progress.total:
        return 1.0, _("Storing the vectors …")
    left = "" if progress.left is None else f", {text.time_left(progress.left)}"
    done = min(progress.done, progress.total)
    said = _("Sentence {number} of {all}").format(
        number=decimal(f"{done:,}"), all=decimal(f"{progress.total:,}")
    )
    return done / progress.total, f"{said}{left}"


def _again(name: str) -> None:
    try:
        first_use.begin(name, again=True)
    except PolyseeError:
        time.sleep(0)  # the run that follows says it
