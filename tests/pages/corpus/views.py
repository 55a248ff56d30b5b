"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

LINKS: list[dict[str, str]] = [{}, {"w": "class", "s": "left", "q": "3"}]
