"""The Compare page from a visitor's view: a real server, a real browser, real keys."""

from __future__ import annotations

import csv
import io
import re
import signal
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import psutil
import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from core import plot
from core.comparison.moves_by_part import MOST_SHOWN
from core.examples.first_texts import OPENING
from tests.browser.conftest import PATIENCE, Server, back, rested, until_link
from tests.browser.pictures.points.spaces import plotted, view
from tests.browser.reading import labels, point
from tests.browser.saving import save_picture
from tests.tiers import some

# Positions of "bank" in the two sentences that open the page, between its own ends; layers 1 to 6.
FISHING = [1.789, 1.393, 1.344, 1.182, 1.109, 1.141]
WITHDRAWING = [-0.838, -1.001, -0.921, -0.914, -0.999, -1.139]

Visit = Callable[..., Page]


def answered(page: Page) -> Page:
    """The page once everything is computed, the last fold and the contributions included."""
    expect(page.get_by_text("For your own use")).to_be_visible(timeout=PATIENCE)
    rested(page)
    moving = page.locator(".st-key-trajectory")
    if moving.count():
        expect(moving.locator(".picture[data-drawn]")).to_have_count(1)
        for line in moving.locator(".sum").all():
            expect(line).not_to_have_text("…")  # until then it has asked for more
        rested(page)
    return page


def verdict(page: Page) -> Locator:
    """The verdict above the picture, or the reason why there is none."""
    return page.locator(".st-key-verdict")


def saved(page: Page, name: str, place: str = "") -> tuple[list[str], list[str], np.ndarray]:
    """The columns, the rows and the numbers of a picture, from the CSV file that its menu saves.

    Args:
        page: with the picture.
        name: of the file.
        place: of the picture, where that has another name.
    """
    rested(page)
    return numbers_in(save_picture(picture(page, place or name), "CSV"), name)


def saved_alone(page: Page, name: str) -> tuple[list[str], list[str], np.ndarray]:
    """The same for a table without a picture, which has its own button."""
    rested(page)  # a run brings another button
    with page.expect_download() as download:
        page.locator(f".st-key-csv-{name} button").first.click()  # the second only measures
    return numbers_in(download.value, name)


def numbers_in(download: Download, name: str) -> tuple[list[str], list[str], np.ndarray]:
    """The content of such a file."""
    assert download.suggested_filename == f"polysee-{name}.csv"
    table = list(csv.reader(io.StringIO(download.path().read_text())))
    numbers = [[number or "nan" for number in row[1:]] for row in table[1:]]
    return table[0][1:], [row[0] for row in table[1:]], np.array(numbers, float)


def picture(page: Page, name: str) -> Locator:
    """A browser picture of the page, by the name of its place, once it is drawn."""
    found = page.locator(f".st-key-{name} .picture[data-drawn]")
    expect(found).to_have_count(1)
    return found


def type_into(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("textbox", name=label)
    box.fill(text)
    box.press("Enter")


def link(server: Server, **state: str) -> str:
    return f"{server.url}/?{urlencode(state)}"


def test_opens_already_computed_with_the_measured_positions(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fn="1")))
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value(OPENING.text_b)
    expect(verdict(page).locator("p").first).to_have_text(
        "Two meanings: bank sides with river in A and with money in B."
    )
    columns, layers, numbers = saved(page, "trajectory")
    assert layers == [f"Layer {i}" for i in range(1, 7)]
    at = [columns.index(f"{name}: position") for name in "AB"]
    assert at[0] == 0
    np.testing.assert_allclose(numbers[:, at].T, [FISHING, WITHDRAWING], atol=0.0006)
    # The terms beside each position add up to it.
    for start, end in (at, (at[1], len(columns))):
        parts = numbers[:, start + 1 : end].sum(axis=1)
        np.testing.assert_allclose(parts, numbers[:, start], atol=1e-4)
    expect(
        page.get_by_text("equal to the last bit").or_(page.get_by_text("they agree"))
    ).to_be_visible()


