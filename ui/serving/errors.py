"""The message on a page after an internal error, with the number under which the log has details."""

from __future__ import annotations

import logging
import secrets

import streamlit as st

from core.localization import N_, gettext
from ui.serving import logs, metrics

SORRY = N_(
    "Something went wrong in Polysee; it is not your mistake. What you typed is still "
    "there: change it, or reload the page. The operator of this server finds details in "
    "its log under the number {}."
)


def tell(error: Exception) -> bool:
    """Log an error of a page and report it there; for `st.App(on_script_error=…)`.

    Returns:
        True: Streamlit need not show the error as well.
    """
    number = secrets.token_hex(4)
    metrics.ERRORS.inc()
    logs.event("error", logging.ERROR, error, id=number)
    st.error(gettext(SORRY).format(number))
    return True
