"""What `axe-core` finds on each page: names of controls, roles, contrast, order of headings."""

from __future__ import annotations

import functools
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Server
from tests.browser.test_every_page import LINKS, WITHOUT_PICTURES, Visit, all_drawn
from tests.tiers import crossed
from tools import node

# Not ours to mend in Streamlit: the list of pages, a header above the names of a row, and that its
# subheaders are headings of the third level.
AUDIT = """async () => {
    const NO = { enabled: false };
    const { violations } = await axe.run(
        { exclude: ['[data-testid="stSidebarNav"]'] },
        { resultTypes: ["violations"], rules: { "empty-table-header": NO, "heading-order": NO } },
    );
    return violations.flatMap(({ id, impact, nodes }) => nodes.map(
        ({ html, failureSummary: why }) => (
            { id, impact, html, why }
        )
    ));
}"""


@functools.cache
def axe() -> str:
    """The library, to be run in a page."""
    assert node.install() == 0
    return (node.WEB / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def found(page: Page) -> list[str]:
    """What is wrong with a page, a line for each rule and element."""
    page.evaluate(axe())
    wrong: list[dict[str, str]] = page.evaluate(AUDIT)
    return [f"{one['id']} ({one['impact']}): {one['html'][:200]} — {one['why']}" for one in wrong]


@pytest.mark.parametrize(("name", "scheme"), crossed([*LINKS], ["light", "dark"]))
def test_nothing_keeps_anyone_out(
    server: Server, visit: Visit, name: str, scheme: Literal["light", "dark"]
) -> None:
    address = "" if name == "compare" else name.replace("_", "-")
    page = visit(f"{server.url}/{address}?{urlencode(LINKS[name][0])}", scheme=scheme)
    all_drawn(page, LINKS[name][0], pictures=name not in WITHOUT_PICTURES)
    wrong = found(page)
    assert not wrong, "\n".join(wrong)
