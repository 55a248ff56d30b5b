"""The words of a page, stored beside it as `page.md`, and `page.<variant>.md`.

---
What the page declares of itself (`ui.navigation`); a variant has none.
---
# Title
The point of the page, in one sentence.
## Try this
- [the label of the button](?a=…&b=…) what to look for
## More examples
More buttons, folded below; optional.
## How it is computed
## What it does not say
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from ui import navigation


@dataclass(frozen=True)
class Try:
    """One thing to try: a button, the state it sets, and what to look for."""

    label: str
    state: tuple[tuple[str, str], ...]
    look_for: str


@dataclass(frozen=True)
class Prose:
    """A page's words."""

    title: str
    point: str
    tries: tuple[Try, ...]
    more: tuple[Try, ...]
    computed: str
    limitations: str


@cache
def read(page: str, variant: str = "") -> Prose:
    """Read the words of the page whose `__file__` is `page`; some models have a variant."""
    text = Path(page).with_suffix(f".{variant}.md" if variant else ".md").read_text("utf-8")
    _, words = navigation.front_matter(text)
    head, *sections = re.split(r"^## +(.+)$", words, flags=re.MULTILINE)
    title, _, point = head.strip().removeprefix("# ").partition("\n")
    body = {
        name.strip(): part.strip() for name, part in zip(sections[::2], sections[1::2], strict=True)
    }
    return Prose(
        title=title.strip(),
        point=" ".join(point.split()),
        tries=_examples(body["Try this"]),
        more=_examples(body.get("More examples", "")),
        computed=body["How it is computed"],
        limitations=body["What it does not say"],
    )


def _examples(section: str) -> tuple[Try, ...]:
    return tuple(
        Try(label, tuple(parse_qsl(query, keep_blank_values=True)), look)
        for label, query, look in re.findall(
            r"^- \[(.+?)\]\(\?(.*?)\) *(.*)$", section, flags=re.MULTILINE
        )
    )
