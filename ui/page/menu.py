"""On a phone, the menu covers the page: it closes once a visitor has chosen a page."""

from __future__ import annotations

import streamlit as st

# Streamlit leaves its sidebar open when the page changes. Beside the page it may stay open; if it
# covers the page, we press its own button to close it.
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
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_menu", js=_FOLDS, isolate_styles=False)


def fold_after_a_choice() -> None:
    """Listen for clicks on page links and on “Reset the page”; call it in the sidebar."""
    _COMPONENT(key="menu", width="content", height="content")
