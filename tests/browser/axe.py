"""What `axe-core` finds on a page: names of controls, roles, contrast, order of headings."""

from __future__ import annotations

import functools

from playwright.sync_api import Page

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

# Streamlit fades what a run has not drawn again, half a second later and for a second: a letter that is
# half transparent has half the contrast. A page is judged when no run has been on for half a second.
STILL = """() => {
    const busy = document.querySelector(
        '[data-test-script-state]:not([data-test-script-state="notRunning"]), [data-stale="true"]'
    ) !== null || document.getAnimations().some(
        ({ playState, effect }) =>
            playState === "running" && effect.getComputedTiming().endTime < Infinity
    );
    if (busy) window.stillSince = undefined;
    else window.stillSince ??= performance.now();
    return !busy && performance.now() - window.stillSince > 500;
}"""


@functools.cache
def axe() -> str:
    """The library, to be run in a page."""
    assert node.install() == 0
    return (node.WEB / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def found(page: Page) -> list[str]:
    """What is wrong with a page, a line for each rule and element."""
    page.evaluate("() => { window.stillSince = undefined }")
    page.wait_for_function(STILL)
    page.evaluate(axe())
    wrong: list[dict[str, str]] = page.evaluate(AUDIT)
    return [f"{one['id']} ({one['impact']}): {one['html'][:200]} — {one['why']}" for one in wrong]
