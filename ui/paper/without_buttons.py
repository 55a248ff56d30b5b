"""The words of a step where its page is not: without the buttons of that page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.localization import _


def for_paper(markdown: str) -> str:
    """Without the sentences that say which button to press: paper has none, nor has a class’s phone.

    Args:
        markdown: paragraphs of a lesson; a sentence ends in a mark at the end of a word.
    """
    return "\n\n".join(filter(None, map(_without_buttons, markdown.split("\n\n"))))


def _without_buttons(paragraph: str) -> str:
    if paragraph.lstrip().startswith("- "):
        return paragraph
    return " ".join(one for one in sentences_of(paragraph) if not _names_button(one.split()))


def sentences_of(markdown: str) -> list[str]:
    """The sentences of a text: each ends in a mark at the end of a word."""
    sentences: list[list[str]] = [[]]
    for word in markdown.split():
        sentences[-1].append(word)
        if word.rstrip("*)”").endswith((".", "!", "?")):
            sentences.append([])
    return [" ".join(one) for one in sentences if one]


def _names_button(words: Sequence[str]) -> bool:
    """Whether a sentence says to press something by its name: “press *Start*”, “click on Play”."""
    verbs = _("press click").split()
    spoken = [word for word in words if word not in _("on").split()]
    return any(
        verb.lower() in verbs and (name[0] in "*“" or name[0].isupper())
        for verb, name in pairwise(spoken)
    )
