"""Each picture reports a choice as its state by the schema, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from core.figures import Picture, schema
from tests.browser.pictures.every_module import MADE
from tests.browser.pictures.telling import got, send
from tests.browser.reading import frames
from tests.tiers import some

Visit = Callable[..., Page]


def key(name: str) -> Callable[[Locator], None]:
    """Press a key in the focused part of the picture."""
    return lambda frame: frame.locator(".area").press(name)


def slid(frame: Locator) -> None:
    """Move the slider by one step."""
    frame.get_by_role("slider").press("ArrowLeft")


def warmer(frame: Locator) -> None:
    """One step more of temperature."""
    frame.get_by_role("slider", name="Temperature").press("ArrowRight")


def sorted_by_left(frame: Locator) -> None:
    """By the words before."""
    frame.get_by_label("Sort by").select_option("left")


# An action of a visitor, and the field of the state that it changes.
ACTS: dict[str, tuple[str, Callable[[Locator], None]]] = {
    "layer": ("level", lambda frame: frame.get_by_role("tab", name="One head").click()),
    "overview": ("direction", lambda frame: frame.get_by_role("radio", name="attention from").click()),
    "steps": ("row", key("ArrowDown")),
    "forward": ("level", key("Enter")),
    "cloud": ("depth", slid),
    "plane": ("depth", slid),
    "wordmap": ("chosen", key("Enter")),
    "space": ("view", key("Shift+ArrowRight")),
    "trajectory": ("depth", slid),
    "concordance": ("sort", sorted_by_left),
    "nextword": ("temperature", warmer),
}


def opened(page: Page, picture: Picture) -> Locator:
    """A picture whose page receives its events."""
    page.set_content(picture.to_html())  # an address of data may have 2 MB, and Plotly is as large
    (frame,) = frames(page)
    send(page, picture)
    return frame


@pytest.mark.parametrize("module", some(schema.STATES, 2))
def test_what_is_told_is_what_the_schema_has(visit: Visit, module: str) -> None:
    picture, (changed, act) = MADE[module](), ACTS[module]
    frame = opened(visit("about:blank"), picture)
    act(frame)
    frame.page.wait_for_function("globalThis.got?.length")
    _, event, told = got(frame.page)[-1]  # checked there, value by value
    assert (event, told.keys()) == ("state", {"n", *schema.state(module)})
    before = schema.read(schema.STATES[module], picture.state)
    assert [name for name in before if told[name] != before[name]] == [changed]
