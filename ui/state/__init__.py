"""The choices on a page: each is declared once, as a field, and drawn by a control.

A page's fields determine its link, its examples and its reset (`PageState`). A control returns the
choice, and a page needs to know no more. The session stores a choice under a key that no control has
(docs/state.md).

This folder holds fields, controls, and the messages between them and a browser. Other values of a
session are a `ui.session.SessionValue`; `ui.permalink` reads and writes links. `layer` has the fields
of a layer's picture, which three pages share.
"""

from ui.session import SessionValue
from ui.state.controls import (
    entry,
    fold,
    number,
    offer,
    open_parts,
    predict,
    predict_number,
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
from ui.state.language import LANGUAGE
from ui.state.lesson import LESSON, Place
from ui.state.location import Location, OwnModel
from ui.state.page_state import PageState, begin, end
from ui.state.present import AT, CHECK, MINE, MOMENTS, PRESENT, Mine
from ui.state.texts import paragraph, text

__all__ = [
    "AT",
    "CHECK",
    "LANGUAGE",
    "LESSON",
    "MINE",
    "MODEL",
    "MOMENTS",
    "PRESENT",
    "PROJECTOR",
    "Bounded",
    "Choice",
    "Field",
    "Location",
    "Mine",
    "OwnModel",
    "PageState",
    "Part",
    "Place",
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
    "open_parts",
    "paragraph",
    "predict",
    "predict_number",
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
