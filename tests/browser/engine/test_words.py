"""Words of many languages in a real Chromium, whose dictionaries are its own."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, Route

from tests.records.languages.table import TABLE

_SOURCE = Path(__file__).parents[3] / "core" / "figures" / "web" / "src"
_ORIGIN = "http://words.test"
_ASK = """async (cases) => {
  const { split } = await import("/engine/words.js");
  const { occurrenceSpans } = await import("/engine/finding.js");
  const slice = (text, [start, end]) => [...text].slice(start, end).join("");
  return cases.map(({ text, find }) => ({
    words: split(text).map((word) => word.text),
    find: Object.fromEntries(Object.keys(find).map((phrase) =>
      [phrase, occurrenceSpans(text, phrase, false).map((span) => slice(text, span))])),
  }));
}"""


def test_a_browsers_words_are_those_of_the_table(chromium: Browser) -> None:
    page = chromium.new_page()

    def answer(route: Route) -> None:
        """The sources themselves, which need no build."""
        name = route.request.url.removeprefix(_ORIGIN).lstrip("/")
        if not name:
            route.fulfill(body="<!doctype html>", content_type="text/html")
            return
        kind = "application/json" if name.endswith(".json") else "text/javascript"
        route.fulfill(body=(_SOURCE / name).read_text("utf-8"), content_type=f"{kind}; charset=utf-8")

    page.route(f"{_ORIGIN}/**", answer)
    page.goto(f"{_ORIGIN}/")
    found = page.evaluate(_ASK, TABLE["cases"])
    page.close()
    for case, own in zip(TABLE["cases"], found, strict=True):
        wanted = {name: case[name] for name in ("words", "find")}
        assert own == wanted, json.dumps(case["language"])
