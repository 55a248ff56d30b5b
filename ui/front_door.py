"""What a first-time visitor is told, beside the first page: what this is, and three things to try."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from ui import permalink

WHAT = "**New here?** Polysee takes a language model apart, word by word. Three things to try:"
HERE = "1\\. On this page, type two sentences that have one word in common."
# Page, words on the link, state there.
THERE = (
    (
        "pages/heads.py",
        "2. See who looks at whom",
        {"t": "The cat sat on the mat because it was tired.", "l": "4", "r": "lines"},
    ),
    ("pages/training.py", "3. Watch attention being learned", {"rc": "reverse"}),
)


def show() -> None:
    """Draw it, in the sidebar."""
    with st.sidebar:
        st.caption(WHAT)
        st.caption(HERE)
        for page, label, state in THERE:
            # A page that runs alone, without the frame of the app, knows no other.
            with suppress(StreamlitPageNotFoundError):
                st.page_link(page, label=label, query_params={"v": permalink.VERSION, **state})
