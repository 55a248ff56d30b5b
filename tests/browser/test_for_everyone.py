"""The Compare page for those who use no mouse, or do not see it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, rested
from tests.browser.test_compare import answered, picture

Visit = Callable[..., Page]

# The name of what has the focus, inside the pictures' own shadows too.
_FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
}"""


def test_keys_alone_reach_every_control_in_the_order_of_the_page(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    for name in ("Word in A", "Examples"):  # the code of such boxes comes when they are first shown
        expect(page.get_by_role("combobox", name=name)).to_be_visible()
    expect(page.get_by_role("button", name="Save this comparison")).to_be_visible()
    rested(page)
    page.get_by_role("textbox", name="Sentence A").focus()
    reached = []
    for _ in range(100):
        page.keyboard.press("Tab")
        reached.append(str(page.evaluate(_FOCUSED)).strip())
    order = [
        "Sentence B",
        "Word in A",
        "Word in B",
        "The two senses",
        "Examples",
        "The place of the word between money",
        "Save picture as PNG",
        "After layer",
        "The word in A and in B among words of",
        "Both at the river",
        "In A",
        "What each word adds",
        "How far the word moves",
        "How much the word looks",
        "What if",
        "The word between money",
        "Layer by layer, head by head",
        "Layer",
        "Head",
        "Where bank looks in sentence A",
        "Sentence A, Layer 1, head 1",
        "Sentence B, Layer 1, head 1",
        "Sentence A less sentence B",
        "The learned and the contextual vectors",
        "Save this comparison",
    ]
    places: list[int] = []
    for name in order:
        after = places[-1] + 1 if places else 0
        found = [i for i, said in enumerate(reached) if i >= after and name in said]
        assert found, f"{name} {reached}"
        places.append(found[0])


def test_pictures_are_read_as_a_sentence_a_table_and_cell_by_cell(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    for role, name in (
        ("heading", "One word, two meanings"),
        ("textbox", "Sentence A"),
        ("combobox", "Word in A"),
        ("application", "The place of the word between money (−1) and river (+1) at every depth."),
        ("application", "The word in A and in B among words of money (left) and river (right)."),
        ("application", "Sentence A, Layer 1, head 1: rows look, columns are looked at."),
        ("slider", "After layer"),
    ):
        expect(page.locator(f'role={role}[name="{name}"]')).to_have_count(1)
    for name in ("path", "move", "head-A", "head-B", "difference", "vectors"):
        rows = picture(page, name).get_by_role("table").get_by_role("row").count()
        assert 2 <= rows <= 21  # with its head
    path = picture(page, "path")
    path.locator(".area").focus()
    page.keyboard.press("End")
    expect(path.get_by_role("status")).to_have_text("Sentence A, Layer 6: −.167")


def test_nothing_is_told_by_colour_alone(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    expect(page.get_by_text("● Sentence A").first).to_be_visible()
    expect(page.get_by_text("■ Sentence B").first).to_be_visible()
    ends = picture(page, "path").locator("svg text").all_text_contents()
    assert {"A −.17", "B −.66"} <= set(ends)
