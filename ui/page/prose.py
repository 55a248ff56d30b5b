"""The words of a page, stored beside it as `page.md`, and `page.<variant>.md`.

What an example says in numbers is true of MiniLM alone. For any other model it says what stands behind
“||”, if something does; an example with nothing behind it is not offered there.

---
What the page declares of itself (`ui.navigation`); a variant has none.
---
# Title
The point of the page, in one sentence.
## Try this
- [the label of the button](?a=…&b=…) what to look for || what to look for in any model but MiniLM
## More examples
More buttons, folded below; optional.
## How it is computed
## What it does not say
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from core import localization
from core.localization import gettext
from ui import navigation
from ui.state import MODEL


@dataclass(frozen=True)
class Try:
    """One thing to try: a button, the state it sets, and what to look for."""

    label: str
    state: tuple[tuple[str, str], ...]
    look_for: str
    elsewhere: str | None = None  # what to look for in any model but MiniLM; None for the same


@dataclass(frozen=True)
class Prose:
    """A page's words.

    Attributes:
        computed_is_english: whether how it computes its numbers is said in English on a screen that has
            another language.
    """

    title: str
    point: str
    tries: tuple[Try, ...]
    more: tuple[Try, ...]
    computed: str
    limitations: str
    computed_is_english: bool = False

    def beside(self, model: str) -> Prose:
        """These words with the examples as they hold for a model."""
        if model == MODEL.default:
            return self
        return replace(self, tries=_of_another(self.tries), more=_of_another(self.more))


def read(page: str, variant: str = "") -> Prose:
    """The words of the page whose `__file__` is `page`; some models have a variant.

    They are in the language of the context; what that does not have yet is English.
    """
    return _translated(page, variant, localization.current())


@cache
def _translated(page: str, variant: str, language: str) -> Prose:
    with localization.spoken(language):
        words = in_english(page, variant)
        computed = words.computed.split("\n\n")
        said = tuple(map(gettext, computed))
        kept = language != localization.ENGLISH and any(
            one == other for one, other in zip(said, computed, strict=True) if not one.startswith("$$")
        )
        return Prose(
            gettext(words.title),
            gettext(words.point),
            tuple(map(_try_translated, words.tries)),
            tuple(map(_try_translated, words.more)),
            "\n\n".join(said),
            gettext(words.limitations),
            kept,
        )


def _try_translated(one: Try) -> Try:
    elsewhere = None if one.elsewhere is None else gettext(one.elsewhere)
    return replace(one, label=gettext(one.label), look_for=gettext(one.look_for), elsewhere=elsewhere)


@cache
def in_english(page: str, variant: str = "") -> Prose:
    """The words as they are in the file."""
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


def _of_another(tries: tuple[Try, ...]) -> tuple[Try, ...]:
    """The examples that hold for another model than MiniLM, with what they say of it."""
    return tuple(
        one if one.elsewhere is None else replace(one, look_for=one.elsewhere)
        for one in tries
        if one.elsewhere != ""
    )


def _examples(section: str) -> tuple[Try, ...]:
    return tuple(
        Try(label, tuple(parse_qsl(query, keep_blank_values=True)), *_both(look))
        for label, query, look in re.findall(
            r"^- \[(.+?)\]\(\?(.*?)\) *(.*)$", section, flags=re.MULTILINE
        )
    )


def _both(look: str) -> tuple[str, str | None]:
    """What to look for in MiniLM, and in any other model."""
    here, mark, elsewhere = look.partition("||")
    return here.strip(), elsewhere.strip() if mark else None
