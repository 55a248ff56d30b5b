"""A query out of what a form asks for each word: the form itself, all of its forms, its beginning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...errors import CorpusError
from .query import MOST_REPEATED

Match = Literal["form", "lemma", "begins", "ends", "any"]
# What the two query languages read as a sign of theirs.
_SIGNS = re.compile(r"[\s\[\](){}\"|*?+\\<>=&!]")


@dataclass(frozen=True)
class Wanted:
    """One word of a query.

    Attributes:
        typed: the word; several with commas between them are alternatives. "" for any word.
        match: how it is compared: as it stands, in all forms of its lemma, by its beginning or its end.
        gap: up to how many words may stand between it and the next one.
    """

    typed: str
    match: Match = "form"
    gap: int = 0


def composed(words: Sequence[Wanted], *, cased: bool = False) -> str:
    """The query for some words in a row, as it is typed.

        >>> composed([Wanted("bank, shore", "lemma", 2), Wanted("of")])
        '[bank|shore] *{0,2} of'

    Args:
        words: the words; the gap after the last one does not count.
        cased: whether upper and lower case differ; all forms of a lemma are found in either.

    Raises:
        CorpusError: no word is there, or one has a sign that a query reads as its own.
    """
    if not any(one.typed.strip() for one in words):
        raise CorpusError("Type one word at least.")
    parts = []
    for at, one in enumerate(words):
        parts.append(_part(one, cased))
        if one.gap and at + 1 < len(words):
            parts.append(f"*{{0,{min(one.gap, MOST_REPEATED)}}}")
    return " ".join(parts)


def _part(one: Wanted, cased: bool) -> str:
    typed = [each.strip() for each in one.typed.split(",") if each.strip()]
    if one.match == "any" or not typed:
        return "*"
    for each in typed:
        if found := _SIGNS.search(each):
            raise CorpusError(
                "“{each}” is no word: it has “{found}” in it.",
                each=each[:40],
                found=found[0],
            )
    if one.match == "lemma":
        return f"[{'|'.join(typed)}]"
    before, after = one.match == "ends", one.match == "begins"
    if cased:
        each = "|".join(f"{'.*' * before}{re.escape(word)}{'.*' * after}" for word in typed)
        return f'"{each}"'
    return "|".join(f"{'*' * before}{word}{'*' * after}" for word in typed)
