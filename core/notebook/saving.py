"""A picture of a notebook as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import NotSupported
from . import browser

if TYPE_CHECKING:
    from .picture_view import PictureView


def save(view: PictureView, path: Path, from_widget: Callable[[str], bytes | None]) -> Path:
    """Write a file; see `PictureView.save`.

    Args:
        view: whose picture is saved.
        path: the file.
        from_widget: asks the displayed widget for "SVG" or "PNG"; returns None without an answer.
    """
    kind = path.suffix.lower()
    if kind in (".html", ".htm"):
        path.write_text(view.to_html(), "utf-8")
        return path
    if kind not in (".svg", ".png"):
        raise NotSupported(f"A picture is saved as .html, .svg or .png, not as “{path.name}”.")
    made = from_widget(kind[1:].upper())
    if made is None:
        program = browser.find()
        if program is None:
            raise NotSupported(
                f"{kind[1:].upper()} is drawn by a browser, and neither a displayed widget nor an "
                "installed Chromium, Chrome or Edge answered. "
                f'`.save("{path.with_suffix(".html").name}")` needs none, and `core.plot` makes Plotly '
                "figures."
            )
        made = browser.drawn(view.picture, kind[1:].upper(), program)
    path.write_bytes(made)
    return path
