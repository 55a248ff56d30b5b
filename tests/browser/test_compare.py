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
from playwright.sync_api import Locator, Page, expect

from core.settings import OPENING
from tests.browser.conftest import PATIENCE, Server, back, rested, until_link
from tests.browser.reading import labels, point

# facts.md, "A frame for the move"; learned, embedding, layers 1 to 6.
FISHING = [-0.62, -0.58, -0.49, -0.42, -0.46, -0.45, -0.54, -0.17]
WITHDRAWING = [-0.62, -0.58, -0.70, -0.72, -0.74, -0.85, -0.85, -0.66]

Visit = Callable[..., Page]


def answered(page: Page) -> Page:
    """The page once everything on it has been computed: what put the word there comes last."""
    expect(page.get_by_text("largest difference").first).to_be_visible(timeout=PATIENCE)
    rested(page)
    return page


def saved(page: Page, name: str) -> tuple[list[str], list[str], np.ndarray]:
    """The columns, the rows and the numbers of a picture, from the file that its CSV button saves."""
    rested(page)  # a run brings another button
    with page.expect_download() as download:
        page.locator(f".st-key-csv-{name} button").first.click()  # the second only measures
    assert download.value.suggested_filename == f"polysee-{name}.csv"
    table = list(csv.reader(io.StringIO(download.value.path().read_text())))
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


