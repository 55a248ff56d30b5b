"""What a visitor's own device must know to draw the moving picture of this page."""

from __future__ import annotations

from typing import Any

from pages.compare.state import CompareState
from ui import device

# Only the server brings these up to date.
_BEHIND = (".st-key-verdict", ".st-key-verdict-hint", ".st-key-choices", ".stMain .stExpander")
# The choices that the device reads, by their keys in the link; the texts come from the boxes.
_READ = ("w", "o", "w2", "o2", "lo", "hi")


def choices(s: CompareState) -> dict[str, Any]:
    """The choices that the device reads besides the texts, by their keys in the link."""
    return {field.url: field.get() for field in s.link() if field.url in _READ}


def context(s: CompareState) -> device.Context:
    """The choices of the page for the device."""
    return device.Context(
        page="compare",
        texts={name: device.Text(field) for name, field in s.texts.items()},
        about=[*s.texts],
        behind=_BEHIND,
        why="",
        inputs=choices(s),
    )
