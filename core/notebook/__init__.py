"""Pictures in a notebook: the app's own, as widgets in Jupyter, VS Code, Colab and marimo.

`views` has the functions that show a picture. They return a `picture_view.PictureView`, which can save
itself and whose choices are attributes. With anywidget (`pip install "polysee[notebook]"`) it is a
widget, `widget.py`, whose choices are traits, synchronized in both directions. Without it,
`_repr_html_` shows the same picture, and a choice takes effect when the picture is displayed again.
`saving` and `browser` make files of a picture.
"""

from .picture_view import PictureView
from .views import (
    compare,
    copying,
    head,
    heads,
    layer,
    lens,
    next_word,
    patch,
    path,
    senses,
    view_of,
    why,
)

__all__ = [
    "PictureView",
    "compare",
    "copying",
    "head",
    "heads",
    "layer",
    "lens",
    "next_word",
    "patch",
    "path",
    "senses",
    "view_of",
    "why",
]
