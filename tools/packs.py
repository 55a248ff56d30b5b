"""Write the packs of all lessons and the courses as files: pages to print, and PDFs with a browser.

    .venv/bin/python -m tools.packs [FOLDER]

FOLDER is build/packs by default. Each key is computed by the lesson's own model, as in the app. Where
Chromium or Chrome is found (`tools.browser`), a PDF of A4 stands beside each page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ui.paper.served import every_pack

FOLDER = Path(__file__).resolve().parents[1] / "build" / "packs"


def write(folder: Path) -> list[Path]:
    """Write all pages; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, page in every_pack():
        path = folder / name
        path.write_text(page, "utf-8")
        made.append(path)
        print(path)
    return made


def printed(paths: list[Path], chromium: str) -> None:
    """Print each page beside itself."""
    from playwright.sync_api import sync_playwright

    from tools.browser import FLAGS

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=[*FLAGS])
        page = browser.new_page()
        for path in paths:
            page.goto(path.resolve().as_uri())
            # A slide lies on its side.
            page.pdf(path=path.with_suffix(".pdf"), format="A4", prefer_css_page_size=True)
        browser.close()


if __name__ == "__main__":
    from tools import browser

    every = write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
    try:
        found = browser.find_browser()
    except browser.NoBrowser:
        print("No browser was found: the pages are there, and no PDF.")
    else:
        printed(every, found)
