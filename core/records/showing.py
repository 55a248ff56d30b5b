"""How a record shows itself in a notebook.

Nothing here knows a picture: `core` says which function draws a record, when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# From a record to the view that shows it; see `core.notebook`.
view_of: Callable[[Any], Any] | None = None


class Shown:
    """A record whose value at the end of a cell is a picture."""

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
