"""The app's own typeface on pages that are not the app's: the files that the pages of Streamlit use."""

from __future__ import annotations

from pathlib import Path

import streamlit

_FOLDER = "static/media"
_FILES = {"normal": "SourceSansVF-Upright*.woff2", "italic": "SourceSansVF-Italic*.woff2"}


def style(up: str) -> str:
    """The style that names the files; "" where this Streamlit has none, and a page has the system's.

    Args:
        up: the way from the page to the root of the app, such as "../../".
    """
    folder = Path(streamlit.__file__).parent / "static" / _FOLDER
    found = {name: next(iter(sorted(folder.glob(file))), None) for name, file in _FILES.items()}
    return "".join(
        f'@font-face{{font-family:"Source Sans";font-style:{name};font-weight:200 900;'
        f'font-display:swap;src:url("{up}{_FOLDER}/{file.name}") format("woff2")}}\n'
        for name, file in found.items()
        if file is not None
    )
