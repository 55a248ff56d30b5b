"""The state of each page, as its folder has it."""

from __future__ import annotations

import importlib

from ui import navigation
from ui.state import PageState


def state_of(page: str) -> type[PageState]:
    """The state of the page in a folder."""
    found = vars(importlib.import_module(f"pages.{page}.state")).values()
    (state,) = (
        one
        for one in found
        if isinstance(one, type) and issubclass(one, PageState) and one is not PageState
    )
    return state


STATES = {page: state_of(page) for page in navigation.pages()}
