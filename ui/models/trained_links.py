"""Links from a trained model to the pages that can show it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from core.localization import _
from core.tasks import TASKS
from core.tasks.languages import readable
from ui import permalink
from ui.models import session_models

if TYPE_CHECKING:
    from core.tasks import Trained

Link = tuple[str, str, dict[str, str]]  # the page, the text of the link, the state of the page
_HEADS = "pages/heads/page.py"
_NEXT_WORD = "pages/next_word/page.py"
PROMPT = "In the morning"  # for a model that learned a text


def links(name: str, model: Trained) -> list[Link]:
    """The pages that can show a model, with a text for it to read."""
    task = TASKS[model.recipe.task]
    probe = readable.text_of(task, task.probe()).input
    shown_on: list[Link] = []
    if task.kind == "pair":
        translates = task.name in ("translation", "to-english")
        label = _("Translate with it") if translates else _("Watch it write")
        shown_on.append(("pages/encoder_decoder/page.py", label, {"tm": name, "t": probe}))
    where = {"e": "2", "l": str(model.recipe.n_decoder_layers)} if task.kind == "pair" else {}
    last = model.recipe.n_decoder_layers or model.recipe.n_encoder_layers
    shown_on.append((_HEADS, _("See its heads"), {"m": name, "t": probe, **({"l": str(last)} | where)}))
    if task.kind == "masked":
        texts = {key: f"{probe.replace('river', cue)}" for key, cue in (("a", "river"), ("b", "money"))}
        # The ends of the axis are the labelled sentences of the toy language, which the page finds.
        compared = {"m": name, **texts, "w": "bank"}
        shown_on.append(("pages/compare/page.py", _("Compare two sentences"), compared))
    return shown_on


def show(name: str, model: Trained) -> None:
    """Draw the links."""
    for page, label, state in links(name, model):
        _link(page, label, state)


def show_own_text(name: str, layers: int) -> None:
    """Draw the links of a model that learned a text."""
    _link(_NEXT_WORD, _("Ask it for the next word"), {"m": name, "t": PROMPT})
    _link(_HEADS, _("See its heads"), {"m": name, "t": PROMPT, "l": str(layers)})


def again(name: str) -> None:
    """On another page: this model is not here; a link to train it again."""
    source = session_models.source_of(name)
    state = {"rc": session_models.recipe_of(name)}
    if source:
        code = session_models.recipe_of(name).rpartition("~")[2]
        state = {"p": "text", "tx": source, "tc": code}
    _link("pages/training/page.py", _("Train it again"), state)


def _link(page: str, label: str, state: dict[str, str]) -> None:
    query = {**permalink.VERSION, **state}
    # A page that runs alone, without the app around it, knows no other pages.
    with suppress(StreamlitPageNotFoundError):
        st.page_link(page, label=label, icon=":material/arrow_forward:", query_params=query)
