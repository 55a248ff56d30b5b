"""The states of this page that `tests/browser/test_every_page.py` visits, by their links."""

LINKS: list[dict[str, str]] = [
    {},
    {"rc": "translation"},
    {"rc": "reverse~sd2~n20~b2~wu1~h1~d8~ff8"},
    {"p": "text", "tc": "letters-256-1-2-32-32-4-0.004-40-0"},
]
