"""One visit of every page and each of its views, in a browser: everything is drawn, without errors."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.figures.attention.layer_state import LEVELS
from pages.compare.state import VIEWS as DIRECTIONS
from pages.embeddings.state import VIEWS as EMBEDDINGS
from pages.encoder_decoder.state import VIEWS as TRANSLATION
from pages.positions.state import VIEWS as POSITIONS
from pages.senses.state import SPACES
from pages.step_by_step.state import SIZES
from pages.step_by_step.state import VIEWS as STEPS
from tests.browser.conftest import ROOT, Server, rested, until_link

Visit = Callable[..., Page]
Link = dict[str, str]

FOLDS = {f: "1" for f in ("fs", "fw", "fi", "fa", "fd", "fn")}
# The states to visit on each page, by its folder. The first is the page as it opens.
LINKS: dict[str, list[Link]] = {
    "compare": [{}, FOLDS, *({"p": view} for view in DIRECTIONS)],
    "heads": [
        {},
        *({"l": "2", "r": level} for level in LEVELS),
        {"l": "mean"},
        {"u": "1"},
        {"ra": "1", "q": "9", "k": "3"},
        {"ro": "1", "l": "2"},
        {"t2": "He sat by the river."},
        {"m2": "small-bert"},
        {"t": "He sat by the [MASK].", "l": "2"},
        *({"c": "1", "l": layer, "r": "head"} for layer in ("0", "2", "mean")),
        {"m2": "minilm", "c2": "1", "l": "2", "l2": "2"},
    ],
    "embeddings": [{}, *({"p": view} for view in EMBEDDINGS), {"p": "path", "f": "pca", "s3": "1"}],
    "senses": [
        {},
        *({"f": space} for space in SPACES if space != "umap"),
        {"s3": "1"},
        {"c": "cluster"},
    ],
    "corpus": [{}, {"w": "class", "s": "left", "q": "3"}],
    "step_by_step": [
        {},
        *({"p": view} for view in STEPS),
        *({"ti": size} for size in SIZES),
        {"p": "what-if", "wi": "depth"},
        {"c": "1", "st": "mask"},
        *({"ti": "paper", "hf": "decoder", "st": step} for step in ("mask", "cross-weights", "norm2")),
    ],
    "positions": [*({"p": view} for view in POSITIONS), {"p": "padding", "pn": "model"}],
    "encoder_decoder": [
        {},
        *({"p": view} for view in TRANSLATION),
        *({"e": block} for block in ("encoder", "decoder")),
        {"d": "to-english"},
    ],
    "lessons": [{}],
    "glossary": [{}, {"g": "attention-weight"}, {"f": "mask"}],
    "training": [{}, {"rc": "translation"}, {"rc": "reverse~sd2~n20~b2~wu1~h1~d8~ff8"}],
}
WITHOUT_PICTURES = {"glossary", "lessons"}  # lists of words, and of lessons
UNKNOWN = "visited"  # in a link: no page has a choice of this name


def all_drawn(page: Page, link: Link, *, pictures: bool) -> None:
    """Check that the run has ended, each picture is drawn, and no error is shown."""
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    if pictures:
        expect(page.locator(".picture[data-drawn], .picture[data-plotted]").first).to_be_visible()
    expect(page.locator(".picture:not([data-drawn]):not([data-plotted])")).to_have_count(0)
    for gone_wrong in ("stException", "stAlertContentError"):
        assert page.get_by_test_id(gone_wrong).count() == 0, link


def follow(page: Page, link: Link) -> None:
    """Open this link of the page as Back and Forward do."""
    page.evaluate(
        "link => { history.pushState({}, '', link); dispatchEvent(new PopStateEvent('popstate')) }",
        f"?{urlencode({**link, UNKNOWN: '1'})}",
    )
    until_link(page, lambda now: UNKNOWN not in now)  # at its end, a run says what it has understood
    understood = dict(parse_qsl(urlsplit(page.url).query))
    assert {key: link[key] for key in link.keys() & understood}.items() <= understood.items()


@pytest.mark.smoke
def test_no_page_is_left_out() -> None:
    assert {*LINKS} == {path.parent.name for path in (ROOT / "pages").glob("*/page.py")}


@pytest.mark.smoke
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.motion] * (n == "compare")) for n in LINKS]
)
def test_a_page_and_one_of_its_views_are_drawn(server: Server, visit: Visit, name: str) -> None:
    opens, *others = LINKS[name]
    drawn(server, visit, name, [opens, *others[:1]])


@pytest.mark.parametrize("name", [name for name, links in LINKS.items() if len(links) > 2])
def test_every_other_view_of_a_page_is_drawn(server: Server, visit: Visit, name: str) -> None:
    drawn(server, visit, name, LINKS[name][2:])


def drawn(server: Server, visit: Visit, name: str, links: list[Link]) -> None:
    """Open a page by the first of these links, and follow the others."""
    address = "" if name == "compare" else name.replace("_", "-")
    opens, *others = links
    pictures = name not in WITHOUT_PICTURES
    page = visit(f"{server.url}/{address}?{urlencode(opens)}")
    all_drawn(page, opens, pictures=pictures)
    assert page.get_by_role("heading", level=1).count() == 1
    for link in others:
        follow(page, link)
        all_drawn(page, link, pictures=pictures)


@pytest.mark.smoke
@pytest.mark.usefixtures("only_here")
def test_a_model_is_trained(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/training?rc=reverse~sd2~n20~b2~wu1~h1~d8~ff8")
    all_drawn(page, {}, pictures=True)
    main = page.get_by_test_id("stMainBlockContainer")  # Streamlit's own bar has buttons as well
    main.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Done, step 20 of 20")).to_be_visible()
    all_drawn(page, {}, pictures=True)
