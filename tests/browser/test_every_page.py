"""One visit of every page and each of its views, in a browser: drawn, without errors, for everyone."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.conftest import ROOT, Server, rested, until_link
from tests.tiers import crossed
from tests.ui.state.states import STATES
from ui import navigation
from ui.state import Choice

Visit = Callable[..., Page]
Link = dict[str, str]


def views(page: str) -> list[Link]:
    """The states of a page to visit; the first is the page as it opens.

    A page with views says so in `LINKS` of tests/pages/<page>/views.py; another is visited as it opens.
    """
    if find_spec(name := f"tests.pages.{page}.views") is None:
        return [{}]
    links: list[Link] = import_module(name).LINKS
    return links


LINKS = {page: views(page) for page in navigation.pages()}
AUDITED = {"next_word"}  # pages whose views are as different as pages are
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
def test_no_view_is_left_out() -> None:
    said = {file.parent.name for file in (ROOT / "tests" / "pages").glob("*/views.py")}
    assert said <= {*LINKS}
    assert {name for name, links in LINKS.items() if links != [{}]} == said
    for name, state in STATES.items():
        view = getattr(state, "view", None)
        if isinstance(view, Choice):
            visited = {link.get(view.url, view.default) for link in LINKS[name]}
            assert visited == {*view.words}, name


FIRST = [pytest.param("compare", marks=pytest.mark.motion), "heads", "next_word"]


@pytest.mark.smoke
@pytest.mark.parametrize("name", FIRST)
def test_a_page_and_one_of_its_views_are_drawn(server: Server, visit: Visit, name: str) -> None:
    page = opened(server, visit, name)
    drawn(page, name, LINKS[name][1:2])


@pytest.mark.few(3)
@pytest.mark.parametrize(("name", "scheme"), crossed([*LINKS], ["light", "dark"], of=8))
def test_a_page_keeps_nobody_out_and_each_of_its_views_is_drawn(
    server: Server, visit: Visit, name: str, scheme: Literal["light", "dark"]
) -> None:
    page = opened(server, visit, name, scheme)
    keeps_nobody_out(page)
    drawn(page, name, LINKS[name][1:], each=keeps_nobody_out if name in AUDITED else None)


def keeps_nobody_out(page: Page) -> None:
    """Check that axe finds nothing wrong with a page."""
    wrong = axe.found(page)
    assert not wrong, "\n".join([page.url, *wrong])


def opened(server: Server, visit: Visit, name: str, scheme: Literal["light", "dark"] = "light") -> Page:
    """A page as it opens, drawn."""
    opens = LINKS[name][0]
    page = visit(f"{server.url}/{navigation.pages()[name].path}?{urlencode(opens)}", scheme=scheme)
    all_drawn(page, opens, pictures=name not in WITHOUT_PICTURES)
    assert page.get_by_role("heading", level=1).count() == 1
    return page


def drawn(
    page: Page, name: str, links: list[Link], *, each: Callable[[Page], object] | None = None
) -> None:
    """Follow links of the page that is open. `each`: what is checked besides, at each of them."""
    for link in links:
        follow(page, link)
        all_drawn(page, link, pictures=name not in WITHOUT_PICTURES)
        if each is not None:
            each(page)


@pytest.mark.smoke
@pytest.mark.usefixtures("only_here")
def test_a_model_is_trained(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/training?rc=reverse~sd2~n20~b2~wu1~h1~d8~ff8")
    all_drawn(page, {}, pictures=True)
    main = page.get_by_test_id("stMainBlockContainer")  # Streamlit's own bar has buttons as well
    main.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Done, step 20 of 20")).to_be_visible()
    all_drawn(page, {}, pictures=True)
