"""The page around every sheet: style, script, and a policy that allows only these two."""

from __future__ import annotations

import base64
import hashlib
import html
from functools import cache
from pathlib import Path

from core import localization
from core.localization import _

_HERE = Path(__file__).parent
_PLACE = "<!-- content -->"


@cache
def _parts() -> tuple[str, str, str]:
    """The page with its places, its style and its script."""
    return (
        (_HERE / "sheet.html").read_text("utf-8"),
        (_HERE / "sheet.css").read_text("utf-8"),
        (_HERE / "sheet.js").read_text("utf-8"),
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY = "; ".join(
    (
        "default-src 'none'",
        f"style-src {_hash(_parts()[1])}",
        f"script-src {_hash(_parts()[2])}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def page(title: str, nav: str, content: str) -> str:
    """A whole page.

    Args:
        title: HTML, without tags.
        nav: HTML; on the screen only.
        content: HTML; the printed part.
    """
    before, after = around(title, nav)
    return f"{before}{content}{after}"


def around(title: str, nav: str) -> tuple[str, str]:
    """What stands before and behind the content of a page, which may then grow piece by piece.

    Args:
        title: HTML, without tags.
        nav: HTML; on the screen only.
    """
    written, style, script = _parts()
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
