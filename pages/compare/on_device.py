"""What a visitor's own device must know to draw the moving picture of this page."""

from __future__ import annotations

from typing import Any

from core.comparison import Question, dictionary
from core.comparison.ends import typed_end
from pages.compare.state import CompareState
from ui import device

# Only the server brings these up to date.
_BEHIND = (".st-key-verdict", ".st-key-verdict-hint", ".st-key-choices", ".stMain .stExpander")
# The choices that the device reads, by their keys in the link; the texts come from the boxes.
_READ = ("w", "o", "w2", "o2", "lo", "hi")


def choices(s: CompareState) -> dict[str, Any]:
    """The choices that the device reads besides the texts, by their keys in the link."""
    return {field.url: field.get() for field in s.link() if field.url in _READ}


def with_ends(chosen: dict[str, Any], question: Question | None) -> dict[str, Any]:
    """The same with the ends that the server found in its dictionary, which a device does not have."""
    ends = None if question is None else question.ends
    if question is None or ends is None or (by := dictionary.kind_of(ends, question.a.word)) is None:
        return {**chosen, "by": ""}
    low, high = (
        typed_end(name, items, question.a.word)
        for name, items in zip(ends.names, (ends.low, ends.high), strict=True)
    )
    return {**chosen, "lo": low, "hi": high, "by": by}


def context(s: CompareState, question: Question | None) -> device.Context:
    """The choices of the page for the device.

    Args:
        s: the fields of the page.
        question: what the server compares, if there is anything to compare.
    """
    return device.Context(
        page="compare",
        texts={name: device.Text(field) for name, field in s.texts.items()},
        about=[*s.texts],
        behind=_BEHIND,
        why="",
        inputs=with_ends(choices(s), question),
    )
