"""Save a picture through its menu, as a visitor does."""

from __future__ import annotations

import re

from playwright.sync_api import Download, Locator, Page

NAME = "Save this picture"


def button(picture: Locator | Page) -> Locator:
    """The button that opens the menu."""
    return picture.get_by_role("button", name=NAME, exact=True)


def entry(picture: Locator | Page, kind: str) -> Locator:
    """An entry of the open menu, such as "CSV"."""
    return picture.get_by_role("menuitem", name=re.compile(rf"^{kind}\b"))


def save_picture(picture: Locator | Page, kind: str) -> Download:
    """Open the menu, choose a kind of file, and wait for the file.

    Args:
        picture: a picture, or a page that has one.
        kind: the kind of file, such as "CSV".
    """
    page = picture.page if isinstance(picture, Locator) else picture
    button(picture).click()
    with page.expect_download() as waiting:
        entry(picture, kind).click()
    return waiting.value
