"""Plotly figures for papers, from the same records and the same numbers as the app's pictures.

    figure = core.plot.attention(trace, 2, 5)
    figure.update_layout(font_family="Times New Roman", width=400)
    figure.write_html("head.html")

Each function returns a Plotly figure that is made to be restyled: traces have names, the look is a
template, and nothing is drawn as an image. A figure shows a picture in one state, at one layer, on
white paper. `from_records` draws records; `convert` turns any picture of `core.figures` into a figure,
apart from those of many heads at once, with `charts`, `matrices` and `points`; `look` has the template.
`page` writes a figure as a page that opens offline, and reads it back.
"""

from .convert import MODULES, of
from .from_records import (
    accuracy,
    attention,
    contributions,
    copying,
    copying_heads,
    in_context,
    next_word,
    patching,
    path,
    plane,
    sink,
    space,
)
from .page import read, to_html

__all__ = [
    "MODULES",
    "accuracy",
    "attention",
    "contributions",
    "copying",
    "copying_heads",
    "in_context",
    "next_word",
    "of",
    "patching",
    "path",
    "plane",
    "read",
    "sink",
    "space",
    "to_html",
]
