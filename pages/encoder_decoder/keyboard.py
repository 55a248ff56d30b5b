"""The keys N and B, also while a switch, a box or a slider has the focus.

A button of Streamlit has a shortcut of its own (`shortcut=`), but Streamlit ignores it while any input
has the focus. Whoever has just chosen a layer by its slider would press N in vain.
"""

from __future__ import annotations

import streamlit as st

# The kinds of input that take no letters.
_LISTENS = """
const mute = ["checkbox", "radio", "range", "button"];
export default ({ parentElement }) => {
  const press = (event) => {
    const at = event.composedPath()[0];
    const key = event.key?.toUpperCase();
    if (at.tagName !== "INPUT" || !mute.includes(at.type) || !["N", "B"].includes(key)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    document.querySelector(`.st-key-translate-${key} button`)?.click();
  };
  parentElement.unhear?.();
  document.addEventListener("keydown", press, true);
  parentElement.unhear = () => document.removeEventListener("keydown", press, true);
  return parentElement.unhear;
};
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_translation_keys", js=_LISTENS, isolate_styles=False)


def everywhere() -> None:
    """Let the keys press the buttons "translate N" and "translate B" wherever nothing is typed."""
    _COMPONENT(key="translate keys", width="content")