def test_opens_already_computed_with_the_published_path(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value(OPENING.text_b)
    claim = page.get_by_text("In both sentences").first
    expect(claim).to_contain_text("bank starts at −.62, on the side of money")
    expect(claim).to_contain_text("−.17 in A and at −.66 in B")
    columns, depths, places = saved(page, "path")
    assert columns == ["A", "B"]
    assert depths == ["learned", "+ position", *(f"Layer {i}" for i in range(1, 7))]
    np.testing.assert_allclose(places.T, [FISHING, WITHDRAWING], atol=0.0051)
    expect(
        page.get_by_text("equal to the last bit").or_(page.get_by_text("they agree"))
    ).to_be_visible()


def test_first_screen_shows_the_picture_without_scrolling(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    for name in ("path", "move"):
        box = picture(page, name).bounding_box()
        assert box is not None
        assert box["y"] > 0
        assert box["y"] + box["height"] < 900
    expect(page.get_by_text("…a man fishing on a river bank.")).to_be_visible()
    expect(page.get_by_text("…withdrawing money from a bank.")).to_be_visible()


@pytest.mark.parametrize("special", ["0", "1"])
def test_heatmaps_show_the_weights_of_transformers(
    server: Server, visit: Visit, minilm_eager: Callable, special: str
) -> None:
    page = answered(visit(link(server, l="3", h="6", s=special)))
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
            heads[i].scroll_into_view_if_needed()
            point(heads[i], query, key, len(tokens), len(tokens))
            said = f"{tokens[query]} → {tokens[key]}: {weights[query, key]:.4f}"
            expect(heads[i].locator(".tip")).to_have_text(said)


def test_editing_a_sentence_redraws_and_the_link_carries_it(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    type_into(page, "Sentence B", "The spring of the old watch is broken")
    expect(page.get_by_text("Sentence B has no “bank”.")).to_be_visible()
    type_into(page, "Sentence A", "A cold spring feeds the river")
    expect(page.get_by_text("In both sentences").first).to_contain_text("spring starts at")
    until_link(page, lambda link: "feeds" in link.get("a", ""))
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


def test_word_is_chosen_in_each_sentence(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_role("combobox", name="Word in A").click()
    expect(page.get_by_role("option", name="poem")).to_be_visible()
    options = page.get_by_role("option").all_inner_texts()
    assert options[:3] == ["write", "a, place 1 of 3", "poem"]
    page.get_by_role("option", name="poem").click()
    expect(page.get_by_text("In both sentences").first).to_contain_text("poem starts from")
    expect(page.get_by_role("combobox", name="Word in B")).to_have_value("poem")
    expect(page.get_by_role("heading", name="The numbers of “poem”")).to_be_visible()
    answered(page)  # a list that is open would close
    page.get_by_role("combobox", name="Word in B").click()
    page.get_by_role("option", name="money").click()
    expect(page.get_by_text("and money start from two learned vectors")).to_be_visible()
    until_link(page, lambda link: link.get("w2") == "money")


def test_layer_by_keyboard_changes_the_heatmaps_and_the_link(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    before = saved(page, "head-A")[2]
    slider = page.get_by_role("slider", name=re.compile("^Layer"))
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


def test_move_follows_its_slider_at_once_and_the_link_follows(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    columns, words, places = saved(page, "move")
    assert {"A", "B", "alone", "river", "money"} <= set(words)
    np.testing.assert_allclose(places[0, columns.index("Layer 6 x")], -0.17, atol=0.0051)
    move = picture(page, "move")
    slider = move.get_by_role("slider", name="After layer")
    expect(slider).to_have_attribute("aria-valuetext", "Layer 6")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "Layer 5")
    until_link(page, lambda link: link.get("d") == "1")
    answered(page)
    other = answered(visit(page.url))
    expect(picture(other, "move").get_by_role("slider")).to_have_attribute("aria-valuetext", "Layer 5")


def test_principal_components_are_a_choice(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_role("radio", name="PCA", exact=True).click()
    expect(page.get_by_text("They show depth, not meaning").first).to_be_visible()
    until_link(page, lambda link: link.get("p") == "pca")
    columns, _, cosines = saved(page, "path")
    np.testing.assert_allclose(cosines[-1, columns.index("A and B")], 0.85, atol=0.005)
    page.get_by_role("radio", name="PCA in 3-D").click()
    expect(page.locator(".js-plotly-plot .gl-container canvas").first).to_be_visible()
    assert "p=pca3" in answered(page).url


def test_texts_without_senses_offer_to_name_two(server: Server, visit: Visit) -> None:
    typed = {"a": "She laid the table.", "b": "They sat round the table.", "w": "table"}
    page = answered(visit(link(server, **typed)))
    expect(page.get_by_text("Cosine alone cannot tell senses apart.")).to_be_visible()
    page.get_by_role("button", name="Name two senses").click()
    for place, words in (("At −1", "food: dinner, meal"), ("At +1", "data: row, column")):
        type_into(page, place, words)
    expect(page.get_by_text("In both sentences").first).to_contain_text("table starts at")
    expect(picture(page, "path").get_by_text("data +1")).to_be_visible()


def test_reset_leads_back(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, a="A bat", b="The bat flew", w="bat", l="3", j="1")))
    page.get_by_role("button", name="Reset the page").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    until_link(page, lambda link: not link)
    expect(page.get_by_text("Sentence A, Layer 1, head 1")).to_be_visible()


def test_large_type_is_large_and_fits(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    plain = page.get_by_text("In both sentences").first.evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize)"
    )
    page.get_by_text("Large type, for a projector").click()
    until_link(page, lambda link: link.get("j") == "1")
    answered(page)
    large = page.get_by_text("In both sentences").first.evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize)"
    )
    assert large == pytest.approx(1.35 * plain, rel=0.02)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_example_sets_texts_word_and_senses(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_label("Examples").click()
    page.get_by_role("option", name=re.compile("^mouse")).first.click()
    expect(page.get_by_text("In both sentences").first).to_contain_text("mouse starts at")
    expect(page.get_by_text("Look for:")).to_be_visible()
    until_link(page, lambda link: link.get("w") == "mouse")
    assert set(parse_qs(urlsplit(page.url).query)) == {"v", "a", "b", "w"}


def test_back_and_forward(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    page.get_by_role("button", name="On the bank of the river").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("On the river bank")
    until_link(page, lambda link: "river bank" in link.get("a", ""))
    answered(page)
    back(page)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OPENING.text_a)
    answered(page)
    page.go_forward()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("On the river bank")


@pytest.mark.parametrize(
    ("place", "file"),
    [("path", "path"), ("move", "move"), ("head-A", "head-A"), ("vectors", "vectors")],
)
def test_pictures_are_saved_as_png_and_svg(server: Server, visit: Visit, place: str, file: str) -> None:
    page = answered(visit(server.url))
    for kind, begins in (("PNG", b"\x89PNG"), ("SVG", b"<?xml")):
        with page.expect_download() as download:
            picture(page, place).get_by_role("button", name=f"Save picture as {kind}").click()
        assert download.value.suggested_filename == f"polysee-{file}.{kind.lower()}"
        assert download.value.path().read_bytes().startswith(begins)


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
        until_link(page, lambda link: "b" in link)  # what else is said was there before
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
    expect(page.get_by_text("Going on with the model MiniLM.")).to_be_visible()
    expect(page.get_by_text("In both sentences").first).to_contain_text("−.17 in A and at −.66 in B")


def test_unknown_model_in_a_link_is_told(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, m="../../etc/passwd", l="99", h="x", s="7")))
    expect(page.get_by_text("is not offered here. Showing MiniLM.")).to_be_visible()
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
        # The page finds the server by itself, which begins anew with the link.
        page.locator('[data-test-script-state="running"]').wait_for()
        for again in (False, True):
            if again:
                page.reload()
            answered(page)
            expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("A muddy bank")
            # Not answered, so not in the link by then: the browser's box had it.
            expect(page.get_by_role("textbox", name="Sentence B")).to_have_value(loan)
            until_link(page, lambda link: "muddy" in link.get("a", ""))
        heads.bring_to_front()
        rested(heads)
        until_link(heads, lambda link: (link.get("l"), link.get("h")) == ("2", "5"))
        expect(head).to_be_checked()
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
