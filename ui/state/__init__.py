"""What is chosen on a page: each choice declared once, as a field, and drawn by a control.

A page's fields are its link, its examples and its reset (`PageState`). A control returns what is
chosen; a page needs to know no more. What is chosen stands in the session under a name of its own,
which no control has: docs/state.md tells why, and what was tried.

Here belong fields, controls, and what passes between them and a browser. The fields of the picture of a
layer, which three pages share, are in `layer`.
"""

from ui.state.controls import (
    choose_model,
    entry,
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
    Bounded,
    Choice,
    Field,
    Part,
    Read,
    Real,
    Switch,
    T,
    Visit,
    Whole,
    published,
    within,
)
from ui.state.page_state import PageState, begin, end
from ui.state.texts import paragraph, text

__all__ = [
    "MODEL",
    "Bounded",
    "Choice",
    "Field",
    "PageState",
    "Part",
    "Read",
    "Real",
    "Switch",
    "T",
    "Visit",
    "Whole",
    "begin",
    "choose_model",
    "end",
    "entry",
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
    "within",
]
