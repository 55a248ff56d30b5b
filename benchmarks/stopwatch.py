"""Timing a page from inside: a key is pressed, and stopwatch.js says when its answer was painted.

Everything that depends on the Compare page is in `WHERE`, and nowhere else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page

CODE = (Path(__file__).parent / "stopwatch.js").read_text("utf-8")
PATIENCE = 60_000  # milliseconds for one answer
REST = 0.3  # seconds between two keys, for what a page does when it becomes idle

WHERE = {
    # The verdict above the moving picture. It must change with each text: the texts are chosen for
    # that.
    "verdict": ".st-key-verdict p",
    # In the moving picture: the two sentences, and the contributions of their words.
    "words": ".sentences .word",
    "sums": ".sentences .sum",
    "moving": ".picture[data-moving]",
    # The container of each picture. Streamlit derives these classes from the keys of its elements.
    "places": {
        "trajectory": ".st-key-trajectory",
        "headA": ".st-key-head-A",
        "headB": ".st-key-head-B",
    },
    # The two kinds of picture: Plotly's, whose data are compared, and our own, which are in an open
    # shadow root and count their paintings in `data-drawn`.
    "plotly": ".js-plotly-plot",
    "picture": ".picture[data-drawn]",
    # Streamlit's own signs: that no script runs, that one runs, that an element is stale.
    "idle": "[data-test-script-state='notRunning']",
    "status": "[data-testid='stStatusWidget']",
    "stale": "[data-stale='true']",
}
SENTENCE_A, SENTENCE_B = "Sentence A", "Sentence B"  # the names of the text boxes
LAYER, HEAD = re.compile("^Layer"), re.compile("^Head")  # the names of the heads' two sliders
SLIDER = "[data-testid='stSlider']"  # the moving picture also has a slider of layers

Times = dict[str, float]


class NotPainted(RuntimeError):
    """The page did not show the expected content."""


def visit(page: Page, url: str) -> None:
    """Open the Compare page and wait until it has answered, and its animation has ended."""
    page.add_init_script(CODE)
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.locator(str(WHERE["verdict"])).first.wait_for()
    page.locator(str(WHERE["words"])).first.wait_for()
    rest(page)
    page.locator(str(WHERE["moving"])).wait_for(state="detached")


def rest(page: Page) -> None:
    """Wait until the page is idle, and a moment longer.

    Raises:
        NotPainted: if it does not become idle.
    """
    ended = page.evaluate("([where, patience]) => stopwatch.rest(where, patience)", [WHERE, PATIENCE])
    if ended is None:
        raise NotPainted("the page does not come to rest")
    time.sleep(REST)


def press(
    page: Page, locator: Locator, key: str, goals: Sequence[str], typed: str | None = None
) -> Times:
    """Press a key in an element of an idle page; returns the seconds until each goal is painted.

    Args:
        page: the Compare page, opened by `visit`.
        locator: the element to focus.
        key: the key's name in Playwright.
        goals: the goals of stopwatch.js.
        typed: a text entered immediately before: after a pause, the page would take it as typed.

    Raises:
        NotPainted: if a goal was not met in time.
    """
    page.bring_to_front()
    locator.focus()
    rest(page)
    page.evaluate(
        "([key, goals, where, patience]) => stopwatch.arm(key, goals, where, patience)",
        [key, list(goals), WHERE, PATIENCE],
    )
    if typed is not None:
        locator.fill(typed)
    page.keyboard.press(key)
    times = page.evaluate("() => stopwatch.times")
    if None in times.values():
        old = ", ".join(page.evaluate("() => stopwatch.unchanged()"))
        raise NotPainted(
            f"after {key} in {PATIENCE / 1e3:.0f} s: {times}; as before: {old or 'nothing'}"
        )
    return {goal: spent / 1e3 for goal, spent in times.items()}


def enter(page: Page, text: str, *goals: str) -> Times:
    """Type a text as sentence A and press Enter; returns the seconds until each goal is painted."""
    box = page.get_by_role("textbox", name=SENTENCE_A, exact=True)
    return press(page, box, "Enter", goals, text)


def enter_pair(page: Page, first: str, second: str, *goals: str) -> Times:
    """Type sentence A and wait; then as `enter`, for sentence B, with which there is a pair."""
    box = page.get_by_role("textbox", name=SENTENCE_A, exact=True)
    box.fill(first)
    box.press("Enter")
    rest(page)
    return press(page, page.get_by_role("textbox", name=SENTENCE_B, exact=True), "Enter", goals, second)


def move(page: Page, slider: re.Pattern[str], key: str) -> float:
    """Press a key on a slider; returns the seconds until both heatmaps are repainted."""
    return press(page, page.locator(SLIDER).get_by_role("slider", name=slider), key, ("heads",))[
        "heads"
    ]
