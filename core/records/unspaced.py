"""Words of scripts without spaces between them, by ICU's dictionaries and rules.

Chinese and Japanese, Thai, Lao, Khmer and Burmese. `Intl.Segmenter` of browsers and of Node is ICU too;
dictionaries can differ between its versions, and Firefox has models in their place. Each run of such
letters is split by itself, by the root rules of ICU and not by those of one language, so that nothing
but the dictionary decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import regex

from ..untrusted import normalized

# The patterns here and in `words` are the browser's as well (`tools/constants.py`): they keep to what
# both languages have. First Chinese and Japanese, as the content of a set. The signs after Katakana
# lengthen or voice a syllable and belong to no script; 〆 is written like a Chinese character.
_EAST = r"\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ーｰﾞﾟ〆"
# Letters alone: these scripts have digits and punctuation of their own.
_OTHERS = tuple(rf"[\p{{sc={name}}}&&\p{{L}}]" for name in ("Thai", "Lao", "Khmer", "Myanmar"))
LETTERS = f"[{_EAST}{''.join(_OTHERS)}]"
# What follows a letter and belongs to it: accents, and invisible signs other than a zero-width space.
SIGNS = r"[[\p{M}\p{Cf}]--[\u200b]]*"
# A run of letters of one of these scripts; Chinese and Japanese count as one. For `regex.VERBOSE`.
RUN = " | ".join(rf"(?: {letters} {SIGNS} )+" for letters in (f"[{_EAST}]", *_OTHERS))
# Scripts in which a zero-width space is written in place of a space: those above, and others without
# spaces for which ICU has no dictionary.
NO_SPACES = (
    *("Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom"),
    *("Tibetan", "Javanese", "Balinese", "Cham", "Buginese"),
)
BETWEEN_WORDS = "[" + "".join(rf"\p{{sc={name}}}" for name in NO_SPACES) + "]"
_LETTER = regex.compile(LETTERS, regex.VERSION1)
# What would hide a word from a dictionary: invisible signs, among them those that choose the style of a
# character; and Japanese voicing marks, which compose with the letter before.
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Variation_Selector}]")
_HIDES = regex.compile(r"[\p{Cf}\p{Variation_Selector}\u3099\u309a]")
_WITH_SIGNS = regex.compile(r"[^\p{M}\p{Cf}][\p{M}\p{Cf}]*")
# Browsers copy a text for each of its words, so that long runs are read in pieces, there and here: so
# many characters at a time, of which words up to a certain one count.
_PIECE, _SURE = 512, 448
_ROOT = "en"  # whose rules for words are those of the root


def is_unspaced(word: str) -> bool:
    """Whether a word is of one of these scripts, by its first letter."""
    return _LETTER.match(word) is not None


def ends(run: str) -> Iterator[int]:
    """Where each word of a run ends, ascending; the last one is the end of the run.

    Args:
        run: letters of one of these scripts, with their signs, as `RUN` matches them.
    """
    if len(run) == 1:
        yield 1
        return
    plain = run
    behind: list[int] | None = None  # for each character of `plain`, where its letter ends in `run`
    if _HIDES.search(run) is not None:
        letters, behind = [], []
        for letter in _WITH_SIGNS.finditer(run):
            shown = normalized("NFC", _INVISIBLE.sub("", letter.group()))
            letters.append(shown)
            behind += [letter.end()] * len(shown)
        plain = "".join(letters)
    for at in _ends(plain):
        if behind is None:
            yield at
        elif at == len(behind) or behind[at - 1] != behind[at]:  # never between a letter and its signs
            yield behind[at - 1]


def _ends(run: str) -> Iterator[int]:
    """Where ICU's words of a run end, ascending. It reads so much at a time that a word is sure."""
    start = 0
    while start < len(run):
        piece = run[start : start + _PIECE]
        more = start + _PIECE < len(run)
        at = 0
        for word in _breaker()(piece, _ROOT):
            if more and at and at + len(word) > _SURE:
                break  # what follows may change it
            at += len(word)
            yield start + at
        start += at


@cache
def _breaker() -> Callable[[str, str], Iterable[str]]:
    # Imported when a text needs it, which few do: its library takes 40 ms to load.
    from icu4py.breakers import WordBreaker

    return WordBreaker
