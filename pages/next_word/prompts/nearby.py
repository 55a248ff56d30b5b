"""Prompts that are as near as possible to two that do not fit each other."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher


def with_one_word(a: str, b: str) -> Iterator[str]:
    """Prompt A with one of its words exchanged for one of B's, where the two prompts differ.

    First the last words of each place, "The dog" and "My small cat": the noun of a phrase stands there.
    """
    of_a, of_b = a.split(" "), b.split(" ")
    places = [
        (start, stop, first, last)
        for kind, start, stop, first, last in SequenceMatcher(
            None, of_a, of_b, autojunk=False
        ).get_opcodes()
        if kind == "replace"
    ]
    pairs = [(stop - 1, last - 1) for _, stop, _, last in places]
    pairs += [(start, first) for start, _, first, _ in places]
    for at, by in dict.fromkeys(pairs):
        if of_a[at] and of_b[by]:
            yield " ".join([*of_a[:at], of_b[by], *of_a[at + 1 :]])
