"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from pages.next_word.state import VIEWS

LINKS: list[dict[str, str]] = [{}, *({"p": view} for view in VIEWS if view != "next")]
