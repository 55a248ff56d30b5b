"""The button that saves a comparison as one HTML file, on request from the choices of that moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.comparison import Question
from core.comparison.heads import Look
from core.comparison.saved_page import page
from core.localization import _
from ui import comparison, device, files, permalink
from ui.state import Field

_ALIVE = "polysee-comparison-alive.html"


def button(question: Question, choices: Mapping[str, Any], *where: Field[Any]) -> None:
    """A button that saves the comparison; the file is made on request, from the choices at that time.

    Args:
        question: the word and the sentences.
        choices: the choices of the page that a model inside the file needs, by their keys in the link.
        where: the fields of layer, head, special tokens, layers back, and how the components are seen.
    """
    now, address = permalink.now(), st.context.url or ""

    def make() -> str:
        layer, head, special, back, view = (now.values[field.key] for field in where)
        look = Look.numbered(layer, head, special=special)
        link = permalink.link(address, now)
        source = comparison.Cached(question.model)
        return page(question, look, source, back=back, link=link, solid=view == "pca3")

    st.download_button(
        _("Save this comparison"),
        make,
        file_name="polysee-comparison.html",
        mime="text/html",
        on_click="ignore",
        help=_("One HTML file that opens offline and keeps its pictures interactive."),
    )
    if question.model == device.MODEL:  # SmolLM2 in a file speaks, and compares nothing
        device.saved_alive(question.model, files.File("HTML", _ALIVE, make, "alive"), choices)
