"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

LINKS: list[dict[str, str]] = [{}, {"g": "attention-weight"}, {"f": "mask"}]
