"""Next word as one HTML file in which the model goes on: the pictures as saved, the model inside."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ..localization import _
from ..web import Built
from ..web.inside import licence
from .saved_page import Part, saved_page

MODULES = ("nextword", "shaded", "branches", "bars", "heatmap")  # which the model draws, once it runs
_LICENCE = "engine/smollm2-licence.txt"  # where the sentence about the model leads, as in the folder


def speaking_page(title: str, parts: Sequence[Part], built: Built) -> str:
    """The page without the model, which `core.web.inside` or a browser adds.

    Args:
        title: plain text.
        parts: the sections from top to bottom.
        built: what `make web` has built, with the language model, whose licence goes along.
    """
    text = html.escape(licence(built))
    about = _("Whose work the model is, and its licence")
    foot = f'<details><summary>{about}</summary><pre id="{_LICENCE}">{text}</pre></details>'
    foot += _("Made with Polysee.")
    return saved_page(title, parts, foot=foot, modules=MODULES)
