"""How a visitor gets their own texts onto this page: said where everybody sees it."""

from __future__ import annotations

import streamlit as st

from core import settings
from core.localization import _
from ui import page

BUILD = "polysee corpus build TEXTS --out CORPORA/NAME\nPOLYSEE_CORPORA=CORPORA polysee"


def draw() -> None:
    """A button beside the word; behind it, the ways for few sentences and for many texts."""
    with st.popover(_("Your own texts")):
        st.markdown(
            _(
                "**Up to 10,000 sentences**, typed or from a file of any kind: *Senses* reads them at "
                "once."
            )
        )
        page.down(_("Open Senses"), "senses", {})
        st.markdown(
            _(
                "**Many texts**: a folder of files of any kind becomes a corpus with one command, on "
                "your own computer or on the server. Started with the second one, Polysee opens this "
                "page on it."
            )
        )
        st.markdown(f"```sh\n{BUILD}\n```")
        if settings.read().corpora is not None:
            st.caption(_("This server has corpora of its own: see the list beside the word."))