def test_first_screen_shows_the_picture_without_scrolling(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    box = picture(page, "trajectory").bounding_box()
    assert box is not None
    assert box["y"] > 0
    assert box["y"] + box["height"] < 900
    for name, text in (("A", OPENING.text_a), ("B", OPENING.text_b)):
        sentence = page.get_by_role("application", name=f"Sentence {name}: {text}")
        expect(sentence).to_be_in_viewport(ratio=1)
        expect(sentence.locator(".chosen")).to_have_text("bank")
    # Closed folds are small: the page is at most two screens long.
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollHeight") <= 1800


@pytest.mark.parametrize("special", some(["0", "1"], 1))
def test_heatmaps_show_the_weights_of_transformers(
    server: Server, visit: Visit, minilm_eager: Callable, special: str
) -> None:
    page = answered(visit(link(server, l="3", h="6", s=special, fa="1")))
    heads = [picture(page, "head-A"), picture(page, "head-B")]
    for i, text in enumerate((OPENING.text_a, OPENING.text_b)):
        tokens, attentions = minilm_eager(text)
        weights = attentions[2][5]
        if special == "0":
            tokens, weights = tokens[1:-1], weights[1:-1, 1:-1]
            weights = weights / weights.sum(axis=1, keepdims=True)
        keys, queries, numbers = saved(page, f"head-{'AB'[i]}")
        assert keys == queries == tokens
        np.testing.assert_allclose(numbers, weights, atol=1e-5)
        assert [label.text for label in labels(heads[i], "column")] == tokens
        bank = tokens.index("bank")
        for query, key in ((bank, 0), (0, bank), (bank, bank)):
            heads[i].evaluate("(frame) => frame.scrollIntoView({ block: 'center' })")
            point(heads[i], query, key, len(tokens), len(tokens))
            said = f"{tokens[query]} → {tokens[key]}: {weights[query, key]:.4f}"
            expect(heads[i].locator(".tip")).to_have_text(said)


@pytest.mark.motion
@pytest.mark.smoke
def test_editing_a_sentence_redraws_and_the_link_carries_it(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    type_into(page, "Sentence B", "The spring of the old watch is broken")
    expect(page.get_by_text("Sentence B has no “bank”.")).to_be_visible()
    expect(page.get_by_text("In A, bank sides with river: it stands at 1.14.")).to_be_visible()
    type_into(page, "Sentence A", "A cold spring feeds the river")
    expect(verdict(page)).to_contain_text("Not clear: spring stands at 0.07 in A and at 0.48 in B")
    until_link(page, lambda link: "feeds" in link.get("a", ""))
    here = verdict(page).inner_text()
    query = parse_qs(urlsplit(page.url).query)
    assert query["a"] == ["A cold spring feeds the river"]
    assert query["v"] == ["2"]
    page.reload()
    expect(verdict(page)).to_have_text(here, use_inner_text=True)
    other = visit(page.url)
    expect(verdict(other)).to_have_text(here, use_inner_text=True)
    expect(other.get_by_role("textbox", name="Sentence A")).to_have_value(
        "A cold spring feeds the river"
    )


@pytest.mark.fuzz
def test_word_is_chosen_in_each_sentence(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, a="A man by a river bank met a man.", fn="1")))
    page.get_by_role("combobox", name="Word in A").click()
    expect(page.get_by_role("option", name="river")).to_be_visible()
    options = page.get_by_role("option").all_inner_texts()
    assert options[:3] == ["a, occurrence 1 of 3", "man, occurrence 1 of 2", "by"]
    page.get_by_role("option", name="man, occurrence 2 of 2").click()
    # A guess that is too unsure gives a picture, but no verdict.
    expect(verdict(page)).to_contain_text("Which two meanings? The model’s guess for man")
    expect(page.get_by_role("combobox", name="Word in B")).to_have_value("man")
    expect(page.get_by_role("heading", name="The numbers of “man”")).to_be_visible()
    until_link(page, lambda link: (link.get("w"), link.get("o")) == ("man", "2"))
    answered(page)  # a list that is open would close
    page.get_by_role("combobox", name="Word in B").click()
    page.get_by_role("option", name="money").click()
    expect(page.get_by_text("two different words")).to_be_visible()
    until_link(page, lambda link: link.get("w2") == "money")
    picture(page, "path")


