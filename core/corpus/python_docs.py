"""A corpus that every machine has: the English documentation inside Python (`pydoc_data.topics`).

It is about the language: statements, expressions and types, 65,000 words. It is the text that `help()`
prints, without lines of signs (the rules under titles, the frames of tables) and marks of emphasis.
Some topics repeat others whole; a paragraph stands in the corpus once, under the shortest of its
topics, and 50,000 words remain.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..localization import N_
from .whole_file import write_whole

LAYERS = ("1", "3", "best", "last")  # three in MiniLM, whose best layer is its last one
TITLE = N_("Python’s documentation")
# Its corpus and its file; another Python has other texts.
NAME = f"python-{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}-docs"

# The chapters of the Python Language Reference, and the topics that they hold; all other topics come
# from the Library Reference.
_CHAPTERS: Mapping[str, str] = {
    "Lexical analysis": (
        "floating id-classes identifiers imaginary integers numbers strings atom-literals"
    ),
    "Data model": (
        "attribute-access callable-types context-managers customization numeric-types objects "
        "sequence-types specialnames types async"
    ),
    "Execution model": "dynamic-features exceptions execmodel naming",
    "Expressions": (
        "atom-identifiers attribute-references await binary bitwise booleans calls comparisons "
        "conversions dict exprlists in lambda lists operator-summary power shifting slicings "
        "subscriptions unary"
    ),
    "Simple statements": (
        "assert assignment augassign break continue del global import nonlocal pass raise return yield"
    ),
    "Compound statements": "class compound else for function if try while with",
}
_CHAPTER = {topic: chapter for chapter, topics in _CHAPTERS.items() for topic in topics.split()}
_LIBRARY = "Library"
# A line of signs, or one of a table that is drawn with them.
_BULLET = re.compile(r"^(?:[*-]|\d+\.) ")
# Not in quotation marks, which hold code: "**expression" is not emphasised.
_EMPHASISED = re.compile(r"(?<![\w*\"])\*{1,2}(\w[^*\"\n]*?)\*{1,2}(?![\w*\"])")
_DRAWN = re.compile(r"\s*([^\w\s]{3,}\s*|[+|].*[+|])\s*")


def passages() -> Iterator[dict[str, str]]:
    """The paragraphs of all topics, each with its topic's title and its chapter."""
    from pydoc_data.topics import topics

    seen: set[str] = set()
    for topic, whole in sorted(topics.items(), key=lambda one: (len(one[1]), one[0])):
        title, *_ = whole.strip().splitlines()
        for paragraph in re.split(r"\n\s*\n", whole):
            kept = [line.strip() for line in paragraph.splitlines() if not _DRAWN.fullmatch(line)]
            text = _EMPHASISED.sub(r"\1", _BULLET.sub("", " ".join(kept))).strip()
            if text and text not in seen:
                seen.add(text)
                chapter = _CHAPTER.get(topic, _LIBRARY)
                yield {"text": text, "topic": title.replace('"', ""), "chapter": chapter}


def write(folder: Path) -> Path:
    """Write the passages as a file that `build` reads, the same each time; returns its path."""
    file = folder / f"{NAME}.jsonl"
    write_whole(file, "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in passages()))
    return file
