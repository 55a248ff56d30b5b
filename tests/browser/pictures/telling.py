"""What a page sends a picture, and what the picture tells it, without a server."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

from core.figures import Picture, schema
from ui import events, figure

_SEND = """([number, sent]) => {
  const host = document.querySelectorAll("[data-polysee]")[number];
  globalThis.got ??= []; // tests put in their own
  globalThis.sent ??= [];
  const tell = (name, detail) => {
    globalThis.got.push([number, name, detail]);
    globalThis.sent.push([host.dataset.polysee, name, detail]);
  };
  globalThis.polysee[host.dataset.polysee](host, sent, tell);
}"""


def send(
    page: Page,
    picture: Picture,
    number: int = 0,
    *,
    heard: int = 0,
    visit: str = "first",
    events: Sequence[str] = ("state",),
    address: str | None = None,
) -> None:
    """The page runs, and sends this to one of its pictures.

    Args:
        page: where pictures were drawn by `Picture.to_html`.
        picture: its numbers, and the state that the page wants.
        number: which picture, from 0.
        heard: the last choice in it that the page has heard.
        visit: which visit hears.
        events: what the page wants to be told.
        address: where the numbers are to be fetched, if they do not come along.
    """
    sent = message(picture, heard=heard, visit=visit, events=events, address=address)
    page.evaluate(_SEND, [number, sent])


def message(
    picture: Picture,
    *,
    heard: int = 0,
    visit: str = "first",
    events: Sequence[str] = ("state",),
    address: str | None = None,
) -> dict[str, Any]:
    """What a page sends a picture, as `ui.figure` does."""
    return {
        "numbers": address,
        "bytes": None if address else base64.b64encode(picture.numbers().content).decode(),
        "height": picture.height,
        "state": figure.plain(picture.state) or None,
        "autoplay": False,
        "events": [*events],
        "heard": heard,
        "visit": visit,
    }


def got(page: Page) -> list[Any]:
    """What pictures have told since, as the schema has it: number of the picture, event, detail."""
    for module, event, detail in page.evaluate("globalThis.sent ?? []"):
        if event != "lost":  # nobody reads what comes with it
            fields = events.state(module) if event == "state" else schema.EVENTS[event]
            schema.read(fields, detail)
    found: list[Any] = page.evaluate("globalThis.got ?? []")
    return found
