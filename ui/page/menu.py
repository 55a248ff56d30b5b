"""On a phone the menu lies over the page: it folds once a page has been chosen in it."""

from __future__ import annotations

import streamlit as st

# Streamlit keeps its sidebar as it was over a change of page. Beside the page it may stay; where it
# lies over the page, its own button folds it.
_FOLDS = """
const CHOICES = '[data-testid="stSidebarNavLink"], .st-key-reset button';
export default ({ parentElement }) => {
  const chosen = ({ target }) => {
    const menu = document.querySelector('[data-testid="stSidebar"]');
    const page = document.querySelector('[data-testid="stMain"]');
    if (!menu?.contains(target) || !target.closest?.(CHOICES)) return;
    const over = page.getBoundingClientRect().left < menu.getBoundingClientRect().right - 1;
    if (over) menu.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  };
  parentElement.forget?.();
  document.addEventListener("click", chosen);
  parentElement.forget = () => document.removeEventListener("click", chosen);
  return parentElement.forget;
};
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_menu", js=_FOLDS, isolate_styles=False)


def fold_after_a_choice() -> None:
    """Listen for the links to the pages and for “Reset the page”; to be called in the sidebar."""
    _COMPONENT(key="menu", width="content", height="content")