@pytest.mark.fuzz
def test_layer_by_keyboard_changes_the_heatmaps_and_the_link(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fa="1")))
    before = saved(page, "head-A")[2]
    # The first slider with this name belongs to the animated picture.
    slider = page.locator(".st-key-layer-control").get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Sentence A, Layer 2, head 1")).to_be_visible()
    until_link(page, lambda link: link.get("l") == "2")
    answered(page)
    assert not np.allclose(saved(page, "head-A")[2], before)
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Sentence A, mean over head 1 of all layers")).to_be_visible()
    until_link(page, lambda link: link.get("l") == "0")


@pytest.mark.fuzz
def test_principal_components_are_a_choice(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_text("More about these sentences").click()
    page.get_by_text("And in all directions at once?").click()
    until_link(page, lambda link: link.get("fd") == "1")
    columns, _, cosines = saved(page, "cosine")
    np.testing.assert_allclose(cosines[-1, columns.index("A and B")], 0.847, atol=0.0006)
    picture(page, "move")
    saved(page, "pca", "move")
    page.get_by_role("radio", name="In 3-D").click()
    until_link(page, lambda link: link.get("p") == "pca3")
    space = page.locator(".picture[data-plotted]")
    assert [title[:2] for title in plotted(space)["titles"]] == ["1:", "2:", "3:"]
    box = space.bounding_box()
    assert box is not None
    assert box["height"] < 600
    # Its choices are in the link, and are restored from it.
    listed = space.get_by_role("listbox")
    listed.press("Shift+ArrowLeft")
    until_link(page, lambda link: link.get("sd") == "23.23")
    listed.press("End")
    listed.press("Enter")
    until_link(page, lambda link: link.get("pt") == "4")
    expect(space.locator("[aria-selected=true]")).to_contain_text("B")
    page.locator(".st-key-space").get_by_role("slider").press("ArrowLeft")
    until_link(page, lambda link: link.get("sb") == "1")
    page.reload()
    expect(space.locator("[aria-selected=true]")).to_contain_text("B")
    assert view(space) == pytest.approx((23, 23), abs=0.01)
    expect(page.locator(".st-key-space").get_by_role("slider")).to_have_value("6")


@pytest.mark.fuzz
def test_one_word_for_each_meaning_is_enough(server: Server, visit: Visit) -> None:
    typed = {"a": "She laid the table.", "b": "Each row of the table holds a sum.", "w": "table"}
    page = answered(visit(link(server, **typed)))
    expect(verdict(page)).to_contain_text("Which two meanings? The model’s guess for table")
    type_into(page, "table as in …", "data")
    until_link(page, lambda link: link.get("hi") == "data")
    answered(page)  # the second box is drawn anew
    type_into(page, "… or as in …", "dinner")
    until_link(page, lambda link: link.get("lo") == "dinner")
    said = verdict(page)
    expect(said).to_contain_text(re.compile("^(Two meanings|One meaning|Not clear):"))
    expect(said).to_contain_text("data")
    expect(said).to_contain_text("dinner")
    ends = {label.text for label in labels(picture(page, "trajectory"), "end")}
    assert ends == {"data", "dinner"}


@pytest.mark.fuzz
def test_reset_leads_back(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, a="A bat", b="The bat flew", w="bat", l="3", j="1", fa="1")))
    page.get_by_role("button", name="Reset the page").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    until_link(page, lambda link: not link)
    answered(page)
    expect(page.get_by_text("Sentence A, Layer 1, head 1")).to_have_count(0)  # folded again
    page.get_by_text("More about these sentences").click()
    page.get_by_text("Which token attends to which?").click()
    expect(page.get_by_text("Sentence A, Layer 1, head 1")).to_be_visible()


