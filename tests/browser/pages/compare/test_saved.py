"""The file from "Save this comparison", opened offline in a browser that contacts no host."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until_link
from tests.browser.pages.compare.test_compare import answered, link, saved
from tests.browser.pictures.points.spaces import plotted
from tests.browser.reading import labels
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def keep(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this comparison").click()
    assert download.value.suggested_filename == "polysee-comparison.html"
    path = folder / "comparison.html"
    download.value.save_as(path)
    return path


def test_opens_offline_with_what_its_pictures_can_do(
    server: Server, visit: Visit, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    live = answered(visit(link(server, fa="1", fn="1")))
    # Chosen after the page has run: the file holds what is chosen by the time that it is made.
    live.get_by_role("slider", name=re.compile("^Head")).focus()
    for _ in range(4):
        live.keyboard.press("ArrowRight")
    until_link(live, lambda link: link.get("h") == "5")
    expect(live.get_by_text("Sentence A, Layer 1, head 5")).to_be_visible()
    answered(live)  # the link comes first
    weights = saved(live, "head-A")[2]
    path = keep(live, tmp_path)
    assert path.stat().st_size < 2_000_000
    page = offline(path)
    expect(page.get_by_role("heading", name="“bank” in two sentences")).to_be_visible()
    said = "Two meanings: bank sides with river in A and with money in B."
    expect(page.get_by_text(said)).to_be_visible()
    drawn = page.locator(".picture[data-drawn]")
    # The moving picture, by cosine, along components, A, B and their difference, the vectors.
    expect(drawn).to_have_count(7)
    assert "plotly" not in path.read_text("utf-8")

    moving = drawn.first
    slider = moving.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "layer 6 of 6")
    assert {label.text for label in labels(moving, "name")} == {"A 1.14", "B −1.14"}
    line = moving.locator(".sum").first
    expect(line).to_contain_text("other words +0.68 (“river” +0.36), own vector +0.49, rest +0.18")
    expect(line).to_contain_text("−0.21 alone → 1.14")
    assert [label.text for label in labels(moving, "alonename")] == ["alone −0.21"]
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "learned vector")
    expect(moving).not_to_have_attribute("data-moving", "")
    assert labels(moving, "name") == []

    heat = drawn.nth(3)
    head = page.get_by_role("slider", name=re.compile("^Head"))
    expect(head).to_have_value("5")
    heat.locator(".area").focus()
    page.keyboard.press("Control+Home")
    expect(heat.get_by_role("status")).to_have_text(f"a → a: {weights[0, 0]:.4f}")
    head.focus()
    page.keyboard.press("ArrowRight")
    expect(head).to_have_attribute("aria-valuetext", "6")
    live.get_by_role("slider", name=re.compile("^Head")).focus()
    live.keyboard.press("ArrowRight")
    until_link(live, lambda link: link.get("h") == "6")
    expect(live.get_by_text("Sentence A, Layer 1, head 6")).to_be_visible()
    answered(live)
    other = saved(live, "head-A")[2]
    heat.locator(".area").focus()
    page.keyboard.press("Control+Home")
    expect(heat.get_by_role("status")).to_have_text(f"a → a: {other[0, 0]:.4f}")
    download = save_picture(heat, "SVG")
    assert download.path().read_bytes().startswith(b"<?xml")


@pytest.mark.fuzz
def test_what_is_seen_in_space_is_in_the_file_and_draws_offline(
    server: Server, visit: Visit, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    live = answered(visit(link(server, p="pca3", fn="1")))
    live.locator(".picture[data-plotted]").wait_for()
    path = keep(live, tmp_path)
    assert path.stat().st_size < 4_000_000
    page = offline(path)
    space = page.locator(".picture[data-plotted]")
    assert len(plotted(space)["titles"]) == 3
    space.get_by_role("option").first.click()
    expect(space.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    download = save_picture(space, "PNG")
    assert download.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.fuzz
def test_what_was_typed_stays_text_in_the_file(
    server: Server, visit: Visit, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    typed = "<script>document.title='x'</script> the </script> bank 🏦 נהר"
    live = answered(visit(link(server, a=typed, fn="1")))
    page = offline(keep(live, tmp_path))
    expect(page.get_by_text(typed).first).to_be_visible()
    assert page.title() == "“bank” in two sentences"
    expect(page.locator(".picture[data-drawn]")).to_have_count(7)
