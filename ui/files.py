"""The numbers of a picture as files: in its menu, or behind a button if there is no picture."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core import localization, spreadsheet
from core.figures import Picture
from core.figures.saved_page import Part, saved_page
from core.localization import _
from core.plot import MODULES as PAPER
from ui import session
from ui.serving.files import File, SessionFiles

__all__ = ["File", "begin", "button", "csv", "end", "offered", "offline", "paper"]

_FILES = "files"
# Pictures that say all they say by themselves. Compare and Heads save pages of their own with theirs.
OFFLINE = frozenset({"bars", "branches", "heatmap", "lens", "lines", "nextword", "shaded"})


def csv(make: Callable[[], pd.DataFrame], name: str) -> File:
    """A CSV file with the numbers of a picture, nine digits each."""
    return File(
        "CSV",
        f"polysee-{name}.csv",
        lambda: spreadsheet.csv(make()),
        _("its numbers, for a spreadsheet"),
    )


def paper(picture: Picture) -> list[File]:
    """The picture as a Plotly figure for a paper, in a page that opens offline; [] if there is none."""
    if picture.module not in PAPER:
        return []
    name = f"{picture.header['file']}-figure.html"

    def make() -> str:
        from core import plot  # Plotly takes a while to import

        return plot.to_html(plot.of(picture), name)

    return [File("Plotly", name, make, _("figure for a paper, to restyle in Python"))]


def offline(picture: Picture) -> list[File]:
    """The picture with all it can do in a page that opens offline; [] if its page makes its own."""
    if picture.module not in OFFLINE:
        return []

    def make() -> str:
        sentence = html.escape(picture.sentence)
        return saved_page(picture.sentence, [Part("", f"<p>{sentence}</p>", (picture,))])

    about = _("the interactive picture, in a page that works offline")
    return [File("HTML", f"{picture.header['file']}.html", make, about)]


def button(file: File) -> None:
    """A button that saves the numbers of a table without a picture, as plain as a picture's menu."""
    st.download_button(
        file.kind,
        file.make,
        file_name=file.name,
        key=f"{file.kind.lower()} {file.name.removeprefix('polysee-').rpartition('.')[0]}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help=_("Save {what}.").format(what=file.about),
    )


def offered(place: str, files: Sequence[File]) -> list[dict[str, str]]:
    """The files of a picture in the format of its menu (`runtime/files.js`).

    Args:
        place: the name of the picture on its page.
        files: the files, in order.
    """
    found = [(file, _session_files().offer(place, _as_now(file))) for file in files]
    return [
        {"kind": file.kind, "about": file.about, "name": file.name, "address": address}
        for file, address in found
        if address is not None
    ]


def _as_now(file: File) -> File:
    """The same, made in the language that this run has."""
    code = localization.current()

    def make() -> str | bytes:
        with localization.spoken(code):
            return file.make()

    return file._replace(make=make)


def begin() -> None:
    """Mark the beginning of a run of the page."""
    _session_files().begin()


def end() -> None:
    """Mark the end of a complete run of the page."""
    _session_files().end()


def _session_files() -> SessionFiles:
    """The files of this session."""
    return session.own(_FILES, SessionFiles)
