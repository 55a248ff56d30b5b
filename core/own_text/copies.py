"""Which part of a text a sentence of a model comes from: the longest copies, from left to right."""

from __future__ import annotations

from typing import NamedTuple

LEAST = 15  # letters of a copy
REPEATED = 30  # letters of a stretch that no text says twice by chance, as it does a phrase of 15
_ENDS = "\n.!?"
NOISE = "·"  # stands on a screen for what a model wrote that is no letter
_NO_LETTERS = frozenset(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160), 0xFFFD)))


def readable(written: str, text: str) -> str:
    """What a model wrote, with a sign for what is no letter, or one beyond ASCII that it never read.

    Args:
        written: what the model wrote.
        text: the text that it learned from; "" if it is not known.
    """
    return "".join(
        NOISE
        if one in _NO_LETTERS or (text and one not in text and (one > "~" or one in "\r\t"))
        else one
        for one in written
    )


class Copied(NamedTuple):
    """A stretch that stands in both.

    Attributes:
        start: where it begins in what was written.
        end: where it ends there.
        source: where it first begins in the text.
    """

    start: int
    end: int
    source: int


def copied(written: str, text: str, least: int = LEAST) -> tuple[Copied, ...]:
    """The longest stretches of what a model wrote that stand in its text, none over another.

    From each place, the longest stretch is taken if it has `least` letters, and the search goes on
    behind it.

    Args:
        written: what the model wrote.
        text: the text that it learned from.
        least: the letters of the shortest copy.

    Raises:
        ValueError: `least` is below 1.
    """
    if least < 1:
        raise ValueError("A copy has at least one letter.")
    found, i = [], 0
    while i + least <= len(written):
        source = text.find(written[i : i + least])
        if source < 0:
            i += 1
            continue
        low, high = least, len(written) - i
        while low < high:  # a beginning of a copy is a copy
            middle = (low + high + 1) // 2
            if (at := text.find(written[i : i + middle])) >= 0:
                low, source = middle, at
            else:
                high = middle - 1
        found.append(Copied(i, i + low, source))
        i += low
    return tuple(found)


def repeated(end: str, read: str) -> float:
    """How much of the end of a text, from 0 to 1, stands word for word in what a model reads of it.

    What counts is in stretches of `REPEATED` letters or more.

    Args:
        end: the held-out end.
        read: what comes before it.
    """
    starts = range(len(end) - REPEATED + 1)
    stretches = {end[i : i + REPEATED] for i in starts}
    # One pass: a search of a long text for each place of its end would take seconds.
    known = stretches.intersection(read[j : j + REPEATED] for j in range(len(read) - REPEATED + 1))
    letters = behind = 0
    for i in starts:
        if end[i : i + REPEATED] in known:
            letters += i + REPEATED - max(i, behind)
            behind = i + REPEATED
    return letters / max(1, len(end))


class Shares(NamedTuple):
    """How much of what a model wrote is as in its text, each from 0 to 1.

    Attributes:
        letters: of its signs, those that the text has.
        words: of its words, those that are words of the text; the last may be cut off, and is left out.
        copied: of its signs, those in stretches that stand in the text.
    """

    letters: float
    words: float
    copied: float


def learned_share(written: str, text: str) -> Shares:
    """How much of the letters, words and stretches of a text a model has learned, by what it wrote.

    Args:
        written: what the model wrote.
        text: the text that it learned from.
    """
    if not written:
        return Shares(0, 0, 0)
    signs, known = {*text}, {*_words(text)}
    words = _words(written)[:-1]
    return Shares(
        sum(sign in signs for sign in written) / len(written),
        sum(word in known for word in words) / max(1, len(words)),
        sum(one.end - one.start for one in copied(written, text)) / len(written),
    )


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalpha() or sign in "'’" else " " for sign in text).split()


def sentence_around(text: str, start: int, end: int, most: int = 200) -> str:
    """The sentence or sentences of a text in which a stretch stands, at most so many letters."""
    left = max(text.rfind(sign, 0, start) for sign in _ENDS) + 1
    rights = [at for sign in _ENDS if (at := text.find(sign, max(start, end - 1))) >= 0]
    around = text[left : min(rights, default=len(text) - 1) + 1].strip()
    return around if len(around) <= most else f"{around[: most - 1].rstrip()}…"
