"""The same view in the visitor's own tab: the browser trains, and its text stays there."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.training.state import TrainingState
from ui import events, spoken
from ui.serving import sent_once

_KEY = "own text in tab"
_PICTURES = ("lines", "shaded")
# Fetches the view and mounts it; a training goes on while the page runs again.
_ADAPTER = (
    spoken.SPEAK
    + """
export default ({ data, parentElement, setTriggerValue }) => {
  Promise.resolve(speak(data.words)).then(() => import(new URL(data.code, document.baseURI).href))
    .then(({ mount }) => mount(parentElement, data, (state) => setTriggerValue("recipe", state)))
    .catch((error) => console.warn("Polysee: the view did not arrive.", error));
};
"""
)
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_own_text", js=_ADAPTER, isolate_styles=False)


def show(s: TrainingState) -> None:
    """Draw the view; the server hears which ready text and which recipe, and never a text."""
    code, worker = sent_once.script("owntext"), sent_once.script("ownworker")
    if code is None or worker is None:  # as in tests, where nobody answers there
        return
    data = {
        "code": code,
        "words": spoken.address(),
        "worker": worker,
        "pictures": {name: sent_once.code(name) for name in _PICTURES},
        "source": s.source.get(),
        "recipe": s.text_recipe.get(),
    }
    take = partial(events.receive, events.RECIPE, _KEY, "recipe", partial(_take, s))
    _COMPONENT(key=_KEY, data=data, height="content", on_recipe_change=take)


def _take(s: TrainingState, sent: dict[str, Any]) -> None:
    s.source.set(sent["source"])
    s.text_recipe.set(sent["recipe"])
