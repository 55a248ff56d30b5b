"""One thread through the app: the state carried by the menu, the links down, and the trail up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, rested, until_link

Visit = Callable[..., Page]
OWN = "The old bank by the water"


def go(page: Page, name: str) -> None:
    """Go to another page by the menu, and wait for its address."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=re.compile(f"^{name}$")).click()
    page.wait_for_url(re.compile(f"/{name.lower().replace(' ', '-')}"), wait_until="commit")
    rested(page)


def link(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_sentence_goes_from_page_to_page_until_a_reset(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    box = page.get_by_role("textbox", name="Sentence A")
    box.fill(OWN)
    box.press("Enter")
    until_link(page, lambda link: link.get("a") == OWN)
    for name in ("Heads", "Step by step", "Embeddings", "Positions"):
        go(page, name)
        until_link(page, lambda link: link.get("t") == OWN)
    go(page, "Heads")
    until_link(page, lambda link: link.get("x") == "4")  # [CLS] The old bank
    rested(page)
    page.get_by_role("button", name="Reset the page").click()
    until_link(page, lambda link: not link)
    rested(page)
    go(page, "Positions")
    until_link(page, lambda link: link.get("t") == OWN)  # as it was left
    page.get_by_role("button", name="Reset the page").click()
    until_link(page, lambda link: not link)


def test_down_to_a_number_and_up_again(server: Server, visit: Visit, minilm: Any) -> None:
    page = visit(f"{server.url}/?fa=1&l=3&h=5")
    page.get_by_role("link", name="Show me this head").first.click()
    until_link(page, lambda link: (link.get("l"), link.get("h"), link.get("r")) == ("3", "5", "head"))
    text = link(page)["t"]
    trace = minilm.trace(text)
    assert trace.tokens[int(link(page)["q"]) - 1] == "bank"
    page.get_by_role("link", name="Where does this number come from?").click()
    until_link(page, lambda link: link.get("st") == "weights")
    there = link(page)
    assert (there["t"], there["l"], there["h"]) == (text, "3", "5")
    query, key = int(there["q"]), int(there.get("k", 0))
    weight = trace.attention.weights[2, 4, query, key]
    assert weight == trace.attention.weights[2, 4, query].max()
    expect(page.locator(".picture[data-drawn]").first).to_contain_text(re.compile(f"{weight:.4f}"))
    trail = page.locator(".st-key-trail")
    expect(trail.get_by_role("link")).to_have_text(["Compare", "Heads"])
    trail.get_by_role("link", name="Heads").press("Enter")  # by keys
    until_link(page, lambda link: link.get("r") == "head")
    expect(trail.get_by_role("link")).to_have_text(["Compare"])
    trail.get_by_role("link", name="Compare").click()
    until_link(page, lambda link: link.get("fa") == "1")  # as it was left
    expect(trail).to_have_count(0)
    page.get_by_role("link", name="Where does the vector in B come from?").click()
    until_link(page, lambda link: link.get("st") == "norm2" and link.get("l") == "6")
    page.go_back()
    until_link(page, lambda link: link.get("fa") == "1")
    expect(trail).to_have_count(0)
    go(page, "Heads")
    expect(trail).to_have_count(0)


@pytest.mark.fuzz
def test_the_drawing_of_the_transformer_says_where_one_is_and_leads_there(
    server: Server, visit: Visit
) -> None:
    page = visit(server.url)
    drawing = page.get_by_role("navigation", name="The parts of the transformer")
    place = drawing.locator("p")
    expect(place).to_contain_text("vector")
    drawing.get_by_role("button", name="Layer 3", exact=True).click()
    until_link(page, lambda link: link.get("l") == "3")
    assert link(page)["t"].startswith("A man is fishing")  # the sentence that was shown
    expect(place).to_contain_text("layer 3 of 6")
    rested(page)
    drawing.get_by_role("button", name="Head 5", exact=True).press("Enter")  # by keys, on the page
    until_link(page, lambda link: (link.get("h"), link.get("r")) == ("5", "head"))
    expect(place).to_contain_text("layer 3 of 6, head 5 of 12")
    current = drawing.locator("[aria-current]")
    expect(current).to_have_count(2)
    rested(page)
    drawing.get_by_role("button", name=re.compile("^q·k")).click()
    until_link(page, lambda link: link.get("st") == "scores" and link.get("h") == "5")
    expect(place).to_contain_text("q·k")
    page.get_by_role("button", name="Next step").click()  # a choice in a part of the page
    until_link(page, lambda link: link.get("st") == "scale")
    for step in ("weights", "mix", "join"):
        page.get_by_role("button", name="Next step").click()
        until_link(page, lambda link, step=step: link.get("st") == step)  # type: ignore[misc]
    expect(place).to_have_text("You are at: layer 3 of 6")
