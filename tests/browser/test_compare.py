"""The Compare page as a visitor has it: a real server, a real browser, real keys."""

from __future__ import annotations

import csv
import io
import re
import signal
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import psutil
import pytest
from playwright.sync_api import Page, expect

from core.settings import OPENING
from tests.browser.conftest import PATIENCE, Server
from tests.browser.reading import frames, labels, point

# facts.md, "A frame for the move"; learned, embedding, layers 1 to 6.
FISHING = [-0.62, -0.58, -0.49, -0.42, -0.46, -0.45, -0.54, -0.17]
WITHDRAWING = [-0.62, -0.58, -0.70, -0.72, -0.74, -0.85, -0.85, -0.66]

Visit = Callable[..., Page]


def answered(page: Page) -> Page:
    """The page once everything on it has been computed: the proof comes last."""
    expect(page.get_by_text("largest difference").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    return page


def charts(page: Page) -> list[dict]:
    """The data of the path and the move, as Plotly has it."""
    page.wait_for_function(
        "[...document.querySelectorAll('.js-plotly-plot')].filter(p => p._fullData).length === 2"
    )
    return page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].map(plot => ({
            traces: plot._fullData.map(t => ({
                type: t.type, name: t.name,
                x: [...t.x], y: [...t.y]}))}))"""
    )


def saved(page: Page, name: str, number: int) -> tuple[list[str], np.ndarray]:
    """The labels and the weights of a head, from the file that its CSV button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").nth(1 + number).click()  # the first is the move's
    assert download.value.suggested_filename == f"polysee-{name}.csv"
    table = list(csv.reader(io.StringIO(download.value.path().read_text())))
    return table[0][1:], np.array([row[1:] for row in table[1:]], float)


