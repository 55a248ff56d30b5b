"""The page around every sheet: style, script, and a policy that allows only these two."""

from __future__ import annotations

import base64
import hashlib
import html
from functools import cache
from pathlib import Path

from core import localization
from core.localization import _
from ui import typeface

_HERE = Path(__file__).parent
_PLACE = "<!-- content -->"
_UP = "../../"  # every sheet lies two levels deep


@cache
def _parts(alone: bool) -> tuple[str, str, str]:
    """The page with its places, its style and its script; `alone`, without what the server has."""
    style = (_HERE / "sheet.css").read_text("utf-8")
    return (
        (_HERE / "sheet.html").read_text("utf-8"),
        style if alone else typeface.style(_UP) + style,
        (_HERE / "sheet.js").read_text("utf-8"),
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY = "; ".join(
    (
        "default-src 'none'",
        f"style-src {_hash(_parts(False)[1])}",
        f"script-src {_hash(_parts(False)[2])}",
        "img-src data:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def page(title: str, nav: str, content: str, *, alone: bool = False) -> str:
    """A whole page.

    Args:
        title: HTML, without tags.
        nav: HTML; on the screen only.
        content: HTML; the printed part.
        alone: whether it is a file, which no server is behind.
    """
    before, after = around(title, nav, alone=alone)
    return f"{before}{content}{after}"


def around(title: str, nav: str, *, alone: bool = False) -> tuple[str, str]:
    """What stands before and behind the content of a page, which may then grow piece by piece.

    Args:
        title: HTML, without tags.
        nav: HTML; on the screen only.
        alone: whether it is a file, which no server is behind.
    """
    written, style, script = _parts(alone)
    whole = written.format(
        language=localization.current(),
        sheets=html.escape(_("Sheets")),
        long=_(
            "This sheet is long: it takes more than one page, although its letters are as small as "
            "they may be on paper (9 pt)."
        ),
        title=title,
        nav=nav,
        content=_PLACE,
        style=style,
        script=script,
    )
    before, _place, after = whole.partition(_PLACE)
    return before, after
