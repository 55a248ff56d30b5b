"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

from __future__ import annotations

from pages.encoder_decoder.state import VIEWS

LINKS: list[dict[str, str]] = [
    {},
    *({"p": view} for view in VIEWS),
    *({"e": block} for block in ("encoder", "decoder")),
    {"d": "to-english"},
]
