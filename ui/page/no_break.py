"""A number and its percent sign stay in one line: where a page shows “73 %”, the space does not break.

What is said keeps its plain space, to be compared, copied into a table and searched; only the screen
has the other one.
"""

from __future__ import annotations

import streamlit as st

_KEEPS = r"""
const WHERE = "pre, code, textarea, [contenteditable]";
const keep = (root) => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.currentNode; text; text = texts.nextNode()) {
    if (!text.data?.includes(" %") || text.parentElement?.closest(WHERE)) continue;
    const kept = text.data.replace(/(\d) %/g, "$1\u00a0%");
    if (kept !== text.data) text.data = kept;
  }
};
let seen = null;
export default () => {
  if (seen) return;
  seen = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      (type === "characterData" ? [target] : addedNodes).forEach(keep);
    }
  });
  seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  keep(document.body);
};
"""
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_no_break", js=_KEEPS, isolate_styles=False)


def keep() -> None:
    """Let the browser keep them together from now on; call it once a page."""
    _COMPONENT(key="no break", width="content", height="content")
