"""Pictures in a notebook: the app's own, as widgets in Jupyter, VS Code, Colab and marimo.

`views` has the functions that show a picture. `picture_view.PictureView` is what they return: it saves
itself, and its choices are attributes. With anywidget (`pip install "polysee[notebook]"`) it is a
widget, `widget.py`, whose choices are traits in both directions; without, `_repr_html_` shows the same
picture, and a choice counts when it is displayed next. `saving` and `browser` make files of a picture.
"""

from .picture_view import PictureView
from .views import compare, head, heads, layer, path, senses, view_of

__all__ = ["PictureView", "compare", "head", "heads", "layer", "path", "senses", "view_of"]
