"""Messages from a page to a picture, and events from the picture, without a server."""

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
    """Send one picture of the page what a rerun would send it.

    Args:
        page: a page with pictures drawn by `Picture.to_html`.
        picture: its numbers, and the state that the page requests.
        number: the index of the picture, from 0.
        heard: the number of the last choice that the page has received.
        visit: the visit that receives the events.
        events: the events that the page requests.
        address: the address of the numbers, if they are not in the message.
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
    """The message from a page to a picture, as `ui.figure` sends it."""
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
    """All events from pictures so far, checked by the schema: (picture, event, detail)."""
    for module, event, detail in page.evaluate("globalThis.sent ?? []"):
        if event != "lost":  # its detail is not used
            fields = events.state(module) if event == "state" else schema.EVENTS[event]
            schema.read(fields, detail)
    found: list[Any] = page.evaluate("globalThis.got ?? []")
    return found
