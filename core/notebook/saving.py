"""Save a notebook's picture as a file."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import NotSupported
from ..figures.saved_page import Part
from ..figures.speaking_page import speaking_page
from ..markdown import to_html
from ..web import inside
from . import browser

if TYPE_CHECKING:
    from .picture_view import PictureView

_PAGES = (".html", ".htm")
# How a token is drawn, by the keys of a link to Next word.
_KEYS = {"temperature": "tm", "topK": "tk", "topP": "tp", "minP": "mp"}


def save(view: PictureView, path: Path) -> Path:
    """Write a file; see `PictureView.save`."""
    ending = path.suffix.lower()
    if ending in _PAGES:
        path.write_text(view.to_html(), "utf-8")
        return path
    if ending not in (".svg", ".png"):
        raise NotSupported(f"A picture is saved as .html, .svg or .png, not as “{path.name}”.")
    made = _drawn(view, path, ending[1:].upper())
    if made is not None:
        path.write_bytes(made)
    return path


def save_with_model(view: PictureView, path: Path) -> Path:
    """Write a page with the model inside; see `PictureView.save`."""
    if path.suffix.lower() not in _PAGES:
        raise NotSupported(f"A model is saved into .html, not into “{path.name}”.")
    if view._link is None:
        raise NotSupported("Only what `core.next_word` shows of SmolLM2 is saved with its model.")
    built = inside.speaking()
    picture = view.picture
    words = "".join(map(to_html, view.said))
    page = speaking_page("Next word", [Part("", words, (picture,))], built)
    link = {**view._link, **{_KEYS[name]: str(value) for name, value in picture.state.items()}}
    with path.open("w", encoding="utf-8") as file:
        file.writelines(inside.with_model(page, link, built))
    return path


def _drawn(view: PictureView, path: Path, kind: str) -> bytes | None:
    """The bytes of an SVG or a PNG; None if the displayed widget writes them after the cell."""
    made = view._from_widget(kind)
    if made is not None:
        return made
    if program := browser.find():
        return browser.drawn(view.picture, kind, program)
    if view._write_later(path):
        warnings.warn(
            f"{path.name} is drawn by the displayed widget, and written when this cell has finished.",
            stacklevel=4,
        )
        return None
    raise NotSupported(
        f"{kind} is drawn by a browser: neither a displayed widget nor an installed Chromium, Chrome "
        f'or Edge was found. `.save("{path.with_suffix(".html").name}")` needs none, and `core.plot` '
        "makes Plotly figures."
    )