def type_into(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("textbox", name=label)
    box.fill(text)
    box.press("Enter")


def link(server: Server, **state: str) -> str:
    return f"{server.url}/?{urlencode(state)}"


def test_opens_already_computed_with_the_published_path(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value(OPENING.text_b)
    claim = page.get_by_text("In both sentences").first
    expect(claim).to_contain_text("bank starts at −.62, on the side of money")
    expect(claim).to_contain_text("−.17 in A and at −.66 in B")
    lines = {t["name"]: t["y"] for t in charts(page)[0]["traces"]}
    np.testing.assert_allclose(lines["Sentence A"], FISHING, atol=0.0051)
    np.testing.assert_allclose(lines["Sentence B"], WITHDRAWING, atol=0.0051)
    expect(
        page.get_by_text("equal to the last bit").or_(page.get_by_text("they agree"))
    ).to_be_visible()


def test_first_screen_shows_the_picture_without_scrolling(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    charts(page)
    for picture in page.locator(".js-plotly-plot").all()[:2]:  # the path and the move
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] > 0
        assert box["y"] + box["height"] < 900


@pytest.mark.parametrize("special", ["0", "1"])
def test_heatmaps_show_the_weights_of_transformers(
    server: Server, visit: Visit, minilm_eager: Callable, special: str
) -> None:
    page = answered(visit(link(server, l="3", h="6", s=special)))
    heads = frames(page, 3)[:2]
    for i, text in enumerate((OPENING.text_a, OPENING.text_b)):
        tokens, attentions = minilm_eager(text)
        weights = attentions[2][5]
        if special == "0":
            tokens, weights = tokens[1:-1], weights[1:-1, 1:-1]
            weights = weights / weights.sum(axis=1, keepdims=True)
        names, numbers = saved(page, f"head-{'AB'[i]}", i)
        assert names == tokens
        np.testing.assert_allclose(numbers, weights, atol=1e-5)
        assert [label.text for label in labels(heads[i], "column")] == tokens
        bank = tokens.index("bank")
        for query, key in ((bank, 0), (0, bank), (bank, bank)):
            heads[i].scroll_into_view_if_needed()
            point(heads[i], query, key, len(tokens), len(tokens))
            said = f"{tokens[query]} → {tokens[key]}: {weights[query, key]:.4f}"
            expect(heads[i].locator(".tip")).to_have_text(said)


def test_editing_a_sentence_redraws_and_the_link_carries_it(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    type_into(page, "Sentence B", "The spring of the old watch is broken")
    expect(page.get_by_text("The two sentences share no word")).to_be_visible()
    type_into(page, "Sentence A", "A cold spring feeds the river")
    expect(page.get_by_text("In both sentences").first).to_contain_text("spring starts at")
    page.wait_for_function("new URLSearchParams(location.search).get('a')?.includes('feeds')")
    here = page.get_by_text("In both sentences").first.inner_text()
    query = parse_qs(urlsplit(page.url).query)
    assert query["a"] == ["A cold spring feeds the river"]
    assert query["v"] == ["1"]
    page.reload()
    expect(page.get_by_text("In both sentences").first).to_have_text(here)
    other = visit(page.url)
    expect(other.get_by_text("In both sentences").first).to_have_text(here)
    expect(other.get_by_role("textbox", name="Sentence A")).to_have_value(
        "A cold spring feeds the river"
    )


def test_word_is_chosen_from_those_in_both(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Word in both").click()
    options = page.get_by_role("option").all_inner_texts()
    assert options == ["write", "a", "poem", "about", "man", "bank"]
    page.get_by_role("option", name="poem").click()
    expect(page.get_by_text("In both sentences").first).to_contain_text("poem starts at")
    expect(page.get_by_role("heading", name="The numbers of “poem”")).to_be_visible()


def test_layer_by_keyboard_changes_the_heatmaps_and_the_link(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    before = saved(page, "head-A", 0)[1]
    page.get_by_role("slider", name=re.compile("^Layer")).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Sentence A, Layer 2, head 1")).to_be_visible()
    page.wait_for_function("new URLSearchParams(location.search).get('l') === '2'")
    answered(page)
    assert not np.allclose(saved(page, "head-A", 0)[1], before)


def test_move_follows_its_slider_by_keyboard(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    words = [trace["name"] for trace in charts(page)[1]["traces"]]
    assert {"<b>A</b>", "<b>B</b>", "learned", "alone", "river", "money"} <= set(words)
    a = words.index("<b>A</b>")
    np.testing.assert_allclose(charts(page)[1]["traces"][a]["x"], [-0.17], atol=0.0051)
    page.get_by_role("slider", name="After layer").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("new URLSearchParams(location.search).get('d') === '1'")
    answered(page)
    np.testing.assert_allclose(charts(page)[1]["traces"][a]["x"], [FISHING[-2]], atol=0.0051)


def test_example_sets_texts_word_and_senses(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Examples").click()
    page.get_by_role("option", name=re.compile("^mouse")).first.click()
    expect(page.get_by_text("In both sentences").first).to_contain_text("mouse starts at")
    expect(page.get_by_text("Look for:")).to_be_visible()
    page.wait_for_function("new URLSearchParams(location.search).get('w') === 'mouse'")
    assert set(parse_qs(urlsplit(page.url).query)) == {"v", "a", "b", "w", "lo", "hi"}


def test_back_and_forward(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_role("button", name="On the bank of the river").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("On the river bank")
    page.wait_for_function("location.search.includes('river+bank')")
    answered(page)
    page.go_back()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    page.go_forward()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("On the river bank")


def test_picture_is_saved_as_png(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.locator(".js-plotly-plot").first.hover()
    with page.expect_download() as download:
        page.locator(".modebar-btn").first.click()
    assert download.value.suggested_filename == "polysee-path.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


AWKWARD = {
    "spaces": "   ",
    "markup": "<script>alert(1)</script> bank <b>x</b> **y** [z](http://a.b)",
    "emoji": "🏦 bank 👨‍👩‍👧 🎣",
    "arabic": "ضفة النهر bank جميلة",
    "chinese": "我在河边的银行 bank",
    "control": "a\u0000b\u200b\u202e bank \ud83d",
}


@pytest.mark.parametrize("kind", AWKWARD)
def test_awkward_sentence_leaves_the_other_in_peace(server: Server, visit: Visit, kind: str) -> None:
    page = answered(visit(server.url))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    text = AWKWARD[kind].encode("utf-8", "replace").decode()
    type_into(page, "Sentence B", text)
    if kind == "spaces":
        expect(page.get_by_text("Sentence B is empty. Type one.")).to_be_visible()
        # Once the run is over: while it lasts, the old picture stands beside the new one.
        expect(page.get_by_text("Sentence A, Layer 1, head 1")).to_have_count(1)
    else:
        expect(page.get_by_text("In both sentences").first).to_contain_text("bank starts at −.62")
    answered(page)
    assert not dialogs
    assert page.locator("b:text-is('x')").count() == 0
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_six_hundred_words_draw_and_the_cut_is_named(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    type_into(page, "Sentence A", "the bank " + " ".join(f"w{i % 7}" for i in range(598)))
    expect(page.get_by_text("Sentence A is longer than the model takes.")).to_be_visible()
    expect(page.get_by_text("In both sentences").first).to_contain_text("bank starts at −.62")
    answered(page)


def test_broken_model_is_told_and_the_app_goes_on(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Model").click()
    page.get_by_role("option", name="broken").click()
    expect(page.get_by_text("is damaged or cut short")).to_be_visible()
    expect(page.get_by_text("Going on with the model minilm.")).to_be_visible()
    expect(page.get_by_text("In both sentences").first).to_contain_text("−.17 in A and at −.66 in B")


def test_unknown_model_in_a_link_is_told(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, m="../../etc/passwd", l="99", h="x", s="7")))
    expect(page.get_by_text("is not offered here. Showing minilm.")).to_be_visible()
    expect(page.get_by_text("Sentence A, Layer 6, head 1")).to_be_visible()


def test_two_visitors_do_not_see_each_other(server: Server, visit: Visit) -> None:
    one = visit(link(server, a="She sat on the river bank", b="He robbed the bank"))
    two = visit(link(server, a="The bat flew out of the cave", b="He swung the bat", w="bat"))
    for page, word in ((one, "bank"), (two, "bat"), (one, "bank")):
        expect(page.get_by_text("In both sentences").first).to_contain_text(f"{word} starts at")
    expect(one.get_by_role("textbox", name="Sentence A")).to_have_value("She sat on the river bank")
    answered(one)
    answered(two)


def test_phone_has_no_sideways_scroll(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url, width=390, height=844, scheme="dark"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_killed_server_comes_back_with_the_state(
    server: Server, visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = Server(tmp_path_factory.mktemp("killed"))
    own.start()
    try:
        page = answered(visit(own.url))
        type_into(page, "Sentence A", "A muddy bank")
        page.wait_for_function("location.search.includes('muddy')")
        answered(page)
        own.stop(signal.SIGKILL)
        own.start()
        page.reload()
        expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("A muddy bank")
        answered(page)
    finally:
        own.stop(signal.SIGKILL)


def test_server_asks_nobody(server: Server, visit: Visit) -> None:
    answered(visit(server.url))
    assert server.process is not None
    watched = psutil.Process(server.process.pid)
    for process in (watched, *watched.children(recursive=True)):
        for connection in process.net_connections(kind="inet"):
            if connection.raddr:
                assert connection.raddr.ip in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    assert server.asked() == set()
    assert "Traceback" not in server.log
