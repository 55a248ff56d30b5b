"""The app's own typeface on the pages of a room: the file that the pages of Streamlit use."""

from __future__ import annotations

from pathlib import Path

import streamlit

_FOLDER = "static/media"
_UPRIGHT = "SourceSansVF-Upright*.woff2"


def style(up: str) -> str:
    """The style that names the file; "" where this Streamlit has none, and a page has the system's.

    Args:
        up: the way from the page to the root of the app, such as "../../".
    """
    folder = Path(streamlit.__file__).parent / "static" / _FOLDER
    found = next(iter(sorted(folder.glob(_UPRIGHT))), None)
    if found is None:
        return ""
    return (
        '@font-face{font-family:"Source Sans";font-weight:200 900;font-display:swap;'
        f'src:url("{up}{_FOLDER}/{found.name}") format("woff2")}}\n'
    )
