"""Finding a word or a phrase in a text.

A whole word: "bank" is not found in "riverbank". A star stands for any letters, none included: "bank*"
finds "bank" and "banker", "*bank" finds "riverbank", "은행*" finds "은행에서". What is found is always
a whole word of the text, with all of its pieces.

A word is found in every spelling that the model reads like it (`spelling`), in the same letters set
otherwise, such as "ﬁne" with a ligature, and together with what its language writes without a space:
"بنك" in "البنك" (`particles`). All of these count, in the order of the text; whoever wants one of them
alone has its number, or its own name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from ..localization import _
from .elision import is_elided
from .particles import with_particles
from .spelling import Spelling
from .unspaced import is_unspaced
from .words import Word, name_of, overlaps, split

STAR = "*"
MOST_ITEMS = 40  # words of a phrase that are tested one by one
QUOTES = ('""', "''", "“”", "”“", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "「」", "『』")
_ROOM, _LONGER = 100, 4  # how much longer than a text a phrase in it may be, in other spellings
_SHORT = 500  # letters of texts and phrase whose search is remembered
_LEAST = 3  # letters of a part of an English word that is worth an offer
_NAMED = 3  # words that an error message offers to find by a star

Span = tuple[int, int]
Fits = Callable[[str], bool]
_LETTER = regex.compile(r"[\p{L}\p{N}]")  # `str.isalnum` may know an older Unicode
_Search = Callable[[Sequence[Word]], Iterator[Span]]


class _Item(NamedTuple):
    """A word of a phrase with a star, or a word beside it."""

    text: str
    starred: bool


def occurrence_spans(text: str, phrase: str, *, spelling: Spelling) -> tuple[Span, ...]:
    """The occurrences in `text` of `phrase`, one whole word or several in a row.

    Args:
        text: the text to search.
        phrase: the word or words to find; the same rules split it into words. It may have stars.
        spelling: which spellings are one word.

    Returns:
        `(start, end)` in characters of `text`, one for each occurrence, from left to right.
        Occurrences do not overlap. Empty if there is none, or if `phrase` contains no word.
    """
    return spans_in((text,), phrase, spelling=spelling)[0]


def spans_in(texts: Sequence[str], phrase: str, *, spelling: Spelling) -> list[tuple[Span, ...]]:
    """`occurrence_spans` in each of several texts that count as one, such as the two of a pair."""
    if len(phrase) + sum(map(len, texts)) > _SHORT:
        return _spans_in(texts, phrase, spelling)
    return [*spelling.once(_spans_in, (*texts,), phrase)]


def _spans_in(texts: Sequence[str], phrase: str, spelling: Spelling) -> list[tuple[Span, ...]]:
    found: list[tuple[Span, ...]] = [()] * len(texts)
    may = [_may_have(text, phrase) for text in texts]
    if not any(may):
        return found
    for search in _searches(phrase, spelling, plain=phrase.isascii() and all(map(str.isascii, texts))):
        found = [tuple(search(split(text))) if may[i] else () for i, text in enumerate(texts)]
        if any(found):
            break
    return found


def _may_have(text: str, phrase: str) -> bool:
    """Whether a phrase is not far longer than a text; ten thousand texts must not each read it."""
    return len(phrase) <= _ROOM + _LONGER * len(text)


def pieces(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, spelling: Spelling, end: int
) -> list[npt.NDArray[np.int64]]:
    """The tokens of each occurrence of `phrase`: `occurrence_spans`, in token indices.

    A word that crosses `end`, where the text was truncated, does not count: it is no longer whole.
    """
    return [tokens for _, _, tokens in spans_of(text, spans, phrase, spelling=spelling, end=end)]


def spans_of(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, spelling: Spelling, end: int
) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
    """`pieces` with the characters of each occurrence: `(start, end, tokens)`."""
    return with_tokens(occurrence_spans(text, phrase, spelling=spelling), spans, end)


def with_tokens(
    found: Iterable[Span], spans: npt.NDArray[np.int64], end: int
) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
    """Those of some occurrences that have tokens and end before `end`, with their tokens.

    Args:
        found: the characters of each occurrence.
        spans: (tokens, 2), the characters of each token.
        end: the character at which the text was truncated.
    """
    every = (
        (first, last, np.flatnonzero(overlaps(spans, first, last)))
        for first, last in found
        if last <= end
    )
    return [one for one in every if one[2].size]


def has_star(phrase: str) -> bool:
    """Whether a phrase has a star that stands for letters; alone, it is a sign like any other."""
    return STAR in phrase and any(item.starred for item in _items(phrase))


def is_phrase(phrase: str) -> bool:
    """Whether a phrase is more than one word, perhaps with stars."""
    return len(_items(phrase)) > 1


def fits_of(word: str, spelling: Spelling) -> Fits:
    """The test of whether another word is the one that is sought.

    Args:
        word: one word, perhaps with stars.
        spelling: which spellings are one word.
    """
    if has_star(word):
        fits = [_fits(item, spelling) for item in _items(word)]
        return lambda other: len(fits) == 1 and fits[0](other)
    loose = spelling.loose(word)
    forms = {loose, *with_particles(loose)}
    return lambda other: spelling.loose(other) in forms


def unquoted(phrase: str) -> str:
    """A phrase without the quotation marks around it, if it has any."""
    typed = phrase.strip()
    if len(typed) > 2 and typed[0] + typed[-1] in QUOTES and split(typed[1:-1]):
        return typed[1:-1]
    return phrase


def counted(found: Iterable[str], phrase: str, *, spelling: Spelling) -> Counter[str]:
    """The different words in which a phrase was found, with the number of their occurrences.

    Args:
        found: the words, as the texts write them.
        phrase: what was sought: the name of all words that the model reads like it. Others have the
            name of the first of their spellings.
        spelling: which spellings the model reads alike.
    """
    names = {} if has_star(phrase) else {spelling.key(phrase): phrase}
    counts: Counter[str] = Counter()
    for word in found:
        counts[names.setdefault(spelling.key(word), name_of(word, spelling.cased))] += 1
    return counts


def why_not_found(
    phrase: str, here: Sequence[str], *, occurrence: int, count: int, spelling: Spelling, first: int = 0
) -> str:
    """An error message for a missing occurrence of a phrase; it lists the words `here`.

    Args:
        phrase: the word or phrase.
        here: the words of the text, if it has none of these.
        occurrence: the requested one, as whoever asked counts.
        count: how many there are.
        spelling: which spellings are one word.
        first: the number of the first one in that counting.
    """
    if count:
        times = "once" if count == 1 else f"{count} times"
        asked = f"occurrence {occurrence} was requested (the first is {first})"
        return f"“{phrase}” occurs here {times}; {asked}."
    names = ", ".join(here[:30]) + (f" and {len(here) - 30} more" if len(here) > 30 else "")
    there = f"The words here are: {names}." if here else "There are no words here."
    short = phrase if len(phrase) <= 40 else phrase[:39] + "…"
    if has_star(phrase):
        return f"No word of this text fits “{short}”. {there}"
    offer = by_star(phrase, here, spelling)
    return f"“{short}” is not a whole word of this text. {there}{' ' * bool(offer)}{offer}"


def by_star(word: str, here: Iterable[str], spelling: Spelling) -> str:
    """A sentence that offers the words of which a word is a part, by a star; "" if there are none."""
    key = spelling.loose(word)
    if len(key) < _LEAST * key.isascii() or not key or len(split(word)) != 1:
        return ""
    keys = {other: spelling.loose(other) for other in here}
    parts = [other for other, own in keys.items() if key in own and key != own]
    if not parts:
        return ""
    before = "" if all(keys[one].startswith(key) for one in parts) else STAR
    after = "" if all(keys[one].endswith(key) for one in parts) else STAR
    named = ", ".join(_("“{word}”").format(word=one) for one in parts[:_NAMED])
    if len(parts) > _NAMED:
        named += _(" and {count} more").format(count=len(parts) - _NAMED)
    return _("“{word}” finds {named}.").format(word=f"{before}{word.strip()}{after}", named=named)


def _searches(phrase: str, spelling: Spelling, *, plain: bool) -> Iterator[_Search]:
    """`_readings`, and those without the quotation marks around a phrase that no text has so."""
    yield from _readings(phrase, spelling, plain=plain)
    if (inner := unquoted(phrase)) != phrase:
        yield from _readings(inner, spelling, plain=plain)


def _readings(phrase: str, spelling: Spelling, *, plain: bool) -> Iterator[_Search]:
    """Ways to read a phrase, the first that finds something counts; each finds all that it may.

    Args:
        phrase: the phrase.
        spelling: which spellings are one word.
        plain: whether phrase and texts are ASCII, which is set in one way alone.
    """
    items = _items(phrase)
    if not items:
        return
    wanted = split(phrase)
    if any(item.starred for item in items):
        if any(_is_inside(item) for item in items):  # "f**k" may be what the text says
            yield lambda words: _in_a_row(_spaced(words), _spaced(wanted), spelling.key)
        if len(items) <= MOST_ITEMS:
            fits = [_fits(item, spelling) for item in items]
            yield lambda words: _by_tests(words, fits)
    else:
        if _may_be_one(phrase.strip(), wanted):
            own = fits_of(phrase.strip(), spelling)
            yield lambda words: _by_tests(words, [own])
        if plain:
            yield lambda words: _in_a_row(words, wanted, spelling.key)
        else:
            forms = [fits_of(word.text, spelling) for word in wanted[: MOST_ITEMS + 1]]
            yield lambda words: _merged(
                _in_a_row(words, wanted, spelling.loose),
                _by_tests(words, forms) if len(forms) <= MOST_ITEMS else (),
            )


def _is_inside(item: _Item) -> bool:
    """Whether an item has a star between letters, or several in a row, as letters are hidden."""
    return item.starred and (STAR in item.text.strip(STAR) or STAR * 2 in item.text)


def _spaced(words: Sequence[Word]) -> list[Word]:
    """Words with what stands between them as a word, so that "a * b" is not "a*b"."""
    spaced = list(words[:1])
    for before, word in pairwise(words):
        if before.end < word.start:
            spaced.append(Word(" ", before.end, word.start))
        spaced.append(word)
    return spaced


def _merged(*found: Iterable[Span]) -> Iterator[Span]:
    """What several searches found, from left to right; of two that overlap, the first and longest."""
    free = 0
    for start, end in sorted(chain(*found), key=lambda span: (span[0], -span[1])):
        if start >= free:
            yield start, end
            free = end


def _may_be_one(phrase: str, words: Sequence[Word]) -> bool:
    """Whether a phrase may be one word of a text, though it is split when it stands alone."""
    together = words[-1].end - words[0].start == sum(len(word.text) for word in words)
    return is_elided(phrase) or (together and all(is_unspaced(word.text) for word in words))


def _in_a_row(
    words: Sequence[Word], wanted: Sequence[Word], form: Callable[[str], str]
) -> Iterator[Span]:
    """Words in a row that read like the wanted ones.

    A dictionary may split a phrase otherwise if it stands alone. In scripts without spaces, characters
    are therefore compared, and the first and last must be those of words of the text.
    """
    # Each different unit as one character
    characters: dict[str, str] = {}
    for word in wanted:
        for unit in _units(word.text, form):
            characters.setdefault(unit, chr(len(characters) + 1))
    sought = "".join(characters[unit] for word in wanted for unit in _units(word.text, form))
    row, firsts = [], dict[int, Word]()  # where each word begins in the row
    lasts: dict[int, Word] = {}  # where each word ends
    at = 0
    for word in words:
        units = _units(word.text, form)
        row += [characters.get(unit, "\0") for unit in units]
        firsts[at] = word
        at += len(units)
        lasts[at] = word
    free = 0  # the first unit behind the last occurrence
    for i in _places(sought, "".join(row)):
        behind = i + len(sought)
        if i >= free and i in firsts and behind in lasts:
            yield firsts[i].start, lasts[behind].end
            free = behind


def _places(sought: str, row: str) -> Iterator[int]:
    """Where a text stands in another, overlaps included; in time in proportion to both.

    By the method of Knuth, Morris and Pratt (1977).
    """
    if not sought or sought not in row:
        return
    again = [0] * len(sought)  # of each beginning of the text, how much of it is also its end
    n = 0
    for i in range(1, len(sought)):
        while n and sought[i] != sought[n]:
            n = again[n - 1]
        n += sought[i] == sought[n]
        again[i] = n
    n = 0
    for i, unit in enumerate(row):
        while n and unit != sought[n]:
            n = again[n - 1]
        n += unit == sought[n]
        if n == len(sought):
            yield i + 1 - n
            n = again[n - 1]


def _units(word: str, form: Callable[[str], str]) -> Sequence[str]:
    """What of a word is compared: characters, if it stands in a run of words without spaces."""
    if is_elided(word):  # alone, "l'" is a letter and a sign
        return form(word[:-1]), form(word[-1])
    return form(word) if is_unspaced(word) else (form(word),)


def _by_tests(words: Sequence[Word], fits: Sequence[Fits]) -> Iterator[Span]:
    """Words in a row of which each fits a test."""
    i = 0
    while i + len(fits) <= len(words):
        if all(test(words[i + n].text) for n, test in enumerate(fits)):
            yield words[i].start, words[i + len(fits) - 1].end
            i += len(fits)
        else:
            i += 1


def _items(phrase: str) -> list[_Item]:
    """The words of a phrase. A star beside a word belongs to it, with its whole unspaced run."""
    words = split(phrase)
    if STAR not in phrase:
        return [_Item(word.text, False) for word in words]
    items: list[_Item] = []
    joined: list[Word] = []

    def close() -> None:
        text = "".join(word.text for word in joined)
        starred = STAR in text and any(_is_word(word.text) for word in joined)
        items.extend([_Item(text, True)] if starred else [_Item(one.text, False) for one in joined])
        joined.clear()

    for before, word in pairwise((None, *words)):
        assert word is not None
        if before is not None and not (before.end == word.start and _belong(before, word)):
            close()
        joined.append(word)
    close()
    return items


def _belong(before: Word, word: Word) -> bool:
    """Whether two neighbours are parts of one item."""
    if STAR in (before.text, word.text):
        other = word if before.text == STAR else before
        return other.text == STAR or _is_word(other.text)
    return is_unspaced(before.text) and is_unspaced(word.text)


def _is_word(word: str) -> bool:
    """Whether a word is no mere sign."""
    return _LETTER.search(word) is not None


def _fits(item: _Item, spelling: Spelling) -> Fits:
    """The test of one item: a word with stars, or a whole word."""
    if not item.starred:
        key = spelling.key(item.text)
        return lambda other: spelling.key(other) == key
    first, *parts, last = (spelling.key(part) if part else "" for part in item.text.split(STAR))
    middle = [part for part in parts if part]  # two stars are one

    def fits(other: str) -> bool:
        if not _is_word(other):
            return False
        key = spelling.key(other)
        end = len(key) - len(last)
        if not key.startswith(first) or not key.endswith(last) or len(first) > end:
            return False
        at = len(first)
        for part in middle:
            at = key.find(part, at, end)
            if at < 0:
                return False
            at += len(part)
        return True

    return fits
