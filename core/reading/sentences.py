"""Running text cut into sentences.

The rules are those of sentencex, which the Wikimedia Foundation keeps for its own sites: rules and
lists of abbreviations for 240 languages, no model, 1.2 MB, a million words in a tenth of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# A "sentence" longer than this is a table or a list; the model would read only its beginning.
MOST_CHARACTERS = 5_000
# Letters of scripts that are written without spaces: lines of theirs are joined without one.
_DENSE = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
# The library takes time in proportion to the square of a text of signs alone, such as a line of "!": it
# reads this many characters at a time.
_WINDOW = 4 * MOST_CHARACTERS
_END = re.compile(r"[.!?…。！？؟۔।॥።։]+[\"'”’»)\]」』]*\s*$")


# What counts the items of a list: "1.", "(2)", "b)", "•".
_ITEM = re.compile(
    r"\s*(?:[(\[]?(?:\d{1,5}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]{1,2}|[-*•–—·‣◦▪]|\d{1,5}\s*[、．])(?:\s+|$)"
)
_NUMBER = re.compile(r"[(\[]?\d{1,5}[.)\]、．]{1,2}")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text, with single spaces and none at the ends.

    Args:
        text: any text.
        language: its ISO 639-1 code; an unknown one is split by the general rules.
    """
    found: list[str] = []
    items: list[str] = []
    for part in _parts(text, language):
        sentence = " ".join(part.split())
        # The number of an item is no sentence: it belongs to the one behind it.
        first = not found and not items
        if sentence and (_NUMBER if not first else _ITEM).fullmatch(sentence):
            items.append(sentence)
        elif sentence:
            found.append(" ".join([*items, sentence]))
            items.clear()
    return [*found, " ".join(items)] if items else found


def too_long(sentence: str) -> str:
    """Why a sentence is not read, as a clause; "" if it is."""
    count = len(sentence)
    return f"a sentence of {count:,} letters is longer than {MOST_CHARACTERS:,}" * (
        count > MOST_CHARACTERS
    )


def sentences_of(text: str, language: str, *, running: bool) -> list[str]:
    """The sentences of a text; all of it, with single spaces, where it is not running text."""
    return split(text, language) if running else [" ".join(text.split())]


def _parts(text: str, language: str) -> Iterator[str]:
    """The parts of a text, which together are the text."""
    from sentencex import segment

    begun: list[str] = []  # of a sentence longer than a window
    start = 0
    while start < len(text):
        parts = segment(language, text[start : start + _WINDOW])
        more = start + _WINDOW < len(text)
        ends = len(parts) > 1 or not more
        if ends and more:
            parts.pop()  # it may go on in the next window
        start += sum(map(len, parts))
        begun.append(parts[0])
        if ends:
            yield "".join(begun)
            yield from parts[1:]
            begun = []


def is_item(line: str) -> bool:
    """Whether a line begins with what counts the items of a list."""
    return _ITEM.match(line[:20]) is not None


def is_dense(text: str) -> bool:
    """Whether a text is in a script that is written without spaces."""
    return _DENSE.match(text[len(text) // 2 :]) is not None


def is_end(line: str) -> bool:
    """Whether a line ends as a sentence ends."""
    return _END.search(line[-40:]) is not None


def joined(lines: Iterable[str]) -> str:
    """The lines of a paragraph as one text, without a space between them where the script has none."""
    parts: list[str] = []
    for line in lines:
        if not line:
            continue
        if parts:
            before = parts[-1]
            if before.endswith("\u00ad"):  # a soft hyphen stands only where a word was divided
                parts[-1] = before[:-1]
            elif not (_DENSE.match(before[-1]) and _DENSE.match(line[0])):
                parts.append(" ")
        parts.append(line)
    return "".join(parts)
