"""A visitor of the Heads page, timed: opening pictures, and actions inside one.

Everything that depends on the page is here and in watch.js, and nowhere else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

from benchmarks import stopwatch

CODE = (Path(__file__).parent / "watch.js").read_text("utf-8")
QUIET = 0.6  # seconds after an action: by then, a choice has been reported, if nothing follows
# The descriptions of the pictures for a screen reader.
GRID, LINES, MAP = "grid of heads", "lines between tokens", "heatmap"
FIRST, TIMED = "Layer 1", "Layer 3"  # the level at which a text is entered; the layer that is opened


@dataclass(frozen=True)
class Opened:
    """A picture from the server: seconds until it was painted, and all bytes until the page was idle.

    Numbers are fetched by the address of their content; the rest comes through the page's WebSocket.
    """

    seconds: float
    received: int


@dataclass(frozen=True)
class Acted:
    """An action inside a picture.

    Attributes:
        seconds: from the event to the end of the first frame that shows it.
        frames: 1 if that was the next frame.
        early: the messages to the server until then.
        sent: the messages until the page was idle, at least `QUIET` seconds later.
        received: bytes that came through the page's WebSocket until then.
        fetched: bytes of files that were fetched until then, numbers among them.
    """

    seconds: float
    frames: int
    early: int
    sent: int
    received: int
    fetched: int


@dataclass
class Visitor:
    """One visitor of the Heads page, who starts with the first layer of a text."""

    page: Page
    layers: int
    heads: int

    def visit(self, url: str, model: str, text: str) -> None:
        """Open the page with this text and wait until it has answered."""
        for code in (stopwatch.CODE, CODE):
            self.page.add_init_script(code)
        self.page.set_default_timeout(stopwatch.PATIENCE)
        self.page.goto(f"{url}/heads?{urlencode({'m': model, 't': text, 'l': 1})}")
        self._picture().wait_for()
        stopwatch.rest(self.page)

    def enter(self, text: str) -> Opened:
        """Enter a text while a layer is shown; returns the seconds, including the model's work."""
        box = self.page.get_by_role("textbox", name="Text", exact=True)

        def act() -> None:
            box.fill(text)  # immediately before: after a pause, it would be sent without the key
            box.press("Enter")

        return self._opened("keydown", act, LINES, "")

    def all_heads(self) -> Opened:
        """Click “All heads”."""
        return self._opened("click", self._segment("All heads").click, GRID, "")

    def layer(self, name: str = TIMED) -> Opened:
        """Click a layer."""
        return self._opened("click", self._segment(name).click, LINES, name)

    def head_in_grid(self) -> Opened:
        """Click the third head of the second layer in the picture of all heads."""
        return self._opened("click", lambda: self.page.mouse.click(*self._head(1, 2)), MAP, "Layer 2")

    def hover_grid(self) -> Acted:
        """Point at one of all heads."""
        self.page.mouse.move(*self._head(0, 0))
        return self._acted("pointermove", lambda: self.page.mouse.move(*self._head(3, 4)))

    def hover_lines(self) -> Acted:
        """Point at a token, so that only its lines remain."""
        box = self._box(self._area())
        near = box["x"] + 0.1 * box["width"]
        points = [(near, box["y"] + share * box["height"]) for share in (0.3, 0.6)]
        self.page.mouse.move(*points[0])
        return self._acted("pointermove", lambda: self.page.mouse.move(*points[1]), repainted=True)

    def hover_map(self) -> Acted:
        """Point at a cell of one head."""
        box = self._box(self._area())
        points = [
            (box["x"] + share * box["width"], box["y"] + share * box["height"]) for share in (0.3, 0.6)
        ]
        self.page.mouse.move(*points[0])
        return self._acted("pointermove", lambda: self.page.mouse.move(*points[1]))

    def another_head(self) -> Acted:
        """Press an arrow key on the heads above the picture."""
        heads = self._picture().get_by_role("radiogroup", name="Heads")
        heads.locator("[tabindex='0']").focus()
        return self._acted("keydown", lambda: self.page.keyboard.press("ArrowRight"), repainted=True)

    def another_token(self) -> Acted:
        """Press an arrow key in the picture of one head."""
        self._area().focus()
        return self._acted("keydown", lambda: self.page.keyboard.press("ArrowDown"), repainted=True)

    def product(self) -> Acted:
        """Choose the picture of one product, by a click."""
        return self._acted("click", self._tab("One product").click, repainted=True)

    def lines(self) -> None:
        """Choose the lines again, so that the next text starts with them."""
        self._tab("Lines").click()
        time.sleep(QUIET)
        stopwatch.rest(self.page)

    def _opened(self, event: str, act: Callable[[], object], kind: str, words: str) -> Opened:
        self.page.bring_to_front()
        self.page.evaluate(
            "(how) => headsWatch.opening(...how)", [event, kind, words, stopwatch.PATIENCE]
        )
        act()
        done = self._done(f"a {kind} ({words})")
        stopwatch.rest(self.page)
        passed = self._passed(done)
        return Opened(done["ms"] / 1e3, passed["received"] + passed["fetched"])

    def _acted(self, event: str, act: Callable[[], object], repainted: bool = False) -> Acted:
        self.page.bring_to_front()
        self.page.evaluate("(how) => headsWatch.acting(...how)", [event, repainted, stopwatch.PATIENCE])
        act()
        done = self._done(f"an answer to the {event}")
        time.sleep(QUIET)
        stopwatch.rest(self.page)
        passed = self._passed(done)
        early = [when for when in passed["sent"] if when <= done["ms"]]
        return Acted(
            done["ms"] / 1e3,
            done["frames"],
            len(early),
            len(passed["sent"]),
            passed["received"],
            passed["fetched"],
        )

    def _done(self, what: str) -> dict[str, Any]:
        done: dict[str, Any] | None = self.page.evaluate("() => headsWatch.done")
        if done is None:
            raise stopwatch.NotPainted(f"{what} did not come in {stopwatch.PATIENCE / 1e3:.0f} s")
        return done

    def _passed(self, done: dict[str, Any]) -> dict[str, Any]:
        messages: dict[str, Any] = self.page.evaluate(
            "(start) => headsWatch.passed(start)", done["start"]
        )
        return messages

    def _segment(self, name: str) -> Locator:
        """The radio button of a zoom level; with many layers, its name is only the number."""
        number = name.removeprefix("Layer ")
        return self.page.get_by_role("radio", name=re.compile(f"^({re.escape(name)}|{number})$"))

    def _picture(self) -> Locator:
        return self.page.locator(".picture[data-drawn]")

    def _tab(self, name: str) -> Locator:
        return self._picture().get_by_role("tab", name=name)

    def _area(self) -> Locator:
        return self._picture().locator(".area")

    def _box(self, locator: Locator) -> Any:
        locator.scroll_into_view_if_needed()
        return locator.bounding_box()

    def _head(self, layer: int, head: int) -> tuple[float, float]:
        box = self._box(self._area())
        x = box["x"] + (head + 0.5) * box["width"] / self.heads
        return x, box["y"] + (layer + 0.5) * box["height"] / self.layers
