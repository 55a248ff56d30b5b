"""The Embeddings page in a real browser: the first screen, a cell by mouse and by keys, a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, back, rested
from tests.browser.pictures.points.planes import by_hand, go_on
from tests.browser.pictures.points.spaces import plotted, view
from tests.browser.reading import frames, labels, point, shapes
from tests.tiers import some

Visit = Callable[..., Page]


@pytest.mark.fuzz
def test_a_cell_chooses_its_pair_in_all_three_pictures(server: Server, visit: Visit) -> None:
    text = "She counted the money from the bank on the bank of the river"
    page = visit(f"{server.url}/embeddings?v=2&p=words&t={text}&q=7&k=10")
    pictures = frames(page, 4)[:3]  # below them the vectors themselves
    for picture in pictures:
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900
    expect(page.get_by_text("cosine 1.00 ")).to_be_visible()
    point(pictures[1], 3, 6, 13, 13)
    expect(pictures[1].locator(".tip")).to_contain_text("money and bank")
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"[?&]q=4&k=7"))
    expect(page.get_by_role("combobox", name="Token")).to_have_value("money")
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(pictures[1].get_by_role("status")).to_contain_text("the and bank")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]q=3"))
    expect(page.get_by_role("combobox", name="Token")).to_have_value("the (1)")
    back(page)
    expect(page.get_by_role("combobox", name="Token")).to_have_value("money")
    page.get_by_role("radio", name="Whole sentences").click()
    expect(page.get_by_text("mean of the last layer’s vectors").first).to_be_visible()
    frames(page, 3)


@pytest.mark.parametrize(
    ("width", "height", "large"), some([(1280, 720, "&j=1"), (1440, 900, ""), (390, 844, "")], 1)
)
def test_the_picture_is_on_the_first_screen(
    server: Server, visit: Visit, width: int, height: int, large: str
) -> None:
    page = visit(f"{server.url}/embeddings?v=2{large}", width=width, height=height)
    (picture,) = frames(page)
    if large:
        size = page.locator("html").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert size == pytest.approx(1.35 * 16, rel=0.02)
    top = picture.bounding_box()["y"]  # type: ignore[index]
    assert 0 < top < 0.55 * height
    ends = {label.text: top + label.bottom for label in labels(picture, "name")}
    assert max(ends["bank (1)"], ends["bank (2)"]) < height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# For each group of choices on several lines: its name, and the missing borders of its choices.
LINES_OF_CHOICES = """() => [...document.querySelectorAll('[role="radiogroup"]')].flatMap((group) => {
  const boxes = [...group.children].map((choice) => choice.getBoundingClientRect());
  if (new Set(boxes.map((box) => Math.round(box.top))).size < 2) return [];
  const lacks = [...group.children].flatMap((choice, i) => {
    const style = getComputedStyle(choice), sides = ["Top", "Right", "Bottom", "Left"];
    const corners = ["TopLeft", "TopRight", "BottomRight", "BottomLeft"];
    const own = boxes[i], meets = (box) => box.left < own.right && own.left < box.right
      && box.top < own.bottom && own.top < box.bottom;
    const beside = boxes.slice(0, i).filter(meets);
    return [
      ...sides.filter((side) => !(parseFloat(style[`border${side}Width`]) > 0)
        || /(, |\\/ )0\\)|transparent/.test(style[`border${side}Color`])),
      ...corners.filter((corner) => !(parseFloat(style[`border${corner}Radius`]) > 0)),
      ...beside.map(() => "room"),
    ];
  });
  return [[group.getAttribute("aria-label"), lacks]];
})"""


# Of each choice of the groups on the page: where it stands, and how wide and clear its four edges are.
_EDGES = """() => [...document.querySelectorAll('button[data-variant="segmented_control"]')]
  .filter((one) => one.getClientRects().length).map((one) => {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const edges = ["Top", "Right", "Bottom", "Left"].map((side) => {
      const clear = /, 0\\)$|\\/ 0\\)$|transparent/.test(style[`border${side}Color`]);
      return clear ? 0 : parseFloat(style[`border${side}Width`]);
    });
    return { top: box.top, group: one.parentElement.getBoundingClientRect().height, edges };
  })"""


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("path", "named"), some([("embeddings", {"View", "Projection"}), ("encoder-decoder", {"Where"})], 1)
)
def test_choices_that_break_into_lines_look_whole(
    server: Server, visit: Visit, path: str, named: set[str]
) -> None:
    page = visit(f"{server.url}/{path}", width=390, height=844)
    page.locator(".picture[data-drawn]").first.wait_for()
    for name in named:
        expect(page.get_by_role("radiogroup", name=name)).to_be_visible()
    rested(page)
    found = dict(page.evaluate(LINES_OF_CHOICES))
    assert named <= {*found}
    assert not any(found.values()), found
    edges = page.evaluate(_EDGES)
    if path == "encoder-decoder":
        assert sum(one["group"] > 60 for one in edges) >= 3  # a group of three lines
    for one in edges:
        assert min(one["edges"]) >= 0.5, edges


@pytest.mark.fuzz
def test_a_phone_shows_one_below_the_other(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/embeddings?p=words&l=6", width=390, height=844, scheme="dark")
    tops = [picture.bounding_box() for picture in frames(page, 4)[:3]]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    heights = [box["y"] for box in tops if box is not None]
    assert heights == sorted(heights)
    assert heights[1] > heights[0] + 100


@pytest.mark.fuzz
@pytest.mark.motion
def test_the_way_of_a_word_is_played_kept_in_the_link_and_seen_in_planes_and_in_space(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/embeddings?p=path")
    (frame,) = frames(page)
    box = frame.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    slider = page.get_by_role("slider", name="After layer")
    expect(slider).to_have_value("5")
    by_hand(page)
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("0")  # from the start, where it stood at the end
    go_on(page, 2)
    expect(slider).to_have_value("2")
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page).to_have_url(re.compile(r"[?&]d="))
    slider.focus()
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"[?&]d=5"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"[?&]d=4"))

    page.get_by_role("button", name="Where bank goes").click()
    before, after = frames(page, 2)
    boxes = [one.bounding_box() for one in (before, after)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["width"] == boxes[1]["width"]
    ticks = [
        [(t.text, round(t.x), round(t.top)) for t in labels(one, "tick")] for one in (before, after)
    ]
    assert ticks[0] == ticks[1]  # both planes have one scale
    assert len(shapes(after, "dashed")) == 2
    assert not shapes(before, "dashed")
    expect(before.locator("input")).to_be_hidden()

    page.get_by_role("radio", name="PCA").click()
    frames(page, 1)
    page.get_by_text("In 3-D").click()
    # The two-dimensional picture stays until the other has arrived.
    space = page.locator(".picture[data-plotted]")
    assert [title[:7] for title in plotted(space)["titles"]] == ["PCA 1: ", "PCA 2: ", "PCA 3: "]
    slider = page.get_by_role("slider", name="After layer")
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("0")
    go_on(page, 7)
    expect(slider).to_have_value("7")  # it stands where the picture does
    ways = [trace for trace in plotted(space)["traces"] if trace["mode"] == "lines"]
    assert {len(way["x"]) for way in ways} == {8}
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"[?&]d=1"))


@pytest.mark.fuzz
def test_the_side_that_a_map_in_space_is_seen_from_is_in_the_link(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/embeddings?p=path&f=pca&s3=1")
    space = page.locator(".picture[data-plotted]")

    def turn(key: str) -> None:
        space.get_by_role("listbox").press(key)

    assert view(space) == pytest.approx((34, 23), abs=0.01)
    turn("Shift+ArrowUp")
    expect(page).to_have_url(re.compile(r"[?&]sd=34\.34$"))
    turn("Shift+ArrowRight")
    expect(page).to_have_url(re.compile(r"[?&]sd=45\.34$"))
    page.reload()
    assert view(space) == pytest.approx((45, 34), abs=0.01)
    before = str(space.get_attribute("data-plotted"))
    back(page)
    expect(page).to_have_url(re.compile(r"[?&]sd=34\.34$"))
    expect(space).not_to_have_attribute("data-plotted", before)  # the page's answer has come
    assert view(space) == pytest.approx((34, 34), abs=0.01)


@pytest.mark.fuzz
def test_a_point_of_a_map_in_space_is_chosen_by_keys_and_is_in_the_link(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/embeddings?p=path&f=pca&s3=1", width=390, height=844, scheme="dark")
    space = page.locator(".picture[data-plotted]")
    plotted(space)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    options = space.get_by_role("option")
    names = [str(one.get_attribute("aria-label")).partition(":")[0] for one in options.all()]
    assert names == ["bank learned", "bank (1)", "bank (2)"]
    space.get_by_role("listbox").press("End")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]pt=3"))
    assert [note["text"] for note in plotted(space)["notes"]] == ["<b>bank (2)</b>"]
    page.reload()
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    assert [note["text"] for note in plotted(space)["notes"]] == ["<b>bank (2)</b>"]
    options.nth(2).click()
    expect(page).not_to_have_url(re.compile(r"[?&]pt="))
    expect(options.nth(2)).to_have_attribute("aria-selected", "false")


@pytest.mark.fuzz
def test_the_planes_stand_one_below_the_other_on_a_phone(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/embeddings?p=path&f=panels", width=390, height=844, scheme="dark")
    tops = [picture.bounding_box() for picture in frames(page, 2)]
    assert tops[0] is not None
    assert tops[1] is not None
    assert tops[1]["y"] > tops[0]["y"] + 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


# The layers of the path as its slider shows them, each with its time, from the first script on.
_LAYERS = """() => { globalThis.layers = [];
const look = () => {
  requestAnimationFrame(look);
  for (const host of document.querySelectorAll(".st-key-trajectories *")) {
    const slider = host.shadowRoot?.querySelector(".picture[data-drawn] .slider input");
    if (slider && slider.value !== globalThis.layers.at(-1)?.[0]) {
      globalThis.layers.push([slider.value, performance.now()]);
    }
  }
};
look(); }"""


def _opened(visit: Visit, url: str, *, quiet: bool = False) -> Page:
    page = visit("about:blank")
    page.emulate_media(reduced_motion="reduce" if quiet else "no-preference")
    page.add_init_script(f"({_LAYERS})()")
    page.goto(url)
    frames(page)
    return page


def _layers(page: Page) -> list[int]:
    return [int(layer) for layer, _ in page.evaluate("globalThis.layers")]


@pytest.mark.fuzz
@pytest.mark.motion
def test_it_opens_on_the_moving_path_once_a_visit(server: Server, visit: Visit) -> None:
    page = _opened(visit, f"{server.url}/embeddings")
    (frame,) = frames(page)
    expect(frame).not_to_have_attribute("data-playing", "", timeout=6000)
    slider = page.get_by_role("slider", name="After layer")
    expect(slider).to_have_value("5")
    shown = page.evaluate("globalThis.layers")
    assert [int(layer) for layer, _ in shown][-6:] == [0, 1, 2, 3, 4, 5]
    assert 1000 < shown[-1][1] - shown[-6][1] < 4000
    assert "d=" not in page.url
    # Neither a rerun nor another visit of the page plays it again.
    count = len(shown)
    page.get_by_role("radio", name="PCA").click()
    expect(page.locator(".st-key-trajectories")).to_have_count(0)
    page.get_by_role("radio", name="Two senses").click()
    frames(page)
    page.get_by_role("link", name="Heads", exact=True).first.click()
    expect(page).to_have_title("Heads · Polysee")
    page.get_by_role("link", name="Embeddings", exact=True).first.click()
    expect(page).to_have_title("Embeddings · Polysee")
    expect(page.locator(".st-key-trajectories")).to_have_count(1)
    page.wait_for_timeout(800)
    assert set(_layers(page)[count:]) <= {5}


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", some(["quiet", "depth"], 1))
def test_a_link_with_a_depth_and_who_wants_no_motion_see_the_path_at_rest(
    server: Server, visit: Visit, kind: str
) -> None:
    url = f"{server.url}/embeddings{'?d=2' if kind == 'depth' else ''}"
    page = _opened(visit, url, quiet=kind == "quiet")
    page.wait_for_timeout(800)
    assert _layers(page) == [3 if kind == "depth" else 5]
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.fuzz
@pytest.mark.parametrize("act", some(["wheel", "key", "click", "drag"], 1))
def test_any_act_stops_the_path_that_opens(server: Server, visit: Visit, act: str) -> None:
    page = _opened(visit, f"{server.url}/embeddings")
    (frame,) = frames(page)
    expect(frame).to_have_attribute("data-playing", "")
    slider = page.get_by_role("slider", name="After layer")
    if act == "key":
        page.keyboard.press("Shift")
    elif act == "click":
        page.get_by_role("heading").first.click()
    elif act == "wheel":
        page.mouse.wheel(0, 40)
    else:
        slider.focus()
        page.keyboard.press("Home")
    expect(frame).not_to_have_attribute("data-playing", "", timeout=1000)
    expect(slider).to_have_value("0" if act == "drag" else "5")
    page.wait_for_timeout(500)
    expect(slider).to_have_value("0" if act == "drag" else "5")
