"""What a visitor's own device must know to draw the moving picture of this page."""

from __future__ import annotations

from collections.abc import Mapping

from pages.compare import verdict
from pages.compare.state import CompareState
from ui import device
from ui.selection import Chosen, Ends

# Only the server brings these up to date.
_BEHIND = (".st-key-verdict", ".st-key-verdict-hint", ".st-key-choices", ".stMain .stExpander")
_NO_ENDS = "This device draws the picture of a word between two ends: name one word for each meaning."
_ALONE = "This device draws both sentences together: type the other one as well."


def context(s: CompareState, ends: Ends | None, sides: Mapping[str, Chosen]) -> device.Context:
    """The choices of the page for the device.

    Args:
        s: the state of the page.
        ends: the two ends of the axis; None if there are none.
        sides: the word in each sentence that has it.
    """
    why = ""
    if ends is None:
        why = _NO_ENDS
    elif len(sides) < len(s.texts):
        why = _ALONE
    return device.Context(
        page="compare",
        texts={name: device.Text(field) for name, field in s.texts.items()},
        about=[*s.texts],
        behind=_BEHIND,
        why=why,
        inputs={
            "picture": verdict.PICTURE,
            "words": {name: [side.word, side.number] for name, side in sides.items()},
            "ends": None if ends is None else ends._asdict(),
        },
    )
