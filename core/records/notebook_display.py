"""How a record is displayed in a notebook.

This module knows no picture: `core` sets the function that draws records when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Maps a record to the view that displays it; see `core.notebook`.
view_of: Callable[[Any], Any] | None = None


class Shown:
    """A record that a notebook displays as a picture."""

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """For Jupyter, VS Code and Colab."""
        if view_of is None:
            return None
        view = view_of(self)
        if hasattr(view, "_repr_mimebundle_"):
            return view._repr_mimebundle_()
        return {"text/html": view._repr_html_(), "text/plain": repr(self)}

    def _display_(self) -> Any:
        """For marimo."""
        return None if view_of is None else view_of(self)
