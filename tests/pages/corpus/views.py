"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

LINKS: list[dict[str, str]] = [
    {},
    {"w": "class", "s": "left", "q": "3"},
    {"w": "key", "fn": "1", "fc": "1", "fm": "1"},
]
