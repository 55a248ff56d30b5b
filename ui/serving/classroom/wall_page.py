"""The wall in a window of its own, for the projector: script and style of the teacher's page."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path

import ui.classroom
from core import localization
from ui import typeface

_HERE, _WALL = Path(__file__).parent, Path(ui.classroom.__file__).parent


def _of(folder: Path, name: str) -> str:
    return (folder / name).read_text("utf-8")


STYLE = typeface.style("../../../") + _of(_WALL, "wall.css") + _of(_HERE, "wall_page.css")
SCRIPT = _of(_WALL, "wall.js") + _of(_HERE, "wall_page.js")
_PAGE = _of(_HERE, "wall.html")


def written(name: str, data: Mapping[str, object]) -> str:
    """The page, in the language of the context.

    Args:
        name: of the room.
        data: see `ui.classroom.wall_data`.
    """
    return _PAGE.format(
        language=localization.current(),
        name=html.escape(name),
        data=html.escape(json.dumps(data)),
        style=STYLE,
        script=SCRIPT,
    )
