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
_PIECE = 6_000
# Of East Asia; or a lower-case word that is no abbreviation, before a capital.
_SURE_END = re.compile(r"[。！？][”’」』）]?|[^\W\d_A-Z]{4}[.!?][\"'”’)]?\s+(?=[\"'“‘(]?[^\W\d_a-z])")
_END = re.compile(r"[.!?…。！？؟۔।॥።։]+[\"'”’»)\]」』]*\s*$")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text, with single spaces and none at the ends.

    Args:
        text: any text.
        language: its ISO 639-1 code; an unknown one is split by the general rules.
    """
    from sentencex import segment

    sentences: list[list[str]] = []
    glue: str | None = None  # between the sentence at the end of a piece and its rest in the next one
    for piece, between in _pieces(text):
        parts = [part for found in segment(language, piece) if (part := " ".join(found.split()))]
        if parts and glue is not None and sentences and not is_end(sentences[-1][-1]):
            sentences[-1] += [glue, parts.pop(0)]
        sentences += [[part] for part in parts]
        glue = between
    return ["".join(parts) for parts in sentences]


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """A text in pieces of at most `_PIECE` characters: sentencex takes quadratic time for some texts.

    A piece ends at the end of a line or where a sentence surely ends, with None; where there is none,
    at a space or anywhere, with the space or "" that joins it to the next.
    """
    start = 0
    while len(text) - start > _PIECE:
        window = text[start : start + _PIECE]
        cut, between = window.rfind("\n", _PIECE // 2) + 1, None
        if not cut:
            ends = [found.end() for found in _SURE_END.finditer(window, _PIECE // 2)]
            cut = ends[-1] if ends else 0
        if not cut:
            cut = window.rfind(" ", _PIECE // 2) + 1
            between = " " if cut else ""
        cut = cut or _PIECE
        yield window[:cut], between
        start += cut
    yield text[start:], None


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
