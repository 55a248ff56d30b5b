from __future__ import annotations

from ui.page import icons
from ui.serving.routes import PAGES


def test_each_page_has_an_icon_of_its_own() -> None:
    assert {*icons._DRAWN} == {"", *PAGES}
    assert len({*icons._DRAWN.values()}) == len(icons._DRAWN)
