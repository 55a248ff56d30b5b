"""The rest of a page while a lesson runs: folded, so that the step's picture stands alone."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from core.localization import _
from ui.state import LESSON


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
