"""What a visitor's own device must know to draw the bars of *What comes next*."""

from __future__ import annotations

from core.localization import N_, gettext
from pages.next_word import hidden
from pages.next_word.state import NextWordState
from ui import device

PICTURE = "next word"  # its name on the page
_BEHIND = (
    ".st-key-presented-line",
    ".st-key-surprise-text",
    ".stMain .stExpander",
    ".stMain [data-testid='stCaptionContainer']",
)
_HIDDEN = N_("The server computes here: it has the list of words that a class does not see.")
_CUT = N_("The server computes here: the text is longer than the model can hold, and its end is read.")


def context(s: NextWordState, read: str) -> device.Context:
    """The choices of the page for the device.

    Args:
        s: the state of the page.
        read: what of the text is read.
    """
    typed = s.text.get()
    why = _HIDDEN if hidden.in_class() else _CUT if read != typed else ""
    return device.Context(
        page="next-word",
        texts={"text": device.Text(s.text)},
        about=["text"],
        behind=_BEHIND,
        why=gettext(why) if why else "",
        inputs={
            "picture": PICTURE,
            "typed": typed,
            "written": [*s.written.get()],
            "seed": s.seed.get(),
        },
    )
