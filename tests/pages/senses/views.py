"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from pages.senses.state import SPACES

LINKS: list[dict[str, str]] = [
    {},
    *({"f": space} for space in SPACES if space != "umap"),
    {"s3": "1"},
    {"c": "cluster"},
]
