"""The keys N and B, even if a switch, a choice or a slider has the focus.

A Streamlit button can have a shortcut (`shortcut=`), but Streamlit ignores it while any input has the
focus: a visitor who has just moved the slider of layers would press N in vain.
"""

from __future__ import annotations

import streamlit as st

# The kinds of input that accept no letters.
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
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_translation_keys", js=_LISTENS, isolate_styles=False)


def everywhere() -> None:
    """Make the keys press the buttons "translate N" and "translate B", except while a visitor types."""
    _COMPONENT(key="translate keys", width="content")
