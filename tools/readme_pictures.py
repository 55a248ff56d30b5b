"""Take the README's pictures: `python -m tools.readme_pictures` writes them to `docs/pictures`.

They show the running app with the shipped model: four pages, and the animated picture of Compare.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from tools.browser import FLAGS, find_browser
from tools.server import Server
from ui import navigation

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
PAGES = ("compare", "heads", "senses", "step_by_step")
SCREEN: ViewportSize = {"width": 1440, "height": 900}
WIDTH = 1080  # pixels of a saved picture: the README shows it no wider
REST = 6_000  # milliseconds in which an animation ends
STEP = 80  # milliseconds of the picture's own clock between two frames
HOLD = 1_600  # milliseconds for which the first and the last frame are shown
LONGEST = 400  # the most frames of the animation


def opened(browser: Browser, address: str) -> Page:
    """A page of the app, after the model has answered and all motion has ended."""
    page = browser.new_context(viewport=SCREEN, color_scheme="light").new_page()
    page.goto(address)
    page.locator(".picture[data-drawn]").first.wait_for(timeout=120_000)
    page.get_by_test_id("stStatusWidget").wait_for(state="hidden", timeout=120_000)
    page.wait_for_timeout(REST)
    return page


def photo(of: Page | Locator) -> Image.Image:
    """A screenshot at the width of the saved picture."""
    image = Image.open(io.BytesIO(of.screenshot())).convert("RGB")
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def motion(page: Page) -> list[Image.Image]:
    """The picture of Compare from the learned vector to the last layer, at even steps of its clock."""
    picture = page.locator(".picture").first
    page.clock.install(time=0)
    page.clock.pause_at(1)
    picture.get_by_role("button", name="Play").click()
    frames: list[Image.Image] = []
    while len(frames) < LONGEST:
        page.clock.run_for(STEP)
        frames.append(photo(picture))
        if len(frames) > 1 and picture.get_by_role("button", name="Play").count():
            break
    return frames


def save(frames: list[Image.Image], path: Path) -> None:
    """Save frames as a looping animation; equal frames are merged, and keep their total time."""
    durations = [HOLD, *[STEP] * (len(frames) - 2), HOLD]
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=70, method=6
    )


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            for name in PAGES:
                page = opened(browser, f"{server.url}/{navigation.pages()[name].path}")
                photo(page).save(FOLDER / f"{name}.webp", quality=80, method=6)
            page = opened(browser, f"{server.url}/")
            save(motion(page), FOLDER / "one_word_two_meanings.webp")
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
