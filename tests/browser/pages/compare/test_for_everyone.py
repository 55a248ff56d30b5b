"""The Compare page for visitors without a mouse or with a screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.examples.first_texts import OPENING
from tests.browser.conftest import Server, rested
from tests.browser.pages.compare.test_compare import answered, link, picture

Visit = Callable[..., Page]

# The name of the focused element, also inside the shadow roots of pictures.
_FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
}"""


def test_keys_alone_reach_every_control_in_the_order_of_the_page(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fs="1", fw="1", fi="1", fa="1", fd="1", fn="1")))
    for name in ("Word in A", "Examples"):  # the code of such boxes comes when they are first shown
        expect(page.get_by_role("combobox", name=name)).to_be_visible()
    expect(page.get_by_role("button", name="Save this comparison")).to_be_visible()
    rested(page)
    page.get_by_role("textbox", name="Sentence A").focus()
    reached: list[str] = []
    last = "The learned and the contextual vectors"
    while not any(last in name for name in reached):
        page.keyboard.press("Tab")
        reached.append(str(page.evaluate(_FOCUSED)).strip())
        assert len(reached) < 400, reached
    order = [
        "Sentence B",
        "Sentence A: A man is fishing",
        "Sentence B: A man is withdrawing",
        "Play",
        "Layer",
        "Save this picture",
        "Word in A",
        "Word in B",
        "bank as in …",
        "… or as in …",
        "More contexts",
        "Examples",
        "Both at the river",
        "Why: which words moved it",
        "In A",
        "What each word adds",
        "How far the word moves",
        "How much the word attends",
        "Layer by layer, head by head",
        "What if …?",
        "What if …",
        "The word between money",
        "How sure is this?",
        "More about these sentences",
        "Which token attends to which?",
        "Layer",
        "Head",
        "What bank attends to in sentence A",
        "Sentence A, Layer 1, head 1",
        "Sentence B, Layer 1, head 1",
        "Sentence A minus sentence B",
        "And in all directions at once?",
        "In 2-D",  # of such a group the choice that is made, the others by arrows
        "For your own use",
        "Are the numbers right?",
        "Save this comparison",
        last,
    ]
    places: list[int] = []
    for name in order:
        after = places[-1] + 1 if places else 0
        found = [i for i, said in enumerate(reached) if i >= after and name in said]
        assert found, f"{name} {reached}"
        places.append(found[0])


def test_pictures_are_read_as_a_sentence_a_table_and_cell_by_cell(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fa="1", fd="1", fn="1")))
    for role, name in (
        ("heading", "One word, two meanings"),
        ("textbox", "Sentence A"),
        ("combobox", "Word in A"),
        ("application", f"Sentence A: {OPENING.text_a}"),
        ("application", f"Sentence B: {OPENING.text_b}"),
        ("application", "Sentence A, Layer 1, head 1: rows are queries, columns are keys."),
    ):
        expect(page.locator(f'role={role}[name="{name}"]')).to_have_count(1)
    for name in ("trajectory", "cosine", "move", "head-A", "head-B", "difference", "vectors"):
        rows = picture(page, name).get_by_role("table").get_by_role("row").count()
        assert 2 <= rows <= 21  # with its head
    moving = picture(page, "trajectory")
    expect(moving.get_by_role("slider", name="Layer")).to_have_count(1)
    moving.locator(".area").focus()
    for key, said in (
        ("Home", "The learned vector: one point, the same in every sentence."),
        (
            "End",
            "After layer 6: bank in A at 1.14, on the side of river; bank in B at −1.14, on the side "
            "of money; bank alone at −0.21.",
        ),
    ):
        page.keyboard.press(key)
        expect(moving.get_by_role("status")).to_have_text(said)
    moving.locator(".sentence").first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(moving.get_by_role("status")).to_have_text(
        re.compile(r"^fishing: adds \+0?\.3034, towards river, after layer 6$")
    )


def test_nothing_is_told_by_colour_alone(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    moving = picture(page, "trajectory")
    marks = [name.inner_text().strip() for name in moving.locator(".sentence .name").all()]
    assert marks == ["● A", "■ B"]
    expect(moving).not_to_have_attribute("data-moving", "")
    ends = moving.locator("svg text").all_text_contents()
    assert {"A 1.14", "B −1.14", "river", "money"} <= set(ends)
    # The direction of a contribution is read aloud, and shown by its sign.
    moving.locator(".sentence").nth(1).locator(".word", has_text="withdrawing").hover()
    expect(moving.locator(".tip")).to_contain_text("towards money")
