"""Lines or running text: whether a line is one sentence, several, or part of one that goes on below.

A list has one sentence a line. Running text has several in a line (a paragraph), or is wrapped: a
paragraph then goes over several lines, up to an empty one, as in the texts of Project Gutenberg.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .files import Lines
from .sentences import is_dense, is_end, is_item, joined, split
from .understood import Passage

SAMPLE = 300  # lines, or texts of a table, that are looked at
MOST_PARAGRAPH = 100_000  # characters, from which a paragraph ends at the end of a sentence
_SEVERAL = 0.25  # the share of texts with several sentences, from which texts are running
_NARROW = 40  # characters: a shorter line is not wrapped by its length
_GUTENBERG = re.compile(r"\*\*\* ?(START|END) OF TH(?:E|IS) PROJECT GUTENBERG EBOOK", re.I)
_LOWER = re.compile(r"[\"'“‘(«„]*[a-zß-öø-ÿа-яёα-ω]")


def is_wrapped(lines: Sequence[str]) -> bool:
    """Whether paragraphs go over several lines.

    Args:
        lines: the first lines of a text, empty ones included.
    """
    blocks = _blocks(lines)
    there = [line for block in blocks for line in block]
    pairs = [pair for block in blocks for pair in pairwise(block)]
    if not pairs:
        return False
    lengths = sorted(map(len, there))
    widest = lengths[int(0.9 * (len(lengths) - 1))]
    narrow = _NARROW // 2 if is_dense(there[0]) else _NARROW
    open_ = [(a, b) for a, b in pairs if not is_end(a) and not is_item(b)]
    lower = sum(bool(_LOWER.match(b)) for _, b in open_)
    full = sum(widest >= narrow and len(a) >= 0.75 * widest for a, _ in open_)
    # A list without punctuation has lines that go on in lower case as well: running text has sentences.
    ends = sum(map(is_end, there))
    closed = sum(is_end(block[-1]) for block in blocks)
    if not ends or closed * 2 < sum(len(block) > 1 for block in blocks):
        return False
    # Without empty lines, and with short ones, it is rather a list.
    if len(blocks) == 1 and widest < narrow:
        return False
    return max(lower, full) >= 0.4 * len(pairs)


def _blocks(lines: Iterable[str]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def is_running(texts: Sequence[str], language: str) -> bool:
    """Whether texts hold several sentences: a quarter of them does."""
    there = [text for text in texts if text.strip()][:SAMPLE]
    several = sum(len(split(text[:2_000], language)) > 1 for text in there)
    return bool(there) and several >= _SEVERAL * len(there) and (several > 1 or len(there) < 4)


def own_lines(lines: Sequence[str]) -> int:
    """The first line of a book's own text below the licence of Project Gutenberg, from 1; or 0."""
    for i, line in enumerate(lines, 1):
        if (found := _GUTENBERG.search(line[:200])) and found.group(1).upper() == "START":
            return i + 1
    return 0


def passages(lines: Lines, *, wrapped: bool, first_line: int = 0) -> Iterator[Passage]:
    """The lines or paragraphs of a text. What is left out is noted in `lines`.

    Args:
        lines: the lines of the file.
        wrapped: whether a paragraph goes over several lines.
        first_line: where a book from Project Gutenberg begins; 0 for any other text.
    """
    paragraph: list[str] = []
    size, begin, done = 0, "", False
    for line in lines:
        if first_line:
            if done or lines.number < first_line:
                continue
            if (found := _GUTENBERG.search(line[:200])) and found.group(1).upper() == "END":
                lines.leave_out("the licence of Project Gutenberg", f"from line {lines.number}")
                done = True
                continue
        text = " ".join(line.split())
        if not wrapped:
            if text:
                yield Passage(text, {}, lines.where)
            continue
        if text:
            begin = begin or lines.where
            paragraph.append(text)
            size += len(text)
        long = size > MOST_PARAGRAPH and (is_end(text) or size > 10 * MOST_PARAGRAPH)
        if paragraph and (not text or long):
            yield Passage(joined(paragraph), {}, begin)
            paragraph, size, begin = [], 0, ""
    if first_line > 1:
        lines.leave_out("the licence of Project Gutenberg", f"lines 1 to {first_line - 1}")
    if paragraph:
        yield Passage(joined(paragraph), {}, begin)


def dehyphenated(lines: Sequence[str], words: frozenset[str]) -> str:
    """Printed lines as one text, with words put together that were divided at the end of a line.

    Args:
        lines: the lines of a paragraph.
        words: all words of the document. A hyphen stays if the word is found with it elsewhere and
            never without.
    """
    parts: list[list[str]] = []  # the pieces of each line that stands by itself
    for line in lines:
        before = parts[-1][-1] if parts else ""
        if before[-1:] in ("-", "\u2010") and before[-2:-1].isalpha() and line[:1].islower():
            first = re.split(r"\W", line, maxsplit=1)[0]
            last = re.split(r"[^\w\u2010-]", before[-60:])[-1].rstrip("-\u2010")
            with_hyphen, without = f"{last}-{first}".lower(), f"{last}{first}".lower()
            keep = with_hyphen in words and without not in words
            parts[-1][-1] = before if keep else before[:-1]
            parts[-1].append(line)
        elif line:
            parts.append([line])
    return joined(map("".join, parts))
