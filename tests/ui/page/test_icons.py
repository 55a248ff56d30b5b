from __future__ import annotations

import re

from ui import navigation
from ui.page import icons


def test_each_page_has_an_icon_of_its_own() -> None:
    pages = navigation.pages().values()
    assert len({page.icon for page in pages}) == len(pages)
    drawn = re.findall(r"--drawn: (url[^;]+)", icons.style())
    assert len({*drawn}) == len(pages)


def test_the_home_page_s_link_is_the_one_that_is_no_other_s() -> None:
    others = [page.path for page in navigation.pages().values() if page.path]
    home = icons.style().count(":not(")
    assert home == 1
    for path in others:
        assert icons.style().count(f'[href$="/{path}"]') == 2  # its own, and to tell the home page
