"""What is chosen on a page: each choice declared once, as a field, and drawn by a control.

A page's fields are its link, its examples and its reset (`PageState`). A control returns what is
chosen; a page needs to know no more. What is chosen stands in the session under a name of its own,
which no control has (docs/state.md).

Here belong fields, controls, and what passes between them and a browser. What a session holds beside
them is a `ui.session.SessionValue`; `ui.permalink` reads and writes links. The fields of the picture of
a layer, which three pages share, are in `layer`.
"""

from ui.session import SessionValue
from ui.state.controls import (
    entry,
    fold,
    number,
    offer,
    presets,
    select,
    several,
    slider,
    some,
    table,
    toggle,
    upload,
)
from ui.state.fields import (
    MODEL,
    PROJECTOR,
    Bounded,
    Choice,
    Field,
    Part,
    Reader,
    Real,
    Switch,
    T,
    Whole,
    clamp,
    published,
)
from ui.state.page_state import PageState, begin, end
from ui.state.texts import paragraph, text

__all__ = [
    "MODEL",
    "PROJECTOR",
    "Bounded",
    "Choice",
    "Field",
    "PageState",
    "Part",
    "Reader",
    "Real",
    "SessionValue",
    "Switch",
    "T",
    "Whole",
    "begin",
    "clamp",
    "end",
    "entry",
    "fold",
    "number",
    "offer",
    "paragraph",
    "presets",
    "published",
    "select",
    "several",
    "slider",
    "some",
    "table",
    "text",
    "toggle",
    "upload",
]