@pytest.mark.fuzz
def test_large_type_is_large_and_fits(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    plain = verdict(page).locator("p").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    page.get_by_text("Large type, for a projector").click()
    until_link(page, lambda link: link.get("j") == "1")
    answered(page)
    large = verdict(page).locator("p").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert large == pytest.approx(1.35 * plain, rel=0.02)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_example_sets_texts_word_and_senses(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Examples").click()
    page.get_by_role("option", name=re.compile("^mouse")).first.click()
    expect(verdict(page)).to_contain_text("Two meanings: mouse sides with")
    expect(page.get_by_text("Look for:")).to_be_visible()
    until_link(page, lambda link: link.get("w") == "mouse")
    assert set(parse_qs(urlsplit(page.url).query)) == {"v", "a", "b", "w"}


def test_back_and_forward(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_role("button", name="Both at the river").click()
    moored = "We moored the canoe at the river bank."
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(moored)
    until_link(page, lambda link: link.get("a") == moored)
    answered(page)
    back(page)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    answered(page)
    page.go_forward()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(moored)


# The names of the files of each picture, by the key of the picture.
FILES = {
    "trajectory": "trajectory",
    "cosine": "cosine",
    "move": "pca",
    "head-A": "head-A",
    "vectors": "vectors",
}


@pytest.mark.fuzz
def test_pictures_are_saved_as_png_and_svg(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fa="1", fd="1", fn="1")))
    for place, file in FILES.items():
        for kind, begins in (("PNG", b"\x89PNG"), ("SVG", b"<?xml")):
            download = save_picture(picture(page, place), kind)
            assert download.suggested_filename == f"polysee-{file}.{kind.lower()}"
            assert download.path().read_bytes().startswith(begins)


def test_a_figure_for_a_paper_opens_offline_and_in_python(
    server: Server, visit: Visit, chromium: Browser, tmp_path: Path
) -> None:
    page = answered(visit(link(server, fa="1")))
    shown = picture(page, "head-A")
    download = save_picture(shown, "Plotly")
    assert download.suggested_filename == "polysee-head-A-figure.html"
    file = tmp_path / "figure.html"
    download.save_as(file)
    assert plot.read(file).layout.meta["sentence"] == shown.locator(".area").get_attribute("aria-label")
    with chromium.new_context(offline=True) as context:
        opened = context.new_page()
        opened.goto(file.as_uri())
        expect(opened.locator(".js-plotly-plot .heatmaplayer image")).to_be_visible()
        expect(opened.locator("pre")).to_contain_text("core.plot.read('polysee-head-A-figure.html')")


AWKWARD = {
    "markup": "<script>alert(1)</script> bank <b>x</b> **y** [z](http://a.b)",
    "emoji": "🏦 bank 👨‍👩‍👧 🎣",
    "arabic": "ضفة النهر bank جميلة",
    "chinese": "我在河边的银行 bank",
    "control": "a\u0000b\u200b\u202e bank \ud83d",
    "spaces": "   ",
}


@pytest.mark.parametrize("kind", some(AWKWARD, 1))
def test_awkward_sentence_leaves_the_other_in_peace(server: Server, visit: Visit, kind: str) -> None:
    page = visit("about:blank")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(link(server, fa="1"))
    answered(page)
    text = AWKWARD[kind].encode("utf-8", "replace").decode()
    type_into(page, "Sentence B", text)
    if kind == "spaces":
        expect(page.get_by_text("Sentence B is empty. Type one.")).to_be_visible()
        # Once the run is over: while it lasts, the old picture stands beside the new one.
        expect(page.get_by_text("Sentence A, Layer 1, head 1")).to_have_count(1)
    else:
        until_link(page, lambda link: "b" in link)  # what else is said was there before
        answered(page)
        columns, _, numbers = saved(page, "trajectory")
        np.testing.assert_allclose(numbers[:, 0], FISHING, atol=0.0006)  # A's are as they were
        moved = numbers[:, columns.index("B: position")]
        assert np.isfinite(moved).all()
        assert np.abs(moved - WITHDRAWING).min() > 0.01
    answered(page)
    assert not dialogs
    assert page.locator("b:text-is('x')").count() == 0
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.fuzz
def test_six_hundred_words_draw_and_the_cut_is_named(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    type_into(page, "Sentence A", "the bank " + " ".join(f"w{i % 7}" for i in range(598)))
    expect(page.get_by_text("Sentence A is longer than the model accepts.")).to_be_visible()
    expect(verdict(page)).to_contain_text("bank")
    answered(page)
    columns, _, numbers = saved(page, "trajectory")
    np.testing.assert_allclose(numbers[:, columns.index("B: position")], WITHDRAWING, atol=0.0006)
    # A long sentence shows the words around the chosen one.
    sentence = picture(page, "trajectory").locator(".sentence").first
    words = [word for word in sentence.locator(".word").all_inner_texts() if word != "…"]
    assert len(words) <= MOST_SHOWN
    expect(sentence.locator(".chosen")).to_have_text("bank")


def test_broken_model_is_told_and_the_app_goes_on(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Model").click()
    page.get_by_role("option", name="broken").click()
    expect(page.get_by_text("is damaged or cut short")).to_be_visible()
    expect(page.get_by_text(re.compile("cannot be shown here: MiniLM"))).to_be_visible()
    expect(verdict(page)).to_contain_text("Two meanings: bank sides with river in A")


@pytest.mark.fuzz
def test_unknown_model_in_a_link_is_told(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, m="../../etc/passwd", l="99", h="x", s="7", fa="1")))
    expect(page.get_by_text("is not offered here.")).to_be_visible()
    expect(page.get_by_text("Sentence A, Layer 6, head 1")).to_be_visible()


@pytest.mark.fuzz
def test_two_visitors_do_not_see_each_other(server: Server, visit: Visit) -> None:
    one = visit(link(server, a="She sat on the river bank", b="He robbed the bank"))
    two = visit(link(server, a="A bat hung in the dark cave.", b="The boy swung his bat.", w="bat"))
    for page, word in ((one, "bank"), (two, "bat"), (one, "bank")):
        expect(verdict(page)).to_contain_text(f"Two meanings: {word} sides with")
    expect(one.get_by_role("textbox", name="Sentence A")).to_have_value("She sat on the river bank")
    answered(one)
    answered(two)


@pytest.mark.fuzz
def test_killed_server_comes_back_with_the_state(
    server: Server, visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = Server(tmp_path_factory.mktemp("killed"))
    own.start()
    try:
        page = answered(visit(own.url))
        heads = visit(f"{own.url}/heads?l=2&r=head")
        head = heads.get_by_role("radio", name="Head 5", exact=True)
        head.click()  # in the link, and not told to the server
        until_link(heads, lambda link: link.get("h") == "5")
        page.bring_to_front()
        type_into(page, "Sentence A", "A muddy bank")
        until_link(page, lambda link: "muddy" in link.get("a", ""))
        answered(page)
        loan = "A loan from a bank. " * 60
        page.get_by_role("textbox", name="Sentence B").fill(loan)
        page.get_by_role("textbox", name="Sentence B").press("Enter")
        page.locator('[data-test-script-state="running"]').wait_for()
        own.stop(signal.SIGKILL)  # in the middle of an answer
        own.start()
        # The page reconnects by itself, and the restarted server restores it from the link.
        page.locator('[data-test-script-state="running"]').wait_for()
        for again in (False, True):
            if again:
                page.reload()
            answered(page)
            expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("A muddy bank")
            # Not answered, so not in the link by then: the browser's box had it.
            expect(page.get_by_role("textbox", name="Sentence B")).to_have_value(loan)
            until_link(page, lambda link: "muddy" in link.get("a", "") and link.get("b") == loan)
        heads.bring_to_front()
        rested(heads)
        until_link(heads, lambda link: (link.get("l"), link.get("h")) == ("2", "5"))
        expect(head).to_be_checked()
    finally:
        own.stop(signal.SIGKILL)


def test_server_asks_nobody(server: Server, visit: Visit) -> None:
    answered(visit(server.url))
    watched = psutil.Process(server.pid)
    for process in (watched, *watched.children(recursive=True)):
        for connection in process.net_connections(kind="inet"):
            if connection.raddr:
                assert connection.raddr.ip in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    assert server.asked() == set()
    assert "Traceback" not in server.log
