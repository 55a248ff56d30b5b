"""Plotly figures for papers, from the same records and the same numbers as the app's pictures.

    figure = core.plot.attention(trace, 2, 5)
    figure.update_layout(font_family="Times New Roman", width=400)
    figure.write_html("head.html")

Each function returns a `plotly.graph_objects.Figure` that is made to be restyled: traces have names,
the look is a template (layout.template), and nothing is drawn as an image. A figure shows a picture in
one state, at one layer, on white paper. `convert.of` turns any picture of `core.figures` into one,
apart from those of many heads at once.
"""

from .convert import MODULES, of
from .page import read, to_html
from .records import accuracy, attention, contributions, path, plane, space

__all__ = [
    "MODULES",
    "accuracy",
    "attention",
    "contributions",
    "of",
    "path",
    "plane",
    "read",
    "space",
    "to_html",
]
