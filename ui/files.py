"""What the numbers of a picture are saved as: in its menu, or by a button where there is no picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from ui.serving.files import File, Shelf

__all__ = ["File", "begin", "button", "csv", "end", "offered"]

_SHELF = "files"


def csv(make: Callable[[], pd.DataFrame], name: str) -> File:
    """The numbers of a picture, nine digits each."""
    return File(
        "CSV",
        f"polysee-{name}.csv",
        lambda: make().to_csv(float_format="%.9g"),
        "its numbers, for a spreadsheet",
    )


def button(file: File) -> None:
    """Where there is a table and no picture: the file by itself, as quiet as the menu of a picture."""
    st.download_button(
        file.kind,
        file.make,
        file_name=file.name,
        key=f"{file.kind.lower()} {file.name.removeprefix('polysee-').rpartition('.')[0]}",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help=f"Save {file.about}.",
    )


def offered(place: str, files: Sequence[File]) -> list[dict[str, str]]:
    """The files of a picture as its menu takes them (`runtime/files.js`).

    Args:
        place: the name of the picture on its page.
        files: in their order.
    """
    found = [(file, _shelf().offer(place, file)) for file in files]
    return [
        {"kind": file.kind, "about": file.about, "name": file.name, "address": address}
        for file, address in found
        if address is not None
    ]


def begin() -> None:
    """The page begins to run."""
    _shelf().begin()


def end() -> None:
    """The page has run to its end."""
    _shelf().end()


def _shelf() -> Shelf:
    """This visitor's; the same for as long as the visit lasts."""
    found: Shelf = st.session_state.setdefault(_SHELF, Shelf())
    return found
