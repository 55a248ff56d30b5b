"""The rest of a page: folded while a lesson runs, and off the screen while its content changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import streamlit as st

from core.localization import _
from ui.state import LESSON

BELOW = "below the page"  # the key of what stands below a page's content
# The sign in front keeps it where it is put: Streamlit moves a style alone to a place of its own.
_GONE = "<i></i><style>.st-key-below-the-page {display: none;}</style>"


@contextmanager
def without_rest(said: str) -> Iterator[None]:
    """Take what stands below a page's content off the screen while another content is computed.

    Args:
        said: the line that stands there meanwhile (Markdown); "" if the content stays the same.
    """
    place = st.empty()  # always, so that what is below keeps its place
    if said:
        with place.container():
            st.caption(said)
            st.html(_GONE)
    try:
        yield
    finally:
        place.empty()


def rest(label: str = "", *, needed: bool = False) -> AbstractContextManager[Any]:
    """A fold around parts of a page that a lesson's step does not need; outside of a lesson, no fold.

    It is closed as each step begins, and computes its content as the page does without it.

    Args:
        label: the name of the fold, of which a page may have several; "" for the rest of the page.
        needed: whether the step's link opens something inside: then there is no fold either.
    """
    place = LESSON.get()
    if place is None or needed:
        return nullcontext()
    label = label or _("The rest of this page")
    return st.expander(label, key=f"rest {label} {place}")
