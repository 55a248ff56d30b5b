"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from pages.compare.state import VIEWS

FOLDS = {f: "1" for f in ("fs", "fw", "fi", "fa", "fd", "fn")}
LINKS: list[dict[str, str]] = [{}, FOLDS, *({"p": view} for view in VIEWS)]
